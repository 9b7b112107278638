/** Operations on wallets of the caller's app: creating and reading them, their transactions and metrics. */

import { instantFromWire, instantOrDateFromWire } from '../../../codec/instants.ts';
import { defined } from '../../../core/checks/assert.ts';
import { metricsDocument, transactionDocument, walletDocument } from '../../documents/accounts/wallet.ts';
import type { TransactionRecord, WalletRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { pagedAnswer, plainAnswer } from '../shared/answers.ts';
import { type Call, type Operate, type Problem, problem } from '../shared/operation.ts';
import type { Sortable } from '../shared/paging.ts';
import { isWithin, period } from '../shared/period.ts';
import { appKeyOnly, forbidden, isProblem, mayUse, ownWallet, refusedBy, unknown } from '../shared/scope.ts';
import { anyOf } from '../shared/selection.ts';

/** The most wallets that one app may create, so that no app fills the memory with empty wallets. */
export const WALLETS_MAX = 1_000;

const SORTABLE_WALLETS: Sortable<WalletRecord> = {
  id: ({ wallet }) => wallet,
  createdAt: ({ createdAt }) => createdAt,
};
const SORTABLE_TRANSACTIONS: Sortable<TransactionRecord> = {
  id: ({ transaction }) => transaction,
  createdAt: ({ createdAt }) => createdAt,
};

export const createWallet: Operate<'createWallet'> = appKeyOnly(({ context, world, caller, body }) => {
  if ((world.exchange.app(caller.app)?.wallets.length ?? 0) >= WALLETS_MAX)
    return forbidden(`an app makes at most ${WALLETS_MAX} wallets`);
  const { reference, description } = body;
  const changed = context.apply({
    at: context.now(),
    kind: 'createWallet',
    app: caller.app,
    ...(reference === undefined ? {} : { reference }),
    ...(description === undefined ? {} : { description }),
  });
  if (changed.kind === 'refused') return refusedBy(changed.refusal);
  const made = changed.events.find((event) => event.kind === 'walletCreated');
  return answerOf(world, world.registry.wallet(defined(made, 'a wallet was made').wallet));
});

/**
 * Lists wallets, of all types where none is given: an app also owns its Commission wallet and the escrows of its
 * markets.
 */
export const listWallets: Operate<'listWallets'> = ({ world, caller, query }) => {
  const isType = anyOf(query.types);
  const own = walletsAsked(world, query.walletIds).filter(
    ({ wallet, type }) => mayUse(world, caller, wallet) && isType(type),
  );
  return pagedAnswer({
    primary: 'wallets',
    rows: own,
    query,
    sortable: SORTABLE_WALLETS,
    documents: (records) => ({ wallets: records.map((record) => walletDocument(world, record)) }),
  });
};

export const getWallet: Operate<'getWallet'> = ({ world, caller, path }) => {
  const record = ownWallet(world, caller, path.id);
  return isProblem(record) ? record : answerOf(world, record);
};

export const listWalletTransactions: Operate<'listWalletTransactions'> = ({ world, caller, path, query }) => {
  const record = ownWallet(world, caller, path.id);
  if (isProblem(record)) return record;
  const created = period(query.fromCreatedAt, query.toCreatedAt, ['fromCreatedAt', 'toCreatedAt']);
  if (created.kind === 'problem') return created;
  return pagedAnswer({
    primary: 'transactions',
    rows: record.transactions.filter(({ createdAt }) => isWithin(createdAt, created)),
    query,
    sortable: SORTABLE_TRANSACTIONS,
    documents: (records) => ({ transactions: records.map((each) => transactionDocument(world, each)) }),
  });
};

export const getWalletMetrics: Operate<'getWalletMetrics'> = ({ world, caller, path, query }) => {
  const record = ownWallet(world, caller, path.id);
  if (isProblem(record)) return record;
  const currency = currencyAsked(world, record, query.currencyId);
  if (typeof currency !== 'number') return currency;
  const bounds = metricsPeriod(query);
  if ('kind' in bounds) return bounds;
  const metrics = world.exchange.walletMetrics({ wallet: record.wallet, currency, ...bounds });
  return plainAnswer('walletMetrics', 1, { walletMetrics: metricsDocument(metrics) });
};

/**
 * The wallets with these ids, or all. Named wallets are looked up one by one, so that a short list does not walk the
 * escrows of all markets.
 */
function walletsAsked({ registry }: World, ids: readonly string[] | undefined): readonly WalletRecord[] {
  // An empty list names no wallet, and so leaves none out.
  if (ids === undefined || ids.length === 0) return [...registry.wallets.values()];
  return [...new Set(ids.map((id) => registry.walletById(id)))].filter((record) => record !== undefined);
}

function answerOf(world: World, record: WalletRecord) {
  return plainAnswer('wallets', 1, { wallets: [walletDocument(world, record)] });
}

/** The currency of a wallet without accounts: it has no orders, so every metric is zero. */
const NO_CURRENCY = -1;

/**
 * The currency of the metrics. Without a currencyId it is the wallet's only one, since amounts of two currencies have
 * no sum.
 */
function currencyAsked(world: World, record: WalletRecord, currencyId: string | undefined): number | Problem {
  if (currencyId !== undefined)
    return world.catalogue.currencies.get(currencyId)?.currency ?? unknown(`currency ${currencyId}`);
  const accounts = world.exchange.wallet(record.wallet)?.accounts ?? [];
  if (accounts.length > 1) return problem(400, 'Bad query', `currencyId: wallet ${record.id} holds several`);
  return accounts[0]?.currency ?? NO_CURRENCY;
}

const DAY_MS = 86_400_000;

/**
 * The period of the metrics. Its bounds may be dates or date-times (wire-shapes, F); a last day given as a date is
 * included as a whole.
 */
function metricsPeriod(query: Call<'getWalletMetrics'>['query']): { from: number; to: number } | Problem {
  const { fromDateTime, toDateTime } = query;
  const from = fromDateTime === undefined ? Number.NEGATIVE_INFINITY : timestampOf(fromDateTime);
  const to = toDateTime === undefined ? Number.POSITIVE_INFINITY : timestampOf(toDateTime);
  if (from === undefined) return problem(400, 'Bad date', `fromDateTime: ${fromDateTime} is no date or date-time`);
  if (to === undefined) return problem(400, 'Bad date', `toDateTime: ${toDateTime} is no date or date-time`);
  const isDay = toDateTime !== undefined && instantFromWire(toDateTime).kind === 'faults';
  return { from, to: isDay ? to + DAY_MS - 1 : to };
}

function timestampOf(text: string): number | undefined {
  const read = instantOrDateFromWire(text);
  return read.kind === 'read' ? read.value : undefined;
}
