/** What a trial must fulfil to be the best: that it bets, the least numbers of bets and event groups, and the constraints of the sweep. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../app/fake-terminal.ts';
import { NO_LEAST, SweepStage } from '../support/sweep/sweep-stage.ts';

interface Ranked {
  readonly trial: number;
  readonly value?: number;
  readonly unmet: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

interface Swept {
  readonly directory: string;
  readonly objective: { readonly constraints: unknown };
  readonly top: readonly Ranked[];
  readonly statistics: {
    readonly best?: number;
    readonly verdict: unknown;
    readonly folds: { readonly folds: readonly { readonly trial?: number; readonly outOfSample: unknown }[] };
  };
}

/** Trials of stakes 2 and 3, of which those with `ticks` 3 never bet. */
async function swept(sweep: Readonly<Record<string, unknown>>): Promise<Swept> {
  const stage = new SweepStage({ trials: 4, races: 12 });
  stage.writeStrategy('if (params.ticks === 3) return [];');
  stage.sweep = sweep;
  stage.writeConfig();
  const played = await run('sweep', stage.config, '--jobs', '1', '--json');
  expect(played.code, played.out).toBe(0);
  return { ...JSON.parse(played.out), directory: join(stage.out, 'small') };
}

describe('a trial that never bets', () => {
  test('is none, although all others lose', async () => {
    const { top, statistics, directory } = await swept({ objective: 'drawdownMax', constraints: NO_LEAST });
    const idle = top.filter(({ unmet }) => unmet.length > 0);
    expect(idle.map(({ unmet, value }) => ({ unmet, value }))).toEqual(Array(2).fill({ unmet: ['a bet'] }));
    expect(top.slice(-2)).toEqual(idle);
    expect(idle.map(({ figures }) => figures['ordersMatched'])).toEqual([0, 0]);
    expect(statistics.best).toBe(top[0]?.trial);
    const { out } = await run('sweep', 'top', directory, '--by', 'profitNet');
    expect(out).toMatch(/\ntrial +state +profitNet .*\.params\.ticks\n/);
    expect(out).toMatch(/unmet .* 3\n/);
    expect(out).toContain('unmet: without a value, since a constraint is not fulfilled');
  });
});

describe('the least numbers of bets and of event groups', () => {
  test('are 30 and 10, shown, and set by the sweep', async () => {
    const { objective, top, statistics, directory } = await swept({ constraints: { ordersMatched: { min: 5_000 } } });
    expect(objective.constraints).toEqual({ ordersMatched: { min: 5_000 }, eventsBet: { min: 10 } });
    expect(top.map(({ unmet }) => unmet)).toEqual([
      ['ordersMatched >= 5000'],
      ['a bet'],
      ['ordersMatched >= 5000'],
      ['a bet'],
    ]);
    expect(statistics.verdict).toEqual({
      kind: 'unclear',
      sentences: ['There is no verdict: no trial has a value of the objective.'],
    });
    const { out } = await run('sweep', 'top', directory);
    const title = 'Highest profitNet, pessimistic bound, of trials with eventsBet >= 10 and ordersMatched >= 5000';
    expect(out.split('\n').slice(0, 3)).toEqual([
      'Best: none, no trial has eventsBet >= 10 and ordersMatched >= 5000.',
      '',
      title,
    ]);
    const shown = await run('sweep', 'show', directory);
    expect(shown.out).toMatch(
      /objective +maximize profitNet, pessimistic bound, eventsBet >= 10, ordersMatched >= 5000\n/,
    );
  });

  test('are asked for where nothing is said, and trials that reach them have a value', async () => {
    const { objective, top } = await swept({ constraints: {} });
    expect(objective.constraints).toEqual({ ordersMatched: { min: 30 }, eventsBet: { min: 10 } });
    expect(top.filter(({ value }) => value !== undefined).map(({ figures }) => figures['eventsBet'])).toEqual([12, 12]);
  });
});

test('a sweep may ask for more, and the best trial is the best of those that have it', async () => {
  const free = await swept({ constraints: NO_LEAST });
  const [best, second] = free.top;
  const most = ((best?.figures['stakeMatched'] ?? 0) + (second?.figures['stakeMatched'] ?? 0)) / 2;
  const isMore = (best?.figures['stakeMatched'] ?? 0) > (second?.figures['stakeMatched'] ?? 0);
  const stakeMatched = isMore ? { max: most } : { min: most };
  const { top, statistics } = await swept({ constraints: { ...NO_LEAST, stakeMatched } });
  expect(top[0]?.trial).toBe(second?.trial);
  expect(statistics.best).toBe(second?.trial);
  expect(top.find(({ trial }) => trial === best?.trial)?.unmet).toEqual([
    `stakeMatched ${isMore ? '<=' : '>='} ${most}`,
  ]);
});

test('each fold chooses among the trials that fulfil them in sample, and judges the chosen one by the bare objective', async () => {
  const folds = { method: 'k-fold', count: 3 };
  const { statistics } = await swept({ folds, constraints: { ordersMatched: { min: 1 }, eventsBet: { min: 5 } } });
  for (const fold of statistics.folds.folds) {
    expect([0, 2]).toContain(fold.trial);
    expect(fold.outOfSample).toMatchObject({ events: 4, objective: expect.any(Number) });
  }
  const none = await swept({ folds, constraints: { ordersMatched: { min: 1 }, eventsBet: { min: 9 } } });
  expect(none.statistics.folds.folds.map(({ trial }) => trial)).toEqual(Array(3).fill(undefined));
  expect(none.top[0]?.value).toEqual(expect.any(Number));
});
