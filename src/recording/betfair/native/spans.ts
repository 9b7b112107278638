/** The proof of a native recording: the spans of time in which it has all that the exchange told, and why each ended. */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../../betfair/wire/mcm/source-definition.ts';
import type { Instant } from '../../../core/number/units.ts';
import { writing } from '../../tape/tape-target.ts';

/** Times are the exchange's, ms UTC. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Why it ended; absent while it is recorded, and where the recorder was killed. */
  readonly end?: string;
}

/** It begins with a point, so that an import of the directory passes it over. */
export const SPANS_FILE = '.spans.json';
const FORMAT = 1;
const KILLED = 'the recorder was killed';

/** Of a directory without a proof there is none: nothing in it is known to be complete. */
export function readSpans(directory: string): readonly Span[] {
  const path = join(directory, SPANS_FILE);
  if (!existsSync(path)) return [];
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const spans = isRecord(parsed) && parsed['format'] === FORMAT ? parsed['spans'] : undefined;
  return Array.isArray(spans) ? spans.filter(isSpan) : [];
}

/** Why it ended. */
export function endOf({ end = KILLED }: Span): string {
  return end;
}

function isSpan(value: unknown): value is Span {
  return isRecord(value) && typeof value['from'] === 'number' && typeof value['to'] === 'number';
}

export class Spans {
  readonly #directory: string;
  readonly #ended: Span[];
  #open: { readonly from: number; to: number } | undefined;
  #isChanged = false;

  constructor(directory: string) {
    this.#directory = directory;
    this.#ended = readSpans(directory).map((span) => ({ ...span, end: endOf(span) }));
  }

  /** All is there until then, and since the beginning of the span. */
  reach(at: Instant): void {
    if (this.#open === undefined) this.#open = { from: at, to: at };
    else if (at > this.#open.to) this.#open.to = at;
    else return;
    this.#isChanged = true;
  }

  end(at: number, why: string): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#ended.push({ from: open.from, to: Math.max(open.from, Math.min(open.to, at)), end: why });
    this.#open = undefined;
    this.#isChanged = true;
  }

  /** Writes them, after the lines that they speak for. */
  write(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    writeSpans(this.#directory, this.#open === undefined ? this.#ended : [...this.#ended, this.#open]);
  }
}

/** @throws TapeFailure TAPE_NOT_WRITABLE */
function writeSpans(directory: string, spans: readonly Span[]): void {
  const path = join(directory, SPANS_FILE);
  writing(path, () => {
    writeFileSync(`${path}.next`, `${JSON.stringify({ format: FORMAT, spans })}\n`);
    renameSync(`${path}.next`, path);
  });
}
