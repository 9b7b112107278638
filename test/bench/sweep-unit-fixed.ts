/**
 * The fixed part of a unit of a sweep: markets of a few updates and a strategy that does nothing, in one world, so that hardly anything is played.
 * Processor time a unit, pass by pass. `npx node --conditions=oddsmith-source test/bench/sweep-unit-fixed.ts`
 */

import { loadavg } from 'node:os';
import { loadSweep } from '../../src/app/config/resolve/load-sweep.ts';
import { openTapes } from '../../src/app/sweep/open-sweep.ts';
import { defined } from '../../src/core/checks/assert.ts';
import { FIGURES } from '../../src/sweep/result/figures.ts';
import { jobOf, type QueuedUnit } from '../../src/sweep/run/unit-queue.ts';
import { TrialInputs } from '../../src/sweep/unit/trial-inputs.ts';
import { UnitPlayer } from '../../src/sweep/unit/unit-player.ts';
import { DAY, MINUTE, racesTape } from '../support/made-races.ts';
import { SweepStage } from '../support/sweep/sweep-stage.ts';
import { removeTemporaryDirectories } from '../support/temporary-directory.ts';

const RACES = 200;
const UPDATES = 5;
/** The first passes are those in which the engine still compiles. */
const PASSES = 6;

const stage = new SweepStage({ trials: 2, races: 1 });
stage.writeStrategy('return [];');
stage.tapes = [
  racesTape(
    Array.from({ length: RACES }, (_, race) => {
      const startAt = DAY + race * 5 * MINUTE;
      const times = { startAt, firstAt: startAt - 10 * MINUTE, lastAt: startAt + 2 * MINUTE };
      const ends = { offAt: startAt + 10_000, settledAt: startAt + MINUTE };
      return { id: `win-${race}`, facts: { eventId: `race-${race}` }, updates: UPDATES, ...times, ...ends };
    }),
  ),
];
stage.writeConfig();
const plan = await loadSweep(stage.config, Object.keys(FIGURES));
using opened = openTapes(plan.config.tapes);
const inputs = new TrialInputs(opened.tapes, 'build');
const player = new UnitPlayer(plan.config.tapes);
const { trials } = defined(plan.search({ events: RACES, test: () => 1 }).next(new Map()), 'a sweep has trials');
const units: QueuedUnit[] = [];
for (const { assignment } of trials) {
  const trial = await inputs.unitsOf(plan.trialOf(assignment));
  for (const group of trial.groups) units.push({ key: trial.keyOf(group), trial, group });
}
const job = jobOf(1, units);
for (let pass = 1; pass <= PASSES; pass += 1) {
  const begun = process.cpuUsage();
  for (const unit of job.units) await player.play(job, unit, { onPlayed: () => undefined });
  const { user, system } = process.cpuUsage(begun);
  console.log(`pass ${pass}: ${((user + system) / 1000 / units.length).toFixed(2)} ms a unit of ${UPDATES} updates`);
}
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
player.close();
removeTemporaryDirectories();
