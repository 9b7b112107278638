/**
 * Decodes LZMA data as zip archives hold it (method 14): a header of four bytes, properties, one range-coded stream.
 */

import { type ByteReader, EndOfData } from './byte-reader.ts';
import { DamagedData } from './inflate.ts';
import { LzmaDecoder } from './lzma-decoder.ts';

/** Archives of recordings are small; larger ones are refused so that they need not be held in memory. */
const MOST_PACKED = 256 * 1024 * 1024;
const PROPERTIES_AT = 4;
const PROPERTIES = 5;

/**
 * Yields the decoded chunks. `packed` is the number of input bytes, `size` that of output bytes; without `size`, an end
 * marker ends the output. @throws DamagedData, EndOfData
 */
export async function* unlzma(
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
