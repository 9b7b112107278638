/** The commands of a sweep whose folds search by themselves: what is counted before, what is printed, and what can be played again. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../app/fake-terminal.ts';
import { DAY, MINUTE } from '../../support/made-races.ts';
import { CROSS, foldStage, TPE, WALK } from '../../support/sweep/fold-stage.ts';

const json = async (...args: readonly string[]) => {
  const { code, out } = await run(...args, '--json');
  return { code, ...JSON.parse(out) };
};

describe('a search that learns, in three folds', () => {
  const stage = foldStage({ search: TPE, isolate: 'event', folds: CROSS });
  const directory = join(stage.out, 'small');
  let played: Awaited<ReturnType<typeof json>>;
  let chosen: readonly { readonly trial: number }[];

  beforeAll(async () => {
    // The last race is held out, and in no fold.
    stage.sweep = { ...stage.sweep, holdout: { from: new Date(DAY + 40 * MINUTE).toISOString() } };
    stage.writeConfig();
    const dry = await json('sweep', stage.config, '--dry-run', '--jobs', '1');
    // Eight races: each of the four searches begins with the same two trials, over 8, 5, 3 and 4 races.
    expect(dry).toMatchObject({ trials: 8, units: 40, known: 0, left: 16, shared: 24, isWhole: false });
    expect(dry.folds).toEqual({ searches: 3, judging: 8 });
    played = await json('sweep', stage.config, '--jobs', '1');
    chosen = played.statistics.folds.folds;
  });

  test('counts every trial of every fold where luck is judged', () => {
    expect(played).toMatchObject({ code: 0, trials: 24, units: { failed: 0 } });
    expect(played.statistics.trials).toEqual({ whole: 6, part: 0, inFolds: 18 });
    expect(played.statistics.tried).toMatchObject({ total: 24, here: 24 });
    expect(played.statistics.events).toBe(8);
    expect(played.top).toHaveLength(6);
  });

  test('shows both sides of each fold', async () => {
    expect(played.statistics.folds).toMatchObject({ kind: 'folds', hasSearches: true, outOfSample: { events: 8 } });
    expect(chosen.map(({ trial }) => trial).every((trial) => trial >= 6)).toBe(true);
    const { out } = await run('sweep', 'top', directory);
    expect(out).toMatch(/24 trials tried: 24 in this sweep/);
    expect(out).toMatch(/6 played whole, 18 by the\s+searches of folds/);
    expect(out).toMatch(
      /best trial of each fold's own search, and its figures out of sample\nfold +side +trial +events +value/,
    );
    const shown = await run('sweep', 'show', directory);
    expect(shown.out).toMatch(/trials +6 played\nof folds +18 played\n/);
  });

  test('lists the trials of a fold by their value in sample', async () => {
    const { trials } = await json('sweep', 'top', directory, '--fold', '2');
    expect(trials).toHaveLength(6);
    expect(trials[0].trial).toBe(chosen[1]?.trial);
    expect(trials[0].events).toBe(3);
    const { error } = await json('sweep', 'top', directory, '--fold', '4');
    expect(error).toMatchObject({ code: 'FOLD_NOT_FOUND', why: expect.stringMatching(/last one is 3/) });
  });

  test('shows, plays again and opens the hold-out for the trial that a fold chose', async () => {
    const trial = String(chosen[1]?.trial);
    const shown = await json('sweep', 'show', directory, '--trial', trial);
    expect(shown).toMatchObject({ fold: 2, units: 3, played: 3, outOfSample: { units: 3, played: 3 } });
    const figures = played.statistics.folds.folds[1];
    expect(shown.figures.profitNet.pessimistic).toBe(figures.inSample.profitNet);
    expect(shown.outOfSample.figures.profitNet.pessimistic).toBe(figures.outOfSample.profitNet);
    for (const flags of [[], ['--out-of-sample']]) {
      const { code, note } = await run('sweep', 'rerun', directory, '--trial', trial, ...flags);
      expect({ code, note }).toEqual({
        code: 0,
        note: expect.stringMatching(/Equal to the figures .* of its 3 units/),
      });
    }
    const opened = await json('sweep', 'holdout', directory, '--open', trial);
    expect(opened).toMatchObject({ code: 0, trial: Number(trial), searched: { units: 3 }, heldOut: { units: 1 } });
    const none = await json('sweep', 'rerun', directory, '--trial', '0', '--out-of-sample');
    expect(none.error).toMatchObject({ code: 'TRIAL_NOT_CHOSEN' });
  });

  test('exports both sides', async () => {
    const csv = join(stage.directory, 'trials.csv');
    await run('sweep', 'export', directory, '--csv', csv);
    const lines = readFileSync(csv, 'utf8').trimEnd().split('\r\n');
    const ends = lines.map((line) => line.split(',').slice(-2).join(' '));
    const counts = Object.fromEntries([...Map.groupBy(ends, (end) => end)].map(([end, { length }]) => [end, length]));
    expect(counts).toEqual({
      ...{ 'fold part': 1, ' ': 6, '1 in sample': 6, '2 in sample': 6, '3 in sample': 6 },
      ...{ '1 out of sample': 1, '2 out of sample': 1, '3 out of sample': 1 },
    });
  });
});

test('one run over all events: each part of a fold is one unit', async () => {
  const stage = foldStage({ search: 'grid', isolate: 'none', folds: WALK });
  stage.writeConfig();
  const dry = await run('sweep', stage.config, '--dry-run', '--jobs', '1');
  expect(dry.out).toMatch(
    /trials +12 of 3 searches.*\nunits +12, .*\nleft +12\nout +2 more at most: the best trial of each/,
  );
  const { units, statistics } = await json('sweep', stage.config, '--jobs', '1');
  expect(units).toEqual({ total: 14, known: 0, computed: 14, failed: 0 });
  expect(statistics.folds.folds).toMatchObject([
    { inSample: { events: 3 }, outOfSample: { events: 3 }, leftOut: 3 },
    { inSample: { events: 6 }, outOfSample: { events: 3 }, leftOut: 0 },
  ]);
  const trial = String(statistics.folds.folds[0].trial);
  const rerun = await run('sweep', 'rerun', join(stage.out, 'small'), '--trial', trial, '--out-of-sample');
  expect(rerun.note).toMatch(/Equal to the figures that the sweep has kept of its 1 unit\./);
});
