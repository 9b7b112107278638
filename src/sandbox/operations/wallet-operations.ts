/** The operations on wallets, their positions and the money that comes in. */

import type { WALLET_ENDPOINTS } from '../../betdex/wire/wallet-endpoints.ts';
import { askFaucet, createDeposit, getDepositAddress } from './accounts/deposits.ts';
import { createWalletApiKey } from './accounts/keys.ts';
import { createWallet, getWallet, getWalletMetrics, listWallets, listWalletTransactions } from './accounts/wallets.ts';
import { listAllPositions, listWalletPositions } from './orders/positions.ts';
import type { Operations } from './shared/operation.ts';

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
