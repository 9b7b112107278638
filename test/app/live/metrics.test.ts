/** Figures for Prometheus: counted and read off, served on this machine alone. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ALERTS } from '../../../src/app/cli/codes/alert.ts';
import { Metrics } from '../../../src/app/live/observe/metrics.ts';
import { type MetricsServer, serveMetrics } from '../../../src/app/live/observe/metrics-server.ts';
import { notReady } from '../../../src/app/live/observe/readiness.ts';
import { instant } from '../../../src/core/number/units.ts';
import { LiveMarket } from '../../../src/exchange-live/markets/live-market.ts';
import type { MarketDefinition } from '../../../src/exchange-live/markets/market-definition.ts';
import { MarketPrices } from '../../../src/exchange-live/markets/market-prices.ts';
import { OwnStakes } from '../../../src/exchange-live/markets/own-stakes.ts';
import { EVERY_RECORD } from '../../support/daemon/every-record.ts';
import { AT, madeStatus } from '../../support/daemon/made-status.ts';
import { madeFacts } from '../../support/made-market.ts';

let status = madeStatus();
beforeEach(() => {
  status = madeStatus();
});
const clock = { now: () => AT };
const made = (more: Partial<ConstructorParameters<typeof Metrics>[0]> = {}) =>
  new Metrics({ status: () => status, version: '0.1.0', clock, needsHeartbeat: true, ...more });
const served = (needsHeartbeat = true) => serveMetrics(0, { metrics: made(), seen: () => status, needsHeartbeat });

/** Lines of one metric without the prefix: `orders{state="live"} 3`. */
async function linesOf(metrics: Metrics, name: string): Promise<readonly string[]> {
  const lines = (await metrics.text()).split('\n').filter((line) => new RegExp(`^oddsmith_${name}[{ ]`).test(line));
  return lines.map((line) => line.replace('oddsmith_', ''));
}

describe('figures', () => {
  test('of the status are as of now', async () => {
    const metrics = made();
    expect(await linesOf(metrics, 'phase')).toContain('phase{state="trading"} 1');
    expect(await linesOf(metrics, 'orders')).toContain('orders{state="live"} 3');
    expect(await linesOf(metrics, 'feed_age_seconds')).toContain('feed_age_seconds{feed="orders"} 0.3');
    expect(await linesOf(metrics, 'wallet_worst_loss')).toEqual(['wallet_worst_loss{wallet="main"} 12.5']);
    expect(await linesOf(metrics, 'wallet_required_funds')).toEqual(['wallet_required_funds{wallet="main"} 17.25']);
    expect(await linesOf(metrics, 'books_equal_age_seconds')).toEqual(['books_equal_age_seconds 20']);
    status = madeStatus({ phase: 'recovering', wallets: [], orders: { live: 9, unknown: 1, inFlight: 0 } });
    expect(await linesOf(metrics, 'phase')).toEqual(
      expect.arrayContaining(['phase{state="trading"} 0', 'phase{state="recovering"} 1']),
    );
    expect(await linesOf(metrics, 'orders')).toContain('orders{state="unknown"} 1');
    expect(await linesOf(metrics, 'wallet_worst_loss'), 'a wallet that went leaves no series').toEqual([]);
  });

  test('of an exchange that counts are there where it does', async () => {
    const metrics = made();
    expect(await linesOf(metrics, 'transactions_total')).toEqual([]);
    expect(await linesOf(metrics, 'transactions_hour')).toEqual(['transactions_hour 0']);
    const exchange = {
      transactions: { placed: 7, failed: 2, thisHour: 4, freeAnHour: 5_000 },
      ...{ weight: { heaviest: 175, limit: 200 }, streamLatencyMs: 80 },
    };
    status = { ...status, daemon: { ...status.daemon, exchange } };
    expect(await linesOf(metrics, 'transactions_total')).toEqual([
      'transactions_total{outcome="placed"} 7',
      'transactions_total{outcome="failed"} 2',
    ]);
    expect(await linesOf(metrics, 'transactions_hour')).toEqual(['transactions_hour 4']);
    expect(await linesOf(metrics, 'request_weight_max')).toEqual(['request_weight_max 175']);
    expect(await linesOf(metrics, 'stream_latency_seconds')).toEqual(['stream_latency_seconds 0.08']);
  });

  test('of records, readings, notices and alerts are counted', async () => {
    const metrics = made();
    for (const record of [...EVERY_RECORD, ...EVERY_RECORD]) metrics.record(AT, record);
    metrics.onMessage({ kind: 'read', feed: 'prices', at: instant(AT) });
    metrics.notice({ kind: 'readFailed', what: 'prices', code: 'TIMEOUT', details: '' });
    metrics.notice({ kind: 'pollingStretched', isStretched: true, everyMs: 4_000, urgentMs: 500 });
    metrics.alert('THROTTLED');
    expect(await linesOf(metrics, 'records_total')).toHaveLength(EVERY_RECORD.length);
    expect(await linesOf(metrics, 'refusals_total')).toEqual(['refusals_total{code="LIMIT_ORDER"} 2']);
    expect(await linesOf(metrics, 'freshness_breaches_total')).toEqual(['freshness_breaches_total{feed="prices"} 2']);
    expect(await linesOf(metrics, 'differences_total')).toEqual([
      'differences_total{scope="order",verdict="lasting"} 2',
    ]);
    expect(await linesOf(metrics, 'reads_total')).toEqual(['reads_total{feed="prices"} 1']);
    expect(await linesOf(metrics, 'read_failures_total')).toEqual(['read_failures_total{code="TIMEOUT"} 1']);
    expect(await linesOf(metrics, 'poll_interval_seconds')).toContain('poll_interval_seconds{market="urgent"} 0.5');
    const alerts = await linesOf(metrics, 'alerts_total');
    expect(alerts.filter((line) => !line.endsWith(' 0'))).toEqual(['alerts_total{alert="THROTTLED"} 1']);
    expect(alerts, 'an alert that was never said is there with 0').toHaveLength(Object.keys(ALERTS).length);
    const text = await metrics.text();
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) expect(text).toContain(name);
  });
});

function liveMarket(): LiveMarket {
  const condition: MarketDefinition['condition'] = {
    ...{ status: 'Open', inPlayStatus: 'PrePlay', published: true, suspended: false, inPlayDelayMs: 0 },
    ...{ lockAt: undefined, crossMatching: true, winnerIds: [], settledAt: undefined, modifiedAt: undefined },
  };
  const definition = {
    facts: madeFacts('9', 2),
    winners: { min: 1, max: 1 },
    eventStartAction: 'None',
    condition,
  } as const;
  return new LiveMarket({
    index: 3,
    definition,
    prices: new MarketPrices(['o0', 'o1']),
    own: new OwnStakes(),
    at: instant(AT),
    mayClose: true,
  });
}

describe('histograms', () => {
  const [count, buckets] = [/_count/, /_bucket/];
  const found = async (metrics: Metrics, name: string, kind: RegExp) =>
    (await linesOf(metrics, `${name}_(bucket|sum|count)`)).filter((line) => kind.test(line));

  test('of calls of the exchange, by request and outcome', async () => {
    const metrics = made();
    metrics.edge({ kind: 'call', request: 'prices', outcome: 'answered', ms: 40 });
    metrics.edge({ kind: 'call', request: 'prices', outcome: 'answered', ms: 60 });
    metrics.edge({ kind: 'call', request: 'place', outcome: 'TIMEOUT', ms: 10_000 });
    expect(await found(metrics, 'request_seconds', count)).toEqual([
      'request_seconds_count{request="prices",outcome="answered"} 2',
      'request_seconds_count{request="place",outcome="TIMEOUT"} 1',
    ]);
    expect(await found(metrics, 'request_seconds', /le="0.05".*prices/)).toEqual([
      'request_seconds_bucket{le="0.05",request="prices",outcome="answered"} 1',
    ]);
  });

  test('from a decision to the answer to each of its orders, also where it failed; a cancellation is none', async () => {
    const metrics = made();
    const [sent] = EVERY_RECORD.filter((record) => record.kind === 'sent');
    if (sent === undefined) expect.fail('there is a record of an order');
    for (const client of [7, 8, 9]) metrics.record(AT, { ...sent, client });
    metrics.record(AT + 80, { kind: 'replied', request: 'cancel', clients: [7], outcome: 'cancelled' });
    metrics.record(AT + 90, { kind: 'replied', request: 'place', clients: [7, 8], outcome: 'placed' });
    metrics.record(AT + 7_000, { kind: 'replied', request: 'place', clients: [9], outcome: 'TIMEOUT' });
    metrics.record(AT + 9_000, { kind: 'replied', request: 'place', clients: [9], outcome: 'placed' });
    const name = 'decision_to_acknowledgement_seconds';
    expect(await found(metrics, name, count)).toEqual([
      `${name}_count{outcome="placed"} 2`,
      `${name}_count{outcome="failed"} 1`,
    ]);
    expect(await found(metrics, name, /_sum/)).toEqual([
      `${name}_sum{outcome="placed"} 0.18`,
      `${name}_sum{outcome="failed"} 7`,
    ]);
  });

  test('of the delay of prices since they were published, and of readings since they were asked for', async () => {
    const now = { at: AT };
    const metrics = made({ clock: { now: () => now.at } });
    const market = liveMarket();
    const prices = (freshAt: number) => {
      market.freshAt = instant(freshAt);
      metrics.onMessage({ kind: 'market', market, cause: 'prices' });
    };
    metrics.onMessage({ kind: 'market', market, cause: 'listed' });
    prices(AT - 3_600_000);
    prices(AT - 3_600_000);
    prices(AT - 40);
    metrics.onMessage({ kind: 'read', feed: 'orders', at: instant(AT - 300) });
    expect(await found(metrics, 'feed_delay_seconds', count)).toEqual([
      'feed_delay_seconds_count{feed="markets"} 0',
      'feed_delay_seconds_count{feed="prices"} 1',
      'feed_delay_seconds_count{feed="orders"} 1',
      'feed_delay_seconds_count{feed="wallets"} 0',
    ]);
    expect(await found(metrics, 'feed_delay_seconds', /_sum/)).toContain('feed_delay_seconds_sum{feed="prices"} 0.04');
    prices(AT + 500);
    expect(await found(metrics, 'feed_delay_seconds', /_sum/), 'clocks that differ make no negative time').toContain(
      'feed_delay_seconds_sum{feed="prices"} 0.04',
    );
  });

  test('of how late the loop is', async () => {
    const metrics = made();
    for (const ms of [0, 3, 700]) metrics.lag(ms);
    const cumulative = (await found(metrics, 'loop_lag_seconds', buckets)).map((line) => line.split(' ')[1]);
    expect(cumulative).toEqual(['1', '1', '2', '2', '2', '2', '2', '2', '2', '3', '3', '3', '3']);
  });
});

describe('the figures of what was sent', () => {
  test('are there for each configured way, also before anything happened', async () => {
    const way = { way: 'ntfy', sent: 3, failed: 1, dropped: 5, waiting: 2 } as const;
    const metrics = made({ notifications: { counts: () => ({ ways: [way], pings: { sent: 0, failed: 0 } }) } });
    for (let times = 0; times < 2; times += 1)
      expect(await linesOf(metrics, 'notifications_total'), 'asked again, it is not added up').toEqual([
        'notifications_total{way="ntfy",outcome="sent"} 3',
        'notifications_total{way="ntfy",outcome="failed"} 1',
      ]);
    expect(await linesOf(metrics, 'alerts_dropped_total')).toEqual(['alerts_dropped_total{way="ntfy"} 5']);
    expect(await linesOf(metrics, 'alerts_waiting')).toEqual(['alerts_waiting{way="ntfy"} 2']);
    expect(await linesOf(metrics, 'dead_man_pings_total')).toHaveLength(2);
    expect(await linesOf(made(), 'notifications_total')).toEqual([]);
  });
});

describe('readiness', () => {
  const late = [{ feed: 'orders', readAt: AT - 9_000, budgetMs: 5_000, isLate: true }] as const;
  const halted = { name: 's', isHalted: true, liveOrders: 0, worstLoss: 0 };

  test.each([
    ['trading', {}, []],
    ['recovering', { phase: 'recovering', waitsFor: 'a reading of orders' }, ['NOT_READY']],
    ['ending', { phase: 'ending' }, ['NOT_READY']],
    ['a clock in doubt', { clockDoubt: 'it was set' }, ['CLOCK_WRONG']],
    ['halted', { trading: 'halted', tradingCause: 'dailyLoss' }, ['HALTED']],
    ['reduce-only', { trading: 'reduceOnly', tradingCause: 'drawdown' }, ['REDUCE_ONLY']],
    ['a heartbeat that is late', { heartbeat: 'late' }, ['HEARTBEAT_NOT_ACTIVE']],
    ['a late feed', { feeds: late }, ['FEED_LATE']],
    ['its only strategy halted', { strategies: [halted] }, ['STRATEGY_HALTED']],
    ['one strategy of two halted', { strategies: [halted, { ...halted, isHalted: false }] }, []],
    ['a market off', { marketsOff: [{ market: '9', cause: 'c' }] }, []],
    [
      'several things',
      { phase: 'arming', trading: 'halted', tradingCause: 'c', heartbeat: 'lapsed', feeds: late },
      ['NOT_READY', 'HALTED', 'HEARTBEAT_NOT_ACTIVE', 'FEED_LATE'],
    ],
  ] as const)('%s', async (_, bot, codes) => {
    status = madeStatus(bot);
    const reasons = notReady(status.bot, true);
    expect(reasons.map(({ code }) => code)).toEqual(codes);
    for (const { why } of reasons) expect(why.length).toBeGreaterThan(5);
    expect(await linesOf(made(), 'ready')).toEqual([`ready ${codes.length === 0 ? 1 : 0}`]);
    const ones = (await linesOf(made(), 'not_ready')).filter((line) => line.endsWith(' 1'));
    expect(ones).toEqual(codes.map((code) => `not_ready{reason="${code}"} 1`));
  });

  test('needs no heartbeat where none is configured', () => {
    expect(notReady(madeStatus({ heartbeat: 'unarmed' }).bot, false)).toEqual([]);
  });
});

describe('served', () => {
  let server: MetricsServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  test('on loopback: figures, health by whether it reads, nothing else', async () => {
    server = await served();
    const base = `http://127.0.0.1:${server.port}`;
    const figures = await fetch(`${base}/metrics`);
    expect(figures.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await figures.text()).toContain('oddsmith_orders{state="live"} 3');
    expect(await (await fetch(`${base}/health`)).json()).toMatchObject({ ok: true, phase: 'trading' });
    status = madeStatus({ trading: 'halted' });
    expect((await fetch(`${base}/health`)).status, 'a halted bot is in good health').toBe(200);
    status = madeStatus({ feeds: [{ feed: 'orders', readAt: AT - 9_000, budgetMs: 5_000, isLate: true }] });
    const late = await fetch(`${base}/health`);
    expect([late.status, await late.json()]).toMatchObject([503, { ok: false, late: ['orders'] }]);
    const ready = await fetch(`${base}/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { ready: false, phase: 'trading', reasons: [{ code: 'FEED_LATE', why: 'late: orders' }] },
    ]);
    status = madeStatus();
    expect([(await fetch(`${base}/ready`)).status, (await fetch(`${base}/health`)).status]).toEqual([200, 200]);
    expect((await fetch(`${base}/`)).status).toBe(404);
    expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  test('a port that is taken is said so', async () => {
    server = await served();
    await expect(
      serveMetrics(server.port, { metrics: made(), seen: () => status, needsHeartbeat: true }),
    ).rejects.toMatchObject({
      ...{ code: 'PORT_IN_USE', exitCode: 2, where: `127.0.0.1:${server.port}` },
      next: 'Choose another metrics.port (0: any that is free).',
    });
  });
});
