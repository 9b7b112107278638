/** Reads bzip2 files (any number of streams one after another); yields a block only when its checksum is right. */

import type { ByteReader } from './byte-reader.ts';
import { Bz2Block, Bz2Damage, Bz2End } from './bz2-block.ts';
import { importFailure } from './import-failure.ts';

/**
 * More than any block takes: 900,000 symbols of at most 20 bits, 18,002 selectors, six tables. If the input runs out
 * inside a block although this many bytes were buffered, the file is cut.
 */
const BLOCK_BYTES = 2_600_000;

/** @throws ImportFailure CORRUPT_BZ2 or TRUNCATED_BZ2, after all whole blocks before were yielded */
export async function* bunzip2(reader: ByteReader, file: string): AsyncGenerator<Uint8Array> {
  const decoder = new Bz2Block();
  let first = true;
  try {
    for (;;) {
      if (!first) await reader.skipZeros();
      await reader.fill(BLOCK_BYTES);
      decoder.input(reader.buffered, reader.offset);
      if (!first && decoder.atEnd) return;
      decoder.streamHeader();
      first = false;
      for (;;) {
        const block = decoder.block();
        reader.skip(decoder.wholeBytes);
        if (block === undefined) break;
        yield block;
        await reader.fill(BLOCK_BYTES);
        decoder.input(reader.buffered, reader.offset);
      }
    }
  } catch (error) {
    if (error instanceof Bz2End) throw importFailure('TRUNCATED_BZ2', { file, byte: error.offset });
    if (error instanceof Bz2Damage) throw importFailure('CORRUPT_BZ2', { file, byte: error.offset }, error.message);
    throw error;
  }
}
