/** Cancelling orders: by id, market, event, wallet, or because a heartbeat lapsed. */

import type { App } from './accounts.ts';
import { reasonCode } from './codes.ts';
import type { OrderCommand } from './command.ts';
import { NO_SLOT } from './id-table.ts';
import type { Market } from './market.ts';
import { isLiveOrder, isPending, marketOf, voidUnmatched } from './order-moves.ts';
import { NONE } from './orders.ts';
import type { State } from './state.ts';

/** Up to so many slots are put in order by insertion. */
const INSERTION_MAX = 64;
const USER_REQUEST = reasonCode('UserRequest');

type CancelCommand = Extract<OrderCommand, { kind: 'cancel' }>;

export function cancel(state: State, command: CancelCommand): void {
  const app = state.accounts.apps[command.app];
  if (app === undefined) return state.log.refused('UNKNOWN_ID');
  const slots: number[] = [];
  for (const id of command.orders ?? []) selectOrder(state, app, id, slots);
  for (const id of command.markets ?? []) selectMarket(state, app, state.markets.get(id), slots);
  for (const id of command.events ?? []) selectEvent(state, app, id, slots);
  for (const id of command.wallets ?? []) {
    if (state.accounts.wallets.get(id)?.app === app.id) selectWallet(state, id, slots);
  }
  cancelSlots(state, slots, USER_REQUEST);
}

/** Cancels everything an app has unmatched. */
export function cancelApp(state: State, app: App, reason: number): void {
  const slots: number[] = [];
  for (const wallet of app.wallets) selectWallet(state, wallet, slots);
  cancelSlots(state, slots, reason);
}

/** Voids unmatched stake of a market's resting orders that a test lets through, by order id. */
export function voidResting(state: State, market: Market, reason: number, test: (slot: number) => boolean): void {
  const slots: number[] = [];
  for (const position of market.positions.values()) selectLive(state, position, slots);
  state.beginRound();
  for (const slot of inIdOrder(state, slots)) {
    if (!isPending(state, slot) && test(slot)) voidUnmatched(state, market, slot, reason);
  }
  state.endRound();
}

/** The market's orders with unmatched stake, Pending ones included, by id. */
export function liveOrders(state: State, market: Market): readonly number[] {
  const slots: number[] = [];
  for (const position of market.positions.values()) selectLive(state, position, slots);
  return inIdOrder(state, slots);
}

function cancelSlots(state: State, slots: number[], reason: number): void {
  state.beginRound();
  for (const slot of inIdOrder(state, slots)) {
    // A slot may have been selected twice; once cancelled it is live no more.
    if (!isLiveOrder(state, slot)) continue;
    const market = marketOf(state, slot);
    if (!mayCancel(state, market)) continue;
    if (isPending(state, slot)) cancelWhenDue(state, slot);
    else voidUnmatched(state, market, slot, reason);
  }
  state.endRound();
}

/** A Pending order is updated (specification, cancel): it may still match, and what is left then is cancelled. */
function cancelWhenDue(state: State, slot: number): void {
  state.orders.cancelUnmatched[slot] = 1;
  state.orders.modifiedAt[slot] = state.now;
}

function mayCancel(state: State, market: Market): boolean {
  return state.cancelIn[market.status] === 1;
}

function selectOrder(state: State, app: App, id: number, into: number[]): void {
  const slot = state.orders.slotById.get(id);
  if (slot === NO_SLOT) return;
  if (state.positions.app[state.orders.position[slot] ?? NONE] === app.id) into.push(slot);
}

function selectMarket(state: State, app: App, market: Market | undefined, into: number[]): void {
  if (market === undefined) return;
  for (const position of market.positions.values()) {
    if (state.positions.app[position] === app.id) selectLive(state, position, into);
  }
}

function selectEvent(state: State, app: App, id: number, into: number[]): void {
  const event = state.events[id];
  if (event === undefined) return;
  for (const market of event.markets) selectMarket(state, app, state.markets.get(market), into);
}

function selectWallet(state: State, id: number, into: number[]): void {
  let position = state.accounts.wallets.get(id)?.firstPosition ?? NONE;
  while (position !== NONE) {
    selectLive(state, position, into);
    position = state.positions.walletNext[position] ?? NONE;
  }
}

function selectLive(state: State, position: number, into: number[]): void {
  let slot = state.positions.firstLive[position] ?? NONE;
  while (slot !== NONE) {
    into.push(slot);
    slot = state.orders.liveNext[slot] ?? NONE;
  }
}

function inIdOrder(state: State, slots: number[]): readonly number[] {
  const { id } = state.orders;
  if (slots.length > INSERTION_MAX) return slots.sort((a, b) => (id[a] ?? 0) - (id[b] ?? 0));
  // A batch is short, and often in order already: a comparison called back would cost more than the cancelling.
  for (let i = 1; i < slots.length; i += 1) {
    const slot = slots[i] ?? NONE;
    const own = id[slot] ?? 0;
    let at = i;
    for (; at > 0 && (id[slots[at - 1] ?? NONE] ?? 0) > own; at -= 1) slots[at] = slots[at - 1] ?? NONE;
    slots[at] = slot;
  }
  return slots;
}
