/** A tape opened for reading: its markets at once, their updates on request. */

import Database from 'better-sqlite3';
import { defined } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';
import type { RecordedDefinition, RecordedOutcome } from './definition.ts';
import { followed } from './path-kind.ts';
import { PictureTable } from './picture-table.ts';
import { directoryHint, recordingHint } from './recording-hint.ts';
import { contentSha256 } from './tape-content.ts';
import { readRows, TapeCursor } from './tape-cursor.ts';
import { TapeFailure } from './tape-failure.ts';
import { type MarketOutline, readOutline } from './tape-outline.ts';
import {
  APPLICATION_ID,
  type MarketDescription,
  type MarketRow,
  type SegmentRow,
  TAPE_FORMAT,
  type TapeMarket,
  type TapeRecording,
} from './tape-schema.ts';
import { isOurs } from './tape-target.ts';

/** Which updates to read: of all markets where `markets` is absent; publish times with from ≤ time < to. */
export interface CursorRange {
  readonly markets?: readonly number[];
  readonly from?: Instant;
  readonly to?: Instant;
  /**
   * Asked when the first update of a market is to be read: the picture (the segment before which it stands) with which its reading
   * begins, or undefined to read all of it. Not together with `from`.
   */
  readonly pictureOf?: ((market: number) => number | undefined) | undefined;
}

/** What a tape holds of one market, as it is stored. */
export interface PackedMarket {
  readonly row: MarketRow;
  /** Their texts, in order. */
  readonly definitions: readonly string[];
  /** The segments in order; each is read when it is asked for. */
  readonly segments: IterableIterator<SegmentRow>;
  readonly pictures: IterableIterator<SegmentRow>;
}

const CACHE_KIB = 256;

/** Reading does not change the file. Close it when done. */
export class Tape {
  readonly path: string;
  /** The identity of the content: see tape-content.ts. */
  readonly sha256: string;
  readonly markets: readonly TapeMarket[];
  /** Set where the tape is being recorded, or its recorder was killed: it is read as it was at the last commit. */
  readonly unfinished: TapeRecording | undefined;
  /** Set where the recorder was killed and the tape was sealed later. */
  readonly cut: TapeRecording | undefined;
  readonly #database: Database.Database;
  readonly #rows: readonly MarketRow[];
  /** Made once: SQLite takes as long to prepare it as to run it, and a run asks for each of its markets. */
  #selectDefinitions: Database.Statement | undefined;
  #pictures: PictureTable | undefined;

  /** Opens a tape. @throws TapeFailure TAPE_NOT_FOUND, NOT_A_TAPE or TAPE_VERSION */
  static open(path: string): Tape {
    const { kind, words } = followed(path);
    const next = 'check the path, or import a recording';
    if (kind === 'nothing') throw new TapeFailure('TAPE_NOT_FOUND', path, path, next);
    if (kind !== 'file') {
      const detail = kind === 'unreachable' ? words : `it is ${words}`;
      throw new TapeFailure('NOT_A_TAPE', path, detail, kind === 'directory' ? directoryHint(path).next : next);
    }
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return new Tape(path, database);
    } catch (error) {
      database.close();
      if (error instanceof TapeFailure) throw error;
      const why = error instanceof Error ? error.message : String(error);
      if (isOurs(path)) throw new TapeFailure('TAPE_CORRUPT', path, `${path} (${why})`, 'import the recording again');
      const hint = recordingHint(path);
      throw new TapeFailure('NOT_A_TAPE', path, hint?.what ?? `${path} (${why})`, hint?.next ?? next);
    }
  }

  private constructor(path: string, database: Database.Database) {
    this.path = path;
    this.#database = database;
    if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw new TapeFailure('NOT_A_TAPE', path, path, 'check the path, or import a recording');
    }
    // Segments are read once, one after the other: cached pages of them would fill memory and never be used again.
    database.pragma(`cache_size = -${CACHE_KIB}`);
    const version = database.pragma('user_version', { simple: true });
    if (version !== TAPE_FORMAT) {
      throw new TapeFailure(
        'TAPE_VERSION',
        path,
        `format ${version}, not ${TAPE_FORMAT}`,
        'import the recording again',
      );
    }
    // A transaction shows one moment of a tape that is being recorded, so that markets and segments fit together while
    // it is open.
    database.exec('BEGIN');
    this.#rows = database.prepare('SELECT * FROM market ORDER BY position').all() as MarketRow[];
    const stored = new Map(
      (database.prepare('SELECT name, value FROM tape').all() as NamedValue[]).map(({ name, value }) => [name, value]),
    );
    this.unfinished = recordingOf(stored.get('recording'));
    this.cut = recordingOf(stored.get('cut'));
    const sha256 = stored.get('sha256') ?? (this.unfinished === undefined ? undefined : contentSha256(this.#rows));
    if (sha256 === undefined) throw new TapeFailure('NOT_A_TAPE', path, `${path} was not finished`, 'import again');
    this.sha256 = sha256;
    this.markets = this.#rows.map(marketOf);
  }

  /** The identity of what is recorded of one market, which does not hang on the other markets of the tape. */
  marketSha256(market: number): string {
    return contentSha256([this.#row(market)]);
  }

  /**
   * The market's definitions in their order, each with all its outcomes; an outcome that was not listed yet is Hidden.
   */
  definitions(market: number): readonly RecordedDefinition[] {
    const row = this.#row(market);
    const outcomes = defined(this.markets[market], `the tape has no market ${market}`).facts.outcomes.length;
    this.#selectDefinitions ??= this.#database.prepare(
      'SELECT definition FROM definition WHERE key = ? ORDER BY number',
    );
    const select = this.#selectDefinitions;
    const rows = readRows(this.path, () => select.all(row.key) as { definition: string }[]);
    return rows.map(({ definition }) => complete(JSON.parse(definition) as RecordedDefinition, outcomes));
  }

  /**
   * All updates of the requested markets, by (publish time, market, sequence). The caller reads it to the end or drops
   * it.
   */
  cursor(range: CursorRange = {}): TapeCursor {
    const markets = range.markets ?? this.markets.map((market) => market.index);
    const rows = markets.map((market) => this.#row(market));
    const { pictureOf } = range;
    return new TapeCursor(this.#database, this.path, rows, {
      from: range.from ?? Number.NEGATIVE_INFINITY,
      to: range.to ?? Number.POSITIVE_INFINITY,
      pictureOf,
    });
  }

  /**
   * The places where a market's definition changes and where its pictures stand; undefined where it has none. @throws TapeFailure
   * TAPE_CORRUPT
   */
  outline(market: number): MarketOutline | undefined {
    this.#pictures ??= new PictureTable(this.#database);
    return readOutline(this.#pictures, this.#row(market), this.path);
  }

  /** A market's rows as they are stored, for another tape that is to hold the same. */
  packed(market: number): PackedMarket {
    const row = this.#row(market);
    const definitions = this.#database
      .prepare('SELECT definition FROM definition WHERE key = ? ORDER BY number')
      .pluck()
      .all(row.key) as string[];
    const pictures = new PictureTable(this.#database).rows(row.key);
    return { row, definitions, segments: segmentsOf(this.#database, row.key), pictures };
  }

  close(): void {
    this.#database.close();
  }

  #row(market: number): MarketRow {
    return defined(this.#rows[market], `the tape has no market ${market}`);
  }
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Begins to read when the first one is asked for. */
function* segmentsOf(database: Database.Database, key: number): Generator<SegmentRow, void, undefined> {
  const select = database.prepare('SELECT * FROM segment WHERE key = ? ORDER BY number');
  yield* select.iterate(key) as IterableIterator<SegmentRow>;
}

function recordingOf(text: string | undefined): TapeRecording | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as TapeRecording);
}

/** What each description holds; a damaged one may have it under another name. */
const DESCRIBED = ['facts', 'bettingType', 'grade', 'winnerCount', 'source'] as const;

/** @throws Error for a description that lacks what each has, so that its file is damaged */
function marketOf(row: MarketRow): TapeMarket {
  const description = JSON.parse(row.description) as MarketDescription;
  const missing = DESCRIBED.find((key) => description[key] === undefined);
  if (missing !== undefined) throw new Error(`the description of market ${row.position} has no ${missing}`);
  return {
    ...description,
    index: row.position,
    updates: row.updates,
    events: row.events,
    firstAt: row.first_at as Instant,
    lastAt: row.last_at as Instant,
    tradable: description.refusal === undefined,
  };
}

const NOT_YET_LISTED: RecordedOutcome = { status: 'Hidden', isUnlisted: true };

/**
 * Adds the outcomes that a definition does not have. Outcomes are numbered in the order of appearance, so only the last
 * ones are missing.
 */
function complete(definition: RecordedDefinition, outcomes: number): RecordedDefinition {
  const missing = outcomes - definition.outcomes.length;
  if (missing === 0) return definition;
  return {
    ...definition,
    outcomes: [...definition.outcomes, ...Array.from({ length: missing }, () => NOT_YET_LISTED)],
  };
}
