/** Reads the files of a tar archive one after another. */

import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import type { ByteReader } from './byte-reader.ts';
import { ImportFailure, importFailure } from './import-failure.ts';

/** A file in an archive, with its unpacked bytes. */
export interface ArchiveEntry {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Each entry must be read before the next is asked for. @throws ImportFailure CORRUPT_TAR or TRUNCATED_TAR */
export async function* untar(reader: ByteReader, file: string): AsyncGenerator<ArchiveEntry> {
  const parser = extract();
  const feed = Readable.from(reader.rest());
  let unread: unknown;
  feed.on('error', (error) => {
    unread = error;
    parser.destroy(error);
  });
  feed.pipe(parser);
  const failure = (error: unknown): unknown => {
    if (error === unread || error instanceof ImportFailure || !(error instanceof Error)) return error;
    const code = error.message === 'Unexpected end of data' ? 'TRUNCATED_TAR' : 'CORRUPT_TAR';
    return importFailure(code, { file, byte: reader.offset }, error.message);
  };
  try {
    for await (const entry of parser) {
      if (entry.header.type === 'file')
        yield { name: entry.header.name, chunks: entryChunks(entry as AsyncIterable<Uint8Array>, failure) };
      entry.resume();
    }
  } catch (error) {
    throw failure(error);
  } finally {
    feed.destroy();
  }
}

async function* entryChunks(entry: AsyncIterable<Uint8Array>, failure: (error: unknown) => unknown) {
  try {
    yield* entry;
  } catch (error) {
    throw failure(error);
  }
}
