/** Cancels orders: one market a call, and never an empty list, which Betfair takes for all orders. */

import { concatMap, from, map, mergeMap, type Observable, of, reduce } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import { assert } from '../../../core/checks/assert.ts';
import { type Money, moneyToDecimal } from '../../../core/number/units.ts';
import type { CallOutcome } from '../../../exchange-live/connection/call-outcome.ts';
import type { OrdersRead } from '../../../exchange-live/orders/order-source.ts';
import type { AnswerOf } from '../../client/call.ts';
import { instructionProof } from '../../client/code-verdicts.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { partsOf } from '../base/paged-lists.ts';
import type { EndReasons } from './end-reasons.ts';
import type { OrderMarkets } from './order-markets.ts';
import type { OrderReading } from './order-reading.ts';

const INSTRUCTIONS_MAX = 60;
const DONE: CallOutcome<unknown> = { kind: 'answered', answer: undefined };

export interface CancelParts {
  readonly context: GatewayContext;
  readonly markets: OrderMarkets;
  readonly reading: OrderReading;
  readonly reasons: EndReasons;
}

/** `stake`: only so much of the one order is cancelled. */
export function cancelCall(
  parts: CancelParts,
  stake?: Money,
): (orders: readonly number[]) => Observable<CallOutcome<unknown>> {
  const { markets, reading, reasons } = parts;
  return (orders) => {
    const strange = orders.filter((order) => markets.marketOf(order) === undefined);
    // Reading an order notes its market; one that is not found is no order of this account.
    const located$: Observable<OrdersRead | undefined> =
      strange.length === 0 ? of(undefined) : reading.byIds(strange, 'cancel');
    return located$.pipe(
      mergeMap((read): Observable<CallOutcome<unknown>> => {
        if (read?.kind === 'failed') return of({ ...read, code: 'NOT_SENT', mayHaveActed: false });
        reasons.ask(orders);
        return from(requestsFor(orders, markets)).pipe(
          concatMap(({ marketId, some }) => cancelSome(parts, { marketId, orders: some, stake })),
          reduce((all: CallOutcome<unknown>, each) => (all.kind === 'answered' ? each : all), DONE),
        );
      }),
    );
  };
}

interface Request {
  readonly marketId: string;
  readonly some: readonly number[];
}

function requestsFor(orders: readonly number[], markets: OrderMarkets): readonly Request[] {
  const byMarket = new Map<string, Set<number>>();
  for (const order of orders) {
    const marketId = markets.marketOf(order);
    if (marketId !== undefined) byMarket.set(marketId, (byMarket.get(marketId) ?? new Set()).add(order));
  }
  return [...byMarket].flatMap(([marketId, all]) =>
    partsOf([...all], INSTRUCTIONS_MAX).map((some) => ({ marketId, some })),
  );
}

function cancelSome(
  { context }: CancelParts,
  {
    marketId,
    orders,
    stake,
  }: { readonly marketId: string; readonly orders: readonly number[]; readonly stake: Money | undefined },
): Observable<CallOutcome<unknown>> {
  assert(orders.length > 0 && marketId !== '', 'a cancellation names its market and its orders');
  const reduction = stake === undefined ? {} : { sizeReduction: moneyToDecimal(stake) };
  const instructions = orders.map((order) => ({ betId: String(order), ...reduction }));
  // A part that is cancelled twice is cancelled twice over.
  const effect = stake === undefined ? {} : { effect: 'once' as const };
  return context.calls
    .call('cancelOrders', { marketId, instructions }, { priority: 'cancel', ...effect })
    .pipe(map((outcome) => (outcome.kind === 'answered' ? reported(outcome.answer) : outcome)));
}

/** An order that has ended already is no failure. What is not certain counts as not known. */
function reported({ status, errorCode, instructionReports = [] }: AnswerOf<'cancelOrders'>): CallOutcome<unknown> {
  if (status === 'SUCCESS') return DONE;
  const codes = instructionReports.flatMap((each) => {
    const report = each instanceof Unreadable ? each.part : each;
    return report.status === 'SUCCESS' ? [] : [report.errorCode];
  });
  const open = (codes.length === 0 ? [errorCode] : codes).filter((code) => {
    const proof = instructionProof(code);
    return status === 'TIMEOUT' || proof === 'unknown' || proof === 'refused';
  });
  if (open.length === 0) return DONE;
  const title = open[0] ?? status;
  const mayHaveActed = status !== 'FAILURE' || open.some((code) => instructionProof(code) === 'unknown');
  return { kind: 'refused', status: 400, title, details: [], isOwn: true, mayHaveActed };
}
