/** How money enters the sandbox over the API: deposits and the faucet, both for nothing and up to the world's limit. */

import { hash } from 'node:crypto';
import { present } from '../../../core/checks/assert.ts';
import type { SandboxContext } from '../../context/sandbox-context.ts';
import { walletDocument } from '../../documents/accounts/wallet.ts';
import type { TransactionRecord, WalletRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { upToDate } from '../shared/advance-then-read.ts';
import type { Caller, Operate, Problem } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { forbidden, isProblem, ownWallet, refuseWalletKey, unknown } from '../shared/scope.ts';

const NETWORK_ID = 'SANDBOX';

/** The same one for ever: nothing but the ids of wallet and currency is in it. */
export const getDepositAddress: Operate<'getDepositAddress'> = ({ context, caller, path, query }) => {
  const { world } = context;
  const record = payee(world, caller, path.id);
  if (isProblem(record)) return record;
  const { currencyId } = query;
  if (!world.catalogue.currencies.has(currencyId)) return unknown(`currency ${currencyId}`);
  const depositAddresses = [{ networkId: NETWORK_ID, walletId: record.id, address: addressOf(record.id, currencyId) }];
  return { kind: 'answer', answer: { _meta: plainMeta('depositAddresses', 1), depositAddresses } };
};

/** The address names no amount, so that what arrives is what the faucet gives. */
export const createDeposit: Operate<'createDeposit'> = ({ context, caller, path }) => {
  const refusal = refuseWalletKey(caller);
  if (refusal !== undefined) return refusal;
  const { currencyId } = path;
  const paid = payIn(context, caller, path.id, currencyId);
  if (isProblem(paid)) return paid;
  const { record, transaction } = paid;
  const depositRequests = [
    { id: String(transaction.transaction), address: addressOf(record.id, currencyId), currencyId },
  ];
  return { kind: 'answer', answer: { _meta: plainMeta('depositRequests', 1), depositRequests } };
};

export const askFaucet: Operate<'askFaucet'> = ({ context, caller, query }) => {
  const paid = payIn(context, caller, query.walletId, query.currencyId);
  if (isProblem(paid)) return paid;
  const { record, transaction } = paid;
  const wallet = walletDocument(context.world, record);
  const answer = { _meta: plainMeta('wallets', 1), transactionId: String(transaction.transaction), wallet };
  return { kind: 'answer', answer };
};

interface Paid {
  readonly record: WalletRecord;
  readonly transaction: TransactionRecord;
}

/** Opens the wallet's account in the currency where it has none. */
function payIn(context: SandboxContext, caller: Caller, walletId: string, currencyId: string): Paid | Problem {
  const world = upToDate(context);
  const record = payee(world, caller, walletId);
  if (isProblem(record)) return record;
  const currency = world.catalogue.currencies.get(currencyId)?.currency;
  if (currency === undefined) return unknown(`currency ${currencyId}`);
  const command = { kind: 'deposit', wallet: record.wallet, currency, amount: context.settings.faucetAmount } as const;
  const changed = context.apply({ at: context.now(), kind: 'command', command });
  // The world says how much an account may hold.
  if (changed.kind === 'refused') return forbidden(`wallet ${record.id}: ${changed.refusal.what}`);
  return { record, transaction: present(record.transactions.at(-1), 'a deposit is booked') };
}

/** A User wallet of an app that has a history: escrows and commissions are the exchange's to fill. */
function payee(world: World, caller: Caller, id: string): WalletRecord | Problem {
  const record = ownWallet(world, caller, id);
  if (isProblem(record)) return record;
  const takesMoney = record.type === 'User' && !world.holders.app(record.app).isHouse;
  return takesMoney ? record : forbidden(`wallet ${id} takes no deposits`);
}

function addressOf(walletId: string, currencyId: string): string {
  return hash('sha256', `deposits of ${currencyId} to ${walletId}`, 'hex').slice(0, 40);
}
