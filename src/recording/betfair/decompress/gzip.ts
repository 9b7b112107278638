/** Reads gzip files member by member, checking lengths and checksums. */

import { crc32 } from 'node:zlib';
import { type ByteReader, EndOfData } from './byte-reader.ts';
import { importFailure } from './import-failure.ts';
import { DamagedData, inflate } from './inflate.ts';

const HEADER = 10;
const MAGIC = [0x1f, 0x8b] as const;
const FLAG_HEADER_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

/** @throws ImportFailure CORRUPT_GZIP or TRUNCATED_GZIP, after all that came before was yielded */
export async function* gunzip(reader: ByteReader, file: string): AsyncGenerator<Uint8Array> {
  try {
    while ((await reader.fill(1)) > 0) {
      yield* member(reader, file);
      await reader.skipZeros();
      await refuseTrailing(reader, file);
    }
  } catch (error) {
    if (error instanceof EndOfData) throw importFailure('TRUNCATED_GZIP', { file, byte: error.offset });
    if (error instanceof DamagedData) throw importFailure('CORRUPT_GZIP', { file, byte: error.offset }, error.message);
    throw error;
  }
}

/** All that came before is whole, and is kept where damage is passed over. */
async function refuseTrailing(reader: ByteReader, file: string): Promise<void> {
  const have = await reader.fill(2);
  const [first, second] = reader.buffered;
  if (have === 0 || (first === MAGIC[0] && (have === 1 || second === MAGIC[1]))) return;
  const why = 'what follows here, after the end of the gzip data, is no gzip';
  throw importFailure('CORRUPT_GZIP', { file, byte: reader.offset }, why);
}

async function* member(reader: ByteReader, file: string): AsyncGenerator<Uint8Array> {
  const start = reader.offset;
  await header(reader, file);
  let crc = 0;
  let size = 0;
  for await (const chunk of inflate(reader)) {
    crc = crc32(chunk, crc);
    size = (size + chunk.length) % 2 ** 32;
    yield chunk;
  }
  const at = reader.offset;
  const trailer = Buffer.from(await reader.read(8));
  const expected = trailer.readUInt32LE(0);
  if (expected !== crc) {
    const why = `checksum ${crc.toString(16)}, not ${expected.toString(16)}, in the member that starts at byte ${start}`;
    throw importFailure('CORRUPT_GZIP', { file, byte: at }, why);
  }
  if (trailer.readUInt32LE(4) !== size) throw importFailure('CORRUPT_GZIP', { file, byte: at + 4 }, 'wrong length');
}

async function header(reader: ByteReader, file: string): Promise<void> {
  const at = reader.offset;
  const fixed = await reader.read(HEADER);
  if (fixed[0] !== MAGIC[0] || fixed[1] !== MAGIC[1] || fixed[2] !== 8) {
    throw importFailure('CORRUPT_GZIP', { file, byte: at }, 'no gzip header here');
  }
  const flags = fixed[3] as number;
  if ((flags & FLAG_EXTRA) !== 0) await reader.read(Buffer.from(await reader.read(2)).readUInt16LE(0));
  if ((flags & FLAG_NAME) !== 0) await text(reader);
  if ((flags & FLAG_COMMENT) !== 0) await text(reader);
  if ((flags & FLAG_HEADER_CRC) !== 0) await reader.read(2);
}

async function text(reader: ByteReader): Promise<void> {
  while ((await reader.read(1))[0] !== 0);
}
