/** Reads the files of a zip archive in the order in which they lie there: stored, deflated or LZMA. */

import { crc32 } from 'node:zlib';
import { type ByteReader, EndOfData } from './byte-reader.ts';
import { ImportFailure, importFailure } from './import-failure.ts';
import { DamagedData, inflate } from './inflate.ts';
import { LzmaDecoder } from './lzma-decoder.ts';
import type { ArchiveEntry } from './tar.ts';

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
/** Signatures that may follow the last file: the central directory, its records, the end. */
const AFTER_FILES = [0x02014b50, 0x06054b50, 0x06064b50, 0x08064b50];
const FIXED = 30;
const FLAG_ENCRYPTED = 1;
const FLAG_LZMA_MARKER = 2;
const FLAG_DESCRIPTOR = 8;
const STORED = 0;
const DEFLATED = 8;
const LZMA = 14;
const ZIP64_EXTRA = 1;
const IN_ZIP64 = 0xffffffff;

interface Header {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly isLong: boolean;
}

/** Each entry must be read before the next is asked for. @throws ImportFailure CORRUPT_ZIP, TRUNCATED_ZIP, UNSUPPORTED_ZIP */
export async function* unzip(reader: ByteReader, file: string): AsyncGenerator<ArchiveEntry> {
  try {
    for (;;) {
      const at = reader.offset;
      const signature = Buffer.from(await reader.read(4)).readUInt32LE(0);
      if (AFTER_FILES.includes(signature)) return await endOfArchive(reader, signature);
      if (signature !== LOCAL_HEADER) throw importFailure('CORRUPT_ZIP', { file, byte: at }, 'no file begins here');
      const header = await readHeader(reader);
      if ((header.flags & FLAG_ENCRYPTED) !== 0)
        throw importFailure('UNSUPPORTED_ZIP', { file, byte: at }, 'encrypted');
      const chunks = checked(reader, header, file);
      if (!header.name.endsWith('/')) yield { name: header.name, chunks };
      // Skips what the caller did not read.
      for await (const _ of chunks);
    }
  } catch (error) {
    throw failure(error, file);
  }
}

/** Checks that the archive ends with its end record, which is the last thing in a complete archive. */
async function endOfArchive(reader: ByteReader, first: number): Promise<void> {
  let tail = Buffer.alloc(4);
  tail.writeUInt32LE(first, 0);
  for await (const chunk of reader.rest()) tail = Buffer.concat([tail.subarray(-65_560), chunk]);
  if (tail.lastIndexOf('PK\x05\x06', undefined, 'latin1') === -1) throw new EndOfData(reader.offset);
}

function failure(error: unknown, file: string): unknown {
  if (error instanceof EndOfData) return importFailure('TRUNCATED_ZIP', { file, byte: error.offset });
  if (error instanceof DamagedData) return importFailure('CORRUPT_ZIP', { file, byte: error.offset }, error.message);
  return error;
}

async function readHeader(reader: ByteReader): Promise<Header> {
  const fixed = Buffer.concat([Buffer.alloc(4), await reader.read(FIXED - 4)]);
  const flags = fixed.readUInt16LE(6);
  const name = Buffer.from(await reader.read(fixed.readUInt16LE(26))).toString('utf8');
  const extra = Buffer.from(await reader.read(fixed.readUInt16LE(28)));
  let packed = fixed.readUInt32LE(18);
  let size = fixed.readUInt32LE(22);
  let isLong = false;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_EXTRA) continue;
    isLong = true;
    if (size === IN_ZIP64) size = Number(extra.readBigUInt64LE(at + 4));
    if (packed === IN_ZIP64) packed = Number(extra.readBigUInt64LE(at + 12));
  }
  return { name, flags, method: fixed.readUInt16LE(8), crc: fixed.readUInt32LE(14), packed, size, isLong };
}

/** Yields the entry's bytes and compares its checksum at the end. */
async function* checked(reader: ByteReader, header: Header, file: string): AsyncGenerator<Uint8Array> {
  try {
    let crc = 0;
    let size = 0;
    for await (const chunk of unpack(reader, header, file)) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
    const at = reader.offset;
    const expected = (header.flags & FLAG_DESCRIPTOR) === 0 ? header.crc : await descriptorCrc(reader, header);
    if (crc !== expected) {
      const why = `checksum ${crc.toString(16)}, not ${expected.toString(16)}, of ${header.name}`;
      throw importFailure('CORRUPT_ZIP', { file, byte: at }, why);
    }
    if ((header.flags & FLAG_DESCRIPTOR) === 0 && size !== header.size) {
      throw importFailure('CORRUPT_ZIP', { file, byte: at }, `wrong length of ${header.name}`);
    }
  } catch (error) {
    throw error instanceof ImportFailure ? error : failure(error, file);
  }
}

async function* unpack(reader: ByteReader, header: Header, file: string): AsyncGenerator<Uint8Array> {
  const isStreamed = (header.flags & FLAG_DESCRIPTOR) !== 0;
  if (header.method === DEFLATED) yield* inflate(reader);
  else if (header.method === LZMA) {
    const hasMarker = (header.flags & FLAG_LZMA_MARKER) !== 0;
    yield* unlzma(reader, { packed: header.packed, ...(hasMarker ? {} : { size: header.size }) });
  } else if (header.method === STORED && !isStreamed) {
    for (let left = header.packed; left > 0; ) {
      const chunk = await reader.chunk(left);
      if (chunk === undefined) throw new EndOfData(reader.offset);
      left -= chunk.length;
      yield chunk;
    }
  } else {
    throw importFailure('UNSUPPORTED_ZIP', { file, byte: reader.offset }, `method ${header.method} of ${header.name}`);
  }
}

/** Reads the checksum from the record behind a streamed entry: an optional signature, the checksum, two lengths. */
async function descriptorCrc(reader: ByteReader, header: Header): Promise<number> {
  let crc = Buffer.from(await reader.read(4)).readUInt32LE(0);
  if (crc === DESCRIPTOR) crc = Buffer.from(await reader.read(4)).readUInt32LE(0);
  await reader.read(header.isLong ? 16 : 8);
  return crc;
}

/** Archives of recordings are small; larger ones are refused so that they need not be held in memory. */
const MOST_PACKED = 256 * 1024 * 1024;
const PROPERTIES_AT = 4;
const PROPERTIES = 5;

/**
 * Decodes LZMA data as zip archives hold it (method 14): a header of four bytes, properties, one range-coded stream. `packed` is the number
 * of input bytes, `size` that of output bytes; without `size`, an end marker ends the output. @throws DamagedData, EndOfData
 */
async function* unlzma(
  reader: ByteReader,
  lengths: { readonly packed: number; readonly size?: number },
): AsyncGenerator<Uint8Array> {
  const start = reader.offset;
  if (lengths.packed > MOST_PACKED) throw new DamagedData('more LZMA data than can be held in memory', start);
  const input = Buffer.alloc(lengths.packed);
  let have = 0;
  while (have < input.length) {
    const chunk = await reader.chunk(input.length - have);
    if (chunk === undefined) break;
    input.set(chunk, have);
    have += chunk.length;
  }
  if (have < PROPERTIES_AT + PROPERTIES) throw new EndOfData(start + have);
  if (input.readUInt16LE(2) !== PROPERTIES) throw new DamagedData('no LZMA properties here', start);
  const properties = input.subarray(PROPERTIES_AT, PROPERTIES_AT + PROPERTIES);
  const decoder = new LzmaDecoder(properties, input.subarray(PROPERTIES_AT + PROPERTIES, have), lengths.size);
  for (;;) {
    const chunk = decoder.chunk();
    if (chunk !== undefined) yield chunk;
    if (decoder.fault === 'end') throw new EndOfData(start + have);
    if (decoder.fault !== undefined)
      throw new DamagedData(decoder.fault, start + PROPERTIES_AT + PROPERTIES + decoder.at);
    if (chunk === undefined) return;
  }
}
