/** Operations that read orders: one by its id or reference, and pages of them. */

import { defined } from '../../../core/checks/assert.ts';
import type { State } from '../../../matching/state/state.ts';
import { type OrderView, orderView } from '../../../matching/state/views.ts';
import { orderDocument, settledOrder } from '../../documents/orders/order.ts';
import { besideOrders } from '../../documents/orders/order-extras.ts';
import { countOfId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { unknownMarkets, visibleMarket } from '../catalogue/visible-market.ts';
import { historicalAnswer, pagedAnswer, plainAnswer } from '../shared/answers.ts';
import { type Caller, type Operate, type Problem, problem } from '../shared/operation.ts';
import type { PageQuery } from '../shared/paging.ts';
import { forbidden, isProblem, mayUse, unknown, userWalletsNamed } from '../shared/scope.ts';
import { ordersAsked } from './order-filter.ts';
import { createdAt, type Slot, slotOfOrder, slotsInMarket, sortableOrders, walletOfSlot } from './order-scan.ts';
import { cancelledOrders, historyDate, settledOrders } from './orders-over.ts';

export const listOrders: Operate<'listOrders'> = ({ world, caller, query }) => {
  const slots = ordersAsked(world, caller, query);
  return isProblem(slots) ? slots : pageOfOrders(world, slots, query);
};

export const getOrder: Operate<'getOrder'> = ({ world, caller, path }) => {
  const id = ownOrder(world, caller, path.id);
  return typeof id === 'number' ? answerOrders(world, [id]) : id;
};

/**
 * References may contain `/` and `\`, but this address cannot carry them, however they are escaped (profile section 2).
 */
export const getOrderByReference: Operate<'getOrderByReference'> = ({ world, caller, path }) => {
  const { reference } = path;
  if (/[/\\]/.test(reference))
    return problem(400, 'Bad reference', 'reference: one that holds / or \\ is found with GET /orders only');
  const order = world.exchange.orderByReference(caller.app, reference);
  const id = order === undefined ? undefined : usableOrder(world, caller, order);
  return typeof id === 'number' ? answerOrders(world, [id]) : (id ?? unknown(`order of reference ${reference}`));
};

export const listMarketOrders: Operate<'listMarketOrders'> = ({ world, caller, path, query }) => {
  const market = visibleMarket(world, caller, path.id);
  if (market === undefined) return unknownMarkets(path.id);
  const wallets = userWalletsNamed(world, caller, query.walletIds);
  return pageOfOrders(world, slotsInMarket(world.exchange.inspect(), market.market, wallets), query);
};

/** The exchange machine's number of the order with an id; a problem where the caller may not use it. */
export function ownOrder(world: World, caller: Caller, id: string): number | Problem {
  const order = countOfId(id);
  return (order === undefined ? undefined : usableOrder(world, caller, order)) ?? unknown(`order ${id}`);
}

/** The order, or 403 for an order of another wallet of the app. Undefined where it is unknown or of another app. */
function usableOrder(world: World, caller: Caller, order: number): number | Problem | undefined {
  const state = world.exchange.inspect();
  const slot = slotOfOrder(state, order);
  if (slot === undefined) return undefined;
  const wallet = walletOfSlot(state, slot);
  if (mayUse(world, caller, wallet)) return order;
  const isOfApp = world.registry.wallets.get(wallet)?.app === caller.app;
  return isOfApp ? forbidden("the order is not of this key's wallet") : undefined;
}

/** Views of orders by the exchange machine's numbers, all of which must exist. */
export function orderViews({ exchange }: World, ids: readonly number[]): readonly OrderView[] {
  return ids.map((id) => defined(exchange.order(id), 'the machine knows the order'));
}

/** Orders in full and the documents beside them. */
export function ordersWithBeside(world: World, views: readonly OrderView[]) {
  return { orders: views.map((view) => orderDocument(world, view)), ...besideOrders(world, views) };
}

export function answerOrders(world: World, ids: readonly number[]) {
  return plainAnswer('orders', ids.length, ordersWithBeside(world, orderViews(world, ids)));
}

function pageOfOrders(world: World, rows: Iterable<Slot>, query: PageQuery) {
  const state = world.exchange.inspect();
  return pagedAnswer({
    primary: 'orders',
    rows,
    query,
    sortable: sortableOrders(state),
    documents: (slots) => ordersWithBeside(world, viewsOf(state, slots)),
  });
}

function viewsOf(state: State, slots: readonly Slot[]): readonly OrderView[] {
  return slots.map((slot) => orderView(state, slot));
}

/** Operations that list finished orders: settled ones by pages, settled and cancelled ones by cursor. */
export const listSettledOrders: Operate<'listSettledOrders'> = ({ world, caller, query }) => {
  const { fromSettledAt: from, toSettledAt: to } = query;
  const asked = { ...query, from, to, names: ['fromSettledAt', 'toSettledAt'] } as const;
  const slots = settledOrders(world, caller, asked, 'SettledDate');
  return isProblem(slots) ? slots : pageOfOrders(world, slots, query);
};

export const listHistoricalOrders: Operate<'listHistoricalOrders'> = ({ world, caller, query }) => {
  const { from, to, queryType = 'SettledDate' } = query;
  const slots = settledOrders(world, caller, { ...query, from, to, names: ['from', 'to'] }, queryType);
  if (isProblem(slots)) return slots;
  const state = world.exchange.inspect();
  return historicalAnswer({
    primary: 'orders',
    rows: slots,
    query,
    key: { at: historyDate(world, state, queryType), id: (slot) => state.orders.id(slot) + 1 },
    documents(rows) {
      const views = viewsOf(state, rows);
      return { orders: views.map((view) => settledOrder(world, view)), ...besideOrders(world, views) };
    },
  });
};

export const listCancelledOrders: Operate<'listCancelledOrders'> = ({ world, caller, query }) => {
  const { fromCreatedAt: from, toCreatedAt: to } = query;
  const slots = cancelledOrders(world, caller, { ...query, from, to, names: ['fromCreatedAt', 'toCreatedAt'] });
  if (isProblem(slots)) return slots;
  const state = world.exchange.inspect();
  return historicalAnswer({
    primary: 'orders',
    rows: slots,
    query,
    key: { at: (slot) => createdAt(state, slot), id: (slot) => state.orders.id(slot) + 1 },
    documents: (rows) => ordersWithBeside(world, viewsOf(state, rows)),
  });
};
