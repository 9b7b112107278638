/** Reads zstd files: with Node's own zlib where it can, else with fzstd. */

import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import type { ByteReader } from './byte-reader.ts';
import { importFailure } from './import-failure.ts';

/** @throws ImportFailure CORRUPT_ZSTD or TRUNCATED_ZSTD */
export async function* unzstd(reader: ByteReader, file: string): AsyncGenerator<Uint8Array> {
  try {
    // From Node 22.15; a named import would not link on Node 20.
    const native =
      'createZstdDecompress' in zlib ? (zlib.createZstdDecompress as () => NodeJS.ReadWriteStream)() : undefined;
    if (native !== undefined) yield* Readable.from(reader.rest()).pipe(native) as AsyncIterable<Buffer>;
    else yield* withFzstd(reader);
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'ImportFailure') throw error;
    const isEnd = /unexpected e(nd|of)/i.test(error.message);
    throw importFailure(isEnd ? 'TRUNCATED_ZSTD' : 'CORRUPT_ZSTD', { file, byte: reader.offset }, error.message);
  }
}

async function* withFzstd(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const output: Uint8Array[] = [];
  const engine = new Decompress((chunk) => output.push(chunk));
  for (;;) {
    const chunk = await reader.chunk();
    if (chunk === undefined) break;
    engine.push(chunk);
    yield* output.splice(0);
  }
  engine.push(new Uint8Array(0), true);
  yield* output.splice(0);
}
