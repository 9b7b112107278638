/** Simulated lives, in two processes side by side. */

import { expect, it } from 'vitest';
import { budget } from '../support/budget.ts';
import { bundleRunner, reportOf, runBundle } from '../support/vopr/bundle.ts';
import { missing } from './coverage.ts';

const ENOUGH = 1_200;
const SEEDS = budget({ brief: 300, each: ENOUGH, deep: ENOUGH });

it(`the bot keeps every law in ${SEEDS} lives${SEEDS < ENOUGH ? '' : ', and they have met everything'}`, async () => {
  const args = ['--seed', '1', '--seeds', String(SEEDS), '--jobs', '2', '--failures', '3', '--json'];
  const { failures, counts } = reportOf(await runBundle(await bundleRunner(), args));
  expect(failures.map(({ seed, what }) => `${what}; again: npm run vopr -- --seed ${seed} --seeds 1`)).toEqual([]);
  if (SEEDS === ENOUGH) expect(missing(counts)).toEqual([]);
});
