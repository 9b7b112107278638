/** The bench starts, measures something under every name, and prints the shape that its readers rely on. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Figure } from './figure.ts';
import { slopeOf } from './growth.ts';
import { childSeconds } from './import.ts';

const ENTRY = fileURLToPath(new URL('./bench.ts', import.meta.url));

/** Names that stay, and the rows that come with them. */
const UNITS = {
  book: 'ops/s',
  exchange: 'orders/s',
  'exchange-20': 'orders/s',
  'exchange-taking': 'orders/s',
  'exchange-bare': 'orders/s',
  'replay-noop': 'updates/s',
  'replay-active': 'updates/s',
  'replay-guest': 'updates/s',
  'replay-bounds': 'updates/s',
  'replay-all': 'updates/s',
  'replay-orders': 'updates/s',
  'replay-bare': 'updates/s',
  'replay-cold-noop': 'updates/s',
  'replay-cold-active': 'updates/s',
  'replay-cold-bare': 'updates/s',
  'replay-merged': 'updates/s',
  'replay-merged-bare': 'updates/s',
  'strategies-idle': 'updates/s',
  'strategies-reading': 'updates/s',
  'strategies-ordering': 'orders/s',
  'slope-markets': 'slope',
  'slope-orders': 'slope',
  'memory-orders': 'MiB',
  'memory-single': 'MiB',
  'memory-merged': 'MiB',
  'replay-decoding': 'updates/s',
  refusal: 'µs/refusal',
  markets: 's/M updates',
  'event-none': 'updates/s',
  'event-level': 'events/s',
  'event-trade': 'events/s',
  'event-last-price': 'events/s',
  'event-definition': 'events/s',
  'start-help': 'starts/s',
  'start-decision': 'starts/s',
  'import-plain': 'lines/s',
  'import-bz2': 'lines/s',
  'sandbox-get': 'GET/s',
  'sandbox-get-1': 'GET/s',
  'sandbox-batch': 'batches/s',
  'sandbox-batch-1': 'batches/s',
  'client-order': 'orders/s',
  'client-order-50': 'orders/s',
};

function bench(...args: readonly string[]) {
  const started = ['--conditions=oddsmith-source', ENTRY, '--quick', ...args];
  return spawnSync(process.execPath, started, { encoding: 'utf8' });
}

describe('npm run bench', () => {
  test('prints every figure beside its yardstick, with what was counted', () => {
    const { status, stdout, stderr } = bench('--json');
    const report = JSON.parse(stdout) as { machine: string; node: string; figures: readonly Figure[] };
    expect(Object.keys(report)).toEqual(['machine', 'node', 'figures']);
    expect(report.node).toBe(process.version);
    expect(report.machine).toMatch(/ cores, load \d/);
    const figures = new Map(report.figures.map((figure) => [figure.name, figure]));
    for (const [name, unit] of Object.entries(UNITS)) {
      // Without bzip2 the made recording cannot be compressed: the bench says so and gives no figure.
      if (name === 'import-bz2' && stderr.includes('no bzip2 here')) continue;
      const figure = figures.get(name);
      expect(figure, `${name}: ${stderr}`).toMatchObject({ unit });
      expect(figure?.value).toBeGreaterThan(0);
      expect(figure?.yardstick.name).not.toBe('');
      expect(figure?.ratio).toBeCloseTo((figure?.value ?? 0) / (figure?.yardstick.value ?? 0));
      expect(figure?.data).not.toBe('');
    }
    expect(status === 0 || stderr.includes('no bzip2 here')).toBe(true);
    expect(figures.get('replay-guest')?.counts['orders']).toBe(figures.get('replay-active')?.counts['orders']);
    expect(figures.get('replay-active')?.counts['orders']).toBeGreaterThan(0);
    for (const name of ['replay-bounds', 'replay-all'])
      expect(figures.get(name)?.counts['orders']).toBe(figures.get('replay-active')?.counts['orders']);
    expect(figures.get('replay-orders')?.counts['orders']).toBe(figures.get('replay-active')?.counts['orders']);
    for (const bound of ['replay-bare', 'replay-cold-bare'])
      expect(figures.get(bound)?.counts['orders']).toBe(figures.get('replay-active')?.counts['orders']);
    for (const kind of ['noop', 'active']) {
      const [cold, warm] = [figures.get(`replay-cold-${kind}`), figures.get(`replay-${kind}`)];
      expect(cold?.counts).toMatchObject(warm?.counts ?? {});
    }
    const { updates = 0, closings = 0, decisions } = figures.get('replay-noop')?.counts ?? {};
    expect(updates).toBeGreaterThan(0);
    expect(decisions).toBe(updates + closings);
    for (const name of ['sandbox-get', 'sandbox-batch']) {
      const { clientUs = 0, serverUs = 0, wallPerSecond } = figures.get(name)?.counts ?? {};
      // With one turn the shares are those of the figure: both processes were timed, and nothing else.
      expect(1e6 / (clientUs + serverUs)).toBeCloseTo(figures.get(name)?.value ?? 0);
      expect(Math.min(clientUs, serverUs)).toBeGreaterThan(0);
      expect(wallPerSecond).toBeGreaterThan(0);
    }
  }, 900_000);

  test('runs what --only names, as a table', () => {
    const { status, stdout } = bench('--only', 'import-plain');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^import-plain +[\d,]+ {2}lines\/s/m);
    expect(stdout).not.toContain('replay-noop');
  });

  test('runs the one row that --row names, and no other of its name', () => {
    const { status, stdout } = bench('--row', 'exchange-bare');
    expect(status).toBe(0);
    expect(stdout.match(/^exchange\S* +[\d,]+ {2}orders\/s/gm)).toHaveLength(1);
    expect(bench('--row', 'exchang').stderr).toContain('no row is named "exchang"; there are book, exchange,');
  });

  test('refuses a name that it does not know, and lists those it does', () => {
    const { status, stdout, stderr } = bench('--only', 'bok');
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('no bench is named "bok"; there are book, exchange,');
  });

  test('prints no figure that it cannot stand by', () => {
    const { status, stdout, stderr } = bench('--json', '--only', 'import-plain', '--file', ENTRY);
    expect(status).not.toBe(0);
    expect(stdout).not.toContain('lines/s');
    expect(stderr).not.toBe('');
  });
});

test('the slope is 1 where twice as much takes twice the time, and 2 where it takes four times', () => {
  const costs = (exponent: number) => [1, 2, 4].map((n) => ({ operations: n * 5, seconds: 0.3 * n ** exponent }));
  expect(slopeOf(costs(1))).toBeCloseTo(1);
  expect(slopeOf(costs(2))).toBeCloseTo(2);
  expect(() => slopeOf(costs(1).slice(0, 1))).toThrow('a slope needs two sizes');
});

test('reads the processor time of children from what the shell says', () => {
  expect(childSeconds('0m0.01s 0m0.02s\n1m2.50s 0m0.25s\n')).toBeCloseTo(62.75);
  expect(() => childSeconds('0m0.01s 0m0.02s\n')).toThrow('unreadable');
});
