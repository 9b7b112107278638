/** Wallets of the caller's app: made, read, and what happened in them. */

import { instantFromWire, instantOrDateFromWire } from '../../../betdex/wire/codec/instants.ts';
import { present } from '../../../core/checks/assert.ts';
import { metricsDocument, transactionDocument, walletDocument } from '../../documents/accounts/wallet.ts';
import type { TransactionRecord, WalletRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { upToDate } from '../shared/advance-then-read.ts';
import { type Call, type Operate, type Problem, problem } from '../shared/operation.ts';
import { page, pagedMeta, plainMeta, type Sortable } from '../shared/paging.ts';
import { isWithin, period } from '../shared/period.ts';
import { forbidden, isProblem, mayUse, ownWallet, refusedBy, refuseWalletKey, unknown } from '../shared/scope.ts';
import { anyOf } from '../shared/selection.ts';

/** Of one app, over the API; no app shall fill the memory with empty wallets. */
export const WALLETS_MAX = 1_000;

const SORTABLE_WALLETS: Sortable<WalletRecord> = {
  id: ({ wallet }) => wallet,
  createdAt: ({ createdAt }) => createdAt,
};
const SORTABLE_TRANSACTIONS: Sortable<TransactionRecord> = {
  id: ({ transaction }) => transaction,
  createdAt: ({ createdAt }) => createdAt,
};

export const createWallet: Operate<'createWallet'> = ({ context, caller, body }) => {
  const refusal = refuseWalletKey(caller);
  if (refusal !== undefined) return refusal;
  if ((context.world.exchange.app(caller.app)?.wallets.length ?? 0) >= WALLETS_MAX)
    return forbidden(`an app makes at most ${WALLETS_MAX} wallets`);
  const { reference, description } = body;
  const changed = context.apply({
    ...{ at: context.now(), kind: 'createWallet', app: caller.app },
    ...(reference === undefined ? {} : { reference }),
    ...(description === undefined ? {} : { description }),
  });
  if (changed.kind === 'refused') return refusedBy(changed.refusal);
  const made = changed.events.find((event) => event.kind === 'walletCreated');
  return answerOf(context.world, context.world.holders.wallet(present(made, 'a wallet was made').wallet));
};

/** Wallets of all types where none is named: an app owns its Commission wallet and the escrows of its markets too. */
export const listWallets: Operate<'listWallets'> = ({ context, caller, query }) => {
  const world = upToDate(context);
  const isType = anyOf(query.types);
  const own = walletsAsked(world, query.walletIds).filter(
    ({ wallet, type }) => mayUse(world, caller, wallet) && isType(type),
  );
  const paged = page(own, query, SORTABLE_WALLETS);
  if (paged.kind === 'problem') return paged;
  const wallets = paged.items.map((record) => walletDocument(world, record));
  return { kind: 'answer', answer: { _meta: pagedMeta('wallets', paged), wallets } };
};

export const getWallet: Operate<'getWallet'> = ({ context, caller, path }) => {
  const world = upToDate(context);
  const record = ownWallet(world, caller, path.id);
  return isProblem(record) ? record : answerOf(world, record);
};

export const listWalletTransactions: Operate<'listWalletTransactions'> = ({ context, caller, path, query }) => {
  const world = upToDate(context);
  const record = ownWallet(world, caller, path.id);
  if (isProblem(record)) return record;
  const created = period(query.fromCreatedAt, query.toCreatedAt, ['fromCreatedAt', 'toCreatedAt']);
  if (created.kind === 'problem') return created;
  const found = record.transactions.filter(({ createdAt }) => isWithin(createdAt, created));
  const paged = page(found, query, SORTABLE_TRANSACTIONS);
  if (paged.kind === 'problem') return paged;
  const transactions = paged.items.map((each) => transactionDocument(world, each));
  return { kind: 'answer', answer: { _meta: pagedMeta('transactions', paged), transactions } };
};

export const getWalletMetrics: Operate<'getWalletMetrics'> = ({ context, caller, path, query }) => {
  const world = upToDate(context);
  const record = ownWallet(world, caller, path.id);
  if (isProblem(record)) return record;
  const currency = currencyAsked(world, record, query.currencyId);
  if (typeof currency !== 'number') return currency;
  const bounds = metricsPeriod(query);
  if ('kind' in bounds) return bounds;
  const metrics = world.exchange.walletMetrics({ wallet: record.wallet, currency, ...bounds });
  return {
    kind: 'answer',
    answer: { _meta: plainMeta('walletMetrics', 1), walletMetrics: metricsDocument(metrics) },
  };
};

/** Named ones are looked up, so that a list of a few does not walk the escrows of all markets. */
function walletsAsked({ holders }: World, ids: readonly string[] | undefined): readonly WalletRecord[] {
  if (ids === undefined) return [...holders.wallets.values()];
  return [...new Set(ids.map((id) => holders.walletById(id)))].filter((record) => record !== undefined);
}

function answerOf(world: World, record: WalletRecord) {
  const answer = { _meta: plainMeta('wallets', 1), wallets: [walletDocument(world, record)] };
  return { kind: 'answer' as const, answer };
}

/** Of a wallet that holds none: it has no orders, and every metric is zero. */
const NO_CURRENCY = -1;

/** Without a currencyId, the only one that the wallet holds: amounts of two currencies have no sum. */
function currencyAsked(world: World, record: WalletRecord, currencyId: string | undefined): number | Problem {
  if (currencyId !== undefined)
    return world.catalogue.currencies.get(currencyId)?.currency ?? unknown(`currency ${currencyId}`);
  const accounts = world.exchange.wallet(record.wallet)?.accounts ?? [];
  if (accounts.length > 1) return problem(400, 'Bad query', `currencyId: wallet ${record.id} holds several`);
  return accounts[0]?.currency ?? NO_CURRENCY;
}

const DAY_MS = 86_400_000;

/** Dates bound the period as well as date-times do (wire-shapes, F): the last day belongs to it as a whole. */
function metricsPeriod(query: Call<'getWalletMetrics'>['query']): { from: number; to: number } | Problem {
  const { fromDateTime, toDateTime } = query;
  const from = fromDateTime === undefined ? Number.NEGATIVE_INFINITY : momentOf(fromDateTime);
  const to = toDateTime === undefined ? Number.POSITIVE_INFINITY : momentOf(toDateTime);
  if (from === undefined) return problem(400, 'Bad date', `fromDateTime: ${fromDateTime} is no date or date-time`);
  if (to === undefined) return problem(400, 'Bad date', `toDateTime: ${toDateTime} is no date or date-time`);
  const isDay = toDateTime !== undefined && instantFromWire(toDateTime).kind === 'faults';
  return { from, to: isDay ? to + DAY_MS - 1 : to };
}

function momentOf(text: string): number | undefined {
  const read = instantOrDateFromWire(text);
  return read.kind === 'read' ? read.value : undefined;
}
