/** The tape's tables, and how a tape describes each of its markets. */

import type { Grade, MarketFacts } from '../../core/market.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import type { Instant, Money } from '../../core/number/units.ts';

/** SQLite's `application_id` of a tape: the bytes "ODSM". */
export const APPLICATION_ID = 0x4f44534d;
/** SQLite's `user_version` of a tape; raised when an older reader would misread the format. */
export const TAPE_FORMAT = 1;

/**
 * A market's segments and definitions are filed under `segment.key`; `market.position` is its index in `Tape.markets`.
 * Blobs stand last, so that the index of a tape is read without them. A tape may have a table more: see picture-table.ts.
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

/** Where a market came from. `file` is the file's bare name (`archive.tar!entry` inside an archive). */
export interface TapeSource {
  /** The file's bare name, `archive.tar!entry` inside an archive, or the address of a live exchange. */
  readonly file: string;
  /** SHA-256 of the outermost file's bytes, hexadecimal; empty for a live exchange, whose address `file` is. */
  readonly sha256: string;
}

/** A time for which a tape does not know what happened, in ms UTC by the recorder's clock. */
export interface TapeGap {
  /** When the last prices before it came, ms UTC by the recorder's clock. */
  readonly from: Instant;
  /** When prices came again. */
  readonly to: Instant;
  /** What was wrong, in words. */
  readonly why: string;
}

/**
 * Stands in a tape that is being recorded, instead of its identity, under `recording` (JSON). If the recorder is killed
 * it stays until the tape is sealed; from then on it stands under `cut`.
 */
export interface TapeRecording {
  readonly startedAt: Instant;
  /** Everything received by then is on the tape. */
  readonly committedAt: Instant;
}

/** Rises of traded volume that were no trades: the exchange revalued other currencies. Nothing is missing. */
export interface Revaluations {
  /** How many updates had such rises. */
  readonly messages: number;
  /** How many prices rose in them. */
  readonly rises: number;
  /** Backer's stake that would have been traded, had they been trades. */
  readonly stake: Money;
}

/**
 * What a source says of a market that only an exchange which plays the recording needs, as the source says it. Each is
 * absent where the source does not say it, or where an importer of before left it out.
 */
export interface SourceFacts {
  /** The source's id of the sport, such as `7`. */
  readonly eventTypeId?: string;
  readonly timezone?: string;
  readonly openDate?: string;
  readonly raceType?: string;
  /** Whether there are bets at the starting price. */
  readonly bspMarket?: boolean;
  /** Whether an order may stay when the market turns in play. */
  readonly persistenceEnabled?: boolean;
  readonly discountAllowed?: boolean;
}

/** Version of the rules by which recordings are imported: raised when the same recording gives other updates. */
export const IMPORT_VERSION = 2;

/** Whether the market is of a recording that was imported, and neither recorded here nor made. */
export function isImported({ source, generated }: MarketDescription): boolean {
  return source.sha256 !== '' && generated === undefined;
}

/** Whether it was imported by rules of before. */
export function isImportedBefore(market: MarketDescription): boolean {
  return isImported(market) && (market.importVersion ?? 1) < IMPORT_VERSION;
}

/** What is stored about a market when its last update is written. */
export interface MarketDescription {
  readonly facts: MarketFacts;
  /** 'ODDS', or the source's word for another type. */
  readonly bettingType: string;
  /** How complete its recording is, and so what can fill on it. */
  readonly grade: Grade;
  /**
   * How many levels of each side the source shows, where it shows the best few; levels beyond are known from earlier
   * updates.
   */
  readonly depth?: number;
  /** How many outcomes the market pays, by its last definition. */
  readonly winnerCount: number;
  /** Why the odds simulator refuses the market; absent where it is tradable. */
  readonly refusal?: string;
  /**
   * The price of each tick in 10⁻³, in the order of first appearance, for a market whose prices are not the exchange's
   * ladder (a line, a finer ladder). Such ticks name prices and do not order them.
   */
  readonly prices?: readonly number[];
  /** What the import did not take for trades; absent where there was nothing of the kind. */
  readonly revaluations?: Revaluations;
  /** What the import could not keep, by name and count, such as `tradesOffLadder`; absent where nothing was lost. */
  readonly losses?: Readonly<Record<string, number>>;
  /** The smallest order that the exchange took, as it told its recorder; absent where there was none, or nobody told. */
  readonly minimumStake?: MinimumStake;
  readonly source: TapeSource;
  /** Absent on a tape of before, and where the source says nothing of the kind. */
  readonly sourceFacts?: SourceFacts;
  /**
   * The version of the rules by which the recording was imported; absent for 1, which noted none, and for a market that was not imported.
   */
  readonly importVersion?: number;
  /**
   * When its recorder may have missed data, in order of time; absent where it never did, or where the source does not
   * say.
   */
  readonly gaps?: readonly TapeGap[];
  /** Set where the market is synthetic: the program that made it. */
  readonly generated?: string;
}

/** A market as a tape's index lists it. */
export interface TapeMarket extends MarketDescription {
  /** The market's index in `Tape.markets`. */
  readonly index: number;
  readonly updates: number;
  readonly events: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly tradable: boolean;
}

/** A row of the table `market`. */
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

/** A row of the table `segment`, or of `picture`. */
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
