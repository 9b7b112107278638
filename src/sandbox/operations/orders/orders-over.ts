/** Finds finished orders by date: of settlement, of creation, or of their event's start. */

import { type Instant, instant } from '../../../core/number/units.ts';
import type { Market } from '../../../matching/state/market.ts';
import type { State } from '../../../matching/state/state.ts';
import { eventRecord } from '../../documents/markets/tree.ts';
import { countOfId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import type { Caller, Problem } from '../shared/operation.ts';
import { isWithin, period } from '../shared/period.ts';
import { userWalletsNamed } from '../shared/scope.ts';
import { createdAt, marketOfSlot, type Slot, slotsOfWallets, statusTest } from './order-scan.ts';

/** A query of a historical list. Both bounds are inclusive; `names` are their parameters' names, for problems. */
export interface HistoryQuery {
  readonly walletId?: string;
  readonly marketId?: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly names: readonly [from: string, to: string];
}

export type HistoryDate = 'SettledDate' | 'EventStartDate';

/** Statuses of orders that ended with their market; a void market counts as settled. */
const isSettledStatus = statusTest(['Won', 'Lost', 'Voided']);
const isCancelledStatus = statusTest(['Cancelled', 'Failed']);

/** Slots of the caller's orders that ended with their market, in no particular order. */
export function settledOrders(
  world: World,
  caller: Caller,
  query: HistoryQuery,
  date: HistoryDate,
): readonly Slot[] | Problem {
  const bounds = period(query.from, query.to, query.names);
  if (bounds.kind === 'problem') return bounds;
  const isAsked = ({ settledAt, event }: Market) =>
    settledAt !== undefined &&
    isWithin(date === 'SettledDate' ? settledAt : eventRecord(world.catalogue, event.id).expectedStartTime, bounds);
  return ordersOver(world, caller, query, isAsked, isSettledStatus);
}

/** Slots of the caller's Cancelled and Failed orders that were created in the period. */
export function cancelledOrders(world: World, caller: Caller, query: HistoryQuery): readonly Slot[] | Problem {
  const bounds = period(query.from, query.to, query.names);
  if (bounds.kind === 'problem') return bounds;
  const state = world.exchange.inspect();
  const over = ordersOver(world, caller, query, () => true, isCancelledStatus);
  return over.filter((slot) => isWithin(createdAt(state, slot), bounds));
}

/** The date by which rows of settled orders are sorted. */
export function historyDate(world: World, state: State, date: HistoryDate): (slot: Slot) => Instant {
  return (slot) => {
    const market = marketOfSlot(state, slot);
    if (market === undefined) return instant(0);
    if (date === 'SettledDate') return market.settledAt ?? instant(0);
    return eventRecord(world.catalogue, market.event.id).expectedStartTime;
  };
}

function ordersOver(
  world: World,
  caller: Caller,
  { walletId, marketId }: HistoryQuery,
  isAsked: (market: Market) => boolean,
  isOver: (status: number) => boolean,
): readonly Slot[] {
  const state = world.exchange.inspect();
  const wallets = userWalletsNamed(world, caller, walletId === undefined ? undefined : [walletId]);
  const only = marketId === undefined ? undefined : { market: countOfId(marketId) };
  const slots = slotsOfWallets(state, {
    wallets,
    isAsked: (market) => (only === undefined || only.market === market.id) && isAsked(market),
    liveOnly: false,
  });
  const found: Slot[] = [];
  for (const slot of slots) if (isOver(state.orders.status(slot))) found.push(slot);
  return found;
}
