/** Operations that pay money into wallets: deposits and the faucet, both free of charge and up to the world's limit. */

import { hash } from 'node:crypto';
import { defined } from '../../../core/checks/assert.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import { walletDocument } from '../../documents/accounts/wallet.ts';
import type { TransactionRecord, WalletRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { plainAnswer } from '../shared/answers.ts';
import type { Caller, Operate, Problem } from '../shared/operation.ts';
import { appKeyOnly, forbidden, isProblem, ownWallet, unknown } from '../shared/scope.ts';

const NETWORK_ID = 'SANDBOX';

/** The address depends only on the ids of wallet and currency, so it never changes. */
export const getDepositAddress: Operate<'getDepositAddress'> = ({ world, caller, path, query }) => {
  const record = payee(world, caller, path.id);
  if (isProblem(record)) return record;
  const { currencyId } = query;
  if (!world.catalogue.currencies.has(currencyId)) return unknown(`currency ${currencyId}`);
  const depositAddresses = [{ networkId: NETWORK_ID, walletId: record.id, address: addressOf(record.id, currencyId) }];
  return plainAnswer('depositAddresses', 1, { depositAddresses });
};

/** A deposit request names no amount, so the deposited amount is the faucet's. */
export const createDeposit: Operate<'createDeposit'> = appKeyOnly(({ context, caller, path }) => {
  const { currencyId } = path;
  const paid = payIn(context, caller, path.id, currencyId);
  if (isProblem(paid)) return paid;
  const { record, transaction } = paid;
  const depositRequests = [
    { id: String(transaction.transaction), address: addressOf(record.id, currencyId), currencyId },
  ];
  return plainAnswer('depositRequests', 1, { depositRequests });
});

export const askFaucet: Operate<'askFaucet'> = ({ context, world, caller, query }) => {
  const paid = payIn(context, caller, query.walletId, query.currencyId);
  if (isProblem(paid)) return paid;
  const { record, transaction } = paid;
  const wallet = walletDocument(world, record);
  return plainAnswer('wallets', 1, { transactionId: String(transaction.transaction), wallet });
};

interface Paid {
  readonly record: WalletRecord;
  readonly transaction: TransactionRecord;
}

/** Pays in the faucet's amount. Opens the wallet's account in the currency where there is none. */
function payIn(context: SandboxContext, caller: Caller, walletId: string, currencyId: string): Paid | Problem {
  const { world } = context;
  const record = payee(world, caller, walletId);
  if (isProblem(record)) return record;
  const currency = world.catalogue.currencies.get(currencyId)?.currency;
  if (currency === undefined) return unknown(`currency ${currencyId}`);
  const command = { kind: 'deposit', wallet: record.wallet, currency, amount: context.settings.faucetAmount } as const;
  const changed = context.apply({ at: context.now(), kind: 'command', command });
  // Refused where the account would exceed the world's limit.
  if (changed.kind === 'refused') return forbidden(`wallet ${record.id}: ${changed.refusal.what}`);
  return { record, transaction: defined(record.transactions.at(-1), 'a deposit is booked') };
}

/**
 * The wallet to pay into. It must be a User wallet of an app that is not the exchange's own: escrows and commission
 * wallets are filled by the exchange alone.
 */
function payee(world: World, caller: Caller, id: string): WalletRecord | Problem {
  const record = ownWallet(world, caller, id);
  if (isProblem(record)) return record;
  const takesMoney = record.type === 'User' && !world.registry.app(record.app).isHouse;
  return takesMoney ? record : forbidden(`wallet ${id} takes no deposits`);
}

function addressOf(walletId: string, currencyId: string): string {
  return hash('sha256', `deposits of ${currencyId} to ${walletId}`, 'hex').slice(0, 40);
}
