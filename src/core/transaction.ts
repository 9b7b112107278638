/** The API's codes for why money moved between wallets (profile section 7). */

export const TRANSACTION_CODES = [
  'Deposit',
  'Withdrawal',
  'TradeCreation',
  'TradeVoid',
  'TradeWin',
  'WalletToWallet',
  'Commission',
  'MarketPositionVoid',
  'MarketPositionPayout',
  'MarketPositionRefund',
  'ManualDebit',
  'ManualCredit',
  'SettlementResidual',
] as const;
export type TransactionCode = (typeof TRANSACTION_CODES)[number];
