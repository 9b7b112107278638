/** A sweep computes each unit once, whatever plays it and however often it is stopped, and finds again all that did not change. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { budget } from '../support/budget.ts';
import { SharedThreads } from '../support/sweep/shared-threads.ts';
import { raceTape, type StageEnd, SweepStage } from '../support/sweep/sweep-stage.ts';

const LARGE = { trials: 20, races: budget({ each: 10, deep: 501 }) };
const LARGE_UNITS = LARGE.trials * LARGE.races;
const SMALL = { trials: 4, races: 5 };
/** Units of the small one. */
const UNITS = SMALL.trials * SMALL.races;

const threads = new SharedThreads();
afterAll(() => threads.close());

let whole: Promise<StageEnd> | undefined;

/** The large sweep as one thread plays it: the space, the tapes and the code are the same in each stage, and only paths differ. */
function playedByOne(): Promise<StageEnd> {
  whole ??= new SweepStage(LARGE).play({ jobs: 1 });
  return whole;
}

let small: Promise<SweepStage> | undefined;

/** A stage of the small sweep that was played already, in another directory. */
async function playedSmall(): Promise<SweepStage> {
  small ??= (async () => {
    const first = new SweepStage(SMALL);
    await first.play({ engine: threads.over(first.tapes) });
    return first;
  })();
  const stage = new SweepStage(SMALL);
  cpSync((await small).out, stage.out, { recursive: true });
  return stage;
}

test(`${LARGE_UNITS} units give the same hash of trials with one thread and with two`, async () => {
  const one = await playedByOne();
  expect(one.outcome.units).toEqual({ total: LARGE_UNITS, known: 0, computed: LARGE_UNITS, failed: 0 });
  const two = await new SweepStage(LARGE).play({ jobs: 2 });
  expect(two.counts).toEqual({ units: LARGE_UNITS, computed: LARGE_UNITS });
  expect(two.sha256).toBe(one.sha256);
  const values = new Set(one.ranked.map(({ value }) => value));
  expect(values.size).toBe(LARGE.trials);
});

test('a sweep that is stopped goes on from there: nothing is lost, nothing computed twice', async () => {
  const stage = new SweepStage(LARGE);
  const stop = new AbortController();
  const first = await stage.play({
    signal: stop.signal,
    onProgress: ({ computed }) => {
      if (computed >= 40) stop.abort();
    },
  });
  expect(first.outcome.isInterrupted).toBe(true);
  const kept = first.counts.units;
  expect(kept).toBeGreaterThanOrEqual(40);
  expect(kept).toBeLessThan(LARGE_UNITS);
  const second = await stage.play({ jobs: 2 });
  expect(second.outcome.units).toMatchObject({ known: kept, computed: LARGE_UNITS - kept });
  expect(second.counts).toEqual({ units: LARGE_UNITS, computed: LARGE_UNITS });
  expect(second.sha256).toBe((await playedByOne()).sha256);
});

interface Change {
  readonly name: string;
  readonly change?: (stage: SweepStage) => void;
  readonly build?: string;
  readonly computed: number;
}

describe('what changed is computed anew, and all else is found', () => {
  const cases: readonly Change[] = [
    { name: 'nothing', computed: 0 },
    { name: 'a comment in the strategy', change: (stage) => stage.writeStrategy('// said'), computed: 0 },
    {
      name: 'a line of the strategy',
      change: (stage) => stage.writeStrategy('if (!market.id) return [];'),
      computed: UNITS,
    },
    {
      name: 'a signal row of one race',
      change: (stage) => stage.writeSignal([[3, -1]]),
      computed: SMALL.trials,
    },
    { name: 'a signal row of no race', change: (stage) => stage.writeSignal([[99, -1]]), computed: 0 },
    { name: 'one more race', change: (stage) => stage.tapes.push(raceTape(5, 6)), computed: SMALL.trials },
    { name: 'our own code', build: 'another build', computed: UNITS },
    { name: 'one value of a param', change: (stage) => stage.stakes([2, 9]), computed: UNITS / 2 },
    { name: 'the seed', change: (stage) => stage.set({ seed: 2 }), computed: UNITS },
    {
      name: 'the bound of the objective',
      change: (stage) => {
        stage.sweep = { objective: { figure: 'profitNet', bound: 'optimistic' } };
      },
      computed: UNITS,
    },
    { name: 'which worlds a backtest has', change: (stage) => stage.set({ fills: 'all' }), computed: 0 },
    { name: 'the latency', change: (stage) => stage.set({ latency: { requestMs: 81 } }), computed: UNITS },
    { name: 'which markets', change: (stage) => stage.set({ markets: { ids: ['win-1', 'win-4'] } }), computed: 0 },
    { name: 'how long a strategy may take', change: (stage) => stage.set({ strategyTimeoutMs: 9_000 }), computed: 0 },
    { name: 'how units are cut', change: (stage) => stage.set({ isolate: 'market' }), computed: 0 },
    { name: 'that nothing is cut', change: (stage) => stage.set({ isolate: 'none' }), computed: SMALL.trials },
  ];
  test.each(cases)('$name', async ({ change, build = 'build', computed }) => {
    const stage = await playedSmall();
    change?.(stage);
    const { outcome } = await stage.play({ build, engine: threads.over(stage.tapes) });
    expect(outcome.units.computed).toBe(computed);
  });
});

test('a signal that is written anew is read anew by threads that live on, as often as it changes', async () => {
  const stage = new SweepStage(SMALL);
  stage.writeSignal([[1, -1]]);
  const first = await stage.play({ engine: threads.over(stage.tapes) });
  stage.writeSignal([
    [1, 1],
    [2, -1],
    [4, -1],
  ]);
  const second = await stage.play({ engine: threads.over(stage.tapes) });
  expect(second.outcome.units).toEqual({ total: UNITS, known: (UNITS / 5) * 2, computed: (UNITS / 5) * 3, failed: 0 });
  stage.writeSignal([[1, -1]]);
  const third = await stage.play({ engine: threads.over(stage.tapes), build: 'another build' });
  expect(third.outcome.units).toEqual({ total: UNITS, known: 0, computed: UNITS, failed: 0 });
  expect([first.sha256 === second.sha256, third.sha256]).toEqual([false, first.sha256]);
});

test('a market that was recorded otherwise is computed anew, and no other one', async () => {
  const stage = new SweepStage(SMALL);
  stage.tapes = [raceTape(0, 4), raceTape(4, 5)];
  await stage.play({ engine: threads.over(stage.tapes) });
  stage.tapes = [raceTape(0, 4), raceTape(4, 5, 2)];
  const { outcome } = await stage.play({ engine: threads.over(stage.tapes) });
  expect(outcome.units).toMatchObject({ computed: SMALL.trials, known: UNITS - SMALL.trials });
});

test('trials of earlier configurations stay, and each is counted', async () => {
  const stage = await playedSmall();
  stage.stakes([3, 4]);
  const { outcome, counts, tried } = await stage.play({ engine: threads.over(stage.tapes) });
  expect(outcome.units).toMatchObject({ known: UNITS / 2, computed: UNITS / 2 });
  expect(counts).toEqual({ units: 1.5 * UNITS, computed: 1.5 * UNITS });
  expect(tried).toEqual({ trials: 8, different: 6 });
});

test('a unit that never ends is set aside with its error, and the others are played', async () => {
  const stage = new SweepStage(SMALL);
  stage.writeStrategy('if (market.id === "win-2") for (;;) {}');
  stage.set({ strategyTimeoutMs: 3_000 });
  const { outcome, counts, failures, ranked } = await stage.play();
  expect(outcome.units).toMatchObject({ total: UNITS, failed: SMALL.trials });
  expect(counts.units).toBe(UNITS - SMALL.trials);
  expect(failures.map(({ error, isAside }) => [error.code, isAside])).toEqual(
    Array.from({ length: SMALL.trials }, () => ['STRATEGY_STUCK', true]),
  );
  expect(ranked.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed']);
  const again = await stage.play();
  expect(again.outcome.units).toMatchObject({ computed: 0, failed: SMALL.trials });
});

test('a strategy that throws is a result with its halts counted', async () => {
  const stage = new SweepStage(SMALL);
  stage.writeStrategy('if (market.id === "win-2" && params.stake > 2) throw new Error("no");');
  const { outcome, ranked } = await stage.play({ engine: threads.over(stage.tapes) });
  expect(outcome.units).toMatchObject({ total: UNITS, computed: UNITS, failed: 0 });
  expect(ranked.map(({ figures }) => figures.halts)).toEqual([0, 0, 1, 1]);
});

test('rows that cannot be kept end the sweep with a clear error, and what was kept before stays', async () => {
  const stage = await playedSmall();
  const database = new Database(join(stage.out, 'small', 'trials.sqlite'));
  database.exec("CREATE TRIGGER full BEFORE INSERT ON unit BEGIN SELECT RAISE(ABORT, 'no room'); END");
  stage.stakes([20, 30]);
  await expect(stage.play({ jobs: 2 })).rejects.toMatchObject({
    parts: { code: 'SWEEP_NOT_WRITABLE', why: expect.stringContaining('no room') },
  });
  database.exec('DROP TRIGGER full');
  database.close();
  const { outcome, counts } = await stage.play({ engine: threads.over(stage.tapes) });
  expect(outcome.units).toMatchObject({ total: UNITS, failed: 0 });
  expect(counts).toEqual({ units: 2 * UNITS, computed: 2 * UNITS });
});
