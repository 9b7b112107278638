/** Cancels orders: by id, market, event or wallet, or because a heartbeat lapsed. */

import { NO_SLOT } from '../columns/id-pages.ts';
import { reasonCode } from '../messages/codes.ts';
import type { OrderCommand } from '../messages/command.ts';
import type { App } from '../records/accounts.ts';
import { NONE } from '../records/order-columns.ts';
import type { SlotList } from '../records/slot-list.ts';
import type { Market } from '../state/market.ts';
import { isLiveOrder, isPending, marketOf, voidRemainder, voidUnmatched } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';

export const USER_REQUEST = reasonCode('UserRequest');

type CancelCommand = Extract<OrderCommand, { kind: 'cancel' }>;

/** Cancels the orders that a command selects, in the order of their ids; a command for an unknown app is refused. */
export function cancel(state: State, command: CancelCommand): void {
  const app = state.accounts.apps[command.app];
  if (app === undefined) return state.log.refused('UNKNOWN_ID');
  const slots = state.selected;
  slots.clear();
  const { orders } = command;
  if (orders !== undefined) {
    for (let i = 0; i < orders.length; i += 1) selectOrder(state, app, orders[i] ?? NONE, slots);
  }
  for (const id of command.markets ?? []) selectMarket(state, app, state.markets.get(id), slots);
  for (const id of command.events ?? []) selectEvent(state, app, id, slots);
  for (const id of command.wallets ?? []) {
    if (state.accounts.wallets.get(id)?.app === app.id) selectWallet(state, id, slots);
  }
  cancelSelected(state, USER_REQUEST);
}

/** Cancels all unmatched stake of an app. */
export function cancelApp(state: State, app: App, reason: number): void {
  state.selected.clear();
  for (const wallet of app.wallets) selectWallet(state, wallet, state.selected);
  cancelSelected(state, reason);
}

/** Voids the unmatched stake of a market's resting orders that pass a test, in the order of their ids. */
export function voidResting(state: State, market: Market, reason: number, test: (slot: number) => boolean): void {
  const slots = liveOrders(state, market);
  state.beginRound();
  for (let i = 0; i < slots.size; i += 1) {
    const slot = slots.at(i);
    if (!isPending(state, slot) && test(slot)) voidUnmatched(state, market, slot, reason);
  }
  state.endRound();
}

/**
 * The market's orders with unmatched stake, Pending ones included, by id. Read the list before other orders are
 * selected: it is reused.
 */
export function liveOrders(state: State, market: Market): SlotList {
  const slots = state.selected;
  slots.clear();
  for (const position of market.positions.values()) selectLive(state, position, slots);
  slots.sortById(state.orders);
  return slots;
}

/** Voids the unmatched stake of the selected orders, in the order of their ids. */
function cancelSelected(state: State, reason: number): void {
  const slots = state.selected;
  slots.sortById(state.orders);
  state.beginRound();
  for (let i = 0; i < slots.size; i += 1) {
    const slot = slots.at(i);
    if (leavesBook(state, slot)) voidRemainder(state, slot, reason);
  }
  state.endRound();
}

/**
 * Takes an order that may be cancelled out of its book and returns true. Returns false for an order that may not, and
 * for a Pending one, which rests in no book and is marked instead.
 */
function leavesBook(state: State, slot: number): boolean {
  if (!isLiveOrder(state, slot)) return false;
  const market = marketOf(state, slot);
  if (state.cancelIn[market.status] !== 1) return false;
  if (isPending(state, slot)) {
    cancelWhenDue(state, slot);
    return false;
  }
  market.liquidity.withdraw(slot);
  return true;
}

/**
 * Marks a Pending order (specification, cancel): it may still match when it is due, and what is left then is cancelled.
 */
function cancelWhenDue(state: State, slot: number): void {
  state.orders.cancelUnmatched(slot);
  state.orders.setModifiedAt(slot, state.now);
}

function selectOrder(state: State, app: App, id: number, into: SlotList): void {
  const slot = state.orders.slotById.get(id);
  if (slot === NO_SLOT) return;
  if (state.positions.app[state.orders.position(slot)] === app.id) into.push(slot, id);
}

function selectMarket(state: State, app: App, market: Market | undefined, into: SlotList): void {
  if (market === undefined) return;
  for (const position of market.positions.values()) {
    if (state.positions.app[position] === app.id) selectLive(state, position, into);
  }
}

function selectEvent(state: State, app: App, id: number, into: SlotList): void {
  const event = state.events[id];
  if (event === undefined) return;
  for (const market of event.markets) selectMarket(state, app, state.markets.get(market), into);
}

function selectWallet(state: State, id: number, into: SlotList): void {
  let position = state.accounts.wallets.get(id)?.firstPosition ?? NONE;
  while (position !== NONE) {
    selectLive(state, position, into);
    position = state.positions.walletNext[position] ?? NONE;
  }
}

function selectLive(state: State, position: number, into: SlotList): void {
  let slot = state.positions.firstLive[position] ?? NONE;
  while (slot !== NONE) {
    into.push(slot, state.orders.id(slot));
    slot = state.orders.liveNext(slot);
  }
}
