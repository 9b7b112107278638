/** Decodes rows of a journal from SQLite's raw pages, so that what is readable can be saved from a damaged file. */

import { type JournalRow, PAGE_SIZE } from './journal-schema.ts';
import type { WalFrame } from './wal-frames.ts';

/**
 * Every row found on any page, damaged or not; the same sequence number may come several times. `overflow` returns the
 * page with a number, for rows that are longer than a page.
 */
export function* rawRows(
  pages: Iterable<WalFrame>,
  overflow: (page: number) => Buffer | undefined,
): Iterable<JournalRow> {
  for (const { page, bytes } of pages) yield* rowsOfPage(bytes, page === 1 ? 100 : 0, overflow);
}

/** The pages of a database file; the last one may be cut short. */
export function* pagesOf(file: Buffer): Iterable<WalFrame> {
  for (let at = 0; at < file.length; at += PAGE_SIZE)
    yield { page: at / PAGE_SIZE + 1, bytes: file.subarray(at, at + PAGE_SIZE) };
}

const TABLE_LEAF = 0x0d;
/**
 * Limits for the bytes of a row that are stored on its own page (SQLite's file format, section 1.6); the rest is on
 * overflow pages.
 */
const LOCAL_MAX = PAGE_SIZE - 35;
const LOCAL_MIN = Math.trunc(((PAGE_SIZE - 12) * 32) / 255) - 23;
const OVERFLOW_BYTES = PAGE_SIZE - 4;

function* rowsOfPage(
  page: Buffer,
  start: number,
  overflow: (page: number) => Buffer | undefined,
): Iterable<JournalRow> {
  if (page.length < start + 8 || page[start] !== TABLE_LEAF) return;
  const cells = page.readUInt16BE(start + 3);
  for (let cell = 0; cell < cells; cell++) {
    const pointer = start + 8 + 2 * cell;
    if (pointer + 2 > page.length) return;
    const row = rowAt(page, page.readUInt16BE(pointer), overflow);
    if (row !== undefined) yield row;
  }
}

function rowAt(page: Buffer, at: number, overflow: (page: number) => Buffer | undefined): JournalRow | undefined {
  const cursor = new Bytes(page, at);
  const length = cursor.varint();
  const sequence = cursor.varint();
  if (length === undefined || sequence === undefined || length > MAX_BODY) return undefined;
  const payload = payloadAt(page, cursor.at, length, overflow);
  return payload === undefined ? undefined : rowOfPayload(sequence, payload);
}

const MAX_BODY = 2 ** 30;

function payloadAt(
  page: Buffer,
  at: number,
  length: number,
  overflow: (page: number) => Buffer | undefined,
): Buffer | undefined {
  if (length <= LOCAL_MAX) return at + length <= page.length ? page.subarray(at, at + length) : undefined;
  const wished = LOCAL_MIN + ((length - LOCAL_MIN) % OVERFLOW_BYTES);
  const local = wished <= LOCAL_MAX ? wished : LOCAL_MIN;
  if (at + local + 4 > page.length) return undefined;
  const parts = [page.subarray(at, at + local)];
  let next = page.readUInt32BE(at + local);
  for (let left = length - local; left > 0; left -= OVERFLOW_BYTES) {
    const more = overflow(next);
    if (more === undefined || more.length < Math.min(left, OVERFLOW_BYTES) + 4) return undefined;
    parts.push(more.subarray(4, 4 + Math.min(left, OVERFLOW_BYTES)));
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** Decodes the columns: the sequence is the row's id, then follow an integer and three texts. */
function rowOfPayload(sequence: number, payload: Buffer): JournalRow | undefined {
  const header = new Bytes(payload, 0);
  header.varint();
  const [own, at, kind, body, checksum] = [1, 2, 3, 4, 5].map(() => header.varint());
  if (own !== 0 || at === undefined || at > 9) return undefined;
  if (!isText(kind) || !isText(body) || !isText(checksum)) return undefined;
  const columns = new Bytes(payload, header.at);
  const time = columns.integer(at);
  const texts = [kind, body, checksum].map((type) => columns.text((type - 13) / 2));
  if (time === undefined || columns.at !== payload.length) return undefined;
  const [kindText = '', bodyText = '', checksumText = ''] = texts;
  return { sequence, at: time, kind: kindText, body: bodyText, checksum: checksumText };
}

function isText(type: number | undefined): type is number {
  return type !== undefined && type >= 13 && type % 2 === 1;
}

/** Bytes of an integer column, by its serial type. */
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

class Bytes {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** SQLite's variable-length integer; undefined beyond the end, and where it is no safe integer. */
  varint(): number | undefined {
    let value = 0;
    for (let read = 0; read < 8; read++) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) return undefined;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value <= Number.MAX_SAFE_INTEGER ? value : undefined;
    }
    return undefined;
  }

  integer(type: number): number | undefined {
    if (type === 8 || type === 9) return type - 8;
    const length = INTEGER_BYTES[type];
    if (length === undefined || length === 0 || this.at + length > this.#bytes.length) return undefined;
    const value = length === 8 ? Number(this.#bytes.readBigInt64BE(this.at)) : this.#bytes.readIntBE(this.at, length);
    this.at += length;
    return value;
  }

  text(length: number): string {
    const text = this.#bytes.toString('utf8', this.at, this.at + length);
    this.at += length;
    return text;
  }
}
