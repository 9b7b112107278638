/** Tapes with names that speak to terminals, and tapes with bits turned over: nothing of it is a bug of ours. */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const folder = temporaryDirectory('hostile');

test('names of markets reach the terminal without what a terminal obeys', async () => {
  const tape = join(folder, 'names.tape');
  copyFileSync(SAMPLE_TAPE, tape);
  const database = new Database(tape);
  const rows = database.prepare('SELECT key, description FROM market').all() as { key: number; description: string }[];
  const evil = 'x\u001b[2J\u001b]0;owned\u0007\r\n\u202e\u009b31m';
  for (const { key, description } of rows) {
    const { facts, ...rest } = JSON.parse(description);
    const named = { ...rest, refusal: evil, generated: evil, facts: { ...facts, name: evil, eventName: evil } };
    database.prepare('UPDATE market SET description = ? WHERE key = ?').run(JSON.stringify(named), key);
  }
  database.close();
  const { out } = await run('tape', 'info', tape);
  expect(out).toContain('x [2J ]0;owned');
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
});

test('an error says names without them, too', async () => {
  const { note } = await run('tape', 'export', SAMPLE_TAPE, '--market', '\u001b[2J');
  expect(note.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
});

const FLIPS = 200;

test(`${FLIPS} tapes with a bit turned over or cut off are damaged, or what they were`, async () => {
  const whole = readFileSync(SAMPLE_TAPE);
  const random = Random.fromSeed(21);
  const file = join(folder, 'flipped.tape');
  for (let i = 0; i < FLIPS; i += 1) {
    // Half of them where the index lies.
    const at = random.below(i % 2 === 0 ? whole.length : 40_000);
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    writeFileSync(file, i % 10 === 0 ? bytes.subarray(0, at) : bytes);
    for (const command of ['info', 'verify']) {
      const { code, out } = await run('tape', command, file, '--json');
      const error = JSON.parse(out).error?.code;
      expect([undefined, 'TAPE_CORRUPT', 'NOT_A_TAPE', 'TAPE_VERSION'], `byte ${at}: ${out}`).toContain(error);
      expect([0, 5], `byte ${at}`).toContain(code);
    }
  }
});
