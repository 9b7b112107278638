/** What a reader of a sweep's store sees while the sweep goes on writing. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type StoredTrial, TrialStore } from '../../src/sweep/store/trial-store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** More than are read at once. */
const TRIALS = 600;

function trialsOf(stake: number): readonly StoredTrial[] {
  return Array.from({ length: TRIALS }, (_, number) => ({
    ...{ number, assignment: { stake: stake + number }, state: 'played' },
    ...{ keys: [String(number).padStart(64, '0')], fold: number < 400 ? undefined : 2 },
  }));
}

test('a reader sees what was kept when it began, also of trials that are no more', () => {
  const path = join(temporaryDirectory('store'), 'trials.sqlite');
  const writer = TrialStore.open(path, { isReadOnly: false });
  const { id } = writer.configuration({}, 0);
  const [before, after] = [trialsOf(1), trialsOf(10_000)];
  writer.keepTrials(id, before);
  const reader = TrialStore.open(path, { isReadOnly: true });
  const seen: StoredTrial[] = [];
  for (const trial of reader.trials(id)) {
    seen.push(trial);
    if (seen.length > 1) continue;
    writer.keepTrials(id, after.slice(0, 300));
    writer.endTrials(id, 300);
  }
  expect(seen).toEqual(before);
  expect([reader.trial(id, 0), reader.trial(id, TRIALS - 1)]).toEqual([before[0], before.at(-1)]);
  expect(Object.fromEntries(reader.countTrials(id, { inFolds: true }))).toEqual({ played: 200 });
  reader.close();
  const later = TrialStore.open(path, { isReadOnly: true });
  expect([...later.trials(id)]).toEqual(after.slice(0, 300));
  expect([later.trial(id, 300), later.trialsEnd(id)]).toEqual([undefined, 300]);
  expect(later.countTrials(id, { inFolds: true }).size).toBe(0);
  expect(later.tried()).toEqual({ trials: 900, different: 900 });
  later.close();
  writer.close();
});
