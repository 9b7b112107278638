/** Folds: no event in sample touches those out of sample, and what is shown of them is what the trials brought. */

import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import type { FoldChoice } from '../../../src/sweep/space/read/read-folds.ts';
import { foldsOf } from '../../../src/sweep/statistics/folds.ts';
import type { EventTime } from '../../../src/sweep/statistics/trial-profits.ts';
import { run } from '../../app/fake-terminal.ts';
import { budget } from '../../support/budget.ts';
import { profitsByTrial, type Setting } from '../../support/research/fair-search.ts';
import { chanceStore } from '../../support/sweep/chance-store.ts';
import { naiveFolds } from '../../support/sweep/naive-folds.ts';
import { SweepStage } from '../../support/sweep/sweep-stage.ts';

function randomEvents(random: Random): readonly EventTime[] {
  // Few distinct instants, so that starts, ends and purges coincide.
  const events = Array.from({ length: random.below(40) }, (_, index) => {
    const startsAt = random.below(60);
    return { name: `e${index}`, startsAt, endsAt: startsAt + random.below(random.chance(0.1) ? 30 : 3) };
  });
  return events.sort((a, b) => a.startsAt - b.startsAt || (a.name < b.name ? -1 : 1));
}

function randomChoice(random: Random): FoldChoice {
  const method = random.chance(0.5) ? 'walk-forward' : 'k-fold';
  const times = { purgeMs: random.below(4), embargoMs: random.below(8) };
  return { method, count: 2 + random.below(6), ...times, trainMs: random.chance(0.5) ? random.below(20) : undefined };
}

test('folds are those of their definition, over random events', () => {
  const random = Random.fromSeed(24);
  let trained = 0;
  for (let repeat = 0; repeat < budget({ each: 2_000, deep: 100_000 }); repeat += 1) {
    const events = randomEvents(random);
    const given = randomChoice(random);
    const choice = given.method === 'k-fold' ? { ...given, trainMs: undefined } : given;
    const folds = foldsOf(events, choice);
    expect(folds).toEqual(naiveFolds(events, choice));
    trained += folds.reduce((sum, { inSample }) => sum + inSample.length, 0);
  }
  expect(trained).toBeGreaterThan(10_000);
});

test('no event in sample overlaps purge or embargo, and none of walk-forward comes later', () => {
  const random = Random.fromSeed(25);
  let pairs = 0;
  for (let repeat = 0; repeat < 2_000; repeat += 1) {
    const events = randomEvents(random);
    const choice = randomChoice(random);
    for (const { inSample, outOfSample } of foldsOf(events, choice)) {
      for (const trained of inSample.flatMap((index) => events[index] ?? [])) {
        for (const tested of outOfSample.flatMap((index) => events[index] ?? [])) {
          const before = tested.startsAt - trained.endsAt;
          const after = trained.startsAt - tested.endsAt;
          const isApart = before > choice.purgeMs || after > Math.max(choice.purgeMs, choice.embargoMs);
          if (!isApart || (choice.method === 'walk-forward' && before <= 0))
            expect({ trained, tested, choice }).toBe('apart');
          pairs += 1;
        }
      }
    }
  }
  expect(pairs).toBeGreaterThan(100_000);
});

test('each event is judged on once in k-fold, and in walk-forward each after the first block', () => {
  const events = Array.from({ length: 23 }, (_, at) => ({ name: `e${at}`, startsAt: at * 10, endsAt: at * 10 + 1 }));
  const times = { purgeMs: 0, embargoMs: 0, trainMs: undefined };
  const judged = (method: FoldChoice['method']): readonly number[] =>
    foldsOf(events, { method, count: 5, ...times }).flatMap(({ outOfSample }) => outOfSample);
  expect(judged('k-fold')).toEqual(events.map((_, index) => index));
  expect(judged('walk-forward')).toEqual(events.map((_, index) => index).slice(3));
});

const SETTING: Setting = {
  ...{ name: 'backs at 3', markets: 30, trials: 20 },
  priceOf: () => 3,
  betOf: (random) => (random.chance(0.7) ? { side: 'back', stake: 1 } : undefined),
};

test('each fold shows the best trial in sample, and what it brought out of sample', async () => {
  // Races are five minutes apart and end a minute after their start: a purge of ten minutes takes two on each side.
  const folds = { method: 'k-fold', count: 3, purge: '10m' };
  const { directory, markets } = chanceStore(SETTING, 5, { folds });
  const profits = profitsByTrial(markets, SETTING.trials).map((each) => Array.from(each));
  const { statistics } = JSON.parse((await run('sweep', 'top', directory, '--json')).out);
  const inside = [
    [...Array(30).keys()].filter((index) => index >= 12),
    [...Array(30).keys()].filter((index) => index < 8 || index >= 22),
    [...Array(30).keys()].filter((index) => index < 18),
  ];
  const sumAt = (trial: number, indices: readonly number[]): number =>
    indices.reduce((sum, index) => sum + (profits[trial]?.[index] ?? 0), 0);
  for (const [fold, indices] of inside.entries()) {
    const values = profits.map((_, trial) => sumAt(trial, indices));
    const trial = values.indexOf(Math.max(...values));
    const tested = [...Array(10).keys()].map((index) => index + 10 * fold);
    const shown = statistics.folds.folds[fold];
    expect(shown).toMatchObject({ trial, leftOut: 30 - 10 - indices.length, inSample: { events: indices.length } });
    expect(shown.inSample.profitNet).toBeCloseTo(Math.max(...values), 5);
    expect(shown.outOfSample.profitNet).toBeCloseTo(sumAt(trial, tested), 5);
    // As in a run: of the events with a bet.
    const bet = tested.filter((index) => profits[trial]?.[index] !== 0).length;
    expect(shown.outOfSample.profitPerEvent).toBeCloseTo(sumAt(trial, tested) / bet, 5);
  }
  expect(statistics.folds.outOfSample).toMatchObject({ events: 30 });
  const { out } = await run('sweep', 'top', directory);
  expect(out).toMatch(/best trial in sample of each fold, and its figures out of sample\nfold +side +trial +events/);
});

test('where a fold has no event in sample it says so', async () => {
  const { directory } = chanceStore(SETTING, 5, { folds: { method: 'walk-forward', count: 3, purge: '1d' } });
  const { statistics } = JSON.parse((await run('sweep', 'top', directory, '--json')).out);
  expect(statistics.folds).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/Fold 1 has no event/) });
});

test('folds are made of the same units, none of which is computed again', async () => {
  const stage = new SweepStage({ trials: 4, races: 6 });
  stage.writeConfig();
  await run('sweep', stage.config, '--jobs', '1');
  stage.sweep = { folds: { method: 'walk-forward', count: 2, purge: '1m' } };
  stage.writeConfig();
  const { units, statistics } = JSON.parse((await run('sweep', stage.config, '--json', '--jobs', '1')).out);
  expect(units).toEqual({ total: 24, known: 24, computed: 0, failed: 0 });
  expect(
    statistics.folds.folds.map(({ outOfSample }: { outOfSample: { events: number } }) => outOfSample.events),
  ).toEqual([2, 2]);
});

describe('what cannot be done is refused where it stands', () => {
  const folds = { method: 'k-fold', count: 3 };
  test.each([
    {
      name: 'searches without events to judge on',
      sweep: { folds, search: { method: 'tpe', trials: 9 } },
      words: /Fold 1 has no event that a trial is judged on.* 2 events, which are fewer than the folds need/,
    },
    {
      name: 'searches without events to choose on',
      sweep: { folds: { ...folds, count: 2, purge: '1h' }, search: 'race' },
      words:
        /Fold 1 has no event that a trial is chosen on.* 2 events, and purge, embargo and train leave none of them/,
    },
    {
      name: 'the same in one run over all events',
      sweep: { folds },
      isolate: 'none',
      words: /Fold 1 has no event that a trial is judged on/,
    },
    { name: 'no duration', sweep: { folds: { ...folds, purge: 'a day' } }, words: /"a day" is no duration/ },
    { name: 'one fold', sweep: { folds: { ...folds, count: 1 } }, words: /count/ },
    { name: 'a window of k-fold', sweep: { folds: { ...folds, train: '1d' } }, words: /train/ },
  ])('$name', async ({ sweep, isolate = 'event', words }) => {
    const stage = new SweepStage({ trials: 4, races: 2 });
    stage.sweep = sweep;
    stage.set({ isolate });
    stage.writeConfig();
    const { code, out } = await run('sweep', stage.config, '--json');
    const { error } = JSON.parse(out);
    expect({ code, where: error.where }).toEqual({ code: 2, where: expect.stringMatching(/sweep\.yaml:\d+:\d+$/) });
    expect(`${error.what} ${error.where} ${error.why}`).toMatch(words);
  });
});
