/** Finds the shared recordings, and skips the tests that need them, with a printed reason, where they are not. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'vitest';
import { ROOT } from './places.ts';

/** The directory that holds data/betfair: $ODDSMITH_SHARED, else ../shared beside the project; undefined where neither is. */
export function sharedDir(): string | undefined {
  const candidates = [process.env['ODDSMITH_SHARED'], join(ROOT, '..', 'shared')];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(resolve(path, 'data', 'betfair')));
}

/** Of a recording, for tests that run only where they are. */
export function recordingFile(name: string): string {
  return join(sharedDir() ?? '', 'data', 'betfair', name);
}

/** The names of all of them. */
export function allRecordings(): readonly string[] {
  return readdirSync(recordingFile(''));
}

/** Why tests that need the recordings are skipped; undefined where they are there. */
export const skipReason: string | undefined =
  sharedDir() === undefined
    ? 'no recordings: set ODDSMITH_SHARED, or put shared/data/betfair beside the project'
    : undefined;

/** `test` and `describe` for what needs the recordings; the reason stands in the name of what is skipped. */
export function testWithRecordings(name: string, body: () => void | Promise<void>, timeoutMs?: number): void {
  if (skipReason === undefined) test(name, body, timeoutMs);
  else test.skip(`${name} [${skipReason}]`, body);
}

export function describeWithRecordings(name: string, body: () => void): void {
  if (skipReason === undefined) describe(name, body);
  else describe.skip(`${name} [${skipReason}]`, body);
}

/** A file of Betfair's own answers or interface descriptions, for tests that run only where they are. */
export function betfairApiFile(...path: readonly string[]): string {
  return readFileSync(join(sharedDir() ?? '', 'data', 'betfair-api', ...path), 'utf8');
}

export function betfairApiFiles(directory: string): readonly string[] {
  return readdirSync(join(sharedDir() ?? '', 'data', 'betfair-api', directory)).sort();
}
