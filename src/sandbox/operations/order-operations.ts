/** The operations on orders and trades. */

import type { ORDER_ENDPOINTS } from '../../betdex/wire/endpoints.ts';
import { cancelOrder, cancelOrders, cancelOrdersInFull } from './orders/orders-cancel.ts';
import { listCancelledOrders, listHistoricalOrders, listSettledOrders } from './orders/orders-history.ts';
import { createOrder, createOrders, requestOrder, requestOrders } from './orders/orders-place.ts';
import { getOrder, getOrderByReference, listOrders } from './orders/orders-read.ts';
import { getTrade, listHistoricalTrades, listOrderTrades, listTrades } from './orders/trades.ts';
import type { Operations } from './shared/operation.ts';

export const ORDER_OPERATIONS: Operations<keyof typeof ORDER_ENDPOINTS> = {
  createOrder,
  createOrders,
  requestOrder,
  requestOrders,
  cancelOrders,
  cancelOrdersInFull,
  cancelOrder,
  listOrders,
  getOrder,
  getOrderByReference,
  listSettledOrders,
  listHistoricalOrders,
  listCancelledOrders,
  listOrderTrades,
  getTrade,
  listTrades,
  listHistoricalTrades,
};
