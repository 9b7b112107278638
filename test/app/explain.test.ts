/** What `oddsmith explain` says of a code, and docs/errors.md, which is made of the same words. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERROR_GROUPS, everyCode, findCode } from '../../src/app/cli/codes/catalogue.ts';
import { errorsDocument } from '../../tools/errors-document.ts';
import { run } from './fake-terminal.ts';

test('says what a code means, its usual cause, what to do, and where there is more', async () => {
  const { code, out, note } = await run('explain', 'tape-corrupt');
  expect({ code, note }).toEqual({ code: 0, note: '' });
  expect(out).toBe(
    [
      'TAPE_CORRUPT  (error, exit code 5)',
      '  means  The tape does not hold what it says it holds.',
      '  cause  The file was damaged or cut off after it was written.',
      '  next   `npm run -s oddsmith -- tape verify TAPE` lists the damage. Restore the tape, or import the recordings again.',
      '  more   docs/errors.md',
      '',
    ].join('\n'),
  );
});

test('a code that is printed by several says each of them', async () => {
  const { out } = await run('explain', 'CLOCK_SKEW', '--json');
  expect(JSON.parse(out)).toMatchObject({
    command: 'explain',
    code: 'CLOCK_SKEW',
    meanings: [
      { kind: 'error', exitCode: 2 },
      { kind: 'alert', level: 'error' },
    ],
  });
});

test.each([
  ['TAPE_CORUPT', 'Did you mean TAPE_CORRUPT?'],
  ['HALTED', 'HALTED  (refusal)'],
  ['journal', 'JOURNAL_BUSY'],
  ['\u001b[31mX', 'There is no code'],
])('%j is answered with %j', async (asked, words) => {
  const { out, note } = await run('explain', asked);
  expect(out + note).toContain(words);
  expect(out + note).not.toContain('\u001b');
});

test('every entry is made of whole sentences, and no code is in two groups', () => {
  const codes = ERROR_GROUPS.flatMap(([, group]) => Object.keys(group));
  expect(codes.length).toBe(new Set(codes).size);
  expect(codes.length).toBeGreaterThan(100);
  for (const [, group] of ERROR_GROUPS)
    for (const [code, { means, cause, next }] of Object.entries(group)) {
      expect(means, code).toMatch(/^[A-Z].*\.$/);
      expect(cause, code).toMatch(/^[A-Z].*\.$/);
      expect(next, code).toMatch(/^[A-Z`].*[.`]$/);
    }
});

test('every code is found by its name', () => {
  for (const code of everyCode()) expect(findCode(code).length, code).toBeGreaterThan(0);
});

test('docs/errors.md is what the catalogue says; else run: npm run make:errors', () => {
  expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorsDocument());
});
