/** The simulation itself: it repeats exactly, and it notices when the bot is broken. */

import { beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/core/checks/assert.ts';
import { bundleRunner, reportOf, runBundle, unreadable } from '../support/vopr/bundle.ts';
import { MUTANTS } from '../support/vopr/mutant-list.ts';

describe('a seed', () => {
  let runner: string;
  beforeAll(async () => {
    runner = await bundleRunner();
  });

  it('gives the same journal in every process, and another one than its neighbour', async () => {
    const heads = async () =>
      (await runBundle(runner, ['--heads', '--seeds', '12', '--seed', '77'])).out.trim().split('\n');
    const [first, second] = await Promise.all([heads(), heads()]);
    expect(first).toHaveLength(12);
    expect(second).toEqual(first);
    expect(new Set(first.map((line) => line.split(' ')[1])).size).toBe(12);
  });
});

/** Found within few seeds, so that every run of the tests shows that the simulation can fail. */
const QUICK = MUTANTS.filter(({ quick }) => quick !== undefined);

describe('a broken bot is found out', () => {
  it('what each mutant changes is in the sources, and what it makes of them can be read', async () => {
    expect(await unreadable(MUTANTS)).toEqual([]);
  });

  it.each(QUICK.map((mutant) => [mutant.name, mutant] as const))('%s', async (_, mutant) => {
    const runner = await bundleRunner(mutant);
    const { from, seeds } = defined(mutant.quick, mutant.name);
    const { exchange = 'betdex' } = mutant;
    const range = ['--exchange', exchange, '--seed', String(from), '--seeds', String(seeds)];
    const result = await runBundle(runner, [...range, '--jobs', '1', '--json']);
    const [failure] = reportOf(result).failures;
    expect(failure, result.note).toBeDefined();
    expect(mutant.laws).toContain(failure?.law);
  });
});
