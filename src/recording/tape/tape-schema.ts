/** The tape's tables, and what a tape says of each of its markets. */

import type { Grade, MarketFacts } from '../../core/market.ts';
import type { Instant, Money } from '../../core/number/units.ts';

/** In SQLite's `application_id`: the bytes "ODSM". */
export const APPLICATION_ID = 0x4f44534d;
/** In SQLite's `user_version`; raised when an older reader would misread the tape. */
export const TAPE_FORMAT = 1;

/**
 * `segment.key` is what a market's segments and definitions are filed under; `market.position` its index in
 * `Tape.markets`. Blobs stand last, so that the index of a tape is read without them.
 */
export const SCHEMA = `
CREATE TABLE tape (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE market (position INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, id TEXT NOT NULL UNIQUE,
  first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, updates INTEGER NOT NULL, events INTEGER NOT NULL,
  segments INTEGER NOT NULL, largest INTEGER NOT NULL, sha256 TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE definition (key INTEGER NOT NULL, number INTEGER NOT NULL, definition TEXT NOT NULL,
  PRIMARY KEY (key, number)) WITHOUT ROWID;
CREATE TABLE segment (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, number INTEGER NOT NULL,
  first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, first_sequence INTEGER NOT NULL, updates INTEGER NOT NULL,
  events INTEGER NOT NULL, largest INTEGER NOT NULL, crc32 INTEGER NOT NULL, bytes BLOB NOT NULL);
CREATE UNIQUE INDEX segment_of_market ON segment (key, number, first_at, last_at);
`;

/** Where a market came from. `file` is its bare name (`archive.tar!entry` inside an archive). */
export interface TapeSource {
  readonly file: string;
  /** SHA-256 of the outermost file's bytes, hexadecimal; empty of a live exchange, whose address `file` is. */
  readonly sha256: string;
}

/** A time of which a tape does not know what happened, ms UTC by the recorder's clock. */
export interface TapeGap {
  readonly from: Instant;
  readonly to: Instant;
  readonly why: string;
}

/**
 * In a tape that is being recorded, instead of its identity, under `recording` (JSON). It stays where a recorder was
 * killed, until the tape is sealed: then it stands under `cut`.
 */
export interface TapeRecording {
  readonly startedAt: Instant;
  /** All that was heard by then is on the tape. */
  readonly committedAt: Instant;
}

/** Rises of traded volume that were no trades: the exchange valued other currencies anew. Nothing is missing. */
export interface Revaluations {
  /** Updates with such rises. */
  readonly messages: number;
  /** Prices that rose in them. */
  readonly rises: number;
  /** Backer's stake that would have been traded. */
  readonly stake: Money;
}

/** What is said of a market when its last update is written. */
export interface MarketDescription {
  readonly facts: MarketFacts;
  /** 'ODDS', or the source's word for what it is instead. */
  readonly bettingType: string;
  readonly grade: Grade;
  /** How many levels a side the source shows, where it shows the best few; levels beyond are known from earlier. */
  readonly depth?: number;
  /** How many outcomes the market pays, by its last definition. */
  readonly winnerCount: number;
  /** Why the odds simulator refuses the market; absent where it is tradable. */
  readonly refusal?: string;
  /**
   * Of a market whose prices are not the exchange's ladder (a line, a finer ladder): the price of each of its ticks
   * in 10⁻³, in the order of first appearance. Its ticks then name prices and do not order them.
   */
  readonly prices?: readonly number[];
  /** What the import did not take for trades; absent where there was nothing of the kind. */
  readonly revaluations?: Revaluations;
  /** What the import could not keep, by name and count, such as `tradesOffLadder`; absent where nothing was lost. */
  readonly losses?: Readonly<Record<string, number>>;
  readonly source: TapeSource;
  /** When its recorder did not hear of it, in order; absent where it always did, or where the source does not say. */
  readonly gaps?: readonly TapeGap[];
  /** Set where the market was made by a program and never happened: what made it. */
  readonly generated?: string;
}

export interface TapeMarket extends MarketDescription {
  /** Position in `Tape.markets`. */
  readonly index: number;
  readonly updates: number;
  readonly events: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly tradable: boolean;
}

export interface MarketRow {
  readonly position: number;
  readonly key: number;
  readonly id: string;
  readonly first_at: number;
  readonly last_at: number;
  readonly updates: number;
  readonly events: number;
  readonly segments: number;
  readonly largest: number;
  readonly sha256: string;
  readonly description: string;
}

export interface SegmentRow {
  readonly number: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly first_sequence: number;
  readonly updates: number;
  readonly events: number;
  readonly largest: number;
  readonly crc32: number;
  readonly bytes: Uint8Array;
}
