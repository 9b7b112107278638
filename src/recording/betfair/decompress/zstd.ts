/** Reads zstd files with Node's own zlib. */

import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { ByteReader } from './byte-reader.ts';
import { importFailure } from './import-failure.ts';

/** @throws ImportFailure CORRUPT_ZSTD, TRUNCATED_ZSTD, and what the reader throws */
export async function* unzstd(reader: ByteReader, file: string): AsyncGenerator<Uint8Array> {
  const engine = createZstdDecompress();
  let fault: Error | null | undefined;
  // An error of reading ends the engine too and is thrown out of the loop; a consumer that stops reading ends both.
  const chunks = pipeline(Readable.from(reader.rest()), engine, (error) => {
    fault = error;
  });
  try {
    yield* chunks as AsyncIterable<Buffer>;
  } catch (error) {
    if (!(error instanceof Error) || !isOfZlib(error)) throw fault ?? error;
    const isEnd = /unexpected e(nd|of)/i.test(error.message);
    throw importFailure(isEnd ? 'TRUNCATED_ZSTD' : 'CORRUPT_ZSTD', { file, byte: reader.offset }, error.message);
  }
}

function isOfZlib(error: Error): boolean {
  return 'code' in error && /^(Z_|ZSTD_)/.test(String(error.code));
}
