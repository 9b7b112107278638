/** placeOrders: places orders on one market, all or none of them. */

import type { InstructionError, ReportError } from '../../../betfair/wire/basics/codes.ts';
import type { Params, Result } from '../../../betfair/wire/operations.ts';
import type { OrderErrorCode } from '../../../core/order.ts';
import type { ExchangeEvent } from '../../../matching/messages/event.ts';
import { averagePriceOf, statusOfOrder } from '../../documents/order-documents.ts';
import { momentOf } from '../../names/amounts.ts';
import { betIdOf } from '../../names/market-names.ts';
import { termsOf } from '../../state/accounts.ts';
import { sizesOf } from '../../state/bet-sizes.ts';
import { marketRate } from '../../state/betfair-world.ts';
import type { Bet } from '../../state/bets.ts';
import { type Asker, type Operate, type Outcome, result } from '../shared/operation.ts';
import { overall } from './cancel.ts';
import { afterDelay } from './delay.ts';
import { isDuplicate, openMarket, refusedRequest } from './order-checks.ts';
import { type Instruction, overlapping, type Placing, requestOf } from './place-checks.ts';

const INSTRUCTIONS_MAX = 200;

type Report = Result<'placeOrders'>;
export type InstructionReport = NonNullable<Report['instructionReports']>[number];

export const placeOrders: Operate<'placeOrders'> = (call) => {
  const { marketId, customerRef, marketVersion, customerStrategyRef } = call.params;
  const refusal = refusedRequest(call, call.params, INSTRUCTIONS_MAX);
  if (refusal !== undefined) return refusal;
  if (isDuplicate(call, customerRef)) return result(failed(call.params, 'DUPLICATE_TRANSACTION', []));
  const facts = openMarket(call, marketId, marketVersion);
  if (typeof facts === 'string') return result(failed(call.params, facts, []));
  const strategy = customerStrategyRef === '' ? undefined : customerStrategyRef;
  const { face, world, account } = call;
  const { app, username } = account;
  const { discountPpm } = termsOf(face, username);
  const commissionRate = marketRate(face.context, { app, basePpm: facts.basePpm, discountPpm });
  const placing = { face, world, account, facts, customerStrategyRef: strategy, commissionRate };
  return placeAll(placing, call.params);
};

function placeAll(placing: Placing, params: Params<'placeOrders'>): ReturnType<Operate<'placeOrders'>> {
  const { face, world, account } = placing;
  // Each order that is created raises this count, so that no two orders begin their references alike.
  const { created } = world.exchange.inspect().orders;
  const judged = params.instructions.map((each, item) => requestOf(placing, each, `${created}.${item}`));
  const requests = judged.filter((each) => typeof each !== 'string');
  const overlap = overlapping(requests);
  const errors = judged.map((each) => {
    if (typeof each === 'string') return each;
    return overlap.has(each) ? ('INVALID_BACK_LAY_COMBINATION' as const) : undefined;
  });
  if (errors.some((error) => error !== undefined)) return result(failed(params, 'BET_ACTION_ERROR', errors));
  const { context } = face;
  const command = { kind: 'place', app: account.app, requests, allOrNone: true } as const;
  const { events } = context.apply({ at: context.now(), kind: 'command', command });
  const placed = placedIn(events, requests.length);
  const orders = placed.filter((each) => typeof each === 'number');
  const refusals = placed.filter((each) => typeof each === 'string');
  if (orders.length === 0) return result(failed(params, refusalOf(refusals), refusals));
  if (params.async === true) return result(report(params, params.instructions.map(pendingReport)));
  return afterDelay(placing, orders, (): Outcome<Report> => {
    const reports = placed.map((each, item) => reportOf(placing, each, params.instructions[item] as Instruction));
    return result(report(params, reports));
  });
}

/** The order of each item, or why it was refused. */
export function placedIn(events: readonly ExchangeEvent[], items: number): readonly (number | InstructionError)[] {
  const placed: (number | InstructionError)[] = Array.from({ length: items }, () => 'RELATED_ACTION_FAILED');
  for (const event of events) {
    if (event.kind === 'orderAccepted') placed[event.item] = event.order;
    else if (event.kind === 'orderRefused') placed[event.item] = ERRORS[event.code] ?? 'ERROR_IN_ORDER';
  }
  return placed;
}

/** All other refusals of the machine were looked at before. */
const ERRORS: Readonly<Partial<Record<OrderErrorCode, InstructionError>>> = {
  WALLET_ACCOUNT_INSUFFICIENT_CREDIT: 'INSUFFICIENT_FUNDS',
  WALLET_INSUFFICIENT_CREDIT: 'INSUFFICIENT_FUNDS',
  MARKET_OUTCOME_NOT_FOUND: 'INVALID_RUNNER',
  SUSPENDED_MARKET: 'ERROR_IN_ORDER',
  INVALID_MARKET_STATUS: 'MARKET_NOT_OPEN_FOR_BETTING',
};

/** What became of an order that was placed, or why it was not. */
export function reportOf(
  { face }: Asker,
  placed: number | InstructionError,
  instruction: Instruction,
): InstructionReport {
  const bet = typeof placed === 'number' ? face.bets.get(placed) : undefined;
  if (bet === undefined || bet.order.status === 'Failed')
    return { status: 'FAILURE', errorCode: typeof placed === 'string' ? placed : 'ERROR_IN_ORDER', instruction };
  return {
    status: 'SUCCESS',
    orderStatus: isKilled(bet) ? 'EXPIRED' : statusOfOrder(bet.order),
    instruction,
    betId: betIdOf(bet.order.id),
    placedDate: momentOf(bet.order.createdAt),
    averagePriceMatched: averagePriceOf(bet),
    sizeMatched: sizesOf(bet).sizeMatched,
  };
}

function isKilled({ order, matched }: Bet): boolean {
  return order.matchBehavior === 'CancelUnmatched' && matched === 0;
}

/** The answer to an asynchronous order says nothing of it but that it is on its way. */
export function pendingReport(instruction: Instruction): InstructionReport {
  return { status: 'SUCCESS', orderStatus: 'PENDING', instruction };
}

/** The report of orders that reached the exchange. One may have failed since, where its market stopped during the delay. */
function report({ marketId, customerRef }: Params<'placeOrders'>, reports: readonly InstructionReport[]): Report {
  const named = { ...(customerRef === undefined ? {} : { customerRef }), marketId };
  return { ...named, ...overall(reports), instructionReports: reports };
}

/** What the exchange machine refused a request with: only the want of funds has a code for the whole of it. */
function refusalOf(refusals: readonly InstructionError[]): ReportError {
  const isUnfunded = refusals.every((each) => each === 'INSUFFICIENT_FUNDS' || each === 'RELATED_ACTION_FAILED');
  return isUnfunded ? 'INSUFFICIENT_FUNDS' : 'BET_ACTION_ERROR';
}

/** The report of a request of which nothing was placed. Instructions without a fault of their own failed with the others. */
function failed(
  { marketId, customerRef, instructions }: Params<'placeOrders'>,
  errorCode: ReportError,
  errors: readonly (InstructionError | undefined)[],
): Report {
  const other: InstructionError = errors.length === 0 ? 'ERROR_IN_ORDER' : 'RELATED_ACTION_FAILED';
  return {
    ...(customerRef === undefined ? {} : { customerRef }),
    status: 'FAILURE',
    errorCode,
    marketId,
    instructionReports: instructions.map((instruction, item) => ({
      status: 'FAILURE',
      errorCode: errors[item] ?? other,
      instruction,
    })),
  };
}
