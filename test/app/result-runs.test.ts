/** Orders and fills of a run in which a strategy hedges: every row names its run, so that both files can be joined. */

import { beforeAll, expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { fillsCsv, ordersCsv } from '../../src/result/columns/csv.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { htmlReport } from '../support/html-report.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { describeWithRecordings } from '../support/shared.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

let tape = '';
beforeAll(async () => {
  tape = await recordedTape('betfair_parser__1.185781277.bz2');
}, 120_000);

/** The strategy of the README's kind: backs the favourite in the queue, and closes what was matched. */
function hedging(name: string, hedges: boolean): string {
  return temporaryFile(
    `${name}.ts`,
    `import { back, cancel, defineStrategy, favourites, greenUp } from 'oddsmith';
export default defineStrategy({ name: '${name}', decide({ market, orders, position, now }) {
  if (!market.tradable || orders.some((order) => order.inFlight !== undefined)) return [];
  const [favourite] = favourites(market);
  const old = orders.filter((order) => now - order.placedAt > 20_000);
  if (old.length > 0) return old.map((order) => cancel(order));
  if (favourite?.bestFor === undefined || orders.length > 0) return [];
  const exit = ${hedges ? 'greenUp(market, position)' : '[]'};
  return exit.length > 0 ? exit : [back(favourite, { stake: 5, price: favourite.bestFor.price })];
} });
`,
  );
}

function run(files: readonly string[], change: Partial<BacktestOptions>): Promise<BacktestResult> {
  return backtestOf(files, { tapes: [tape], fills: 'bounds', ...change });
}

function tableOf(csv: Iterable<string>): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = [...csv].join('').trimEnd().split('\r\n');
  const columns = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [columns[at] ?? '', cell])));
}

/** Rows of either file that do not agree with the other, joined by `key` and order. */
function disagreements(result: BacktestResult, key: 'run' | 'flow'): readonly string[] {
  const sums = new Map<string, number>();
  for (const { [key]: of, order, stake } of tableOf(fillsCsv(result.fillRows))) {
    const cell = `${of} ${order}`;
    sums.set(cell, (sums.get(cell) ?? 0) + Math.round(Number(stake) * 1e6));
  }
  const wrong: string[] = [];
  for (const row of tableOf(ordersCsv(result.orderRows))) {
    const cell = `${row[key]} ${row['order']}`;
    if (Math.round(Number(row['stakeMatched']) * 1e6) !== (sums.get(cell) ?? 0)) wrong.push(cell);
    sums.delete(cell);
  }
  return [...wrong, ...sums.keys()];
}

const WORLDS = {
  central: ['central'],
  bounds: ['central', 'pessimistic', 'optimistic'],
  all: ['central', 'pessimistic', 'optimistic', 'lowest', 'highest'],
};

describeWithRecordings('the rows of a strategy that hedges', () => {
  test.each(['bounds', 'all', 'central'] as const)(
    '--fills %s: each fill is of an order, each order has its fills',
    async (fills) => {
      const result = await run([hedging('hedging', true)], { fills });
      expect(result.orders.matchedFully).toBeGreaterThan(10);
      expect(disagreements(result, 'flow')).toEqual([]);
      expect(disagreements(result, 'run')).toEqual([]);
      const rows = [...result.orderRows];
      const flows = WORLDS[fills];
      expect(result.runs.map(({ run, flow }) => [run, flow])).toEqual(flows.map((flow, index) => [index + 1, flow]));
      for (const { run, flow, orders } of result.runs)
        expect(rows.filter((row) => row.run === run && row.flow === flow)).toHaveLength(orders.sent);
      expect(result.runs.find(({ flow }) => flow === 'central')?.orders).toEqual(result.orders);
    },
    60_000,
  );

  test('rows of pieces that are cut apart can be distinguished as well', async () => {
    const files = [hedging('hedging', true), hedging('opening', false)];
    const result = await run(files, { isolate: 'strategy' });
    expect(result.runs.map(({ run, flow, piece }) => [run, flow, piece])).toEqual([
      [1, 'central', 'hedging'],
      [2, 'pessimistic', 'hedging'],
      [3, 'optimistic', 'hedging'],
      [4, 'central', 'opening'],
      [5, 'pessimistic', 'opening'],
      [6, 'optimistic', 'opening'],
    ]);
    expect(disagreements(result, 'run')).toEqual([]);
    expect(new Set([...result.orderRows].map(({ run, id }) => `${run} ${id}`)).size).toBe([...result.orderRows].length);
  });

  test('the counts are said to be of the central run, with those of the others beside them', async () => {
    const result = await run([hedging('hedging', true)], {});
    const [, low, high] = result.runs;
    const words = `the counts are of the central run; sent: pessimistic ${low?.orders.sent}, central ${result.orders.sent}, optimistic ${high?.orders.sent}`;
    expect(resultTable(result)).toContain(words);
    expect(htmlReport(result, { script: '', style: '' })).toContain(words.replace('the counts', 'The counts'));
    expect(JSON.parse(backtestJson(result)).runs).toEqual(result.runs);
  });
});
