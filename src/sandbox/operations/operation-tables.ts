/** The tables of operations on orders, sessions and wallets. */

import type { ORDER_ENDPOINTS, SESSION_ENDPOINTS } from '../../betdex/wire/endpoints.ts';
import type { WALLET_ENDPOINTS } from '../../betdex/wire/wallet-endpoints.ts';
import { armHeartbeat, deleteHeartbeat, getCommissionRates, getHeartbeat } from './accounts/app-settings.ts';
import { askFaucet, createDeposit, getDepositAddress } from './accounts/deposits.ts';
import { createAppApiKey, createWalletApiKey, deactivateAppApiKey } from './accounts/keys.ts';
import { createSession, refreshSession } from './accounts/sessions.ts';
import { createWallet, getWallet, getWalletMetrics, listWallets, listWalletTransactions } from './accounts/wallets.ts';
import { cancelOrder, cancelOrders, cancelOrdersInFull } from './orders/orders-cancel.ts';
import { createOrder, createOrders, requestOrder, requestOrders } from './orders/orders-place.ts';
import {
  getOrder,
  getOrderByReference,
  listCancelledOrders,
  listHistoricalOrders,
  listOrders,
  listSettledOrders,
} from './orders/orders-read.ts';
import { listAllPositions, listWalletPositions } from './orders/positions.ts';
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

/** The table of operations on sessions, keys, commission rates and heartbeats. */
export const SESSION_OPERATIONS: Operations<keyof typeof SESSION_ENDPOINTS> = {
  createSession,
  refreshSession,
  createAppApiKey,
  deactivateAppApiKey,
  getCommissionRates,
  getHeartbeat,
  armHeartbeat,
  deleteHeartbeat,
};

/** The table of operations on wallets, their positions and deposits. */
export const WALLET_OPERATIONS: Operations<keyof typeof WALLET_ENDPOINTS> = {
  createWallet,
  listWallets,
  getWallet,
  createWalletApiKey,
  listWalletTransactions,
  listAllPositions,
  listWalletPositions,
  getWalletMetrics,
  getDepositAddress,
  createDeposit,
  askFaucet,
};
