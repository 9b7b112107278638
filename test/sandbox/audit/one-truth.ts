/** Checks that all views of a user agree: REST lists, REST documents and the stream. */

import { expect } from 'vitest';
import type { Json } from '../../support/vendor/vendor-client.ts';
import type { ApiUser } from './audit-stage.ts';

/** Every order of the user's wallet, oldest first. */
async function ordersOf(user: ApiUser): Promise<readonly Json[]> {
  const query = { walletIds: [user.walletId], size: 500 };
  return (await user.ok('GET /orders', { query, sort: ['id,asc'] })).orders;
}

async function tradesOf(user: ApiUser): Promise<readonly Json[]> {
  const query = { walletIds: [user.walletId], size: 2000 };
  return (await user.ok('GET /trades', { query, sort: ['id,asc'] })).trades;
}

/** To the millionth; what is added turns −0 into 0. */
const near = (amount: number) => Math.round(amount * 1e6) / 1e6 + 0;
const sum = (amounts: readonly number[]) => near(amounts.reduce((total, amount) => total + amount, 0));

/** `removed`: outcomes that were removed, on which bets are void. */
export async function expectOneTruth(user: ApiUser, removed: ReadonlySet<string>): Promise<void> {
  const orders = await ordersOf(user);
  const trades = await tradesOf(user);
  await expectOrdersAsTold(user, orders, trades);
  expectOrdersAddUp(orders, trades);
  await expectMoneyAddsUp(user);
  await expectMetrics(user, orders);
  const standing = trades.filter(({ outcomeId }) => !removed.has(outcomeId));
  await expectPositions(user, orders, { standing, removed });
}

/** The newest OrderUpdate of each order agrees with GET, trades included. */
async function expectOrdersAsTold(user: ApiUser, orders: readonly Json[], trades: readonly Json[]): Promise<void> {
  const { messages } = await user.settled();
  const told = new Map<string, Json>();
  for (const message of messages) if (message.type === 'OrderUpdate') told.set(message.orderId, message);
  for (const order of orders) {
    const update = told.get(order.id);
    expect(update, `order ${order.id} was told`).toBeDefined();
    for (const key of ['status', 'side', 'price', 'stake', 'stakeUnmatched', 'stakeVoided', 'walletId'])
      expect([order.id, key, update[key]]).toEqual([order.id, key, order[key]]);
    for (const key of ['reference', 'cancellationReason', 'createdAt'])
      expect([order.id, key, update[key]]).toEqual([order.id, key, order[key]]);
    // Cancelling a Pending order sets it to CancelUnmatched, which OrderUpdate cannot show.
    if (order.status !== 'Pending') expect([order.id, update.modifiedAt]).toEqual([order.id, order.modifiedAt]);
    expect([update.marketId, update.outcomeIndexId]).toEqual([order.market._ids[0], order.outcomeId]);
    const own = trades.filter((trade) => trade.order._ids[0] === order.id);
    expect(update.trades).toEqual(
      own.map(({ id, side, price, stake, createdAt }) => ({ tradeId: id, side, price, stake, createdAt })),
    );
    for (const trade of own)
      expect([trade.side, trade.outcomeId, trade.market]).toEqual([order.side, order.outcomeId, order.market]);
  }
}

function expectOrdersAddUp(orders: readonly Json[], trades: readonly Json[]): void {
  for (const order of orders) {
    const matched = sum(trades.filter((trade) => trade.order._ids[0] === order.id).map(({ stake }) => stake));
    expect(sum([matched, order.stakeUnmatched, order.stakeVoided]), JSON.stringify(order)).toBe(order.stake);
    if ('cancellationReason' in order) expect(['Cancelled', 'Failed']).toContain(order.status);
    else expect(['Cancelled', 'Failed']).not.toContain(order.status);
    if (['Cancelled', 'Failed'].includes(order.status)) expect(matched).toBe(0);
    if (order.status === 'Unmatched') expect([matched, order.stakeVoided]).toEqual([0, 0]);
  }
}

/** Checks every wallet that the user may read, escrows and commission wallets too. */
async function expectMoneyAddsUp(user: ApiUser): Promise<void> {
  const { wallets } = await user.ok('GET /wallets', { query: { size: 2000 } });
  for (const { id, balances } of wallets) {
    const query = { size: 2000 };
    const { transactions } = await user.ok('GET /wallets/{id}/transactions', { path: { id }, query });
    for (const { currencyId, balance, balanceAvailable, overdraft, unmatchedExposure } of balances) {
      expect(near(balance + overdraft - unmatchedExposure)).toBe(balanceAvailable);
      const own = transactions.filter((each: Json) => each.currencyId === currencyId);
      expect([id, sum(own.map(({ amount }: Json) => amount))]).toEqual([id, balance]);
      const isIt = (update: Json) => update.walletId === id && update.currencyId === currencyId;
      const update = await user.received('WalletUpdate', isIt);
      if (update !== undefined) expect([id, update.balance]).toEqual([id, balance]);
    }
  }
}

const METRICS: Readonly<Record<string, readonly string[]>> = {
  open: ['Pending', 'Unmatched', 'PartiallyMatched'],
  matched: ['Matched'],
  cancelled: ['Cancelled', 'Failed'],
  settled: ['Won', 'Lost'],
  voided: ['Voided'],
};

async function expectMetrics(user: ApiUser, orders: readonly Json[]): Promise<void> {
  const path = { id: user.walletId };
  const { walletMetrics } = await user.ok('GET /wallets/{id}/metrics', { path, query: { currencyId: 'USDC' } });
  for (const [name, statuses] of Object.entries(METRICS)) {
    const counted = orders.filter(({ status }) => statuses.includes(status));
    const expected = { total: sum(counted.map(({ stake }) => stake)), count: counted.length };
    expect([name, walletMetrics[name]]).toEqual([name, expected]);
  }
}

/**
 * Checks positions in markets with one winner: the result of the matched bets if an outcome wins, by the
 * specification's table.
 */
async function expectPositions(
  user: ApiUser,
  orders: readonly Json[],
  { standing, removed }: { readonly standing: readonly Json[]; readonly removed: ReadonlySet<string> },
): Promise<void> {
  const marketIds = [...new Set(orders.map((order) => order.market._ids[0]))];
  if (marketIds.length === 0) return;
  const path = { id: user.walletId };
  const query = { marketIds, size: 2000 };
  const { positions } = await user.ok('GET /wallets/{id}/positions', { path, query });
  for (const position of positions) {
    const [marketId] = position.market._ids;
    const own = standing.filter((trade) => trade.market._ids[0] === marketId);
    for (const [outcomeId, exposure] of Object.entries(position.exposures)) {
      if (removed.has(outcomeId)) continue;
      const expected = sum(own.map((trade) => profitIf(trade, trade.outcomeId === outcomeId)));
      expect([marketId, outcomeId, near(exposure as number)]).toEqual([marketId, outcomeId, expected]);
    }
  }
}

function profitIf({ side, stake, price }: Json, won: boolean): number {
  const gain = won ? Math.trunc(Math.round(stake * (price - 1) * 1e9) / 1e3) / 1e6 : -stake;
  return near(side === 'For' ? gain : -gain);
}
