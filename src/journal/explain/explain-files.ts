/** The files in which the explanations of a run stand: their names, which of them are kept, and the form of a line. */

import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ExplainingRecord } from '../../core/run/journal.ts';

/** How much of its explanations a run keeps. */
export interface ExplainLimits {
  readonly keepBytes: number;
  readonly keepDays: number;
}

export const EXPLAIN_DEFAULTS: ExplainLimits = { keepBytes: 1_000_000_000, keepDays: 30 };

/** A record that explains, or the number of those that could not be written here. */
export interface ExplainLine {
  /** The sequence of the last record of the journal before it. */
  readonly after: number;
  /** An instant on the run's clock, ms UTC. */
  readonly at: number;
  readonly record: ExplainingRecord | LostLines;
}

export interface LostLines {
  readonly kind: 'lost';
  readonly lines: number;
}

export interface ExplainFile {
  readonly path: string;
  /** Counts up from 1 over the whole run: where the first one is missing, older files were removed. */
  readonly number: number;
  /** Day of its first line on the run's clock, counted from 1970. */
  readonly day: number;
}

/** A file is read whole, so it stays small; and so many make up what is kept, so that the oldest part goes a bit at a time. */
const FILE_BYTES_MAX = 16_000_000;
const FILES_KEPT = 8;
const DAY_MS = 86_400_000;
const NAME = /^(\d{6,})\.(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** The oldest first; none where there is no folder. */
export function explainFiles(folder: string): readonly ExplainFile[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const files = readdirSync(folder).flatMap((name) => {
    const [, number, day] = NAME.exec(name) ?? [];
    if (number === undefined || day === undefined) return [];
    return [{ path: join(folder, name), number: Number(number), day: dayOf(Date.parse(day)) }];
  });
  return files.sort((a, b) => a.number - b.number);
}

export function explainFile(folder: string, { number, at }: { readonly number: number; readonly at: number }) {
  const day = new Date(at).toISOString().slice(0, 10);
  return { path: join(folder, `${String(number).padStart(6, '0')}.${day}.jsonl`), number, day: dayOf(at) };
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** The size at which a file is followed by the next. */
export function fileBytes({ keepBytes }: ExplainLimits): number {
  return Math.min(FILE_BYTES_MAX, Math.floor(keepBytes / FILES_KEPT));
}

/** Removes what is too old, and so much that a whole further file has room. */
export function removeOldest(folder: string, limits: ExplainLimits, today: number): void {
  const files = explainFiles(folder);
  const sizes = files.map(({ path }) => statSync(path).size);
  let total = sizes.reduce((sum, size) => sum + size, fileBytes(limits));
  for (const [index, { path, day }] of files.entries()) {
    if (total <= limits.keepBytes && day >= today - limits.keepDays) return;
    rmSync(path, { force: true });
    total -= sizes[index] ?? 0;
  }
}

/** Checksum, place, time, record: a line that was damaged is known by itself, and costs no other. */
export function lineText({ after, at, record }: ExplainLine): string {
  const words = `${after} ${at} ${JSON.stringify(record)}`;
  return `${sumOf(words)} ${words}\n`;
}

/** Undefined for a damaged line. */
export function lineIn(text: string): ExplainLine | undefined {
  const [, sum, words, after, at, body] = /^([0-9a-f]{8}) ((\d+) (-?\d+) (.*))$/.exec(text) ?? [];
  if (words === undefined || body === undefined || sumOf(words) !== sum) return undefined;
  return { after: Number(after), at: Number(at), record: JSON.parse(body) as ExplainLine['record'] };
}

function sumOf(words: string): string {
  return crc32(words).toString(16).padStart(8, '0');
}
