/** Races: who drops out when, and that the best does not. */

import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { newSearch } from '../../../src/sweep/search/new-search.ts';
import { holm } from '../../../src/sweep/search/race-search.ts';
import type { Generation, Score } from '../../../src/sweep/search/search.ts';
import type { Space } from '../../../src/sweep/space/space.ts';
import { naiveWilcoxon } from '../../support/sweep/naive-wilcoxon.ts';

const SPACE: Space = {
  dimensions: [
    {
      kind: 'steps',
      key: 'x',
      path: ['x'],
      written: 'x',
      unit: 'number',
      from: 0n,
      step: 1n,
      decimals: 0,
      count: 12,
      isLog: false,
    },
  ],
};

/** What the trial of a value earns in an event group. */
type Earns = (x: number, event: number) => number;

function raced(
  earns: Earns,
  { events = 400, config = {} }: { events?: number; config?: object } = {},
): readonly Generation[] {
  const search = newSearch(SPACE, { method: 'race', start: 'grid', ...config }, { events, test: naiveWilcoxon });
  const rounds: Generation[] = [];
  const scores = new Map<number, Score>();
  for (let next = search.next(scores); next !== undefined; next = search.next(scores)) {
    rounds.push(next);
    for (const { number, assignment } of next.trials) {
      const played = Array.from({ length: next.events ?? events }, (_, event): [string, number] => [
        `event ${event}`,
        earns(Number(assignment['x']), event),
      ]);
      scores.set(number, {
        trial: number,
        value: played.reduce((sum, [, each]) => sum + each, 0),
        byEvent: new Map(played),
      });
    }
  }
  return rounds;
}

const left = (rounds: readonly Generation[]) =>
  rounds.map(({ trials }) => trials.map(({ assignment }) => Number(assignment['x'])));

/** Of mean 0 and deviation 1, the same at each call. */
function noise(x: number, event: number, seed: number): number {
  return Random.fromSeed(seed * 1_000_003 + event * 1_009 + x).normal();
}

describe('a race', () => {
  test('plays growing numbers of event groups, and all of them at the end', () => {
    const rounds = raced((x, event) => noise(x, event, 1), { events: 100 });
    // 12 candidates at 0.05: 8 halvings, 5 more.
    expect(rounds.map(({ events }) => events)).toEqual([13, 26, 52, 100]);
    const thrice = raced((x, event) => noise(x, event, 1), { events: 100, config: { events: 7, factor: 3 } });
    expect(thrice.map(({ events }) => events)).toEqual([7, 21, 63, 100]);
  });

  test('never drops what is clearly best, over 50 seeds', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const rounds = raced((x, event) => noise(x, event, seed) + (x === 5 ? 0.8 : 0));
      expect(left(rounds).at(-1), `seed ${seed}`).toContain(5);
    }
  });

  test('drops clones of losers together, and keeps clones of the leader', () => {
    // Values 0 to 5 are one strategy, 6 to 11 another that earns less in each event group.
    const rounds = raced((x, event) => noise(0, event, 3) - (x > 5 ? 0.5 : 0));
    expect(left(rounds)[0]).toHaveLength(12);
    expect(left(rounds)[1]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(left(rounds).at(-1)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('saves most of the work where one is far ahead, and plays the winner whole', () => {
    const rounds = raced((x, event) => noise(x, event, 4) / 10 + x);
    expect(rounds).toHaveLength(2);
    expect(rounds[1]).toMatchObject({ events: 400, trials: [{ number: 11, assignment: { x: 11 } }] });
  });

  test('keeps all candidates of pure noise in most rounds: the error of a round is held', () => {
    let lossy = 0;
    for (let seed = 0; seed < 40; seed += 1) {
      const [first, second] = left(
        raced((x, event) => noise(x, event, seed + 100), { events: 40, config: { events: 20 } }),
      );
      if ((second?.length ?? 0) < (first?.length ?? 0)) lossy += 1;
    }
    // The leader is chosen after the fact, so that more than alpha can drop out; far from all may.
    expect(lossy).toBeLessThanOrEqual(16);
  });

  test('an event group in which a trial did nothing counts as nothing', () => {
    const search = newSearch(
      SPACE,
      { method: 'race', start: 'grid', trials: 2, events: 8 },
      { events: 16, test: naiveWilcoxon },
    );
    const scores = new Map<number, Score>();
    search.next(scores);
    scores.set(0, {
      trial: 0,
      value: 8,
      byEvent: new Map(Array.from('abcdefgh', (event, at): [string, number] => [event, 1 + at / 8])),
    });
    scores.set(1, { trial: 1, value: undefined, byEvent: new Map() });
    expect(search.next(scores)?.trials.map(({ number }) => number)).toEqual([0]);
  });
});

test('a race: who has bet nothing yet does not lead, although all others lose', () => {
  const search = newSearch(
    SPACE,
    { method: 'race', start: 'grid', trials: 3, events: 8 },
    { events: 16, test: naiveWilcoxon },
  );
  const scores = new Map<number, Score>();
  search.next(scores);
  const losing = (by: number) =>
    new Map(Array.from('abcdefgh', (event, at): [string, number] => [event, -by - at / 8]));
  scores.set(0, { trial: 0, value: -10, byEvent: losing(1) });
  scores.set(1, { trial: 1, value: undefined, byEvent: new Map(Array.from('abcdefgh', (event) => [event, 0])) });
  scores.set(2, { trial: 2, value: -90, byEvent: losing(10) });
  expect(search.next(scores)?.trials.map(({ number }) => number)).toEqual([0]);
});

test("Holm's correction, as R's p.adjust has it", () => {
  // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
  expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  expect(holm([])).toEqual([]);
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
});
