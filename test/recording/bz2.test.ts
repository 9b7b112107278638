/** Our bzip2 decoder compared with the system's program on synthetic data, and on damaged data. */

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ByteReader } from '../../src/recording/betfair/decompress/byte-reader.ts';
import { bunzip2 } from '../../src/recording/betfair/decompress/bz2.ts';
import { ImportFailure } from '../../src/recording/betfair/decompress/import-failure.ts';
import { bzip2, madeText, noise } from '../support/compress.ts';

const MADE: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from('a')],
  ['three equal bytes, no run', Buffer.from('aaa')],
  ['four equal bytes, a run of none more', Buffer.from('aaaab')],
  ['runs of every length about 255 + 4', Buffer.concat([258, 259, 260, 261, 519].map((n) => Buffer.alloc(n, n & 255)))],
  ['a long run over blocks', Buffer.alloc(3_000_000, 7)],
  ['all byte values', Buffer.from(Array.from({ length: 256 * 40 }, (_, i) => (i * 7) & 255))],
  ['noise over a block border', noise(1_000_003, 1)],
  ['text of several blocks', madeText(2_300_000, 2)],
];

for (const [name, data] of MADE) {
  test(`reads back ${name}`, async () => {
    for (const level of ['-1', '-9']) expect((await unpack([bzip2(data, level)])).equals(data)).toBe(true);
  });
}

test('reads streams one after another, whatever the chunks', async () => {
  const parts = [madeText(150_000, 3), Buffer.alloc(0), Buffer.from('tail')];
  const packed = Buffer.concat([bzip2(parts[0] as Buffer, '-1'), bzip2(parts[1] as Buffer), bzip2(parts[2] as Buffer)]);
  for (const size of [1, 7, 4096, packed.length]) {
    const chunks = [];
    for (let at = 0; at < packed.length; at += size) chunks.push(packed.subarray(at, at + size));
    expect((await unpack(chunks)).equals(Buffer.concat(parts))).toBe(true);
  }
});

test('gives whole blocks of a cut file, and then says at which byte it ends', async () => {
  const data = madeText(450_000, 4);
  const packed = bzip2(data, '-1');
  for (const cut of [3, 4, 20, packed.length >> 1, packed.length - 11, packed.length - 1]) {
    const { output, failure } = await unpackWhole(packed.subarray(0, cut));
    expect(failure?.problem).toMatchObject({ code: 'TRUNCATED_BZ2', byte: cut, file: 'made' });
    // The output is a beginning of the data, byte for byte: the blocks before the cut and no more.
    expect(output.equals(data.subarray(0, output.length))).toBe(true);
    if (cut > packed.length / 2) expect(output.length).toBeGreaterThan(99_000);
  }
});

test('never releases a block with a flipped bit, and agrees with bzip2 -t that there is damage', async () => {
  const data = madeText(120_000, 5);
  const packed = bzip2(data, '-1');
  let judged = 0;
  for (let at = 4; at < packed.length; at += Math.ceil(packed.length / 70)) {
    const flipped = Buffer.from(packed);
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
    if (spawnSync('bzip2', ['-t'], { input: flipped }).status === 0) continue;
    judged += 1;
    const { output, failure } = await unpackWhole(flipped);
    expect(failure?.code, `byte ${at}`).toMatch(/^(CORRUPT|TRUNCATED)_BZ2$/);
    expect(output.equals(data.subarray(0, output.length)), `byte ${at}`).toBe(true);
  }
  expect(judged).toBeGreaterThan(50);
});

async function unpack(chunks: readonly Uint8Array[]): Promise<Buffer> {
  const output = [];
  for await (const chunk of bunzip2(new ByteReader(chunks), 'made')) output.push(Buffer.from(chunk));
  return Buffer.concat(output);
}

async function unpackWhole(packed: Buffer): Promise<{ output: Buffer; failure: ImportFailure | undefined }> {
  const output = [];
  try {
    for await (const chunk of bunzip2(new ByteReader([packed]), 'made')) output.push(Buffer.from(chunk));
    return { output: Buffer.concat(output), failure: undefined };
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    return { output: Buffer.concat(output), failure: error };
  }
}
