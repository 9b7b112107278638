/** Finds the recordings in a file, however they are wrapped, by the file's bytes and not by its name. */

import { basename } from 'node:path';
import { type CatalogueMarket, catalogueOf } from './catalogue.ts';
import { ByteReader } from './decompress/byte-reader.ts';
import { bunzip2 } from './decompress/bz2.ts';
import type { FileBytes } from './decompress/file-bytes.ts';
import { gunzip } from './decompress/gzip.ts';
import { importFailure } from './decompress/import-failure.ts';
import { untar } from './decompress/tar.ts';
import { unzip } from './decompress/zip.ts';
import { unzstd } from './decompress/zstd.ts';
import type { RecordingSource } from './market/recording-import.ts';

/** What a file may hold: recordings, and catalogues of markets beside them. */
export type FoundSource =
  | ({ readonly kind: 'recording' } & RecordingSource)
  | { readonly kind: 'catalogue'; readonly markets: readonly CatalogueMarket[] };

/** Yields what is in a file; each recording must be read to its end before the next is asked for. */
export async function* sourcesIn(bytes: FileBytes, limits = UNPACK_LIMITS): AsyncGenerator<FoundSource> {
  const budget = new UnpackBudget(bytes, limits);
  const name = basename(bytes.path);
  yield* unwrap(new ByteReader(bytes.chunks()), { name, file: bytes.path, isChecked: false, depth: 0, budget });
}

/** How much the archives of one file may unpack to, all together: whichever is more. */
export interface UnpackLimits {
  /** The bytes that any file may unpack to. */
  readonly free: number;
  /** A file may unpack to this many times the bytes that were read of it. */
  readonly ratio: number;
}

/** Recordings are packed to a tenth or a thirtieth; what is packed to so much less was made to harm. */
const UNPACK_LIMITS: UnpackLimits = { free: 2 ** 30, ratio: 250 };
/** A recording in a bz2 in a tar in a gzip in a zip has four. */
const DEPTH_MAX = 8;

/** What the archives of one file have unpacked to. */
class UnpackBudget {
  readonly #bytes: FileBytes;
  readonly #limits: UnpackLimits;
  #unpacked = 0;

  constructor(bytes: FileBytes, limits: UnpackLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  /** Passes chunks on for as long as there is room. @throws ImportFailure UNPACKS_TOO_LARGE */
  async *spend(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
    const { free, ratio } = this.#limits;
    const why = `more than ${free} bytes, and more than ${ratio} times what was read of the file`;
    for await (const chunk of chunks) {
      this.#unpacked += chunk.length;
      if (this.#unpacked > Math.max(free, ratio * this.#bytes.bytesRead))
        throw importFailure('UNPACKS_TOO_LARGE', { file }, why);
      yield chunk;
    }
  }
}

interface Wrapped {
  /** The recording's name in reports; names of archives and entries are joined by `!`. */
  readonly name: string;
  /** The file that failures name. */
  readonly file: string;
  readonly isChecked: boolean;
  /** How many archives it lies in. */
  readonly depth: number;
  readonly budget: UnpackBudget;
}

const TAR_MAGIC_AT = 257;
const ENOUGH_TO_TELL = 512;

async function* unwrap(reader: ByteReader, wrapped: Wrapped): AsyncGenerator<FoundSource> {
  const { name: own, depth, budget } = wrapped;
  const why = `archives in archives, more than ${DEPTH_MAX} deep`;
  if (depth > DEPTH_MAX) throw importFailure('UNPACKS_TOO_LARGE', { file: own }, why);
  await reader.fill(ENOUGH_TO_TELL);
  const head = Buffer.from(reader.buffered.subarray(0, ENOUGH_TO_TELL)).toString('latin1');
  const inside = (chunks: AsyncIterable<Uint8Array>, name = own) =>
    unwrap(new ByteReader(budget.spend(chunks, name)), { ...wrapped, name, isChecked: true, depth: depth + 1 });
  if (/^(\xff\xfe|\xfe\xff)/.test(head))
    throw importFailure('NOT_A_RECORDING', { file: own }, 'it is text in UTF-16; text in UTF-8 would be read');
  if (head.startsWith('\x1f\x8b')) yield* inside(gunzip(reader, own));
  else if (head.startsWith('BZh')) yield* inside(bunzip2(reader, own));
  else if (head.startsWith('\x28\xb5\x2f\xfd')) yield* inside(unzstd(reader, own));
  else if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) {
    for await (const entry of unzip(reader, own)) yield* inside(entry.chunks, `${own}!${entry.name}`);
  } else if (head.startsWith('ustar', TAR_MAGIC_AT)) {
    for await (const entry of untar(reader, own)) {
      yield* unwrap(new ByteReader(entry.chunks), { ...wrapped, name: `${own}!${entry.name}`, depth: depth + 1 });
    }
  } else {
    const markets = mayBeCatalogue(head) ? await readCatalogue(reader) : undefined;
    if (markets !== undefined) yield { kind: 'catalogue', markets };
    else yield { kind: 'recording', name: own, chunks: reader.rest(), isChecked: wrapped.isChecked };
  }
}

/** A text of more is no catalogue: one of a thousand markets has a few million bytes. */
const CATALOGUE_MAX = 64 * 1024 * 1024;

/** Messages of a stream say first what they are. */
function mayBeCatalogue(head: string): boolean {
  return /^(\xef\xbb\xbf)?\s*[[{]/.test(head) && !head.includes('"op"');
}

/** Takes the text where it is a catalogue, and leaves it where it is not. */
async function readCatalogue(reader: ByteReader): Promise<readonly CatalogueMarket[] | undefined> {
  const size = await reader.fill(CATALOGUE_MAX + 1);
  const text = size > CATALOGUE_MAX ? '' : new TextDecoder().decode(reader.buffered);
  const markets = catalogueOf(text);
  if (markets !== undefined) reader.skip(size);
  return markets;
}
