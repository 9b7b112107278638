/**
 * Walks orders and trades by the exchange machine's slots, so that long lists are filtered and sorted without objects.
 */

import { type Instant, instant } from '../../../core/number/units.ts';
import { isLive, ORDER_STATUSES } from '../../../core/order.ts';
import { NONE } from '../../../matching/records/order-columns.ts';
import type { Market } from '../../../matching/state/market.ts';
import type { State } from '../../../matching/state/state.ts';
import type { Sortable } from '../shared/paging.ts';

export type Slot = number;

/** The slot of an order; undefined where it is unknown or was removed. */
export function slotOfOrder(state: State, order: number): Slot | undefined {
  const slot = state.orders.slotById.get(order);
  return slot === NONE ? undefined : slot;
}

export function walletOfSlot({ orders, positions }: State, slot: Slot): number {
  return positions.wallet[orders.position(slot)] ?? NONE;
}

export function marketOfSlot({ orders, positions }: State, slot: Slot): Market | undefined {
  return positions.markets[orders.position(slot)];
}

export interface OrderPlaces {
  readonly wallets: Iterable<number>;
  /** Filters the markets. */
  readonly isAsked: (market: Market) => boolean;
  /** Only orders with unmatched stake; finished orders are not visited at all. */
  readonly liveOnly: boolean;
}

/** Orders of wallets, position by position, in no particular order. */
export function* slotsOfWallets(state: State, { wallets, isAsked, liveOnly }: OrderPlaces): IterableIterator<Slot> {
  const { positions, orders } = state;
  const first = liveOnly ? positions.firstLive : positions.firstOrder;
  const next = (slot: Slot) => (liveOnly ? orders.liveNext(slot) : orders.positionNext(slot));
  for (const wallet of wallets) {
    let position = state.accounts.wallets.get(wallet)?.firstPosition ?? NONE;
    for (; position !== NONE; position = positions.walletNext[position] ?? NONE) {
      const market = positions.markets[position];
      if (market === undefined || !isAsked(market)) continue;
      for (let slot = first[position] ?? NONE; slot !== NONE; slot = next(slot)) yield slot;
    }
  }
}

/** Orders of these wallets in one market. */
export function* slotsInMarket(state: State, market: number, wallets: Iterable<number>): IterableIterator<Slot> {
  const { positions, orders } = state;
  const found = state.markets.get(market);
  for (const wallet of wallets) {
    const position = found?.positions.get(wallet) ?? NONE;
    let slot = position === NONE ? NONE : (positions.firstOrder[position] ?? NONE);
    for (; slot !== NONE; slot = orders.positionNext(slot)) yield slot;
  }
}

/** Trades of the orders, in the same order, the oldest trade of each order first. */
export function* tradeSlots({ orders, trades }: State, slots: Iterable<Slot>): IterableIterator<Slot> {
  for (const slot of slots) {
    let trade = orders.firstTrade(slot);
    for (; trade !== NONE; trade = trades.next(trade)) yield trade;
  }
}

/** A test for the status column. Words in the list that are no order status are ignored. */
export function statusTest(statuses: readonly string[]): (status: number) => boolean {
  const wanted = ORDER_STATUSES.map((status) => statuses.includes(status));
  return (status) => wanted[status] === true;
}

/** Whether the list names only statuses of live orders. */
export function areLiveStatuses(statuses: readonly string[]): boolean {
  return ORDER_STATUSES.every((status) => isLive(status) || !statuses.includes(status));
}

export function sortableOrders({ orders }: State): Sortable<Slot> {
  return {
    id: (slot) => orders.id(slot),
    createdAt: (slot) => orders.createdAt(slot),
    modifiedAt: (slot) => orders.modifiedAt(slot),
  };
}

export function sortableTrades({ trades }: State): Sortable<Slot> {
  return {
    id: (slot) => trades.id(slot),
    createdAt: (slot) => trades.createdAt(slot),
    modifiedAt: (slot) => trades.modifiedAt(slot),
  };
}

export function createdAt({ orders }: State, slot: Slot): Instant {
  return instant(orders.createdAt(slot));
}
