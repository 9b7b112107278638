/** Packs one market's updates into rows of a tape, whether the tape is written here or by another thread. */

import { assert } from '../../core/checks/assert.ts';
import { type Segment, SegmentWriter } from '../segment/segment.ts';
import type { UpdateColumns } from '../segment/update.ts';
import type { RecordedDefinition } from './definition.ts';
import { PicturePacker } from './picture-packer.ts';
import { MarketHash } from './tape-content.ts';
import type { MarketDescription } from './tape-schema.ts';

/**
 * A segment is closed at the first of these limits: small enough to be loaded on its own, large enough to be read
 * efficiently.
 */
const SEGMENT_EVENTS = 4096;
const SEGMENT_UPDATES = 4096;

/** A market that is being written; the key identifies it in every call. */
export type MarketKey = number;

/**
 * Receives the updates of markets, one market after another or interleaved; those of one market in the order of their
 * times.
 */
export interface MarketWriter {
  /** Opens a market for writing. Its description is given at the end, to `finishMarket`. */
  startMarket(): MarketKey;
  /** Adds a definition and returns its index, for the `amount` of a DEFINITION event. */
  addDefinition(key: MarketKey, definition: RecordedDefinition): number;
  /** Appends one update; its `market` and `sequence` are ignored, because the writer counts itself. */
  appendUpdate(key: MarketKey, update: UpdateColumns): void;
  /** Finishes a market. @throws TapeFailure DUPLICATE_MARKET; the market is still open then, and may be discarded */
  finishMarket(key: MarketKey, description: MarketDescription): void | Promise<void>;
  /** Discards a market that was started and not finished. */
  discardMarket(key: MarketKey): void;
}

/** The receiver of packed rows; their numbers count from 0 in each market. */
export interface MarketRows {
  definition(key: MarketKey, number: number, text: string): void;
  segment(key: MarketKey, number: number, segment: Segment): void;
  /** `number`: of the segment before which the picture stands. */
  picture(key: MarketKey, number: number, picture: Segment): void;
}

/** What the tape's index says about a market, beside its description. */
export interface MarketSummary {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly updates: number;
  readonly events: number;
  readonly segments: number;
  /** The number of events of the largest update. */
  readonly largest: number;
  readonly sha256: string;
}

/** Collects one market's updates and hands full segments to `rows`. */
export class MarketPacker {
  readonly #key: MarketKey;
  readonly #rows: MarketRows;
  readonly #segment = new SegmentWriter();
  readonly #hash = new MarketHash();
  readonly #pictures = new PicturePacker();
  #bytes = 0;
  #definitions = 0;
  #updates = 0;
  #events = 0;
  #segments = 0;
  #largest = 0;
  #firstAt = 0;
  #lastAt = 0;

  constructor(key: MarketKey, rows: MarketRows) {
    this.#key = key;
    this.#rows = rows;
  }

  addDefinition(definition: RecordedDefinition): number {
    const text = JSON.stringify(definition);
    const number = this.#definitions;
    this.#rows.definition(this.#key, number, text);
    this.#hash.definition(text);
    this.#definitions = number + 1;
    return number;
  }

  append(update: UpdateColumns): void {
    assert(this.#updates === 0 || update.publishedAt >= this.#lastAt, 'a market is written in order of time');
    if (this.#updates === 0) this.#firstAt = update.publishedAt;
    this.#lastAt = update.publishedAt;
    if (this.#segment.updates === 0 && this.#pictures.isDue(this.#bytes))
      this.#rows.picture(this.#key, this.#segments, this.#pictures.pack());
    this.#pictures.append(update);
    this.#segment.append(update, this.#updates);
    this.#updates += 1;
    this.#events += update.count;
    if (this.#segment.events >= SEGMENT_EVENTS || this.#segment.updates >= SEGMENT_UPDATES) this.#flush();
  }

  /** Packs what is left and returns the summary of the market. */
  end(): MarketSummary {
    if (this.#segment.updates > 0) this.#flush();
    if (this.#pictures.hasPictures) this.#rows.picture(this.#key, this.#segments, this.#pictures.end());
    return {
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      updates: this.#updates,
      events: this.#events,
      segments: this.#segments,
      largest: this.#largest,
      sha256: this.#hash.digest(),
    };
  }

  #flush(): void {
    const segment = this.#segment.pack();
    this.#hash.segment(segment.bytes);
    this.#bytes += segment.bytes.length;
    this.#largest = Math.max(this.#largest, segment.largest);
    this.#rows.segment(this.#key, this.#segments, segment);
    this.#segments += 1;
  }
}
