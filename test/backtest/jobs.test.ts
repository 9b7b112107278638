/** Pieces in threads give what one thread gives: the same result, rows and transcript. */

import { describe, expect, it } from 'vitest';
import type { BacktestHooks, BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { fillsCsv, ordersCsv } from '../../src/report/data/csv.ts';
import { backtestJson } from '../../src/report/data/result-json.ts';
import type { BacktestResult } from '../../src/report/result.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { madeDay } from '../support/made-races.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const quoter = temporaryFile(
  'quoter.ts',
  `import { back, cancel, defineStrategy, lay, param } from 'oddsmith';
export default defineStrategy({ name: 'quoter', params: { stake: param.stake({ default: 3 }) }, decide({ market, orders, params, now }) {
  if (!market.tradable) return [];
  const old = orders.filter((order) => order.inFlight === undefined && now - order.placedAt > 60_000);
  if (old.length > 0) return old.map((order) => cancel(order));
  if (orders.length > 3) return [];
  return market.outcomes.flatMap((outcome) => [
    ...(outcome.bestFor === undefined ? [] : [back(outcome, { stake: params.stake, price: outcome.bestFor.price })]),
    ...(outcome.bestAgainst === undefined ? [] : [lay(outcome, { stake: params.stake, price: outcome.bestAgainst.price })]),
  ]).slice(0, 2);
} });
`,
);
const thrower = temporaryFile(
  'thrower.ts',
  `import { defineStrategy } from 'oddsmith';
let calls = 0;
export default defineStrategy({ name: 'thrower', decide({ market }) {
  calls += 1;
  console.log(market.id + ' ' + calls);
  if (calls === 200) throw Object.assign(new Error('enough'), { stays: () => 'in its realm' });
  return [];
} });
`,
);

/** All that a run leaves behind but how long it took. */
function left(result: BacktestResult) {
  const json = JSON.parse(backtestJson({ ...result, elapsedMs: 0 }));
  return { json, orders: [...ordersCsv(result.orderRows)].join(''), fills: [...fillsCsv(result.fillRows)].join('') };
}

const tapes = [madeDay(7)];
const run = (files: readonly string[], change: Partial<BacktestOptions>, hooks: Partial<BacktestHooks>) =>
  backtestOf(files, { tapes, ...change }, hooks);

describe('jobs', () => {
  it.each([
    ['event', 'bounds'],
    ['market', 'all'],
    ['market', 'react'],
    ['strategy', 'central'],
  ] as const)(
    'isolate %s, fills %s: two threads give the result of one',
    async (isolate, fills) => {
      const files = [quoter, thrower];
      const lines: string[][] = [[], []];
      const [one, two] = [
        await run(files, { isolate, fills }, { onWords: (line) => lines[0]?.push(line) }),
        await run(files, { isolate, fills }, { onWords: (line) => lines[1]?.push(line), jobs: 2 }),
      ];
      expect(one.orders.sent).toBeGreaterThan(50);
      expect(one.orders.matchedFully).toBeGreaterThan(5);
      expect(one.halts.length).toBeGreaterThan(0);
      expect(left(two)).toEqual(left(one));
      expect(lines[0]?.length).toBeGreaterThan(100);
      expect(lines[1]?.toSorted()).toEqual(lines[0]?.toSorted());
    },
    60_000,
  );

  it('progress comes from all threads, never goes back and ends at all updates', async () => {
    const seen: number[] = [];
    const total = new Set<number>();
    const onProgress = (progress: { done: number; total: number }) => {
      seen.push(progress.done);
      total.add(progress.total);
    };
    const result = await run([quoter], { isolate: 'event' }, { onProgress, jobs: 2 });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect([...total]).toEqual([result.updates]);
    expect(seen.at(-1)).toBe(result.updates);
  }, 60_000);
});
