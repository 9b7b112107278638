/** The memory of a sweep's coordinator over very many small trials, of one search or of folds that search by themselves: `npm run sweep:memory -- --trials 300000 --folds`. */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSweep } from '../../src/app/config/resolve/load-sweep.ts';
import { lockedStore, openTapes, statisticsOf } from '../../src/app/sweep/open-sweep.ts';
import { trialsSha256 } from '../../src/app/sweep/play-sweep.ts';
import { money } from '../../src/core/number/units.ts';
import type { JobEnd, SweepEngine, SweepJob, UnitResult } from '../../src/sweep/engine/engine.ts';
import { FIGURES } from '../../src/sweep/result/figures.ts';
import { topTrials } from '../../src/sweep/result/top-trials.ts';
import { runSweep } from '../../src/sweep/run/sweep-run.ts';
import { TrialInputs } from '../../src/sweep/unit/trial-inputs.ts';
import { packRow } from '../../src/sweep/unit/unit-row.ts';
import { DAY, MINUTE } from '../support/made-races.ts';
import { SweepStage } from '../support/sweep/sweep-stage.ts';
import { COUNTS } from '../support/sweep/unit-counts.ts';

const { values } = parseArgs({
  options: { trials: { type: 'string', default: '300000' }, folds: { type: 'boolean', default: false } },
});
const FOLDS = 2;
const searches = values.folds ? 1 + FOLDS : 1;
/** Over all searches. */
const trials = Number(values.trials);
const EVENTS = values.folds ? FOLDS + 1 : 1;
const LINES = 6;

/** Rows are made and not played: what is measured is all but the simulation. */
class MadeRows implements SweepEngine {
  readonly slots = 2;

  async play({ units }: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd> {
    await Promise.all(
      units.map(({ key }) =>
        onResult({ kind: 'played', key, row: madeRow(Number.parseInt(key.slice(0, 8), 16)), elapsedMs: 1 }),
      ),
    );
    return { kind: 'done' };
  }

  async close(): Promise<void> {}
}

function madeRow(chance: number): Uint8Array<ArrayBuffer> {
  const net = (chance % 2_000_001) - 1_000_000;
  const profit = { stakeMatched: money(1_000_000), profitGross: money(net), commission: money(0) };
  const position = {
    profitIfWins: 1,
    profitIfWinsNet: net / 1e6,
    betsIfWins: 1,
    betsIfLoses: -1,
    preOff: { ifWins: net / 1e6, ifLoses: 0 },
  };
  const outcome = { winShare: 1, startingPrice: 2, positions: [position] };
  return packRow({
    counts: COUNTS,
    bounds: ['pessimistic'],
    markets: [
      {
        ...{
          id: 'win-0',
          eventId: 'race-0',
          status: 'Settled',
          startsAt: DAY,
          settledAt: DAY + MINUTE,
          winnerCount: 1,
        },
        ...{ orders: 1, profit: [profit], matchedLate: [false] },
        outcomes: [
          { ...outcome, id: 'o0', result: 'Winner' },
          { ...outcome, id: 'o1', result: 'Loser', winShare: 0 },
        ],
      },
    ],
  });
}

function said(what: string): void {
  globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const parts = [rss, heapUsed, arrayBuffers].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`.padStart(8));
  console.log(`${what.padEnd(26)} resident ${parts[0]}  heap ${parts[1]}  buffers ${parts[2]}`);
}

const stage = new SweepStage({ trials: 2, races: EVENTS });
const stakes = { from: 2, to: 1 + trials / searches / 100, step: 1 };
stage.space = { 'strategies[0].params.stake': stakes, 'strategies[0].params.ticks': { from: 0.1, to: 10, step: 0.1 } };
if (values.folds) {
  stage.set({ isolate: 'none' });
  stage.sweep = { folds: { method: 'walk-forward', count: FOLDS } };
}
stage.writeConfig();
const plan = await loadSweep(stage.config, Object.keys(FIGURES));
using opened = openTapes(plan.config.tapes);
const directory = join(stage.out, 'small');
using locked = lockedStore(directory);
const { store } = locked;
said('before');
const step = Math.floor(trials / LINES);
let next = step;
const startedAt = performance.now();
const { configuration } = await runSweep({
  ...{ plan, store, engine: new MadeRows(), inputs: new TrialInputs(opened.tapes, 'build') },
  signal: new AbortController().signal,
  onProgress: ({ computed }) => {
    if (computed < next) return;
    said(`${computed} trials`);
    next += step;
  },
});
said('sweep over');
const elapsed = (): string => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
console.log(`most so far: ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB, ${elapsed()}`);
const objective = plan.objective;
topTrials(store, { configuration, objective, count: 10 });
said('top 10');
trialsSha256(store, configuration);
said('hash of trials');
const figures = statisticsOf(directory, store, { id: configuration, objective, config: plan.config });
said(`statistics of ${figures.trials.whole + figures.trials.inFolds}`);
if (values.folds && figures.folds?.kind !== 'folds') throw new Error('the folds have figures');
console.log(`most of all: ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB, ${elapsed()}`);
