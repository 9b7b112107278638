/** Operations that list finished orders: settled ones by pages, settled and cancelled ones by cursor. */

import { orderView } from '../../../matching/state/views.ts';
import { settledOrder } from '../../documents/orders/order.ts';
import { besideOrders } from '../../documents/orders/order-extras.ts';
import { currentWorld } from '../shared/current-world.ts';
import { keysetMeta, keysetPage } from '../shared/keyset.ts';
import type { Operate } from '../shared/operation.ts';
import { isProblem } from '../shared/scope.ts';
import { createdAt, type Slot } from './order-scan.ts';
import { cancelledOrders, historyDate, settledOrders } from './orders-over.ts';
import { ordersWithBeside, pageOfOrders } from './orders-read.ts';

export const listSettledOrders: Operate<'listSettledOrders'> = ({ context, caller, query }) => {
  const world = currentWorld(context);
  const { fromSettledAt: from, toSettledAt: to } = query;
  const asked = { ...query, from, to, names: ['fromSettledAt', 'toSettledAt'] } as const;
  const slots = settledOrders(world, caller, asked, 'SettledDate');
  return isProblem(slots) ? slots : pageOfOrders(world, slots, query);
};

export const listHistoricalOrders: Operate<'listHistoricalOrders'> = ({ context, caller, query }) => {
  const world = currentWorld(context);
  const { from, to, queryType = 'SettledDate' } = query;
  const slots = settledOrders(world, caller, { ...query, from, to, names: ['from', 'to'] }, queryType);
  if (isProblem(slots)) return slots;
  const state = world.exchange.inspect();
  const key = { at: historyDate(world, state, queryType), id: (slot: Slot) => state.orders.id(slot) + 1 };
  const rows = keysetPage(slots, query, key);
  if (rows.kind === 'problem') return rows;
  const views = rows.items.map((slot) => orderView(state, slot));
  const orders = views.map((view) => settledOrder(world, view));
  const documents = { orders, ...besideOrders(world, views) };
  return { kind: 'answer', answer: { _meta: keysetMeta('orders', rows), documents } };
};

export const listCancelledOrders: Operate<'listCancelledOrders'> = ({ context, caller, query }) => {
  const world = currentWorld(context);
  const { fromCreatedAt: from, toCreatedAt: to } = query;
  const slots = cancelledOrders(world, caller, { ...query, from, to, names: ['fromCreatedAt', 'toCreatedAt'] });
  if (isProblem(slots)) return slots;
  const state = world.exchange.inspect();
  const key = {
    at: (slot: Slot) => createdAt(state, slot),
    id: (slot: Slot) => state.orders.id(slot) + 1,
  };
  const rows = keysetPage(slots, query, key);
  if (rows.kind === 'problem') return rows;
  const views = rows.items.map((slot) => orderView(state, slot));
  const documents = ordersWithBeside(world, views);
  return { kind: 'answer', answer: { _meta: keysetMeta('orders', rows), documents } };
};
