/** A file of lines: no write crosses a page, nothing that is read is half a line, and a file goes on where it ended. */

import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { LineFile } from '../../../src/recording/betfair/native/line-file.ts';
import { budget } from '../../support/budget.ts';
import { ROOT } from '../../support/places.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

function linesIn(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  expect(text === '' || text.endsWith('\n') || / $/.test(text)).toBe(true);
  return text.split('\n').filter((line) => line.trim() !== '');
}

test('lines of any size come back as they were, and those of a page at most lie within one', () => {
  const random = Random.fromSeed(1);
  const path = join(temporaryDirectory('lines'), '1.1');
  const lines = Array.from({ length: 3_000 }, (_, place) => {
    const size = random.below(50) === 0 ? random.below(20_000) : random.below(600);
    return JSON.stringify({ place, text: 'ü'.repeat(size / 2) });
  });
  let file = new LineFile(path);
  for (const line of lines) {
    file.add(line);
    if (random.below(20) === 0) file.flush();
    if (random.below(200) > 0) continue;
    file.close();
    file = new LineFile(path);
  }
  file.close();
  expect(linesIn(path).map((line) => JSON.parse(line))).toEqual(lines.map((line) => JSON.parse(line)));
  const bytes = readFileSync(path);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf('\n', from) + 1;
    const begin = from + bytes.subarray(from, end).findIndex((byte) => byte !== 32);
    if (end - begin <= 4_096) expect(Math.floor(begin / 4_096)).toBe(Math.floor((end - 1) / 4_096));
    from = end;
  }
  expect(readdirSync(join(path, '..'))).toEqual(['1.1']);
});

test('what a loss of power left of a line is cut off', () => {
  const path = join(temporaryDirectory('lines'), '1.1');
  const file = new LineFile(path);
  file.add('{"a":1}');
  file.close();
  appendFileSync(path, '{"b":');
  const again = new LineFile(path);
  again.add('{"c":1}');
  again.close();
  expect(linesIn(path)).toEqual(['{"a":1}', '{"c":1}']);
});

test('a line of more than what is read at once is found and cut off, too', () => {
  const path = join(temporaryDirectory('lines'), '1.1');
  const file = new LineFile(path);
  file.add('{"a":1}');
  file.close();
  appendFileSync(path, `{"b":"${'x'.repeat(300_000)}`);
  new LineFile(path).close();
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n');
});

test('where nothing can be written, the failure says so', () => {
  const path = join(temporaryDirectory('lines'), 'missing', '1.1');
  expect(() => new LineFile(path)).toThrow(expect.objectContaining({ code: 'TAPE_NOT_WRITABLE', path }));
});

const WRITER = `
import { LineFile } from '${join(ROOT, 'src/recording/betfair/native/line-file.ts')}';
const file = new LineFile(process.argv[1]);
for (let place = 0; ; place += 1) {
  file.add(JSON.stringify({ place, text: 'x'.repeat((place * 7919) % (place % 100 === 0 ? 9000 : 900)) }));
  if (place % 40 === 0) file.flush();
  if (place === 4000) process.stdout.write('!');
}`;

test('a process that is killed while it writes leaves whole lines', async () => {
  for (let kill = 0; kill < budget({ brief: 2, each: 8, deep: 100 }); kill += 1) {
    const path = join(temporaryDirectory('lines'), '1.1');
    const child = spawn(process.execPath, ['--conditions=oddsmith-source', '--input-type=module', '-e', WRITER, path]);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGKILL');
    await ended;
    const places = linesIn(path).map((line) => JSON.parse(line).place);
    expect(places.length).toBeGreaterThan(3_000);
    expect(places).toEqual(places.map((_, place) => place));
  }
});
