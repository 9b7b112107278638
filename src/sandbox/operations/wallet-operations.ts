/** The operations on wallets, their positions and the money that comes in. */

import type { WALLET_ENDPOINTS } from '../../wire/wallet-endpoints.ts';
import { createWalletApiKey } from './keys.ts';
import { askFaucet, createDeposit, getDepositAddress } from './money-in.ts';
import type { Operations } from './operation.ts';
import { listAllPositions, listWalletPositions } from './positions.ts';
import { createWallet, getWallet, getWalletMetrics, listWallets, listWalletTransactions } from './wallets.ts';

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
