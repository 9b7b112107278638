/** Tapes as one text, piece by piece, to a file or to whoever reads. */

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ExportFormat, exportTape } from '../recording/export.ts';
import { Tape } from '../recording/tape.ts';
import { chunked } from './chunked.ts';
import { CliError } from './cli-error.ts';
import { nearest } from './config/nearest.ts';

/** `ids` empty: all markets. A CSV of several tapes has one heading. @throws TapeFailure, CliError NO_MARKETS */
export function* tapesAsText(
  paths: readonly string[],
  format: ExportFormat,
  ids: readonly string[],
): Generator<string> {
  const tapes: Tape[] = [];
  try {
    for (const path of paths) tapes.push(Tape.open(path));
    checkIds(tapes, ids);
    for (const [index, tape] of tapes.entries()) {
      const markets = tape.markets.filter(({ facts }) => ids.length === 0 || ids.includes(facts.id));
      const pieces = exportTape(tape, format, { markets: markets.map((market) => market.index) });
      if (format === 'csv' && index > 0) pieces.next();
      yield* pieces;
    }
  } finally {
    for (const tape of tapes) tape.close();
  }
}

function checkIds(tapes: readonly Tape[], ids: readonly string[]): void {
  const known = tapes.flatMap((tape) => tape.markets.map(({ facts }) => facts.id));
  for (const id of ids) {
    if (known.includes(id)) continue;
    const near = nearest(id, known);
    throw new CliError({
      code: 'NO_MARKETS',
      what: `No market ${id} is in ${tapes.length === 1 ? 'the tape' : 'the tapes'}.`,
      next: near === undefined ? 'See oddsmith tape info for their ids.' : `Did you mean ${near}?`,
    });
  }
}

/** @throws CliError FILE_NOT_WRITABLE, and what the pieces throw */
export async function writeText(file: string, pieces: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(chunked(pieces)), createWriteStream(file));
  } catch (error) {
    // The system's own failures name a call; the pieces' failures know better what they are.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CliError({
      code: 'FILE_NOT_WRITABLE',
      what: 'The file could not be written.',
      where: file,
      why: error.message,
      next: 'Name another file with --out.',
    });
  }
}
