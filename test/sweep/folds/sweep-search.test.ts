/** Which trial of a search is its best one: of those that were played on all its events alone. */

import { expect, test } from 'vitest';
import { SweepSearch, type SweepTrial } from '../../../src/sweep/run/sweep-search.ts';
import type { Search } from '../../../src/sweep/search/search.ts';

const THREE: Search = {
  asks: 'events',
  next: () => ({ trials: [0, 1, 2].map((number) => ({ number, assignment: { stake: number } })) }),
};

/** A search whose trials are numbered from 40. */
function begun(): { readonly search: SweepSearch; readonly trials: readonly SweepTrial[] } {
  const search = new SweepSearch(THREE, undefined);
  let count = 40;
  const trials = search.next(() => count++)?.trials ?? [];
  return { search, trials };
}

interface Told {
  readonly at: number;
  readonly value: number | undefined;
  readonly isWhole: boolean;
}

const CASES: readonly { readonly name: string; readonly told: readonly Told[]; readonly best: number | undefined }[] = [
  {
    name: 'one that dropped out with a better value is not it',
    told: [
      { at: 0, value: -100, isWhole: false },
      { at: 1, value: -120, isWhole: true },
    ],
    best: 41,
  },
  {
    name: 'of equals it is the first, though it was told last',
    told: [
      { at: 2, value: 5, isWhole: true },
      { at: 1, value: 5, isWhole: true },
      { at: 0, value: 4, isWhole: true },
    ],
    best: 41,
  },
  {
    name: 'one without a value is not it',
    told: [
      { at: 0, value: undefined, isWhole: true },
      { at: 1, value: -1, isWhole: true },
    ],
    best: 41,
  },
  { name: 'where none has a value there is none', told: [{ at: 0, value: undefined, isWhole: true }], best: undefined },
];

test.each(CASES)('$name', ({ told, best }) => {
  const { search, trials } = begun();
  for (const { at, value, isWhole } of told) {
    const trial = trials[at] ?? expect.fail('three trials');
    search.tell(trial, { trial: trial.number, value, byEvent: new Map() }, isWhole);
  }
  expect(search.best?.number).toBe(best);
});

test('a trial that comes again, in a later round of a race, keeps its number', () => {
  const { search, trials } = begun();
  const again = search.next(() => expect.fail('none is new'))?.trials;
  expect(again).toEqual(trials);
});
