/** Figures for Prometheus: counted and read off, served on this machine alone. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CliError } from '../../../src/app/cli/cli-error.ts';
import { Metrics } from '../../../src/app/live/observe/metrics.ts';
import { type MetricsServer, serveMetrics } from '../../../src/app/live/observe/metrics-server.ts';
import { instant } from '../../../src/core/number/units.ts';
import { EVERY_RECORD } from '../../support/daemon/every-record.ts';
import { AT, madeStatus } from '../../support/daemon/made-status.ts';

let status = madeStatus();
beforeEach(() => {
  status = madeStatus();
});
const made = () => new Metrics({ status: () => status, version: '0.1.0' });

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
    expect(await linesOf(metrics, 'books_equal_age_seconds')).toEqual(['books_equal_age_seconds 20']);
    status = madeStatus({ phase: 'recovering', wallets: [], orders: { live: 9, unknown: 1, inFlight: 0 } });
    expect(await linesOf(metrics, 'phase')).toEqual(
      expect.arrayContaining(['phase{state="trading"} 0', 'phase{state="recovering"} 1']),
    );
    expect(await linesOf(metrics, 'orders')).toContain('orders{state="unknown"} 1');
    expect(await linesOf(metrics, 'wallet_worst_loss'), 'a wallet that went leaves no series').toEqual([]);
  });

  test('of records, readings, notices and alerts are counted', async () => {
    const metrics = made();
    for (const record of [...EVERY_RECORD, ...EVERY_RECORD]) metrics.record(record);
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
    expect(await linesOf(metrics, 'alerts_total')).toEqual(['alerts_total{alert="THROTTLED"} 1']);
    const text = await metrics.text();
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) expect(text).toContain(name);
  });
});

describe('served', () => {
  let server: MetricsServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  test('on loopback: figures, health by whether it reads, nothing else', async () => {
    server = await serveMetrics(0, { metrics: made(), status: () => status });
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
    expect((await fetch(`${base}/`)).status).toBe(404);
    expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  test('a port that is taken is said so', async () => {
    server = await serveMetrics(0, { metrics: made(), status: () => status });
    await expect(serveMetrics(server.port, { metrics: made(), status: () => status })).rejects.toSatisfy(
      (error) => error instanceof CliError && error.parts.code === 'PORT_IN_USE' && error.exitCode === 2,
    );
  });
});
