/** Finds the recordings in a file, however they are wrapped, by the file's bytes and not by its name. */

import { basename } from 'node:path';
import { ByteReader } from './decompress/byte-reader.ts';
import { bunzip2 } from './decompress/bz2.ts';
import type { FileBytes } from './decompress/file-bytes.ts';
import { gunzip } from './decompress/gzip.ts';
import { untar } from './decompress/tar.ts';
import { unzip } from './decompress/zip.ts';
import { unzstd } from './decompress/zstd.ts';
import type { RecordingSource } from './market/recording-import.ts';

/** Yields the recordings in a file; each must be read to its end before the next is asked for. */
export async function* recordingsIn(bytes: FileBytes): AsyncGenerator<RecordingSource> {
  yield* unwrap(new ByteReader(bytes.chunks()), { name: basename(bytes.path), file: bytes.path, isChecked: false });
}

interface Wrapped {
  /** The recording's name in reports; names of archives and entries are joined by `!`. */
  readonly name: string;
  /** The file that failures name. */
  readonly file: string;
  readonly isChecked: boolean;
}

const TAR_MAGIC_AT = 257;
const ENOUGH_TO_TELL = 512;

async function* unwrap(reader: ByteReader, wrapped: Wrapped): AsyncGenerator<RecordingSource> {
  await reader.fill(ENOUGH_TO_TELL);
  const head = Buffer.from(reader.buffered.subarray(0, ENOUGH_TO_TELL)).toString('latin1');
  const inside = (chunks: AsyncIterable<Uint8Array>, name = wrapped.name) =>
    unwrap(new ByteReader(chunks), { ...wrapped, name, isChecked: true });
  if (head.startsWith('\x1f\x8b')) yield* inside(gunzip(reader, wrapped.name));
  else if (head.startsWith('BZh')) yield* inside(bunzip2(reader, wrapped.name));
  else if (head.startsWith('\x28\xb5\x2f\xfd')) yield* inside(unzstd(reader, wrapped.name));
  else if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) {
    for await (const entry of unzip(reader, wrapped.name)) yield* inside(entry.chunks, `${wrapped.name}!${entry.name}`);
  } else if (head.startsWith('ustar', TAR_MAGIC_AT)) {
    for await (const entry of untar(reader, wrapped.name)) {
      yield* unwrap(new ByteReader(entry.chunks), { ...wrapped, name: `${wrapped.name}!${entry.name}` });
    }
  } else yield { name: wrapped.name, chunks: reader.rest(), isChecked: wrapped.isChecked };
}
