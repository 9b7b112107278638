/** What the answer to new orders proves of each of them. */

import { Unreadable } from '../../../codec/lenient.ts';
import { instant, type Money, money, ZERO } from '../../../core/number/units.ts';
import type { OrderErrorCode } from '../../../core/order.ts';
import type { OrderFacts } from '../../../exchange-live/orders/order-facts.ts';
import type { AnswerOf } from '../../client/call.ts';
import { instructionProof } from '../../client/code-verdicts.ts';
import { sizeOf, timeOf, winningsAt } from '../base/amounts.ts';
import { orderIdOf } from './order-documents.ts';
import type { SentOrder } from './place-requests.ts';

type Answer = AnswerOf<'placeOrders'>;
type Report = Exclude<NonNullable<Answer['instructionReports']>[number], Unreadable>;

export type PlacedItem =
  | { readonly kind: 'placed'; readonly facts: OrderFacts }
  | { readonly kind: 'refused' | 'unknown'; readonly code: string };

/** One for each order, in their order. `now`: ms on our clock. */
export function placedItems(sent: readonly SentOrder[], answer: Answer, now: number): readonly PlacedItem[] {
  const { instructionReports: reports = [] } = answer;
  return sent.map((order, index) => {
    const report = reportOf(order, index, { reports, count: sent.length });
    if (answer.status === 'TIMEOUT') return { kind: 'unknown', code: answer.errorCode ?? 'TIMEOUT' };
    if (report?.status === 'SUCCESS') {
      const facts = factsOf(order, report, now);
      return facts === undefined ? { kind: 'unknown', code: 'BAD_ANSWER' } : { kind: 'placed', facts };
    }
    const code = codeOf(report, answer);
    // Without a report of its own, an order was refused only if the whole request was.
    const isProven = report === undefined ? answer.status === 'FAILURE' : report.status === 'FAILURE';
    const isRefused = isProven && instructionProof(code) === 'refused';
    return isRefused ? { kind: 'refused', code: OUR_CODES[code] ?? code } : { kind: 'unknown', code };
  });
}

/** A report repeats its instruction with our reference; one without it belongs to the order at its place, if all are there. */
function reportOf(
  { terms }: SentOrder,
  index: number,
  { reports, count }: { readonly reports: NonNullable<Answer['instructionReports']>; readonly count: number },
): Report | undefined {
  const readable = reports.flatMap((each) => (each instanceof Unreadable ? [] : [each]));
  const named = readable.filter(({ instruction }) => instruction?.customerOrderRef === terms.reference);
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const placed = reports[index];
  if (reports.length !== count || placed instanceof Unreadable) return undefined;
  return placed?.instruction?.customerOrderRef === undefined ? placed : undefined;
}

/** ERROR_IN_ORDER says nothing where the whole request was refused for a reason of its own. */
function codeOf(report: Report | undefined, { errorCode, status }: Answer): string {
  const own = report?.errorCode;
  if (own !== undefined && (own !== 'ERROR_IN_ORDER' || errorCode === 'BET_ACTION_ERROR')) return own;
  return errorCode ?? own ?? status;
}

/** The codes of refusals that every exchange has, as this program names them. */
const OUR_CODES: Readonly<Record<string, OrderErrorCode>> = {
  INVALID_MARKET_ID: 'MARKET_NOT_FOUND',
  MARKET_SUSPENDED: 'SUSPENDED_MARKET',
  MARKET_NOT_OPEN_FOR_BETTING: 'INVALID_MARKET_STATUS',
  INVALID_RUNNER: 'MARKET_OUTCOME_NOT_FOUND',
  RUNNER_REMOVED: 'MARKET_OUTCOME_NOT_FOUND',
  INSUFFICIENT_FUNDS: 'WALLET_ACCOUNT_INSUFFICIENT_CREDIT',
};

/** Undefined where the report does not say which bet it is, or what became of it. */
function factsOf({ terms }: SentOrder, report: Report, now: number): OrderFacts | undefined {
  const id = orderIdOf(report.betId);
  const matched = sizeOf(report.sizeMatched);
  const { orderStatus = 'EXECUTABLE' } = report;
  const { client: _ours, strategy: _whose, stake, ...told } = terms;
  if (id === undefined || matched === undefined || matched > stake) return undefined;
  const left = money(stake - matched);
  const parts = partsOf(orderStatus, { left, matched });
  if (parts === undefined) return undefined;
  return {
    ...{ ...told, id, stake, fills: [], ...parts },
    winnings: winningsAt(matched, report.averagePriceMatched, terms.side),
    modifiedAt: timeOf(report.placedDate) ?? instant(Math.floor(now)),
  };
}

function partsOf(orderStatus: string, { left, matched }: { readonly left: Money; readonly matched: Money }) {
  const [stakeUnmatched, stakeVoided] = orderStatus === 'EXECUTABLE' ? [left, ZERO] : [ZERO, left];
  switch (orderStatus) {
    case 'EXECUTABLE':
      return {
        ...{ stakeUnmatched, stakeVoided, reason: undefined },
        status: matched > 0 ? ('PartiallyMatched' as const) : ('Unmatched' as const),
      };
    case 'EXECUTION_COMPLETE':
    case 'EXPIRED':
      return {
        ...{ stakeUnmatched, stakeVoided, reason: matched > 0 ? undefined : 'CancelUnmatched' },
        status: matched > 0 ? ('Matched' as const) : ('Cancelled' as const),
      };
    default:
      return undefined;
  }
}
