/** Simulated lives, in two processes side by side. */

import { beforeAll, expect, it } from 'vitest';
import { budget } from '../support/budget.ts';
import { bundleRunner, reportOf, runBundle } from '../support/vopr/bundle.ts';
import { missing, missingAtBetfair } from './coverage.ts';

/** `npm test` plays the first 200, `npm run test:all` others: 400 of them have met everything. */
const { from, seeds } = budget({
  brief: { from: 1, seeds: 200 },
  each: { from: 301, seeds: 400 },
  deep: { from: 1, seeds: 1_200 },
});
const isEnough = seeds >= 400;

/** The same at Betfair: they cost more, and so are fewer. */
const face = budget({
  brief: { from: 1, seeds: 10 },
  each: { from: 301, seeds: 80 },
  deep: { from: 1, seeds: 2_000 },
});

let runner = '';
beforeAll(async () => {
  runner = await bundleRunner();
});

it(`at Betfair the bot keeps every law in ${face.seeds} lives`, async () => {
  const args = ['--exchange', 'betfair', '--seed', String(face.from), '--seeds', String(face.seeds), '--jobs', '2'];
  const { failures, counts } = reportOf(await runBundle(runner, [...args, '--failures', '3', '--json']));
  const again = 'again: npm run vopr -- --exchange betfair --seed';
  expect(failures.map(({ seed, what }) => `${what}; ${again} ${seed} --seeds 1`)).toEqual([]);
  if (face.seeds >= 2_000) expect(missingAtBetfair(counts)).toEqual([]);
});

it(`the bot keeps every law in ${seeds} lives${isEnough ? ', and they have met everything' : ''}`, async () => {
  const args = ['--seed', String(from), '--seeds', String(seeds), '--jobs', '2', '--failures', '3', '--json'];
  const { failures, counts } = reportOf(await runBundle(runner, args));
  expect(failures.map(({ seed, what }) => `${what}; again: npm run vopr -- --seed ${seed} --seeds 1`)).toEqual([]);
  if (isEnough) expect(missing(counts)).toEqual([]);
});
