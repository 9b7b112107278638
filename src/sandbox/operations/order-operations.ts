/** The operations on orders and trades. */

import type { ORDER_ENDPOINTS } from '../../wire/endpoints.ts';
import type { Operations } from './operation.ts';
import { cancelOrder, cancelOrders, cancelOrdersInFull } from './orders-cancel.ts';
import { listCancelledOrders, listHistoricalOrders, listSettledOrders } from './orders-history.ts';
import { createOrder, createOrders, requestOrder, requestOrders } from './orders-place.ts';
import { getOrder, getOrderByReference, listOrders } from './orders-read.ts';
import { getTrade, listHistoricalTrades, listOrderTrades, listTrades } from './trades.ts';

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
