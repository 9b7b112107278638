/** One live market on one tape: what it says by now, against what was written of it. */

import { assert } from '../../core/assert.ts';
import { TICK_COUNT } from '../../core/ladder.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { type Instant, instant } from '../../core/units.ts';
import type { RecordedStatus } from '../definition.ts';
import type { MarketDescription, TapeGap } from '../tape-schema.ts';
import { UpdateBuffer } from '../update-buffer.ts';
import type { LiveBook } from './live-book.ts';
import { definitionOf, winnerCount } from './market-definition.ts';
import type { RecordingWriter } from './recording-writer.ts';

export interface RecordedSource {
  /** Of the exchange, without credentials. */
  readonly address: string;
  /** Whether every book that comes says what was traded. */
  readonly knowsTrades: boolean;
  readonly commissionPpm: number;
}

/** A publish time that lies further from its receipt than this is not believed: one of the two clocks is wrong. */
const CLOCKS_APART_MAX_MS = 10_000;

export class MarketRecording {
  readonly book: LiveBook;
  readonly #source: RecordedSource;
  readonly #writer: RecordingWriter;
  readonly #key: number;
  readonly #buffer = new UpdateBuffer();
  /** By outcome, side and tick: the levels as written, and what had been matched by the last book. */
  readonly #levels: Float64Array;
  readonly #matched: Float64Array;
  readonly #traded: Float64Array;
  readonly #gaps: TapeGap[] = [];
  readonly #losses: Record<string, number> = {};
  #knowsMatched = false;
  #definition = '';
  #status: RecordedStatus = 'Initializing';
  #publishedAt = Number.NEGATIVE_INFINITY;

  /** `before` is the same market on the tape of the day before: what it knew of trades goes on. */
  constructor(parts: {
    readonly book: LiveBook;
    readonly writer: RecordingWriter;
    readonly source: RecordedSource;
    readonly before: MarketRecording | undefined;
  }) {
    const { book, writer, source, before } = parts;
    const levels = book.facts.outcomes.length * 2 * TICK_COUNT;
    this.book = book;
    this.#writer = writer;
    this.#source = source;
    this.#levels = new Float64Array(levels);
    this.#traded = new Float64Array(levels);
    this.#matched = before === undefined ? new Float64Array(levels) : before.#matched;
    this.#knowsMatched = before === undefined ? false : before.#knowsMatched;
    assert(this.#matched.length === levels, 'a market keeps its outcomes');
    this.#key = writer.startMarket(() => this.#describe());
  }

  /** Prices came: an update is written even where nothing changed, since that was known then. */
  heardPrices(receivedAt: Instant): void {
    this.#start(receivedAt, this.book.publishedAt);
    this.#writeDefinition();
    this.#writeTrades();
    this.#writeLevels();
    this.#writer.appendUpdate(this.#key, this.#buffer);
  }

  heardStatus(receivedAt: Instant): void {
    this.#start(receivedAt, undefined);
    this.#writeDefinition();
    if (this.#buffer.count > 0) this.#writer.appendUpdate(this.#key, this.#buffer);
  }

  missed(gap: TapeGap): void {
    this.#gaps.push(gap);
    this.#writer.redescribe(this.#key);
  }

  /** Publish times of a market never fall on a tape. An answer over REST has none: it is as new as its receipt. */
  #start(receivedAt: Instant, publishedAt: Instant | undefined): void {
    let at: number = publishedAt ?? receivedAt;
    if (Math.abs(receivedAt - at) > CLOCKS_APART_MAX_MS) {
      this.#lose('publishTimesFarFromReceipt');
      at = receivedAt;
    }
    this.#publishedAt = Math.max(at, this.#publishedAt);
    this.#buffer.start(instant(this.#publishedAt), receivedAt);
  }

  #writeDefinition(): void {
    const definition = definitionOf(this.book, this.#source.commissionPpm, this.#status);
    const text = JSON.stringify(definition);
    if (text === this.#definition) return;
    this.#definition = text;
    this.#status = definition.status;
    this.#buffer.definition(this.#writer.addDefinition(this.#key, definition));
  }

  /**
   * What rose since the last book was traded since then. What was matched before the first book is not: nobody knows
   * when. A price's trades of both sides are one on a tape, told where its first side stands.
   */
  #writeTrades(): void {
    if (!this.#source.knowsTrades) return;
    const isFirst = !this.#knowsMatched;
    this.#knowsMatched = true;
    const hasRisen = this.#findRises();
    if (isFirst) this.#traded.fill(0);
    if (!hasRisen || isFirst) return;
    for (let outcome = 0; outcome < this.book.facts.outcomes.length; outcome += 1) {
      for (let tick = 0; tick < TICK_COUNT; tick += 1) this.#writeTrade(outcome, FOR, tick);
      for (let tick = TICK_COUNT - 1; tick >= 0; tick -= 1) this.#writeTrade(outcome, AGAINST, tick);
    }
  }

  /** Every level of every book is looked at, here and below: plain loops, nothing made. */
  #findRises(): boolean {
    const { book } = this;
    let hasRisen = false;
    let cell = 0;
    for (let row = 0; row < 2 * book.facts.outcomes.length; row += 1) {
      const outcome = row >> 1;
      const side = row % 2 === AGAINST ? AGAINST : FOR;
      for (let tick = 0; tick < TICK_COUNT; tick += 1, cell += 1) {
        const matched = book.matchedAt(outcome, side, tick);
        const before = this.#matched[cell] ?? 0;
        if (matched === before) continue;
        this.#matched[cell] = matched;
        if (matched < before) this.#lose('matchedStakeFell');
        else this.#traded[cell] = matched - before;
        hasRisen ||= matched > before;
      }
    }
    return hasRisen;
  }

  #writeTrade(outcome: number, side: SideIndex, tick: number): void {
    const cell = (outcome * 2 + side) * TICK_COUNT + tick;
    if ((this.#traded[cell] ?? 0) === 0) return;
    const other = (outcome * 2 + (1 - side)) * TICK_COUNT + tick;
    this.#buffer.trade(outcome, tick, (this.#traded[cell] ?? 0) + (this.#traded[other] ?? 0));
    this.#traded[cell] = 0;
    this.#traded[other] = 0;
  }

  /** Decreases first, as a tape wants it. */
  #writeLevels(): void {
    const { book } = this;
    const rises: number[] = [];
    let cell = 0;
    for (let row = 0; row < 2 * book.facts.outcomes.length; row += 1) {
      const outcome = row >> 1;
      const side = row % 2 === AGAINST ? AGAINST : FOR;
      for (let tick = 0; tick < TICK_COUNT; tick += 1, cell += 1) {
        const amount = book.amountAt(outcome, side, tick);
        const before = this.#levels[cell] ?? 0;
        if (amount === before) continue;
        this.#levels[cell] = amount;
        if (amount > before) rises.push(cell);
        else this.#buffer.level(outcome, side, tick, amount);
      }
    }
    for (const risen of rises) {
      const row = Math.floor(risen / TICK_COUNT);
      this.#buffer.level(row >> 1, row % 2, risen % TICK_COUNT, this.#levels[risen] ?? 0);
    }
  }

  #lose(what: string): void {
    this.#losses[what] = (this.#losses[what] ?? 0) + 1;
  }

  #describe(): MarketDescription {
    const { address, knowsTrades } = this.#source;
    return {
      facts: this.book.facts,
      bettingType: 'ODDS',
      grade: knowsTrades ? 'A' : 'A-',
      winnerCount: winnerCount(this.book),
      ...(Object.keys(this.#losses).length === 0 ? {} : { losses: { ...this.#losses } }),
      ...(this.#gaps.length === 0 ? {} : { gaps: [...this.#gaps] }),
      source: { file: address, sha256: '' },
    };
  }
}
