/** Adds pictures to a finished tape that has none: one that was recorded live, or written by an earlier version. */

import Database from 'better-sqlite3';
import { SegmentReader } from './segment/segment-reader.ts';
import { UpdateBuffer } from './segment/update-buffer.ts';
import { PicturePacker } from './tape/picture-packer.ts';
import { PictureTable } from './tape/picture-table.ts';
import { Tape } from './tape/tape.ts';
import { TapeFailure } from './tape/tape-failure.ts';
import type { MarketRow, SegmentRow } from './tape/tape-schema.ts';
import { writing } from './tape/tape-target.ts';
import { verifyTape } from './verify.ts';

/** What the tape has afterwards. */
export interface Indexed {
  readonly markets: number;
  /** Markets that have pictures; the others are too short for them. */
  readonly pictured: number;
  /** Markets that have them since now. */
  readonly added: number;
  /** How many pictures, and their bytes. */
  readonly pictures: number;
  readonly bytes: number;
}

export interface IndexOptions {
  readonly tape: string;
  /** Called after each market, and may await; when it resolves to false, the tape stays as it was. */
  onMarket(done: { readonly markets: number; readonly of: number }): Promise<boolean>;
}

/**
 * The pictures are those that an import writes, and are put on the tape all at once; its identity stays. Undefined where it was stopped.
 * @throws TapeFailure as `Tape.open`, and TAPE_CORRUPT, TAPE_BUSY, TAPE_NOT_WRITABLE
 */
export async function indexTape({ tape: path, onMarket }: IndexOptions): Promise<Indexed | undefined> {
  const tape = Tape.open(path);
  tape.close();
  if (tape.unfinished !== undefined)
    throw new TapeFailure('TAPE_BUSY', path, 'it is being recorded, or its recorder was killed', NEXT);
  // Pictures of what is damaged would be damage themselves.
  const [damage] = verifyTape(path);
  if (damage !== undefined)
    throw new TapeFailure(
      'TAPE_CORRUPT',
      path,
      damage.what,
      'import the recording again; `tape verify` lists all damage',
    );
  const database = writing(path, () => new Database(path, { fileMustExist: true, timeout: 0 }));
  try {
    writing(path, () => database.exec('BEGIN IMMEDIATE'));
    const table = new PictureTable(database);
    const rows = database.prepare('SELECT * FROM market ORDER BY position').all() as MarketRow[];
    let added = 0;
    for (const [index, row] of rows.entries()) {
      if (table.list(row.key).length === 0 && writing(path, () => addPictures({ database, table, row }))) added += 1;
      if (!(await onMarket({ markets: index + 1, of: rows.length }))) return undefined;
    }
    const listed = rows.map(({ key }) => [...table.rows(key)]).filter((pictures) => pictures.length > 0);
    const all = listed.flat();
    writing(path, () => database.exec('COMMIT'));
    const bytes = all.reduce((sum, picture) => sum + picture.bytes.length, 0);
    return { markets: rows.length, pictured: listed.length, added, pictures: all.length - listed.length, bytes };
  } finally {
    // What was not committed is taken back.
    database.close();
  }
}

const NEXT = 'wait until it is finished, or record again to seal what a killed recorder left';

interface MarketParts {
  readonly database: Database.Database;
  readonly table: PictureTable;
  readonly row: MarketRow;
}

/** Returns whether the market is long enough to have any. */
function addPictures({ database, table, row }: MarketParts): boolean {
  const load = database.prepare('SELECT * FROM segment WHERE key = ? AND number = ?');
  const packer = new PicturePacker();
  const reader = new SegmentReader();
  const update = new UpdateBuffer();
  let written = 0;
  for (let number = 0; number < row.segments; number += 1) {
    if (packer.isDue(written)) table.add(row.key, number, packer.pack());
    const segment = load.get(row.key, number) as SegmentRow;
    const { first_at: firstAt, first_sequence: firstSequence, updates, bytes } = segment;
    reader.open({ firstAt, firstSequence, updates, bytes });
    while (reader.next(update)) packer.append(update);
    written += bytes.length;
  }
  if (packer.hasPictures) table.add(row.key, row.segments, packer.end());
  return packer.hasPictures;
}
