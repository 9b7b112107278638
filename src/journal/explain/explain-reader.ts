/** Reads what explains a run, file by file, and says for which spans it is lost. */

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { ExplainingRecord } from '../../core/run/journal.ts';
import { type ExplainFile, explainFiles, lineIn } from './explain-files.ts';

export interface Explained {
  readonly after: number;
  readonly at: number;
  readonly record: ExplainingRecord;
}

/** A span of the run's clock of which not all is explained, ends included. */
export interface UnexplainedSpan {
  readonly from: number;
  readonly to: number;
  /** Files that were removed because they were too old or too many; else lines that are damaged or could not be written. */
  readonly isRemoved: boolean;
}

/** Bytes that hold the beginning of a line up to its time. */
const BEGINNING = 64;

export class ExplainReader {
  readonly #folder: string;
  readonly #newest: number;
  readonly #unexplained: UnexplainedSpan[] = [];

  /** `newest`: number of the newest file that the journal knows of. */
  constructor(folder: string, newest: number) {
    this.#folder = folder;
    this.#newest = newest;
  }

  /** What was found by `lines` so far. */
  get unexplained(): readonly UnexplainedSpan[] {
    return this.#unexplained;
  }

  *lines(): IterableIterator<Explained> {
    const files = explainFiles(this.#folder);
    const limits = placesBefore(files);
    let before = Number.NEGATIVE_INFINITY;
    let isWhole = true;
    let isRemoved = false;
    let number = 1;
    for (const [index, file] of files.entries()) {
      // Numbers without a gap belong to files that were there one after the other.
      if (file.number !== number) [isWhole, isRemoved] = [false, true];
      number = file.number + 1;
      for (const line of linesOf(file.path, index === files.length - 1)) {
        if (line === undefined || line.record.kind === 'lost') isWhole = false;
        if (line === undefined) continue;
        if (!isWhole) this.#unexplained.push({ from: before, to: line.at, isRemoved });
        [isWhole, isRemoved, before] = [true, false, line.at];
        const { after, at, record } = line;
        if (record.kind !== 'lost') yield { after: Math.min(after, limits[index] ?? after), at, record };
      }
    }
    if (number <= this.#newest) [isWhole, isRemoved] = [false, true];
    if (!isWhole) this.#unexplained.push({ from: before, to: Number.POSITIVE_INFINITY, isRemoved });
  }
}

/** Undefined for a damaged line. What follows the last end of a line in the newest file is still being written. */
function* linesOf(path: string, isNewest: boolean): IterableIterator<ReturnType<typeof lineIn>> {
  const text = textOf(path);
  if (text === undefined) return yield undefined;
  const lines = text.split('\n');
  const rest = lines.pop();
  for (const line of lines) yield lineIn(line);
  if (rest !== '' && !isNewest) yield undefined;
}

/** Undefined where it was removed since the folder was listed. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * For each file the smallest place at which a later one begins. Where a damaged journal was accepted, its records have
 * smaller numbers than before, and lines of earlier files may name higher ones.
 */
function placesBefore(files: readonly ExplainFile[]): readonly number[] {
  const places: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const { path } of files.toReversed()) {
    places.unshift(least);
    least = Math.min(least, firstPlace(path) ?? least);
  }
  return places;
}

function firstPlace(path: string): number | undefined {
  const bytes = Buffer.alloc(BEGINNING);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, bytes, 0, BEGINNING, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const [, after] = /^[0-9a-f]{8} (\d+) -?\d+ /.exec(bytes.toString('latin1')) ?? [];
  return after === undefined ? undefined : Number(after);
}
