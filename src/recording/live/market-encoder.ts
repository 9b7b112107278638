/** Turns one live market into updates: its present state compared with what was written last. */

import { TICK_COUNT } from '../../core/number/ladder.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { DEFINITION, eventsOf, TRADE } from '../segment/update.ts';
import type { UpdateBuffer } from '../segment/update-buffer.ts';
import type { RecordedDefinition, RecordedStatus } from '../tape/definition.ts';
import type { LiveBook } from './live-book.ts';
import { definitionOf } from './market-definition.ts';

/** What a live source's books contain, and which times its updates bear. */
export interface EncodedSource {
  /** Whether every book that comes includes traded volume. */
  readonly knowsTrades: boolean;
  readonly commissionPpm: number;
  /**
   * `published`: an update bears the exchange's time where it has one. `received`: it always bears the time of its
   * receipt, so that a replay of a run's own tape plays each update at the instant at which the run received it.
   */
  readonly times: 'published' | 'received';
}

/**
 * A publish time that differs from its receipt by more than this, in ms, is not believed: one of the two clocks is
 * wrong.
 */
const CLOCKS_APART_MAX_MS = 10_000;
const NO_LOSSES: Readonly<Record<string, number>> = {};

/** Encodes one market across all tapes of a recorder; the numbers of its definitions count over all of them. */
export class MarketEncoder {
  readonly book: LiveBook;
  /** All definitions so far; each change appends one. */
  readonly definitions: RecordedDefinition[] = [];
  readonly #source: EncodedSource;
  /** The level of each outcome, side and tick as last written, and the volume matched by the last book. */
  #levels = new Float64Array(0);
  #matched = new Float64Array(0);
  #traded = new Float64Array(0);
  #knowsMatched = false;
  #definition = '';
  #status: RecordedStatus = 'Initializing';
  #publishedAt = Number.NEGATIVE_INFINITY;
  #losses: Record<string, number> | undefined;

  constructor(book: LiveBook, source: EncodedSource) {
    this.book = book;
    this.#source = source;
  }

  /**
   * Writes an update for new prices. It is written even where nothing changed, because that nothing changed is known
   * now.
   */
  encodePrices(update: UpdateBuffer, receivedAt: Instant): void {
    this.#reserve();
    this.#start(update, receivedAt, this.book.publishedAt);
    this.#appendDefinition(update);
    this.#appendTrades(update);
    this.#appendLevels(update);
  }

  encodeStatus(update: UpdateBuffer, receivedAt: Instant): void {
    this.#start(update, receivedAt, undefined);
    this.#appendDefinition(update);
  }

  /**
   * Writes the same update for a reader that knows nothing before it: the definition in force, the update's trades, and
   * all levels.
   */
  picture(update: UpdateBuffer, into: UpdateBuffer): void {
    into.start(update.publishedAt, update.receivedAt);
    into.definition(this.definitions.length - 1);
    for (const { kind, outcome, tick, amount } of eventsOf(update))
      if (kind === TRADE) into.trade(outcome, tick, amount);
    for (let cell = 0; cell < this.#levels.length; cell += 1) {
      const amount = this.#levels[cell] ?? 0;
      const row = Math.floor(cell / TICK_COUNT);
      if (amount > 0) into.level(row >> 1, row % 2, cell % TICK_COUNT, amount);
    }
  }

  /** What could not be kept since the last call, as counts by name. */
  drainLosses(): Readonly<Record<string, number>> {
    const losses = this.#losses ?? NO_LOSSES;
    this.#losses = undefined;
    return losses;
  }

  /** Frees the levels of a market that has ended: they are not needed any more, and take much memory. */
  free(): void {
    this.#levels = new Float64Array(0);
    this.#matched = new Float64Array(0);
    this.#traded = new Float64Array(0);
    this.#knowsMatched = false;
  }

  #reserve(): void {
    const cells = this.book.facts.outcomes.length * 2 * TICK_COUNT;
    if (this.#levels.length === cells) return;
    this.#levels = new Float64Array(cells);
    this.#matched = new Float64Array(cells);
    this.#traded = new Float64Array(cells);
  }

  /**
   * Starts an update. Publish times of a market never decrease on a tape. A REST response has no publish time: its
   * receipt counts.
   */
  #start(update: UpdateBuffer, receivedAt: Instant, publishedAt: Instant | undefined): void {
    let at: number = this.#source.times === 'received' ? receivedAt : (publishedAt ?? receivedAt);
    if (Math.abs(receivedAt - at) > CLOCKS_APART_MAX_MS) {
      this.#lose('publishTimesFarFromReceipt');
      at = receivedAt;
    }
    this.#publishedAt = Math.max(at, this.#publishedAt);
    update.start(instant(this.#publishedAt), receivedAt);
  }

  #appendDefinition(update: UpdateBuffer): void {
    const definition = definitionOf(this.book, this.#source.commissionPpm, this.#status);
    const text = JSON.stringify(definition);
    if (text === this.#definition) return;
    this.#definition = text;
    this.#status = definition.status;
    this.definitions.push(definition);
    update.push(DEFINITION, 0, 0, 0, this.definitions.length - 1);
  }

  /**
   * Appends trades: what rose since the last book was traded since then. What was matched before the first book is left
   * out, because its times are unknown. A tape has one trade for both sides of a price, listed where the first of the
   * two sides stands.
   */
  #appendTrades(update: UpdateBuffer): void {
    if (!this.#source.knowsTrades) return;
    const isFirst = !this.#knowsMatched;
    this.#knowsMatched = true;
    const hasRisen = this.#findRises();
    if (isFirst) this.#traded.fill(0);
    if (!hasRisen || isFirst) return;
    for (let outcome = 0; outcome < this.book.facts.outcomes.length; outcome += 1) {
      for (let tick = 0; tick < TICK_COUNT; tick += 1) this.#appendTrade(update, outcome, FOR, tick);
      for (let tick = TICK_COUNT - 1; tick >= 0; tick -= 1) this.#appendTrade(update, outcome, AGAINST, tick);
    }
  }

  /** Looks at every level of every book, as the functions below do: plain loops that make no objects. */
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

  #appendTrade(update: UpdateBuffer, outcome: number, side: SideIndex, tick: number): void {
    const cell = (outcome * 2 + side) * TICK_COUNT + tick;
    if ((this.#traded[cell] ?? 0) === 0) return;
    const other = (outcome * 2 + (1 - side)) * TICK_COUNT + tick;
    update.trade(outcome, tick, (this.#traded[cell] ?? 0) + (this.#traded[other] ?? 0));
    this.#traded[cell] = 0;
    this.#traded[other] = 0;
  }

  /** Appends changed levels, decreases first, as a tape requires. */
  #appendLevels(update: UpdateBuffer): void {
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
        else update.level(outcome, side, tick, amount);
      }
    }
    for (const risen of rises) {
      const row = Math.floor(risen / TICK_COUNT);
      update.level(row >> 1, row % 2, risen % TICK_COUNT, this.#levels[risen] ?? 0);
    }
  }

  #lose(what: string): void {
    this.#losses ??= {};
    this.#losses[what] = (this.#losses[what] ?? 0) + 1;
  }
}
