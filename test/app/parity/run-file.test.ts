/** The description of a run: written, read, and read where an older version wrote it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { RUN_FILE, type RunFile, readRunFile, writeRunFile } from '../../../src/app/run/run-file.ts';
import { FILL_RULES } from '../../../src/app/run/run-file-of.ts';
import { money } from '../../../src/core/number/units.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const RUN: RunFile = {
  ...{ format: 1, version: '0.1.0', mode: 'paper', seed: 7, fills: 'central', inPlayDelay: 'recorded' },
  ...{ intentsMax: 100, fillRules: FILL_RULES, limits: { staleMs: 5_000 }, commission: { ratePpm: 20_000 } },
  latency: { request: { kind: 'fixed', ms: 80 }, response: { kind: 'fixed', ms: 40 } },
  strategies: [{ name: 's', file: 's.ts', params: {}, sha256: '', wallet: 'main' }],
  wallets: [{ name: 'main', currency: 'USDC', balance: money(1_000_000_000) }],
};

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
