/** Splits a tape into pieces, each a tape of its own, with a list of them and their hashes. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { eventGroupOf } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import type { Segment } from '../segment/segment.ts';
import { Tape } from '../tape/tape.ts';
import { MarketHash } from '../tape/tape-content.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import type { MarketDescription, SegmentRow, TapeMarket } from '../tape/tape-schema.ts';
import { flushToDisk, writing } from '../tape/tape-target.ts';
import { TapeWriter } from '../tape/tape-writer.ts';
import { hashFile } from './file-hash.ts';
import {
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  type Manifest,
  manifestText,
  type PieceKind,
  readManifest,
  type TapePiece,
} from './manifest.ts';
import { PiecesDirectory, requireFree } from './pieces-directory.ts';

export interface SplitOptions {
  readonly tape: string;
  readonly by: PieceKind;
  /** The directory for the pieces. Its own directory must be there. */
  readonly out: string;
  /** Called after each piece, and may await; when it resolves to false, the split ends there and leaves nothing. */
  onPiece(done: { readonly pieces: number; readonly of: number }): Promise<boolean>;
}

export interface Split {
  readonly manifest: Manifest;
  /** Whether the pieces were there already, the same to the byte. */
  readonly wasThere: boolean;
}

/**
 * The same tape gives the same bytes. Nothing is at `out` until all of it is. @throws TapeFailure PIECES_EXIST, TAPE_BUSY, TAPE_NOT_WRITABLE,
 * TAPE_CORRUPT, those of `Tape.open`
 * @returns undefined where `onPiece` ended it
 */
export async function splitTape({ tape: path, by, out, onPiece }: SplitOptions): Promise<Split | undefined> {
  const tape = Tape.open(path);
  try {
    if (tape.unfinished !== undefined)
      throw new TapeFailure('TAPE_BUSY', path, 'it is being recorded, or its recorder was killed', UNFINISHED);
    const there = samePieces(tape, by, out);
    if (there !== undefined) return { manifest: there, wasThere: true };
    requireFree(out);
    const directory = PiecesDirectory.begin(out);
    try {
      const manifest = await writePieces({ tape, by, directory, onPiece });
      if (manifest === undefined) {
        directory.discard();
        return undefined;
      }
      directory.putInPlace();
      return { manifest, wasThere: false };
    } catch (error) {
      directory.discard();
      throw error;
    }
  } finally {
    tape.close();
  }
}

const UNFINISHED = 'wait until it is finished, or record again to seal what a killed recorder left';

interface Writing extends Pick<SplitOptions, 'by' | 'onPiece'> {
  readonly tape: Tape;
  readonly directory: PiecesDirectory;
}

async function writePieces({ tape, by, directory, onPiece }: Writing): Promise<Manifest | undefined> {
  const plan = planPieces(tape.markets, by);
  const pieces: TapePiece[] = [];
  for (const [index, planned] of plan.entries()) {
    pieces.push(
      writePiece(tape, planned, { directory: directory.path, file: fileName(index, planned.key, plan.length) }),
    );
    if (!(await onPiece({ pieces: pieces.length, of: plan.length }))) return undefined;
  }
  const manifest = manifestOf(tape, by, pieces);
  const path = join(directory.path, MANIFEST_FILE);
  writing(path, () => {
    writeFileSync(path, manifestText(manifest), { flag: 'wx' });
    flushToDisk(path);
  });
  return manifest;
}

function writePiece(
  tape: Tape,
  { key, markets }: PlannedPiece,
  { directory, file }: { readonly directory: string; readonly file: string },
): TapePiece {
  const path = join(directory, file);
  const writer = TapeWriter.create(path);
  try {
    if (tape.cut !== undefined) writer.markCut(tape.cut);
    for (const market of markets) copyMarket(tape, market, writer);
    const content = writer.finish();
    const { sha256, bytes } = writing(path, () => hashFile(path));
    const held = markets.flatMap((index) => tape.markets[index] ?? []);
    return { file, sha256, content, bytes, key, ...heldBy(held) };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function heldBy(markets: readonly TapeMarket[]): Pick<TapePiece, 'markets' | 'updates' | 'from' | 'to'> {
  const updated = markets.filter(({ updates }) => updates > 0);
  const time = (at: number): string | undefined => (updated.length === 0 ? undefined : new Date(at).toISOString());
  return {
    markets: markets.map(({ facts }) => facts.id),
    updates: markets.reduce((sum, { updates }) => sum + updates, 0),
    from: time(Math.min(...updated.map(({ firstAt }) => firstAt))),
    to: time(Math.max(...updated.map(({ lastAt }) => lastAt))),
  };
}

function manifestOf(tape: Tape, by: PieceKind, pieces: readonly TapePiece[]): Manifest {
  const updates = tape.markets.reduce((sum, market) => sum + market.updates, 0);
  return {
    format: MANIFEST_FORMAT,
    by,
    tape: { content: tape.sha256, markets: tape.markets.length, updates },
    pieces,
  };
}

const KEY_LENGTH_MAX = 60;

/** The number keeps the order and makes the name the only one of its kind; the key is for people. */
function fileName(index: number, key: string, pieces: number): string {
  const digits = Math.max(4, String(pieces).length);
  const words = key.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, KEY_LENGTH_MAX);
  return `${String(index + 1).padStart(digits, '0')}${words === '' ? '' : `-${words}`}.tape`;
}

/** The list at `out` where it and its files are what this split would write; undefined for anything else. */
function samePieces(tape: Tape, by: PieceKind, out: string): Manifest | undefined {
  const manifest = listThere(join(out, MANIFEST_FILE));
  if (manifest === undefined) return undefined;
  const { length } = planPieces(tape.markets, by);
  const isOfTape = manifest.by === by && manifest.tape.content === tape.sha256 && manifest.pieces.length === length;
  if (!isOfTape) return undefined;
  return manifest.pieces.every((piece) => isWhole(join(out, piece.file), piece)) ? manifest : undefined;
}

function isWhole(path: string, { sha256, bytes }: TapePiece): boolean {
  if (!existsSync(path)) return false;
  const found = hashFile(path);
  return found.sha256 === sha256 && found.bytes === bytes;
}

function listThere(path: string): Manifest | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readManifest(path);
  } catch (error) {
    // Another file of this name: that the directory is not free is what the caller then says.
    if (error instanceof TapeFailure) return undefined;
    throw error;
  }
}

/**
 * Copies a market from one tape to another as it is stored, without decoding it. Its content is checked against its hash on the way.
 * @throws TapeFailure TAPE_CORRUPT, TAPE_NOT_WRITABLE
 */
function copyMarket(tape: Tape, market: number, writer: TapeWriter): void {
  const { row, definitions, segments, pictures } = tape.packed(market);
  const key = writer.startPacked();
  const hash = new MarketHash();
  for (const [number, text] of definitions.entries()) {
    hash.definition(text);
    writer.definition(key, number, text);
  }
  let copied = 0;
  for (const segment of segments) {
    if (segment.number !== copied || crc32(segment.bytes) !== segment.crc32)
      throw corrupt(tape, row.id, `segment ${copied} is missing or damaged`);
    hash.segment(segment.bytes);
    writer.segment(key, copied, packed(segment));
    copied += 1;
  }
  for (const picture of pictures) {
    if (crc32(picture.bytes) !== picture.crc32)
      throw corrupt(tape, row.id, `the picture before segment ${picture.number} is damaged`);
    writer.picture(key, picture.number, packed(picture));
  }
  if (copied !== row.segments || hash.digest() !== row.sha256)
    throw corrupt(tape, row.id, 'its hash is not that of its content');
  const { first_at: firstAt, last_at: lastAt, updates, events, segments: count, largest, sha256 } = row;
  const summary = { firstAt, lastAt, updates, events, segments: count, largest, sha256 };
  writer.finishPacked(key, summary, JSON.parse(row.description) as MarketDescription);
}

function packed({ first_at, last_at, first_sequence, updates, events, largest, bytes }: SegmentRow): Segment {
  const times = { firstAt: first_at as Instant, lastAt: last_at as Instant };
  return { ...times, firstSequence: first_sequence, updates, events, largest, bytes };
}

function corrupt({ path }: Tape, id: string, why: string): TapeFailure {
  return new TapeFailure('TAPE_CORRUPT', path, `market ${id}: ${why}`, 'import the recording again');
}

interface PlannedPiece {
  /** The event group, or the day. */
  readonly key: string;
  /** Indexes in the tape, in order. */
  readonly markets: readonly number[];
}

/**
 * A piece for each event group, in the order in which the tape has their first markets; or for each day (UTC), in order of time. The markets of
 * a group stay together: the day of a group is that of its earliest scheduled start.
 */
function planPieces(markets: readonly TapeMarket[], by: PieceKind): readonly PlannedPiece[] {
  const groups = new Map<string, TapeMarket[]>();
  for (const market of markets) {
    const name = eventGroupOf(market.facts);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [market]);
    else group.push(market);
  }
  if (by === 'event') return [...groups].map(([key, group]) => ({ key, markets: group.map(({ index }) => index) }));
  const days = Map.groupBy(groups.values(), dayOf);
  return [...days]
    .map(([key, all]) => ({
      key,
      markets: all
        .flat()
        .map(({ index }) => index)
        .sort((a, b) => a - b),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The day of a group by its first scheduled start; where no market of it has one, its first update counts. */
function dayOf(group: readonly TapeMarket[]): string {
  const starts = group.flatMap(({ facts }) => facts.expectedStartTime ?? []);
  const at = Math.min(...(starts.length > 0 ? starts : group.map(({ firstAt }) => firstAt)));
  return new Date(at).toISOString().slice(0, 10);
}
