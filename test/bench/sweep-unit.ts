/**
 * What a unit of a sweep costs beside the bare loop, which loads the strategies and calls the simulation: pairs of passes over the sample
 * recording in one process, and their median ratio of processor time. `npx node --conditions=oddsmith-source test/bench/sweep-unit.ts`
 */

import { loadavg } from 'node:os';
import { join } from 'node:path';
import { loadSweep } from '../../src/app/config/resolve/load-sweep.ts';
import { openTapes } from '../../src/app/sweep/open-sweep.ts';
import { RunStrategies } from '../../src/backtest/pieces/run-strategies.ts';
import { simulateWorlds } from '../../src/backtest/simulation/backtest-simulation.ts';
import { chooseMarkets, MergedUpdates } from '../../src/backtest/simulation/backtest-source.ts';
import type { WorldChoice } from '../../src/backtest/simulation/simulated-world.ts';
import { defined } from '../../src/core/checks/assert.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import type { SweepJob, UnitResult } from '../../src/sweep/engine/engine.ts';
import { FIGURES } from '../../src/sweep/result/figures.ts';
import { jobOf, type QueuedUnit } from '../../src/sweep/run/unit-queue.ts';
import { TrialStore } from '../../src/sweep/store/trial-store.ts';
import { TrialInputs } from '../../src/sweep/unit/trial-inputs.ts';
import { UnitPlayer } from '../../src/sweep/unit/unit-player.ts';
import { ROOT } from '../support/places.ts';
import { removeTemporaryDirectories, temporaryDirectory } from '../support/temporary-directory.ts';

const PAIRS = 9;
const TRIALS = 9;
/** Results that arrive in one turn of the event loop are committed together. */
const TOGETHER = 8;

const plan = await loadSweep(join(ROOT, 'config/sweep.yaml'), Object.keys(FIGURES));
const { tapes } = openTapes(plan.config.tapes.map((path) => join(ROOT, path)));
const source = chooseMarkets(tapes, { types: [], ids: [], events: [] });
const player = new UnitPlayer(tapes.map(({ path }) => path));
const search = plan.search({ events: 1, test: () => 1 });
const trials = defined(search.next(new Map()), 'a sweep has trials').trials.slice(0, TRIALS);
const folder = temporaryDirectory('sweep-unit');
/** Bundles are made once in a sweep. */
const inputs = new TrialInputs(tapes, 'build');

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function jobOfSweep(): Promise<SweepJob> {
  const units: QueuedUnit[] = [];
  for (const { assignment } of trials) {
    const trial = await inputs.unitsOf(plan.trialOf(assignment));
    for (const group of trial.groups) units.push({ key: trial.keyOf(group), trial, group });
  }
  return jobOf(1, units);
}

async function playBare(job: SweepJob): Promise<number> {
  const begun = cpuMs();
  for (const unit of job.units) {
    const { options, bounds } = defined(job.trials[unit.trial], 'a trial of the job');
    const { markets } = defined(job.groups[unit.group], 'a group of the job');
    const chosen = source.markets.filter(({ market }) => markets.includes(market.facts.id));
    const known = new RunStrategies(options, job.bundles);
    const worlds: WorldChoice[] = [];
    for (const bound of bounds)
      worlds.push({ bound, instances: await known.instances({}), transcript: new Transcript('') });
    await simulateWorlds({ options, worlds, source: new MergedUpdates(chosen), onSlice: () => false });
    for (const { transcript } of worlds) transcript.close();
  }
  return cpuMs() - begun;
}

async function playUnits(round: number): Promise<number> {
  const begun = cpuMs();
  const job = await jobOfSweep();
  const store = TrialStore.open(join(folder, `${round}.sqlite`), { isReadOnly: false });
  const waiting: UnitResult[] = [];
  for (const unit of job.units) {
    waiting.push(await player.play(job, unit, { onPlayed: () => undefined }));
    if (waiting.length === TOGETHER) store.keep(waiting.splice(0));
  }
  store.keep(waiting);
  store.close();
  return cpuMs() - begun;
}

const job = await jobOfSweep();
await playBare(job);
await playUnits(0);
const ratios: number[] = [];
for (let round = 1; round <= PAIRS; round += 1) {
  // Which comes first changes, since the second of a pair finds warmer caches.
  const first = round % 2 === 0 ? await playBare(job) : await playUnits(round);
  const second = round % 2 === 0 ? await playUnits(round) : await playBare(job);
  const [bare, swept] = round % 2 === 0 ? [first, second] : [second, first];
  ratios.push(swept / bare);
  console.log(
    `${job.units.length} units: ${(bare / job.units.length).toFixed(2)} ms bare, ratio ${(swept / bare).toFixed(3)}`,
  );
}
ratios.sort((a, b) => a - b);
console.log(`median ratio ${ratios[(PAIRS - 1) / 2]?.toFixed(3)}, load ${loadavg()[0]?.toFixed(1)}`);
player.close();
removeTemporaryDirectories();
