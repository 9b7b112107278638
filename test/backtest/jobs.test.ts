/** Pieces in threads give what one thread gives: the same result, rows and transcript. */

import { copyFileSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { BacktestHooks, BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { backtest } from '../../src/backtest.ts';
import { defineStrategy } from '../../src/index.ts';
import { TapeFailure } from '../../src/recording/tape/tape-failure.ts';
import { fillsCsv, ordersCsv, plotsCsv } from '../../src/result/columns/csv.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { madeDay } from '../support/made-races.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const quoter = temporaryFile(
  'quoter.ts',
  `import { back, cancel, defineStrategy, lay, param } from 'oddsmith';
export default defineStrategy({ name: 'quoter', params: { stake: param.stake({ default: 3 }) }, decide({ market, orders, params, now, plot }) {
  plot({ queue: market.outcomes[0]?.bestFor?.price, orders: orders.length });
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
  const plots = [...plotsCsv(result.plots)].join('');
  return {
    json,
    orders: [...ordersCsv(result.orderRows)].join(''),
    fills: [...fillsCsv(result.fillRows)].join(''),
    plots,
  };
}

const tapes = [madeDay(4)];
const run = (files: readonly string[], change: Partial<BacktestOptions>, hooks: Partial<BacktestHooks>) =>
  backtestOf(files, { tapes, ...change }, hooks);

describe('jobs', () => {
  it.each([
    ['event', 'central'],
    ['market', 'bounds'],
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
      expect(one.plots.length).toBeGreaterThan(10);
      expect(left(two)).toEqual(left(one));
      expect(lines[0]?.length).toBeGreaterThan(100);
      expect(lines[1]?.toSorted()).toEqual(lines[0]?.toSorted());
    },
    60_000,
  );

  it('plays windows, wherever they are', async () => {
    const window = { from: { of: 'start', ms: -600_000 }, to: { of: 'off', ms: 0 } } as const;
    const change = { isolate: 'event', markets: { types: [], ids: [], events: [], window } } as const;
    const [one, two] = [await run([quoter], change, {}), await run([quoter], change, { jobs: 2 })];
    expect(one.orders.sent).toBeGreaterThan(10);
    expect(left(two)).toEqual(left(one));
  });

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
  });
});

describe('a run in threads that ends early', () => {
  it('keeps on an abort what every thread has played, and says so', async () => {
    const abort = new AbortController();
    const slow = temporaryFile(
      'slow.ts',
      `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'slow', decide() { for (let i = 0, end = 2e6; i < end; i += 1) Math.sqrt(i); return []; } });
`,
    );
    const onProgress = ({ done }: { done: number }) => {
      if (done > 0) abort.abort();
    };
    const change = { isolate: 'event' } as const;
    const result = await run([slow], change, { onProgress, signal: abort.signal, jobs: 2, sliceMs: 20 });
    expect(result.interrupted).toBe(true);
    expect(result.updates).toBeGreaterThan(0);
    expect(result.updates).toBeLessThan((await run([quoter], change, {})).updates);
  });

  it('a strategy that never comes back is halted there in each world, as one that throws, and the run goes on', async () => {
    const stuck = temporaryFile(
      'stuck.ts',
      `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'stuck', watches: ({ id }) => id === 'win-1', decide({ market }) {
  if (market.inPlayStatus !== 'InPlay') return [];
  console.log('at ' + market.id);
  for (;;);
} });
`,
    );
    const thrower = temporaryFile(
      'throws.ts',
      readFileSync(stuck, 'utf8').replace('for (;;);', "throw new Error('there');"),
    );
    const lines: string[] = [];
    const progress: number[] = [];
    const hooks: Partial<BacktestHooks> = {
      jobs: 2,
      onWords: (line) => lines.push(line),
      onProgress: ({ done }) => progress.push(done),
    };
    const result = await run([quoter, stuck], { isolate: 'event', fills: 'bounds', strategyTimeoutMs: 1_500 }, hooks);
    const thrown = await run([quoter, thrower], { isolate: 'event', fills: 'bounds' }, { jobs: 2 });
    expect(result.interrupted).toBe(false);
    expect(result.halts).toMatchObject([
      { strategy: 'stuck', code: 'STRATEGY_STUCK', worlds: ['central', 'pessimistic', 'optimistic'] },
    ]);
    expect(result.halts.map(({ market, at }) => [market, at])).toEqual(
      thrown.halts.map(({ market, at }) => [market, at]),
    );
    expect([...result.fillRows]).toEqual([...thrown.fillRows]);
    expect(result.runs.map(({ piece, orders }) => [piece, orders])).toEqual(
      thrown.runs.map(({ piece, orders }) => [piece, orders]),
    );
    expect(lines).toEqual(['stuck: at win-1']);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(result.updates);
  });

  it('a strategy that would end its thread is halted', async () => {
    const leaver = temporaryFile(
      'leaver.ts',
      `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'leaver', decide({ market }) { (market.outcomes as any).constructor.constructor('return process')().exit(3); return []; } });
`,
    );
    const { halts, runs } = await run([leaver], { isolate: 'event' }, { jobs: 2 });
    expect(halts.map(({ code, why }) => [code, why])).toContainEqual([
      'STRATEGY_THROW',
      expect.stringContaining('process is not defined'),
    ]);
    expect(runs.length).toBeGreaterThan(1);
  });

  it('a tape that is damaged fails with its own error', async () => {
    const tape = temporaryFile('damaged.tape', '');
    copyFileSync(tapes[0] ?? '', tape);
    const database = new Database(tape);
    database.exec('UPDATE segment SET bytes = zeroblob(length(bytes)) WHERE number = 0 AND key = 2');
    database.close();
    const both = [
      run([quoter], { tapes: [tape], isolate: 'event' }, {}),
      run([quoter], { tapes: [tape], isolate: 'event' }, { jobs: 2 }),
    ];
    const [one, two] = await Promise.all(
      both.map((each) =>
        each.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    expect(one).toBeInstanceOf(TapeFailure);
    expect(two).toEqual(one);
  });
});

describe('the library', () => {
  const given = { tape: tapes[0] ?? '', isolate: 'event' } as const;

  it('gives with jobs what it gives without', async () => {
    const strategies = [{ file: quoter, params: { stake: 4 } }];
    const [one, two] = [await backtest({ ...given, strategies }), await backtest({ ...given, strategies, jobs: 2 })];
    expect({ ...two.summary, elapsedMs: 0 }).toEqual({ ...one.summary, elapsedMs: 0 });
    expect([...two.orders.rows]).toEqual([...one.orders.rows]);
    expect([...two.fills.rows]).toEqual([...one.fills.rows]);
  });

  it.each([
    ['a run in one piece', { isolate: 'none', strategies: [{ file: quoter }] }, 'jobs'],
    [
      'a strategy that is an object',
      { strategies: [{ file: quoter }, defineStrategy({ name: 'object', decide: () => [] })] },
      'strategies[1]',
    ],
    ['half a thread', { jobs: 1.5, strategies: [{ file: quoter }] }, 'jobs'],
  ] as const)('refuses %s', async (_, change, where) => {
    await expect(backtest({ ...given, jobs: 2, ...change })).rejects.toMatchObject({ code: 'CONFIG_INVALID', where });
  });

  it.each(['onProgress', 'onConsole'] as const)(
    'what %s throws ends the run',
    async (name) => {
      const strategies = [{ file: thrower }];
      const throwing = () => {
        throw new RangeError('enough');
      };
      await expect(backtest({ ...given, strategies, jobs: 2, [name]: throwing })).rejects.toThrow('enough');
    },
    60_000,
  );

  it('an abort rejects with the result until then', async () => {
    const abort = new AbortController();
    const slow = temporaryFile(
      'slow.ts',
      "import { defineStrategy } from 'oddsmith';\nexport default defineStrategy({ name: 'slow', decide() { for (let i = 0; i < 2e6; i += 1) Math.sqrt(i); return []; } });\n",
    );
    const onProgress = ({ done }: { done: number }) => void (done > 0 && abort.abort());
    const ended = backtest({ ...given, strategies: [{ file: slow }], jobs: 2, onProgress, signal: abort.signal });
    await expect(ended).rejects.toMatchObject({ code: 'ABORTED', partial: { summary: { interrupted: true } } });
  });
});
