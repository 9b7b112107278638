/** Lines and archives that were made to harm: they cost what they weigh, and have an end. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { FileBytes } from '../../src/recording/betfair/decompress/file-bytes.ts';
import { LineCutter, LineTooLong, lineText } from '../../src/recording/betfair/decompress/lines.ts';
import { sourcesIn, type UnpackLimits } from '../../src/recording/betfair/sources.ts';
import { zip } from '../support/compress.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const folder = temporaryDirectory('lines');

test('a line of very many small chunks is joined once', () => {
  const cutter = new LineCutter();
  // One piece of memory for all chunks, as some sources have.
  const chunk = Buffer.alloc(512);
  for (let index = 0; index < 2 ** 16; index += 1) {
    chunk.fill(97 + (index % 26));
    for (const line of cutter.push(chunk)) expect.fail(`line ${line.number}`);
  }
  const [first, second] = [...cutter.push(Buffer.from('!\nnext\n'))].map((line) => ({ ...line, text: lineText(line) }));
  expect(first?.text.length).toBe(2 ** 25 + 1);
  for (const [index, letter] of ['a', 'b', 'c'].entries()) expect(first?.text[index * 512]).toBe(letter);
  expect(second).toMatchObject({ number: 2, byte: 2 ** 25 + 2, text: 'next' });
});

test('a line without an end ends with the length that it may have', () => {
  const cutter = new LineCutter();
  const chunk = Buffer.alloc(2 ** 20, 'a');
  const push = (): void => {
    for (let index = 0; index <= 64; index += 1) for (const line of cutter.push(chunk)) expect.fail(`${line.number}`);
  };
  expect(push).toThrow(LineTooLong);
  expect(push).toThrow('more than 64 MiB');
});

async function unpacked(name: string, bytes: Uint8Array, limits: UnpackLimits): Promise<number> {
  writeFileSync(join(folder, name), bytes);
  const file = await FileBytes.open(join(folder, name));
  let length = 0;
  try {
    for await (const source of sourcesIn(file, limits))
      if (source.kind === 'recording') for await (const chunk of source.chunks) length += chunk.length;
  } finally {
    await file.close();
  }
  return length;
}

const SMALL: UnpackLimits = { free: 100_000, ratio: 10 };

test('an archive unpacks to what is free, or to many times what was read of it, and says so beyond', async () => {
  const most = gzipSync(Buffer.alloc(SMALL.free, 'line\n'));
  expect(await unpacked('most.gz', most, SMALL)).toBe(SMALL.free);
  const more = gzipSync(Buffer.alloc(10 * SMALL.free, 'line\n'));
  const refused = { problem: { code: 'UNPACKS_TOO_LARGE', file: 'more.gz', why: expect.stringContaining('10 times') } };
  await expect(unpacked('more.gz', more, SMALL)).rejects.toMatchObject(refused);
});

test('the entries of an archive count together', async () => {
  const entry = Buffer.alloc(SMALL.free * 0.6, 'line\n');
  const archive = zip({ one: entry, two: entry }, 'DEFLATED');
  await expect(unpacked('two.zip', archive, SMALL)).rejects.toMatchObject({ problem: { code: 'UNPACKS_TOO_LARGE' } });
});

test('archives in archives in archives have an end', async () => {
  let nested: Buffer = Buffer.from('{}\n');
  for (let depth = 0; depth < 9; depth += 1) nested = gzipSync(nested);
  const refused = { problem: { code: 'UNPACKS_TOO_LARGE', why: expect.stringContaining('more than 8 deep') } };
  await expect(unpacked('nested.gz', nested, { free: 2 ** 30, ratio: 250 })).rejects.toMatchObject(refused);
});
