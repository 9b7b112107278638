/** Joins native recordings of the same markets: over midnight, and two recorders of which each has what the other missed. */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MarketFold } from '../../../betfair/wire/fold/market-fold.ts';
import { isRecord } from '../../../betfair/wire/mcm/source-definition.ts';
import { LineFile } from './line-file.ts';
import { nativeLine } from './native-line.ts';
import { readSpans, type Span, writeSpans } from './spans.ts';

export interface Join {
  /** Directories of recorders, which have ended. */
  readonly from: readonly string[];
  /** A directory that is not there yet: it gets one file for each market, over all days, and a proof of its own. */
  readonly out: string;
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
  readonly message: Readonly<Record<string, unknown>>;
}

/** Returns the ids of the markets. What no recorder has stays a gap between two spans. @throws TapeFailure TAPE_NOT_WRITABLE */
export function joinRecordings({ from, out }: Join): readonly string[] {
  const spans = from.map(readSpans);
  const ids = [...new Set(from.flatMap((directory) => filesIn(directory).map(({ id }) => id)))].sort();
  mkdirSync(out);
  for (const id of ids) {
    const file = new LineFile(join(out, id));
    const recorded = from.map((directory) => linesOf(directory, id));
    const sides = recorded.map((lines) => new Side(id, lines));
    const pieces = piecesOf(spans.map((own, recorder) => since(own, recorded[recorder]?.[0]?.at)));
    let lastAt = 0;
    for (const [place, piece] of pieces.entries()) {
      const side = sides[piece.recorder] as Side;
      side.pass(piece.from);
      const isOther = place > 0 && pieces[place - 1]?.recorder !== piece.recorder;
      const image = place === 0 || isOther ? side.image(Math.max(lastAt, piece.from)) : undefined;
      if (image !== undefined) file.add(image);
      for (const { at, text } of side.until(piece.to)) {
        file.add(text);
        lastAt = at;
      }
    }
    file.close();
  }
  writeSpans(out, unionOf(spans.flat()));
  return ids;
}

/** A recorder's lines of one market, and what they add up to. */
class Side {
  readonly #fold: MarketFold;
  readonly #lines: readonly RecordedLine[];
  #next = 0;

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
      for (const change of changesOf(line.message)) this.#fold.apply(change);
      yield line;
    }
  }

  /** Undefined where nothing is known of the market yet. */
  image(at: number): string | undefined {
    return this.#fold.definition === undefined ? undefined : nativeLine(at, undefined, [this.#fold.image()]);
  }
}

/**
 * At each time one recorder that has it; it is kept as long as it has all, and then the one is taken that has all for the longest.
 * Where none has, the lines that there are follow.
 */
function piecesOf(spans: readonly (readonly Span[])[]): readonly Piece[] {
  const all = spans.flatMap((own, recorder) => own.map(({ from, to }) => ({ recorder, from, to })));
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

/** Spans of all recorders as those of one. */
function unionOf(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last === undefined || last.to < span.from) joined.push(span);
    else if (span.to > last.to) joined[joined.length - 1] = { ...span, from: last.from };
  }
  return joined;
}

interface RecordedFile {
  readonly id: string;
  readonly path: string;
}

/** Day by day. */
function filesIn(directory: string): readonly RecordedFile[] {
  const days = readdirSync(directory).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name));
  return days.sort().flatMap((day) =>
    readdirSync(join(directory, day))
      .filter((name) => !name.startsWith('.'))
      .map((id) => ({ id, path: join(directory, day, id) })),
  );
}

function linesOf(directory: string, id: string): readonly RecordedLine[] {
  const paths = filesIn(directory).filter((file) => file.id === id && existsSync(file.path));
  return paths.flatMap(({ path }) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((text) => text.trim() !== '')
      .map((text) => {
        const message: unknown = JSON.parse(text);
        const known = isRecord(message) ? message : {};
        return { at: Number(known['pt']), text: text.trim(), message: known };
      }),
  );
}

function changesOf({ mc }: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(mc) ? mc.filter(isRecord) : [];
}
