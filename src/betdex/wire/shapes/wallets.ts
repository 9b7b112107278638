/** Wallets and what happens in them: balances, transactions, positions, metrics, deposits. */

import { Type } from '@sinclair/typebox';
import { document, id, integer, list, maybe, moment, number, text } from '../../../codec/notation.ts';
import { TransactionCodeWord, WalletTypeWord } from '../basics/enums.ts';
import { Reference } from './references.ts';

export const Balance = document(
  'Balance',
  { currencyId: id, balance: number, balanceAvailable: number, overdraft: number, unmatchedExposure: number },
  { needs: ['currencyId', 'balance', 'balanceAvailable'] },
);

export const Wallet = document(
  'Wallet',
  {
    id,
    appId: id,
    type: WalletTypeWord,
    reference: maybe(text),
    description: maybe(text),
    balances: list(Balance),
  },
  { needs: ['id', 'balances'] },
);

export const Transaction = document(
  'Transaction',
  {
    transactionId: id,
    code: TransactionCodeWord,
    walletId: id,
    currencyId: id,
    amount: number,
    description: maybe(text),
    createdAt: moment,
  },
  { needs: ['transactionId', 'code', 'currencyId', 'amount', 'createdAt'] },
);

/** The matched profit or loss if an outcome wins, by outcome id (profile section 2). */
const Exposures = Type.Record(Type.String(), Type.Number(), { default: {} });

export const MarketPosition = document(
  'MarketPosition',
  { market: Reference, walletId: maybe(id), exposures: Exposures },
  { needs: ['market'], uses: ['exposures'] },
);

const Metric = document('WalletMetric', { total: number, count: integer });

export const WalletMetrics = document('WalletMetrics', {
  open: Metric,
  matched: Metric,
  cancelled: Metric,
  settled: Metric,
  voided: Metric,
});

export const DepositAddress = document('DepositAddress', { networkId: id, walletId: id, address: text });
export const DepositRequest = document('DepositRequest', { id, address: text, currencyId: id });
