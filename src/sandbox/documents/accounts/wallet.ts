/** Wallets, their transactions and their metrics as documents. */

import type {
  Balance,
  Transaction,
  Wallet,
  WalletMetrics as WalletMetricsSchema,
} from '../../../betdex/wire/shapes/wallets.ts';
import type { Written } from '../../../codec/notation.ts';
import { defined } from '../../../core/checks/assert.ts';
import { moneyToDecimal } from '../../../core/number/units.ts';
import type { AccountView } from '../../../matching/state/views.ts';
import type { Metric, WalletMetrics } from '../../../matching/state/wallet-metrics.ts';
import { numericId } from '../../world/ids.ts';
import type { TransactionRecord, WalletRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { timestampText } from '../text/timestamp-text.ts';

/** Balances are in the order in which the wallet's accounts were opened. */
export function walletDocument(world: World, record: WalletRecord): Written<typeof Wallet> {
  const { id, app, type, reference, description } = record;
  const { accounts } = defined(world.exchange.wallet(record.wallet), 'a wallet on record exists');
  return {
    id,
    appId: world.registry.app(app).id,
    type,
    ...(reference === undefined ? {} : { reference }),
    ...(description === undefined ? {} : { description }),
    balances: accounts.map((account) => balance(world, account)),
  };
}

export function transactionDocument(world: World, record: TransactionRecord): Written<typeof Transaction> {
  const { transaction, code, wallet, currency, amount, market, createdAt } = record;
  return {
    transactionId: String(transaction),
    code,
    walletId: world.registry.wallet(wallet).id,
    currencyId: world.catalogue.currencyId(currency),
    amount: moneyToDecimal(amount),
    ...(market === undefined ? {} : { description: `market ${numericId(market)}` }),
    createdAt: timestampText(createdAt),
  };
}

export function metricsDocument(metrics: WalletMetrics): Written<typeof WalletMetricsSchema> {
  const { open, matched, cancelled, settled, voided } = metrics;
  return {
    open: metric(open),
    matched: metric(matched),
    cancelled: metric(cancelled),
    settled: metric(settled),
    voided: metric(voided),
  };
}

/** A balance. Sums over many wallets may exceed what `amountToWire` holds exactly: then the nearest number is shown. */
function balance(world: World, account: AccountView): Written<typeof Balance> {
  return {
    currencyId: world.catalogue.currencyId(account.currency),
    balance: moneyToDecimal(account.balance),
    balanceAvailable: moneyToDecimal(account.balanceAvailable),
    overdraft: moneyToDecimal(account.overdraft),
    unmatchedExposure: moneyToDecimal(account.unmatchedExposure),
  };
}

function metric({ total, count }: Metric) {
  return { total: moneyToDecimal(total), count };
}
