/** The endpoints of wallets: positions, metrics, and deposits. */

import { list, text } from '../../codec/notation.ts';
import { POSITIONS, paged, plain, withoutMeta } from './answers.ts';
import * as query from './basics/queries.ts';
import * as body from './basics/requests.ts';
import type { Endpoint } from './endpoint.ts';
import { WalletApiKey } from './shapes/access.ts';
import { DepositAddress, DepositRequest, Transaction, Wallet, WalletMetrics } from './shapes/wallets.ts';

const SPEC = 'specification';
const PROFILE = 'profile';

const wallets = plain('wallets', { wallets: list(Wallet) });
const positions = paged('marketPositions', POSITIONS);

export const WALLET_ENDPOINTS = {
  createWallet: { method: 'POST', path: '/wallets', from: PROFILE, body: body.WalletBody, answer: wallets },
  listWallets: {
    method: 'GET',
    path: '/wallets',
    from: SPEC,
    query: query.WalletsQuery,
    answer: paged('wallets', { wallets: list(Wallet) }),
  },
  getWallet: { method: 'GET', path: '/wallets/{id}', from: PROFILE, answer: wallets },
  createWalletApiKey: {
    method: 'POST',
    path: '/wallets/{id}/api-keys',
    from: SPEC,
    answer: plain('apiKeys', { apiKeys: list(WalletApiKey) }),
  },
  listWalletTransactions: {
    method: 'GET',
    path: '/wallets/{id}/transactions',
    from: PROFILE,
    query: query.TransactionsQuery,
    answer: paged('transactions', { transactions: list(Transaction) }),
  },
  listAllPositions: {
    method: 'GET',
    path: '/wallets/{id}/positions-all',
    from: SPEC,
    query: query.AllPositionsQuery,
    answer: positions,
  },
  listWalletPositions: {
    method: 'GET',
    path: '/wallets/{id}/positions',
    from: SPEC,
    query: query.WalletPositionsQuery,
    answer: positions,
  },
  getWalletMetrics: {
    method: 'GET',
    path: '/wallets/{id}/metrics',
    from: SPEC,
    query: query.MetricsQuery,
    answer: plain('walletMetrics', { walletMetrics: WalletMetrics }),
  },
  getDepositAddress: {
    method: 'GET',
    path: '/wallets/{id}/deposits/addresses',
    from: SPEC,
    query: query.DepositAddressQuery,
    answer: plain('depositAddresses', { depositAddresses: list(DepositAddress) }),
  },
  createDeposit: {
    method: 'POST',
    path: '/wallets/{id}/deposits/{currencyId}',
    from: SPEC,
    answer: plain('depositRequests', { depositRequests: list(DepositRequest) }),
  },
  askFaucet: {
    method: 'GET',
    path: '/faucet',
    from: PROFILE,
    query: query.FaucetQuery,
    answer: withoutMeta('wallets', { transactionId: text, wallet: Wallet }),
    mayBeAbsent: true,
    sandboxOnly: true,
  },
} as const satisfies Record<string, Endpoint>;
