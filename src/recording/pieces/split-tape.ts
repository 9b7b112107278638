/** Splits a tape into pieces, each a tape of its own, with a list of them and their hashes. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tape } from '../tape/tape.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import type { TapeMarket } from '../tape/tape-schema.ts';
import { flushToDisk, writing } from '../tape/tape-target.ts';
import { TapeWriter } from '../tape/tape-writer.ts';
import { copyMarket } from './copy-market.ts';
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
import { type PlannedPiece, planPieces } from './piece-plan.ts';
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
