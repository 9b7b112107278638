/** Joins native recordings of one market: over midnight, and several recorders of which each has what the others missed. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { MarketFold } from '../../../betfair/wire/fold/market-fold.ts';
import { isRecord } from '../../../betfair/wire/mcm/source-definition.ts';
import { defined } from '../../../core/checks/assert.ts';
import { instant } from '../../../core/number/units.ts';
import type { TapeGap } from '../../tape/tape-schema.ts';
import { unreadable } from '../decompress/file-bytes.ts';
import { recorderOf } from './native-files.ts';
import { nativeLine } from './native-line.ts';
import { endOf, readSpans, type Span } from './spans.ts';

/** A market as its recorders have it together. */
export interface JoinedMarket {
  readonly id: string;
  /** In the order of time. */
  readonly lines: Iterable<string>;
  /** What no recorder has, between the first line and the last. */
  readonly gaps: readonly TapeGap[];
  /** Of all files, and the hash of their bytes. */
  readonly bytes: number;
  readonly sha256: string;
}

/** From one time on, the lines of one recorder are taken. */
interface Piece {
  readonly recorder: number;
  readonly from: number;
  readonly to: number;
}

interface RecordedLine {
  readonly at: number;
  readonly text: string;
}

/** `paths`: files of one market, each below the directory of its recorder. @throws ImportFailure FILE_NOT_FOUND, FILE_UNREADABLE */
export function joinedMarket(paths: readonly string[]): JoinedMarket {
  const hash = createHash('sha256');
  let bytes = 0;
  const ofRecorder = new Map<string, RecordedLine[]>();
  // Day by day, in whatever order the files were named.
  const dayOf = (path: string) => basename(dirname(resolve(path)));
  for (const path of [...paths].sort((one, other) => (dayOf(one) < dayOf(other) ? -1 : 1))) {
    const content = contentOf(path);
    hash.update(content);
    bytes += content.length;
    const directory = defined(recorderOf(path), 'the file of a recorder lies below its directory');
    ofRecorder.set(directory, [...(ofRecorder.get(directory) ?? []), ...linesOf(content)]);
  }
  const id = basename(paths[0] ?? '');
  const recorded = [...ofRecorder.values()];
  const spans = [...ofRecorder].map(([directory, lines]) => since(readSpans(directory), lines[0]?.at));
  return {
    id,
    lines: joinedLines(id, recorded, spans),
    gaps: gapsOf(recorded, spans),
    bytes,
    sha256: hash.digest('hex'),
  };
}

function* joinedLines(
  id: string,
  recorded: readonly (readonly RecordedLine[])[],
  spans: readonly (readonly Span[])[],
): Generator<string> {
  const sides = recorded.map((lines) => new Side(id, lines));
  const pieces = piecesOf(spans);
  let lastAt = 0;
  for (const [place, piece] of pieces.entries()) {
    const side = sides[piece.recorder] as Side;
    // What a recorder took before its first proof is passed on with it.
    if (place > 0) side.pass(piece.from);
    const isOther = place > 0 && pieces[place - 1]?.recorder !== piece.recorder;
    const image = isOther ? side.image(Math.max(lastAt, piece.from)) : undefined;
    if (image !== undefined) yield image;
    for (const { at, text } of side.until(piece.to)) {
      yield text;
      lastAt = at;
    }
  }
}

/** A recorder's lines of one market, and what they add up to. */
class Side {
  readonly #fold: MarketFold;
  readonly #lines: readonly RecordedLine[];
  #next = 0;
  /** How many lines are in the fold: most recordings are joined with nothing, and then none is needed. */
  #folded = 0;

  constructor(id: string, lines: readonly RecordedLine[]) {
    this.#fold = new MarketFold(id);
    this.#lines = lines;
  }

  pass(at: number): void {
    for (const _ of this.until(at));
  }

  /** The next lines up to and with this time. */
  *until(to: number): Generator<RecordedLine> {
    for (let line = this.#lines[this.#next]; line !== undefined && line.at <= to; line = this.#lines[this.#next]) {
      this.#next += 1;
      yield line;
    }
  }

  /** Undefined where nothing is known of the market yet. */
  image(at: number): string | undefined {
    for (const { text } of this.#lines.slice(this.#folded, this.#next))
      for (const change of changesIn(text)) this.#fold.apply(change);
    this.#folded = this.#next;
    return this.#fold.definition === undefined ? undefined : nativeLine(at, undefined, [this.#fold.image()]);
  }
}

/**
 * At each time one recorder that has it; it is kept as long as it has all, and then the one is taken that has all for the longest.
 * Where none has, the lines that there are follow; without any proof, those of the first recorder.
 */
function piecesOf(spans: readonly (readonly Span[])[]): readonly Piece[] {
  const all = spans.flatMap((own, recorder) => own.map(({ from, to }) => ({ recorder, from, to })));
  if (all.length === 0) return [{ recorder: 0, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
  const pieces: Piece[] = [];
  let at = Number.NEGATIVE_INFINITY;
  for (;;) {
    const covering = all.filter(({ from, to }) => from <= at && to > at);
    const next = covering.length > 0 ? covering : earliest(all.filter(({ from }) => from > at));
    const best = next.reduce<Piece | undefined>(
      (one, other) => (one !== undefined && one.to >= other.to ? one : other),
      undefined,
    );
    if (best === undefined) break;
    pieces.push({ ...best, from: Math.max(at, best.from) });
    at = best.to;
  }
  // What was recorded between two spans is no proof, but better than nothing.
  return pieces.map((piece, place) => {
    const next = pieces[place + 1];
    if (next === undefined) return { ...piece, to: Number.POSITIVE_INFINITY };
    return next.recorder === piece.recorder ? { ...piece, to: next.from } : piece;
  });
}

/** A recorder has all of a market since its first line of it. */
function since(spans: readonly Span[], first: number | undefined): readonly Span[] {
  if (first === undefined) return [];
  return spans.filter(({ to }) => to >= first).map((span) => ({ ...span, from: Math.max(span.from, first) }));
}

function earliest(pieces: readonly Piece[]): readonly Piece[] {
  const first = Math.min(...pieces.map(({ from }) => from));
  return pieces.filter(({ from }) => from === first);
}

/** What lies between the spans of all recorders together, from the market's first line to its last. */
function gapsOf(
  recorded: readonly (readonly RecordedLine[])[],
  spans: readonly (readonly Span[])[],
): readonly TapeGap[] {
  const lines = recorded.flat();
  const [first, last] = [smallest(lines.map(({ at }) => at)), -smallest(lines.map(({ at }) => -at))];
  const gaps: TapeGap[] = [];
  let known = { to: first, end: NO_PROOF };
  const missing = (to: number): void => {
    if (to > known.to) gaps.push({ from: instant(known.to), to: instant(to), why: known.end });
  };
  for (const span of spans.flat().sort((one, other) => one.from - other.from)) {
    missing(Math.min(span.from, last));
    if (span.to >= known.to) known = { to: span.to, end: endOf(span) };
  }
  missing(last);
  return gaps;
}

const NO_PROOF = 'the recorder left no proof of what it has';

/** They may be too many for the arguments of a call. */
function smallest(numbers: readonly number[]): number {
  return numbers.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** A line whose time cannot be read follows the one before it: the import says what is wrong with it. */
function linesOf(content: Buffer): readonly RecordedLine[] {
  let at = 0;
  const texts = content.toString('utf8').split('\n');
  return texts.flatMap((text) => {
    if (text.trim() === '') return [];
    at = Number(/"pt":(\d+)/.exec(text)?.[1] ?? at);
    return { at, text: text.trim() };
  });
}

function changesIn(text: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const { mc } = JSON.parse(text);
    return Array.isArray(mc) ? mc.filter(isRecord) : [];
  } catch {
    return [];
  }
}
