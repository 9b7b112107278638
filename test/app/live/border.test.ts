/** Money at the border, with real processes: a proxy stands between the daemon and the exchange, and what it says is not so. */

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { budget } from '../../support/budget.ts';
import { openCrowdedSandbox } from '../../support/crowded-sandbox.ts';
import { DaemonStage, heldIn, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import {
  type LyingProxy,
  NOT_FOUND_PAGE,
  openLyingProxy,
  type ProxiedAnswer,
} from '../../support/daemon/lying-proxy.ts';
import { environmentVariable } from '../../support/record/recording-stage.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
let proxy: LyingProxy;
beforeEach(async () => {
  stage = await DaemonStage.open();
  proxy = await openLyingProxy(stage.sandbox.url);
});

const WALLET_MAX = 60;
const ORDERS_MAX = 40;

/** Places five more orders whenever it is asked, for as long as it is let. */
const GREEDY = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'greedy',
  decide({ market }) {
    const [outcome] = market.outcomes;
    if (!market.tradable || market.inPlay || outcome === undefined) return [];
    return [1, 2, 3, 4, 5].map(() => back(outcome, { stake: 2, price: 1000 }));
  },
});
`;

/** A daemon of the greedy strategy behind the proxy, under both limits. */
function greedy(more = {}, exchange = {}): RunningDaemon {
  writeFileSync(stage.strategy, GREEDY);
  const limits = { wallet: WALLET_MAX, liveOrders: ORDERS_MAX, ordersPerSecond: 500 };
  const calm = { heartbeat: { timeoutMs: 120_000 }, reconcile: { everyMs: 30_000 } };
  return stage.spawn(['run', stage.config({ limits, ...calm, ...more }, { url: proxy.url, ...exchange }), '--json']);
}

/** Orders are read so seldom that a reply is received before the order is read. */
const SELDOM = {
  feeds: {
    markets: { mode: 'poll', everyMs: 300 },
    prices: { mode: 'adaptive', everyMs: 300, urgentMs: 100 },
    orders: { mode: 'poll', everyMs: 3_000 },
    wallets: { mode: 'poll', everyMs: 500 },
  },
};

/** What the exchange itself holds of ours, at most, over a while. */
async function mostHeld(ms: number): Promise<{ readonly orders: number; readonly stake: number }> {
  const most = { orders: 0, stake: 0 };
  for (const until = Date.now() + ms; Date.now() < until; await pass(50)) {
    const { orders, stake } = stage.held();
    most.orders = Math.max(most.orders, orders);
    most.stake = Math.max(most.stake, stake);
  }
  return most;
}

/** Those that the tests of the client's verdict tell apart as well; the first three are tried by each run of the tests. */
const PAGES: readonly (readonly [string, ProxiedAnswer])[] = [
  ['a page with 404', NOT_FOUND_PAGE],
  [
    'a 404 in the API’s shape, which this endpoint never gives',
    { status: 404, contentType: 'application/json', body: '{"title":"Not found","details":["no route"]}' },
  ],
  ['a success of another shape', { status: 200, contentType: 'application/json', body: '{"orders":[]}' }],
  ['403 with nothing', { status: 403, contentType: 'text/plain', body: '' }],
  ['another API’s 400', { status: 400, contentType: 'application/json', body: '{"message":"bad request"}' }],
];

describe('an answer that is not the API’s own', () => {
  test.each(budget({ each: PAGES.slice(0, 3), deep: [...PAGES] }))(
    '%s, after the exchange has acted: what was sent stays reserved',
    async (_, page) => {
      proxy.lie = (_answer, { act }) => (act === 'POST /orders/batch' ? page : undefined);
      const daemon = greedy(SELDOM);
      await daemon.until('"to":"trading"');
      await expect.poll(() => stage.held().orders).toBeGreaterThan(5);
      const most = await mostHeld(4_000);
      expect(most.orders).toBeLessThanOrEqual(ORDERS_MAX);
      expect(most.stake).toBeLessThanOrEqual(WALLET_MAX);
      expect(daemon.said.note).toContain('ORDER_UNKNOWN');
      expect(daemon.said.note).not.toContain('ORDER_REJECTED');
      daemon.kill('SIGTERM');
      expect(await daemon.ended()).toBe(0);
      expect(stage.held()).toEqual({ orders: 0, stake: 0 });
    },
  );
});

/** Takes its order away and places it anew, price after price. */
const RESTLESS = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'restless',
  decide({ market, orders }) {
    const [outcome] = market.outcomes;
    if (!market.tradable || market.inPlay || outcome === undefined) return [];
    if (orders.length > 0) return orders.map(({ id }) => ({ kind: 'cancel', order: id }));
    return [back(outcome, { stake: 2, price: 1000 })];
  },
});
`;

describe('prices that come late', () => {
  test('are as old as the way of their answer was long: no order rests on them', async () => {
    writeFileSync(stage.strategy, RESTLESS);
    const freshness = { prices: 1_500 };
    const heartbeat = { timeoutMs: 120_000, pollBudgetMs: 60_000 };
    const daemon = stage.spawn(['run', stage.config({ freshness, heartbeat }, { url: proxy.url }), '--json']);
    await daemon.until('"about":"sent"');
    proxy.lie = (answer, { act }) => (act === 'GET /market-prices' ? { ...answer, afterMs: 3_500 } : undefined);
    await daemon.until('FEED_LATE');
    const sent = (): number => daemon.lines().filter(({ about }) => about === 'sent').length;
    const before = sent();
    await pass(6_000);
    expect(sent(), 'while all prices are 3.5 s old').toBe(before);
    proxy.lie = undefined;
    await expect.poll(sent).toBeGreaterThan(before);
  });
});

/** Rewrites every list of orders. */
function withOrders(
  answer: ProxiedAnswer,
  change: (orders: readonly OrderDocument[]) => readonly object[],
): ProxiedAnswer {
  const body: { readonly orders: readonly OrderDocument[] } = JSON.parse(answer.body);
  return { ...answer, body: JSON.stringify({ ...body, orders: change(body.orders) }) };
}

type OrderDocument = Readonly<Record<string, unknown>> & { readonly stake: number };

const ENDED = { status: 'Cancelled', stakeUnmatched: 0, cancellationReason: 'UserRequest' };

describe('an end that is not so', () => {
  test('ten readings that falsely say Cancelled free no stake', async () => {
    const daemon = greedy();
    await daemon.until('"to":"trading"');
    await expect.poll(() => stage.held().stake).toBe(WALLET_MAX);
    let lies = 0;
    proxy.lie = (answer, { act, url }) => {
      if (act !== 'GET /orders' || lies >= 10) return undefined;
      lies += 1;
      // A copy that is stale shows none of them as live, and each of them as ended.
      if (url.includes('statuses=')) return withOrders(answer, () => []);
      return withOrders(answer, (orders) => orders.map((order) => ({ ...order, ...ENDED, stakeVoided: order.stake })));
    };
    const most = await mostHeld(6_000);
    expect(lies).toBe(10);
    expect(most.stake).toBeLessThanOrEqual(WALLET_MAX);
    expect(most.orders).toBeLessThanOrEqual(ORDERS_MAX);
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(0);
    expect(stage.held()).toEqual({ orders: 0, stake: 0 });
  });

  test('figures that cannot be free no stake either', async () => {
    const daemon = greedy();
    await daemon.until('"to":"trading"');
    await expect.poll(() => stage.held().stake).toBe(WALLET_MAX);
    proxy.lie = (answer, { act }) => {
      if (act !== 'GET /orders') return undefined;
      return withOrders(answer, (orders) => orders.map((order) => ({ ...order, stakeVoided: order.stake + 5 })));
    };
    const most = await mostHeld(3_000);
    expect(most.stake).toBeLessThanOrEqual(WALLET_MAX);
    expect(daemon.said.note).toContain('(PARTS_ABOVE_STAKE)');
  });

  test('the end of a run asks what is live, and says what is left: it neither ends with 0 nor takes the heartbeat away', async () => {
    const daemon = greedy({ end: { orders: 'cancel', deadlineMs: 3_000 } });
    await daemon.until('"to":"trading"');
    await expect.poll(() => stage.held().stake).toBe(WALLET_MAX);
    // Cancellations are taken and do nothing, and a reading of an order by its id says that it is cancelled.
    proxy.swallows = (act) => act === 'POST /orders/cancel-v2';
    proxy.lie = (answer, { act, url }) => {
      if (act === 'POST /orders/cancel-v2') return { ...answer, status: 200, body: NONE_CANCELLED };
      if (act !== 'GET /orders' || !url.includes('ids=') || url.includes('walletIds=')) return undefined;
      return withOrders(answer, (orders) => orders.map((order) => ({ ...order, ...ENDED, stakeVoided: order.stake })));
    };
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(3);
    expect(daemon.said.note).toContain('END_INCOMPLETE');
    expect(daemon.said.note).toContain('ORDER_REVIVED');
    expect(daemon.said.note).not.toContain('"to":"cleared"');
    expect(JSON.parse(daemon.said.out)).toMatchObject({ exitCode: 3, liveOrders: stage.held().orders });
  });
});

const NONE_CANCELLED = JSON.stringify({ _meta: { _primary_document: 'ids', _count: 0 }, ids: [] });

test('an exchange put back to an earlier state: what lives again is told, counts and is cancelled while halted', async () => {
  const file = join(stage.directory, 'world.log');
  const exchange = await openCrowdedSandbox({ pace: 5, file });
  const first = exchange.sandbox;
  proxy.target = first.url;
  vi.stubEnv('RUN_TEST_OTHER_KEY', first.apiKey);
  const apiKey = environmentVariable('RUN_TEST_OTHER_KEY');
  const daemon = greedy({ wallets: { main: { id: first.walletId } } }, { appId: first.appId, apiKey });
  await expect.poll(() => heldIn(first).stake).toBe(WALLET_MAX);
  for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${file}.before${part}`);
  expect((await run('halt', '--dir', stage.dir)).code).toBe(0);
  await expect.poll(() => heldIn(first).stake).toBe(0);
  await pass(1_000);
  await exchange.close();
  const bugs: unknown[] = [];
  const onBug = (error: unknown) => bugs.push(error);
  const second = await openSandbox({ clock: wallClock, version: '0.0.0', onBug, file: `${file}.before` });
  expect(heldIn(second).stake).toBe(WALLET_MAX);
  proxy.target = second.url;
  await daemon.until('ORDER_REVIVED');
  await expect.poll(() => heldIn(second).stake).toBe(0);
  daemon.kill('SIGTERM');
  expect(await daemon.ended()).toBe(0);
  await second.close();
  expect(bugs).toEqual([]);
});
