/** Operations that list finished orders: settled ones by pages, settled and cancelled ones by cursor. */

import { settledOrder } from '../../documents/orders/order.ts';
import { besideOrders } from '../../documents/orders/order-extras.ts';
import { historicalAnswer } from '../shared/answers.ts';
import type { Operate } from '../shared/operation.ts';
import { isProblem } from '../shared/scope.ts';
import { createdAt } from './order-scan.ts';
import { cancelledOrders, historyDate, settledOrders } from './orders-over.ts';
import { ordersWithBeside, pageOfOrders, viewsOf } from './orders-read.ts';

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
