/** The description of a run: written, read, and read where an older version wrote it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { RUN_FILE, readRunFile, writeRunFile } from '../../../src/app/run/run-file.ts';
import { FILL_RULES } from '../../../src/app/run/run-file-of.ts';
import { SAVED_RUN as RUN } from '../../support/saved-run.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory('run-file');
});

function write(run: object): void {
  writeFileSync(join(directory, RUN_FILE), JSON.stringify(run));
}

test('is read as it was written', () => {
  writeRunFile(directory, RUN);
  expect(readRunFile(directory)).toEqual(RUN);
});

test('of a version that knew no refill is read as one under which nothing comes back', () => {
  const { refill: _unknown, ...older } = FILL_RULES;
  write({ ...RUN, fillRules: { ...older, crossMatching: 'exact' } });
  expect(readRunFile(directory).fillRules).toEqual({ ...FILL_RULES, crossMatching: 'exact', refill: 'never' });
});

test('keeps the refill that it names', () => {
  write({ ...RUN, fillRules: { ...FILL_RULES, refill: 'next-change' } });
  expect(readRunFile(directory).fillRules.refill).toBe('next-change');
});

test('of another format is refused by its code', () => {
  write({ ...RUN, format: 2 });
  expect(() => readRunFile(directory)).toThrow(
    expect.objectContaining({ parts: expect.objectContaining({ code: 'RUN_NOT_READABLE' }) }),
  );
});

test.each(Object.keys(RUN))('whose %s is missing or of another kind is refused with its name', (field) => {
  for (const wrong of [undefined, null, true, [1], [{}]]) {
    write({ ...RUN, [field]: wrong });
    expect(() => readRunFile(directory), JSON.stringify(wrong)).toThrow(
      expect.objectContaining({
        parts: expect.objectContaining({
          ...{ code: 'RUN_NOT_READABLE', where: join(directory, RUN_FILE) },
          ...{ why: expect.stringContaining(`"${field}"`), next: expect.any(String) },
        }),
      }),
    );
  }
});

test.each(['', '{', 'null', '7', '[]', '"run"'])('that holds %j is refused', (text) => {
  writeFileSync(join(directory, RUN_FILE), text);
  expect(() => readRunFile(directory)).toThrow(
    expect.objectContaining({
      parts: expect.objectContaining({ code: 'RUN_NOT_READABLE', why: expect.stringContaining('no map') }),
    }),
  );
});
