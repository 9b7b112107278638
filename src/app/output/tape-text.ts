/** Tapes as one text, in pieces, and that text written to a file. */

import { closeSync, openSync, readSync } from 'node:fs';
import { nearest } from '../../core/collections/nearest.ts';
import { type ExportFormat, exportTape } from '../../recording/export.ts';
import { named } from '../../recording/tape/path-kind.ts';
import { Tape } from '../../recording/tape/tape.ts';
import { CliError } from '../cli/cli-error.ts';
import { checkReplaceable, NotReplaceable, replaceFile } from '../cli/replace-file.ts';

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

/**
 * Replaces a text file once the new text is whole; refuses to replace a tape or anything that is no regular file.
 * @throws CliError FILE_NOT_WRITABLE, and what the pieces throw
 */
export async function writeText(file: string, pieces: Iterable<string>): Promise<void> {
  try {
    checkReplaceable(file);
    if (isDatabase(file)) throw new NotReplaceable(`${file} is a tape, or another database`);
    replaceFile(file, pieces);
  } catch (error) {
    // Failures of the system are explained here; those of the pieces explain themselves.
    if (!(error instanceof NotReplaceable) && !(error instanceof Error && 'syscall' in error)) throw error;
    throw new CliError({
      code: 'FILE_NOT_WRITABLE',
      what: 'The file could not be written.',
      where: file,
      why: error.message,
      next: 'Name another file with --out, or leave --out out: the text goes to stdout then.',
    });
  }
}

const SQLITE = 'SQLite format 3';

function isDatabase(path: string): boolean {
  if (named(path).kind === 'nothing') return false;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(SQLITE.length);
    readSync(file, head, 0, SQLITE.length, 0);
    return head.toString('latin1') === SQLITE;
  } finally {
    closeSync(file);
  }
}
