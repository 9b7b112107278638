/** The in-play delay: Pending orders of a market wait first in, first out, and are processed when they fall due. */

import { defined } from '../../core/checks/assert.ts';
import { NEVER } from '../columns/due-heap.ts';
import { FAILED, PENDING, reasonCode } from '../messages/codes.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from '../state/market.ts';
import { changeOrder, clearUnmatched } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';

const CREATION_FAILED = reasonCode('CreationFailed');

/** Puts a new order behind the others of its market; returns when it falls due, in ms. */
export function enqueue(state: State, market: Market, slot: number): number {
  const due = Math.max(state.now + market.inPlayDelayMs, market.lastDue);
  market.lastDue = due;
  state.orders.setStatus(slot, PENDING);
  state.orders.delayUntil(slot, due);
  market.pending.push(slot);
  if (market.pending.size === 1) state.delays.push(due, market.id);
  return due;
}

/** When the next delay ends, in ms; NEVER where no order is Pending. */
export function nextDelayEnd(state: State): number {
  const { delays } = state;
  while (delays.nextDue !== NEVER && !isCurrent(state)) delays.pop();
  return delays.nextDue;
}

/** Removes the Pending order that is due next from its queue. Call it only once `nextDelayEnd` has come. */
export function dequeue(state: State): { market: Market; slot: number } {
  const market = defined(state.markets.get(state.delays.next), 'a due market exists');
  state.delays.pop();
  const slot = market.pending.shift();
  requeue(state, market);
  return { market, slot };
}

/** Removes orders from the queue that are no longer Pending. */
export function prunePending(state: State, market: Market): void {
  market.pending.keep((slot) => state.orders.status(slot) === PENDING);
  requeue(state, market);
}

/** Fails a Pending order that cannot be created, because its market stopped trading meanwhile. */
export function failPending(state: State, slot: number): void {
  clearUnmatched(state, slot);
  changeOrder(state, slot, FAILED, CREATION_FAILED);
}

function requeue(state: State, market: Market): void {
  const { first } = market.pending;
  if (first !== NONE) state.delays.push(state.orders.due(first), market.id);
}

/** Whether the heap's first entry still describes its market's oldest Pending order. */
function isCurrent(state: State): boolean {
  const first = state.markets.get(state.delays.next)?.pending.first ?? NONE;
  return first !== NONE && state.orders.due(first) === state.delays.nextDue;
}
