/** Finds the orders of a GET /orders query: candidates first, then a test for each. */

import { MONEY_SCALE } from '../../../core/number/units.ts';
import type { State } from '../../../matching/state/state.ts';
import { countOfId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import type { Call, Caller, Problem } from '../shared/operation.ts';
import { problem } from '../shared/operation.ts';
import { isWithin, period } from '../shared/period.ts';
import { userWalletsNamed } from '../shared/scope.ts';
import { anyOf } from '../shared/selection.ts';
import {
  areLiveStatuses,
  createdAt,
  marketOfSlot,
  type Slot,
  slotOfOrder,
  slotsOfWallets,
  statusTest,
  walletOfSlot,
} from './order-scan.ts';

type OrdersQuery = Call<'listOrders'>['query'];

/**
 * Slots of the caller's orders that pass all filters, in no particular order. Listed ids or references are looked up
 * one by one. Otherwise the wallets' orders are walked, only the live ones where the query asks only for these.
 */
export function ordersAsked(world: World, caller: Caller, query: OrdersQuery): readonly Slot[] | Problem {
  const refusal = refuseUnbounded(query);
  if (refusal !== undefined) return refusal;
  const test = orderTest(world, query);
  if (typeof test !== 'function') return test;
  const state = world.exchange.inspect();
  const wallets = walletsAsked(world, caller, query);
  const isOfWallets = anyOf(wallets);
  const found: Slot[] = [];
  for (const slot of candidates(world, state, caller, query, wallets)) {
    if (isOfWallets(walletOfSlot(state, slot)) && test(slot)) found.push(slot);
  }
  return found;
}

/** Refuses a query without any list of ids or references, or with references but without appIds (profile section 2). */
function refuseUnbounded(query: OrdersQuery): Problem | undefined {
  const { ids, appIds, eventIds, marketIds, walletIds, references } = query;
  const lists = [ids, appIds, eventIds, marketIds, walletIds, references];
  if (lists.every((list) => list === undefined))
    return problem(400, 'Bad query', 'at least one list of ids, or references, must be given');
  if (references !== undefined && appIds === undefined)
    return problem(400, 'Bad query', 'references: appIds must be given too');
  return undefined;
}

/** The wallets of the query that the caller may use; ids of other apps match nothing. */
function walletsAsked(world: World, caller: Caller, { appIds, walletIds }: OrdersQuery): readonly number[] {
  if (appIds?.includes(world.registry.app(caller.app).id) === false) return [];
  return userWalletsNamed(world, caller, walletIds);
}

function candidates(
  world: World,
  state: State,
  caller: Caller,
  query: OrdersQuery,
  wallets: readonly number[],
): Iterable<Slot> {
  const { ids, references, statuses } = query;
  if (ids !== undefined) return slotsOfIds(state, ids.map(countOfId));
  if (references !== undefined) {
    return slotsOfIds(
      state,
      references.map((reference) => world.exchange.orderByReference(caller.app, reference)),
    );
  }
  const isMarket = marketTest(query);
  const liveOnly = statuses !== undefined && areLiveStatuses(statuses);
  return slotsOfWallets(state, { wallets, isAsked: ({ id, event }) => isMarket(id, event.id), liveOnly });
}

/** The slots of the orders, each once even if it is listed twice. */
function slotsOfIds(state: State, orders: readonly (number | undefined)[]): ReadonlySet<Slot> {
  const slots = new Set<Slot>();
  for (const order of orders) {
    const slot = order === undefined ? undefined : slotOfOrder(state, order);
    if (slot !== undefined) slots.add(slot);
  }
  return slots;
}

function marketTest({ marketIds, eventIds }: OrdersQuery): (market: number, event: number) => boolean {
  const isMarket = anyOf(marketIds?.map(countOfId));
  const isEvent = anyOf(eventIds?.map(countOfId));
  return (market, event) => isMarket(market) && isEvent(event);
}

type Test = (slot: Slot) => boolean;

/**
 * The test of each candidate. It contains only conditions that the query sets, since there may be very many candidates.
 */
function orderTest(world: World, query: OrdersQuery): Test | Problem {
  const created = period(query.fromCreatedAt, query.toCreatedAt, ['fromCreatedAt', 'toCreatedAt']);
  if (created.kind === 'problem') return created;
  const state = world.exchange.inspect();
  const { orders } = state;
  const { statuses, references, matchBehavior, marketIds, eventIds } = query;
  const tests: Test[] = stakeTests(state, query);
  if (statuses !== undefined) {
    const isStatus = statusTest(statuses);
    tests.push((slot) => isStatus(orders.status(slot)));
  }
  if (matchBehavior !== undefined) {
    const cancels = matchBehavior === 'CancelUnmatched';
    tests.push((slot) => orders.cancelsUnmatched(slot) === cancels);
  }
  if (query.fromCreatedAt !== undefined || query.toCreatedAt !== undefined)
    tests.push((slot) => isWithin(createdAt(state, slot), created));
  if (references !== undefined) {
    const isReference = anyOf<string | undefined>(references);
    tests.push((slot) => isReference(orders.referenceBySlot.get(slot)));
  }
  if (marketIds !== undefined || eventIds !== undefined) {
    const isMarket = marketTest(query);
    tests.push((slot) => {
      const market = marketOfSlot(state, slot);
      return market !== undefined && isMarket(market.id, market.event.id);
    });
  }
  return (slot) => tests.every((test) => test(slot));
}

/**
 * Stakes are compared as decimals: the query's number is the double nearest to its text, and scaling it by a product
 * might not give the exact integer.
 */
function stakeTests({ orders }: State, { fromStake, toStake }: OrdersQuery): Test[] {
  const tests: Test[] = [];
  if (fromStake !== undefined) tests.push((slot) => orders.stake(slot) / MONEY_SCALE >= fromStake);
  if (toStake !== undefined) tests.push((slot) => orders.stake(slot) / MONEY_SCALE <= toStake);
  return tests;
}
