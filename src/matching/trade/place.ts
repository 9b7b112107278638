/** Places orders: the checks in the exchange's order, the funds, the first matching. */

import { unmatchedRisk } from '../../core/exposure.ts';
import { priceOfTick, TICK_COUNT } from '../../core/number/ladder.ts';
import { type Money, STAKE_STEP } from '../../core/number/units.ts';
import type { OrderErrorCode } from '../../core/order.ts';
import { FOR, type SideIndex, sideIndex } from '../../core/side.ts';
import { IN_PLAY, MATCHED, OPEN, PARTIALLY_MATCHED, reasonCode, UNMATCHED } from '../messages/codes.ts';
import type { OrderCommand, PlaceRequest } from '../messages/command.ts';
import type { CommandRefusal } from '../messages/event.ts';
import { NO_INSTANT } from '../messages/event-codec.ts';
import { type App, SYSTEM_WALLET } from '../records/accounts.ts';
import { NONE } from '../records/order-columns.ts';
import { outcomeOf, sideOfTerms, tickOf } from '../records/orders.ts';
import type { Market } from '../state/market.ts';
import { changeOrder, enlist, voidRemainder } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { enqueue } from './delays.ts';
import { isBlocked } from './heartbeats.ts';
import { type Matcher, mayMatch } from './matcher.ts';
import { reachesMinFill } from './min-fill.ts';

const CANCEL_UNMATCHED = reasonCode('CancelUnmatched');

export type PlaceCommand = Extract<OrderCommand, { kind: 'place' }>;

/** Places a batch of orders, one after another. The order of events is described in messages/event.ts. */
export function place(state: State, matcher: Matcher, command: PlaceCommand): void {
  const app = appOfBatch(state, command);
  if (app !== undefined) placeAll(state, matcher, app, command.requests);
}

/** The app that may place the batch; undefined where the whole of it was refused. */
export function appOfBatch(state: State, command: PlaceCommand): App | undefined {
  const app = state.accounts.apps[command.app];
  if (app === undefined) return refused(state, 'UNKNOWN_ID');
  // The shape of the request is checked first and decides over the whole batch (profile section 3).
  const { requests } = command;
  if (requests.length === 0 || requests.length > state.rules.batchMax) return refused(state, 'INVALID_ARGUMENT');
  for (let item = 0; item < requests.length; item += 1) {
    if (!isWellFormed(requests[item])) return refused(state, 'INVALID_ARGUMENT');
  }
  if (isBlocked(state, app)) return refused(state, 'HEARTBEAT_LAPSED');
  return app;
}

function refused(state: State, reason: CommandRefusal): undefined {
  state.log.refused(reason);
}

/** Judges and matches one order after another. An absent one is passed over, and the others keep their index. */
export function placeAll(
  state: State,
  matcher: Matcher,
  app: App,
  requests: readonly (PlaceRequest | undefined)[],
): void {
  const batch: Batch = { app, market: undefined, refusal: undefined };
  for (let item = 0; item < requests.length; item += 1) {
    const request = requests[item];
    if (request === undefined) continue;
    if (request.market !== batch.market?.id) enter(state, batch, request.market);
    placeItem(state, matcher, batch, item, request);
  }
}

/** Why the market takes no orders now, as a refusal code; undefined where it takes them. */
export function tradingRefusal(state: State, market: Market): OrderErrorCode | undefined {
  if (market.status !== OPEN) return 'INVALID_MARKET_STATUS';
  if (!market.published && !state.rules.tradeUnpublished) return 'INVALID_MARKET_STATUS';
  if (!market.event.active && !state.rules.tradeInactiveEvent) return 'INVALID_MARKET_STATUS';
  if (market.suspended) return 'SUSPENDED_MARKET';
  if (market.lockAt <= state.now && state.rules.lockAtStopsOrders) return 'INVALID_MARKET_STATUS';
  return undefined;
}

/** Matches an order, then lets its remainder rest, or voids it under CancelUnmatched. */
export function matchAndRest(state: State, matcher: Matcher, market: Market, slot: number): void {
  const { orders } = state;
  if (orders.minFillBySlot.size > 0 && !reachesMinFill(state, market, slot)) return;
  matcher.match(market, slot);
  const left = orders.unmatched(slot) as Money;
  if (left === 0 || orders.cancelsUnmatched(slot)) return;
  const terms = orders.terms(slot);
  restAt(market, slot, outcomeOf(terms), sideOfTerms(terms), tickOf(terms), left);
}

function restAt(market: Market, slot: number, outcome: number, side: SideIndex, tick: number, stake: Money): void {
  resting.slot = slot;
  resting.outcome = outcome;
  resting.side = side;
  resting.tick = tick;
  resting.stake = stake;
  market.liquidity.rest(resting);
}

/** Logs how an order stands after its matching, voiding what may not rest. */
export function logProcessed(state: State, slot: number, always: boolean): void {
  const { orders } = state;
  const left = orders.unmatched(slot);
  if (left > 0 && orders.cancelsUnmatched(slot)) return voidRemainder(state, slot, CANCEL_UNMATCHED);
  const untouched = left === orders.stake(slot);
  if (untouched && !always) return;
  if (untouched) changeOrder(state, slot, UNMATCHED);
  else changeOrder(state, slot, left === 0 ? MATCHED : PARTIALLY_MATCHED);
}

const resting: { slot: number; outcome: number; side: SideIndex; tick: number; stake: Money } = {
  slot: 0,
  outcome: 0,
  side: 0,
  tick: 0,
  stake: 0 as Money,
};

/** What the items of a batch have in common: none of them changes whether a market takes orders. */
interface Batch {
  readonly app: App;
  /** The market of the previous item, and why it takes no orders. */
  market: Market | undefined;
  refusal: OrderErrorCode | undefined;
}

function enter(state: State, batch: Batch, id: number): void {
  const market = state.markets.get(id);
  batch.market = market;
  batch.refusal = market === undefined ? undefined : tradingRefusal(state, market);
}

function placeItem(state: State, matcher: Matcher, batch: Batch, item: number, request: PlaceRequest): void {
  const { app, market } = batch;
  if (market === undefined) return state.log.orderRefused(app.id, item, 'MARKET_NOT_FOUND');
  const position =
    batch.refusal ?? termsRefusal(state, app, market, request) ?? fundedPosition(state, app, market, request);
  if (typeof position === 'string') return state.log.orderRefused(app.id, item, position);
  const slot = createOrder(state, app, market, position, request);
  const { outcome, tick, stake } = request;
  const side = sideIndex(request.side);
  const delayed = isDelayed(matcher, market, request);
  const due = delayed ? enqueue(state, market, slot) : NO_INSTANT;
  state.log.orderAccepted(app.id, item, state.orders.id(slot), due);
  if (delayed) return;
  if (request.matchBehavior !== 'CancelUnmatched' && !mayMatch(market, outcome, side, tick)) {
    return restAt(market, slot, outcome, side, tick, stake);
  }
  state.beginRound();
  state.touch(position);
  matchAndRest(state, matcher, market, slot);
  logProcessed(state, slot, false);
  // Untouched stake is held already, since the funds were checked; only a match or a void changes what is held.
  if (state.orders.unmatched(slot) !== stake) state.endRound();
}

function isDelayed(matcher: Matcher, market: Market, request: PlaceRequest): boolean {
  if (market.inPlay !== IN_PLAY || market.inPlayDelayMs === 0 || request.undelayed === true) return false;
  if (!market.delaysTakersOnly) return true;
  const { outcome, tick, stake } = request;
  return matcher.wouldMatch(market, { outcome, side: sideIndex(request.side), tick, stake });
}

export function termsRefusal(
  state: State,
  app: App,
  market: Market,
  request: PlaceRequest,
): OrderErrorCode | undefined {
  if (market.removed[request.outcome] !== 0) return 'MARKET_OUTCOME_NOT_FOUND';
  if (request.commissionRate === undefined) return undefined;
  const rate = state.accounts.rates[request.commissionRate];
  if (rate === undefined) return 'COMMISSION_RATE_NOT_FOUND';
  return rate.app === app.id || state.rules.foreignCommissionRates ? undefined : 'COMMISSION_RATE_NOT_FOUND';
}

/**
 * Checks wallet, account, funds, reference and injected fault. Returns a refusal code, or the position, which already
 * holds the order's risk.
 */
export function fundedPosition(state: State, app: App, market: Market, request: PlaceRequest): OrderErrorCode | number {
  const { accounts, positions } = state;
  const known = market.positionOf(request.wallet);
  const position = isOf(state, app, known) ? known : newPosition(state, app, market, request.wallet);
  if (typeof position === 'string') return position;
  const side = sideIndex(request.side);
  const risk = unmatchedRisk(side, request.stake, priceOfTick(request.tick));
  const cell = positions.baseOf(position) + request.outcome;
  const column = side === FOR ? positions.columns.unmatchedLose : positions.columns.unmatchedWin;
  const before = column[cell] ?? 0;
  column[cell] = before + risk;
  const rise = positions.measure(position, market).required - positions.requiredOf(position);
  const isFunded = rise <= 0 || rise <= accounts.available(positions.accountOf(position));
  const code = isFunded ? lateRefusal(app, request) : fundsRefusal(state, position);
  if (code === undefined) {
    if (rise !== 0) state.reserve(position, rise);
    return position;
  }
  // The value from before is restored, not subtracted: an absurd stake may exceed 2⁵³, and the subtraction would be
  // inexact.
  column[cell] = before;
  if (position !== known) positions.forget(state.accounts.defined(request.wallet), market, position);
  return code;
}

/**
 * Whether the position exists and belongs to a User wallet of the app: of all other wallets only System has positions.
 */
function isOf(state: State, app: App, position: number): boolean {
  const { positions } = state;
  return position !== NONE && positions.app[position] === app.id && positions.wallet[position] !== SYSTEM_WALLET;
}

function newPosition(state: State, app: App, market: Market, id: number): OrderErrorCode | number {
  const wallet = state.accounts.wallets.get(id);
  if (wallet === undefined || wallet.app !== app.id || wallet.type !== 'User') return 'WALLET_NOT_FOUND';
  const account = wallet.accounts.get(market.currency);
  if (account === undefined) return 'WALLET_ACCOUNT_NOT_FOUND';
  return state.positions.create(wallet, market, account);
}

function fundsRefusal(state: State, position: number): OrderErrorCode {
  const { accounts, positions } = state;
  const wallet = accounts.defined(positions.wallet[position] ?? NONE);
  return accounts.hasCredit(wallet) ? 'WALLET_ACCOUNT_INSUFFICIENT_CREDIT' : 'WALLET_INSUFFICIENT_CREDIT';
}

function lateRefusal(app: App, request: PlaceRequest): OrderErrorCode | undefined {
  if (request.reference !== undefined && app.orderByReference.has(request.reference)) return 'ORDER_ALREADY_EXISTS';
  return request.fault;
}

function createOrder(state: State, app: App, market: Market, position: number, request: PlaceRequest): number {
  const { orders } = state;
  const slot = orders.create(request, position, request.commissionRate ?? app.defaultRate ?? NONE, state.now);
  enlist(state, market, slot);
  if (request.minFill !== undefined) orders.minFillBySlot.set(slot, request.minFill);
  if (request.reference !== undefined) {
    orders.referenceBySlot.set(slot, request.reference);
    app.orderByReference.set(request.reference, orders.id(slot));
  }
  return slot;
}

function isWellFormed(request: PlaceRequest | undefined): boolean {
  if (request === undefined || !Number.isSafeInteger(request.stake) || request.stake <= 0) return false;
  // V8 calls a function for the remainder of doubles; this only divides and multiplies: only a multiple of the step
  // equals its truncated quotient times the step.
  if (Math.trunc(request.stake / STAKE_STEP) * STAKE_STEP !== request.stake) return false;
  return isTick(request.tick) && (request.minFill === undefined || isMinFill(request.minFill, request));
}

function isMinFill(minFill: Money, { stake, matchBehavior }: PlaceRequest): boolean {
  return matchBehavior === 'CancelUnmatched' && Number.isSafeInteger(minFill) && minFill > 0 && minFill <= stake;
}

/** Whether a price is one of the ladder. */
export function isTick(tick: number): boolean {
  return Number.isInteger(tick) && tick >= 0 && tick < TICK_COUNT;
}
