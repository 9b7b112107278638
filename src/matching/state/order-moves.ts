/** The moves an order makes in the machine. Each changes rows, lists and log together. */

import { assert, defined } from '../../core/checks/assert.ts';
import { unmatchedRisk } from '../../core/exposure.ts';
import { priceOfTick, type Tick } from '../../core/number/ladder.ts';
import type { Money, Price } from '../../core/number/units.ts';
import { isLive, ORDER_MOVES, ORDER_STATUSES } from '../../core/order.ts';
import type { SideIndex } from '../../core/side.ts';
import { CANCELLED, MATCHED, PARTIALLY_MATCHED, PENDING } from '../messages/codes.ts';
import { NO_REASON } from '../messages/event-codec.ts';
import { NONE } from '../records/order-columns.ts';
import { outcomeOf, sideOfTerms, tickOf } from '../records/orders.ts';
import type { Market } from './market.ts';
import type { State } from './state.ts';

/** Which changes of status are allowed: by status before × 16 + status after. */
const allowed = new Uint8Array(16 * 16);
const live = new Uint8Array(16);
for (const [from, status] of ORDER_STATUSES.entries()) {
  live[from] = isLive(status) ? 1 : 0;
  allowed[from * 16 + from] = 1;
  for (const to of ORDER_MOVES[status]) allowed[from * 16 + ORDER_STATUSES.indexOf(to)] = 1;
}

/** Whether stake of the order may still match. */
export function isLiveOrder(state: State, slot: number): boolean {
  return live[state.orders.status(slot)] === 1;
}

/** Whether the order waits for its in-play delay to end. */
export function isPending(state: State, slot: number): boolean {
  return state.orders.status(slot) === PENDING;
}

/** The side of the order in a slot. */
export function sideOfOrder(state: State, slot: number): SideIndex {
  return state.orders.side(slot);
}

/** The limit price of the order in a slot, in 10⁻³. */
export function limitOf(state: State, slot: number): Price {
  return priceOfTick(state.orders.tick(slot) as Tick);
}

/** The market of the order in a slot. */
export function marketOf(state: State, slot: number): Market {
  return defined(state.positions.markets[state.orders.position(slot)], 'a remembered order has a market');
}

/** Gives the order a status, and logs it with the stake that is left. */
export function changeOrder(state: State, slot: number, status: number, reason = NO_REASON): void {
  const { orders } = state;
  const from = orders.status(slot);
  assert(allowed[from * 16 + status] === 1, 'an order makes only the moves of the table');
  orders.change(slot, status, reason === NO_REASON ? 0 : reason + 1, state.now);
  if (live[from] === 1 && live[status] === 0) leaveLive(state, slot);
  state.log.orderChanged(orders.id(slot), status, orders.unmatched(slot), orders.voided(slot), reason);
}

/** Links a new order behind the others of its market and of its position. */
export function enlist(state: State, market: Market, slot: number): void {
  const { orders, positions } = state;
  const position = orders.position(slot);
  if (market.lastOrder < 0) market.firstOrder = slot;
  else orders.setMarketNext(market.lastOrder, slot);
  market.lastOrder = slot;
  const last = positions.lastOrder[position] ?? NONE;
  if (last < 0) positions.firstOrder[position] = slot;
  else orders.setPositionNext(last, slot);
  positions.lastOrder[position] = slot;
  const first = positions.firstLive[position] ?? NONE;
  orders.setLiveNext(slot, first);
  orders.setLivePrevious(slot, -1);
  if (first >= 0) orders.setLivePrevious(first, slot);
  positions.firstLive[position] = slot;
}

/** Books a matched piece of the order's stake: the status follows, and the order's position is marked as touched. */
export function takeMatched(state: State, slot: number, stake: number): void {
  const { orders } = state;
  const from = orders.unmatched(slot);
  const to = from - stake;
  assert(to >= 0, 'no more is matched than was unmatched');
  orders.setUnmatched(slot, to);
  moveUnmatched(state, slot, from, to);
  changeOrder(state, slot, to === 0 ? MATCHED : PARTIALLY_MATCHED);
}

/** Adjusts the position of an order whose unmatched stake changed: it holds what the remaining stake can lose. */
export function moveUnmatched(state: State, slot: number, from: number, to: number): void {
  const { orders, positions } = state;
  const position = orders.position(slot);
  const terms = orders.terms(slot);
  const side = sideOfTerms(terms);
  const limit = priceOfTick(tickOf(terms) as Tick);
  // The difference of two truncated risks, not the risk of the difference: so nothing is left when all stake is gone.
  const risk = unmatchedRisk(side, to as Money, limit) - unmatchedRisk(side, from as Money, limit);
  positions.moveUnmatched(position, outcomeOf(terms), side, risk);
  state.touch(position);
}

/**
 * Voids an order's unmatched stake and takes it out of the book. An order that never matched becomes Cancelled with the
 * reason, another one Matched.
 */
export function voidUnmatched(state: State, market: Market, slot: number, reason: number): void {
  if (!isPending(state, slot)) market.liquidity.withdraw(slot);
  voidRemainder(state, slot, reason);
}

/** Voids unmatched stake that rests in no book: a taker's remainder. */
export function voidRemainder(state: State, slot: number, reason: number): void {
  clearUnmatched(state, slot);
  logVoided(state, slot, reason);
}

/** Logs an order whose unmatched stake was voided. */
function logVoided(state: State, slot: number, reason: number): void {
  const { orders } = state;
  const matched = orders.voided(slot) < orders.stake(slot);
  changeOrder(state, slot, matched ? MATCHED : CANCELLED, matched ? NO_REASON : reason);
}

/** Turns unmatched stake into voided stake, without an event. */
export function clearUnmatched(state: State, slot: number): void {
  const { orders } = state;
  const left = orders.unmatched(slot);
  if (left === 0) return;
  orders.setUnmatched(slot, 0);
  orders.setVoided(slot, orders.voided(slot) + left);
  moveUnmatched(state, slot, left, 0);
}

function leaveLive(state: State, slot: number): void {
  const { orders, positions } = state;
  const next = orders.liveNext(slot);
  const previous = orders.livePrevious(slot);
  if (previous < 0) positions.firstLive[orders.position(slot)] = next;
  else orders.setLiveNext(previous, next);
  if (next >= 0) orders.setLivePrevious(next, previous);
}
