/** Sessions outlive a process by their hashes alone, for a bounded time; a file that others may write opens nothing. */

import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MemoryFile } from '../../../src/app/web/dashboard/memory/memory-file.ts';
import { Sessions } from '../../../src/app/web/dashboard/server/sessions.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const DAY_MS = 86_400_000;

function stage() {
  const path = join(temporaryDirectory('memory'), 'dashboard.json');
  const clock = { now: 1_000_000 };
  const warnings: string[] = [];
  const process = () => new Sessions(() => clock.now, new MemoryFile(path, (text) => warnings.push(text)));
  const first = process();
  const opened = first.open(first.newLink());
  if (opened === undefined) throw new Error('a new link opens a session');
  return { path, clock, warnings, process, opened };
}

test('the next process knows a session and its token, and the file neither', () => {
  const { path, warnings, process, opened } = stage();
  expect(process().of(opened.secret)).toEqual(opened);
  expect(process().of(`${opened.secret}x`)).toBeUndefined();
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain(opened.secret);
  expect(text).not.toContain(opened.token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(warnings).toEqual([]);
});

test('a session that is used each day ends after thirty days, over restarts too; one that is not after a week', () => {
  const { clock, process, opened } = stage();
  for (let day = 1; day <= 30; day += 1) {
    clock.now += DAY_MS;
    expect(process().of(opened.secret), `day ${day}`).toBeDefined();
  }
  clock.now += DAY_MS;
  expect(process().of(opened.secret)).toBeUndefined();

  const unused = stage();
  unused.clock.now += 8 * DAY_MS;
  expect(unused.process().of(unused.opened.secret)).toBeUndefined();
});

test.each<[string, (path: string) => void, RegExp]>([
  ['that others may write', (path) => chmodSync(path, 0o660), /others than its owner/],
  ['that is no JSON', (path) => writeFileSync(path, '{'), /is not used/],
  ['of another format', (path) => writeFileSync(path, '{"format":2}'), /another format/],
  ['that is damaged', (path) => writeFileSync(path, '{"format":1,"sessions":[{}],"commands":[]}'), /damaged/],
])('a file %s opens nothing, and is said', (_, spoil, why) => {
  const { path, warnings, process, opened } = stage();
  spoil(path);
  expect(process().of(opened.secret)).toBeUndefined();
  expect(warnings).toEqual([expect.stringMatching(why)]);
});

test('where it cannot be written, sessions hold until the process ends, and it is said', () => {
  const path = join(temporaryDirectory('memory'), 'dashboard.json');
  mkdirSync(`${path}.new`);
  const warnings: string[] = [];
  const sessions = new Sessions(() => 1, new MemoryFile(path, (text) => warnings.push(text)));
  const opened = sessions.open(sessions.newLink());
  expect(sessions.of(opened?.secret)).toEqual(opened);
  expect(warnings).toEqual([expect.stringMatching(/not kept over a restart: EISDIR/)]);
});
