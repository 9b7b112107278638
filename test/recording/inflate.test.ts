/** A gzip file gives the same bytes and the same faults whether it is small enough to be inflated at once or goes in chunks. */

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../src/recording/betfair/decompress/byte-reader.ts';
import { gunzip } from '../../src/recording/betfair/decompress/gzip.ts';
import { ImportFailure } from '../../src/recording/betfair/decompress/import-failure.ts';
import { Random } from '../support/random.ts';

/** So many bytes that do not compress, and are the same each time. */
function noise(bytes: number): Buffer {
  const random = new Random(1);
  return Buffer.from(Array.from({ length: bytes }, () => random.between(0, 255)));
}

/** What comes out before the end or the fault, and the fault. */
async function gunzipped(file: Buffer, chunk = 65_536): Promise<{ bytes: Buffer; code: string | undefined }> {
  const pieces = Array.from({ length: Math.ceil(file.length / chunk) }, (_, i) =>
    file.subarray(i * chunk, (i + 1) * chunk),
  );
  const out: Uint8Array[] = [];
  try {
    for await (const piece of gunzip(new ByteReader(pieces), 'f')) out.push(Buffer.from(piece));
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    return { bytes: Buffer.concat(out), code: error.problem.code };
  }
  return { bytes: Buffer.concat(out), code: undefined };
}

describe.each([
  ['small', 9_000],
  ['at the limit', 262_000],
  ['large', 700_000],
])('a gzip file that is %s', (_, size) => {
  const text = noise(size);
  const file = gzipSync(text);

  it.each([1_000, 65_536, 1_000_000])('is whole in chunks of %i bytes', async (chunk) => {
    expect(await gunzipped(file, chunk)).toEqual({ bytes: text, code: undefined });
  });

  it('may have several members', async () => {
    const more = gzipSync(Buffer.from('more'));
    const { bytes, code } = await gunzipped(Buffer.concat([more, file, more]));
    expect([bytes.equals(Buffer.concat([Buffer.from('more'), text, Buffer.from('more')])), code]).toEqual([
      true,
      undefined,
    ]);
  });

  it('that is cut gives what is there, and says that it is cut', async () => {
    const { bytes, code } = await gunzipped(file.subarray(0, file.length - 4_000));
    expect([code, text.subarray(0, bytes.length).equals(bytes)]).toEqual(['TRUNCATED_GZIP', true]);
    expect(bytes.length).toBeGreaterThan(size / 2);
  });

  it('with a wrong checksum is found out', async () => {
    const damaged = Buffer.from(file);
    damaged.writeUInt32LE(7, damaged.length - 8);
    expect((await gunzipped(damaged)).code).toBe('CORRUPT_GZIP');
  });
});

it('text that grows beyond all measure goes in chunks', async () => {
  const { bytes, code } = await gunzipped(gzipSync(Buffer.alloc(9_000_000)));
  expect([bytes.length, code]).toEqual([9_000_000, undefined]);
});
