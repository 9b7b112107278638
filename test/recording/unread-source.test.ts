/** A source that cannot be read to its end is reported as such, through every kind of wrapping. */

import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ByteReader } from '../../src/recording/betfair/decompress/byte-reader.ts';
import { bunzip2 } from '../../src/recording/betfair/decompress/bz2.ts';
import { gunzip } from '../../src/recording/betfair/decompress/gzip.ts';
import { importFailure } from '../../src/recording/betfair/decompress/import-failure.ts';
import { untar } from '../../src/recording/betfair/decompress/tar.ts';
import { unzip } from '../../src/recording/betfair/decompress/zip.ts';
import { unzstd } from '../../src/recording/betfair/decompress/zstd.ts';
import { bzip2, tar, zip } from '../support/compress.ts';
import { streamText } from '../support/made-stream.ts';

const text = Buffer.from(streamText({ updates: 20_000 }));

async function* broken(packed: Uint8Array, failure: Error): AsyncGenerator<Uint8Array> {
  const half = Math.floor(packed.length / 2);
  for (let at = 0; at < half; at += 4096) yield packed.subarray(at, Math.min(half, at + 4096));
  throw failure;
}

type Unwrap = (
  reader: ByteReader,
  file: string,
) => AsyncIterable<Uint8Array | { readonly chunks: AsyncIterable<Uint8Array> }>;

const WRAPPINGS: readonly (readonly [string, Uint8Array, Unwrap])[] = [
  ['gz', gzipSync(text), gunzip],
  ['bz2', bzip2(text, '-1'), bunzip2],
  ['zst', zstdCompressSync(text), unzstd],
  ['tar', tar({ a: text }), untar],
  ['zip', zip({ a: text }, 'DEFLATED'), unzip],
];

async function readAll(found: ReturnType<Unwrap>): Promise<void> {
  for await (const piece of found) if ('chunks' in piece) for await (const _ of piece.chunks);
}

test.each(WRAPPINGS)('.%s', async (name, packed, unwrap) => {
  const failure = importFailure('FILE_UNREADABLE', { file: name }, 'EIO: i/o error, read');
  await expect(readAll(unwrap(new ByteReader(broken(packed, failure)), name))).rejects.toBe(failure);
  const bug = new TypeError('a bug');
  await expect(readAll(unwrap(new ByteReader(broken(packed, bug)), name))).rejects.toBe(bug);
});
