/** Reads the updates of a market once: where its parts begin, pictures of its book there, its states and its prices over time. */

import { MergedUpdates, type SourceMarket } from '../../../../backtest/simulation/backtest-source.ts';
import { defined } from '../../../../core/checks/assert.ts';
import { type WinnersRange, winnersOfCount } from '../../../../core/market.ts';
import { NO_TICK } from '../../../../core/number/ladder.ts';
import { AGAINST, FOR } from '../../../../core/side.ts';
import type { ViewPriceColumns, ViewPrices, ViewState } from '../../../../pages/view-data.ts';
import { DEFINITION, LEVEL, recordColumns, type UpdateColumns } from '../../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../../recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../../../recording/tape/definition.ts';
import { BookPicture } from './book-picture.ts';
import { emptyBook, type MarketBook } from './market-book.ts';
import { MarketInstants } from './market-instants.ts';
import { type MarketScale, scaleOf } from './market-scale.ts';

export interface ScannedMarket {
  readonly id: string;
  readonly outcomes: number;
  readonly scale: MarketScale;
  /** The number of updates when the recording was scanned: one that goes on has more later. */
  readonly updates: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Publish time of the first update of each part. */
  readonly parts: readonly number[];
  readonly pictures: PartPictures;
  /** The first update of each later tape by the tape's number, as the changes to what was known before it. */
  readonly joins: ReadonlyMap<number, UpdateBuffer>;
  readonly states: readonly ViewState[];
  readonly prices: ViewPrices;
  readonly startsAt: number | undefined;
  readonly winners: WinnersRange;
}

const UPDATES_MAX = 1_000;
const EVENTS_MAX = 20_000;

/** `pause` is awaited again and again, so that the process does other things too. @throws TapeFailure TAPE_CORRUPT */
export async function scanMarket(source: SourceMarket, pause: () => Promise<void>): Promise<ScannedMarket> {
  const scan = new Scan(source);
  while (scan.some()) await pause();
  return scan.result();
}

const NO_DEFINITION = 'an update names a definition of its market';

/** Instants that are read before others have a turn: some milliseconds. */
const INSTANTS = 2_000;

class Scan {
  readonly #source: SourceMarket;
  readonly #definitions: readonly RecordedDefinition[];
  readonly #instants: MarketInstants;
  readonly #scale: MarketScale;
  readonly #book: MarketBook;
  readonly #prices: PriceStretches;
  readonly #pictures: PartPictures;
  readonly #parts: number[] = [];
  readonly #states: ViewState[] = [];
  readonly #joins = new Map<number, UpdateBuffer>();
  /** The later tape that begins with an update, by the update's number. */
  readonly #laterBySequence: ReadonlyMap<number, number>;
  #updates = 0;
  #events = 0;
  #definition: RecordedDefinition | undefined;

  constructor(source: SourceMarket) {
    const { market, tape } = source;
    const outcomes = market.facts.outcomes.length;
    const updates = new MergedUpdates([source]);
    this.#source = source;
    this.#definitions = updates.recorded(source.index).definitions;
    this.#scale = scaleOf(market);
    this.#book = emptyBook(outcomes, this.#scale);
    this.#prices = new PriceStretches(this.#book, this.#scale, market);
    this.#pictures = new PartPictures(this.#scale);
    this.#laterBySequence = firstSequences(source);
    this.#instants = new MarketInstants({
      ...{ outcomes, scale: this.#scale, id: market.facts.id, path: tape.path },
      next: () => updates.nextPrices() ?? updates.next(),
      onUpdate: (update) => {
        const later = this.#laterBySequence.get(update.sequence);
        if (later !== undefined) this.#join(later, update.columns());
      },
    });
  }

  /** Reads on; false at the end. */
  some(): boolean {
    for (let read = 0; read < INSTANTS; read += 1) {
      const at = this.#instants.next();
      if (at === undefined) return false;
      this.#take(at);
    }
    return true;
  }

  result(): ScannedMarket {
    const { market } = this.#source;
    const { facts, updates, firstAt, lastAt } = market;
    return {
      ...{ id: facts.id, outcomes: facts.outcomes.length, scale: this.#scale, updates, firstAt, lastAt },
      parts: this.#parts,
      pictures: this.#pictures,
      joins: this.#joins,
      states: this.#states,
      prices: this.#prices.shown(),
      startsAt: this.#definition?.expectedStartTime ?? facts.expectedStartTime,
      winners: winnersOfCount(this.#definition?.winnerCount ?? market.winnerCount, market.facts.outcomes.length),
    };
  }

  #take(at: number): void {
    const { events } = this.#instants;
    const isFull = this.#updates === UPDATES_MAX || this.#events + events.count > EVENTS_MAX;
    if (this.#parts.length === 0 || (isFull && this.#updates > 0)) this.#beginPart(at);
    this.#updates += 1;
    this.#events += events.count;
    const wasTraded = this.#isTraded;
    this.#prices.moveTo(at, wasTraded);
    recordColumns(events, this.#book);
    this.#define(at);
    if (!this.#isTraded) return;
    if (wasTraded) this.#prices.changed(events);
    else this.#prices.readAll();
  }

  get #isTraded(): boolean {
    return this.#definition?.status === 'Open' && !this.#definition.suspended;
  }

  #beginPart(at: number): void {
    this.#pictures.add(this.#parts.length, this.#book);
    this.#parts.push(at);
    this.#updates = 0;
    this.#events = 0;
  }

  #define(at: number): void {
    const { count, kind, amount } = this.#instants.events;
    const before = this.#definition;
    for (let i = 0; i < count; i += 1)
      if (kind[i] === DEFINITION) this.#definition = defined(this.#definitions[amount[i] ?? 0], NO_DEFINITION);
    if (this.#definition === undefined || this.#definition === before) return;
    const state = stateOf(at, this.#definition);
    if (!isSame(this.#states.at(-1), state)) this.#states.push(state);
  }

  #join(later: number, columns: Parameters<UpdateBuffer['copy']>[0]): void {
    const kept = new UpdateBuffer(1);
    kept.copy(columns);
    this.#joins.set(later, kept);
  }
}

function firstSequences({ market, later = [] }: SourceMarket): ReadonlyMap<number, number> {
  let sequence = market.updates - later.reduce((sum, part) => sum + part.market.updates, 0);
  return new Map(
    later.map((part, place) => {
      const first = sequence;
      sequence += part.market.updates;
      return [first, place + 1];
    }),
  );
}

function stateOf(at: number, definition: RecordedDefinition): ViewState {
  const { status, suspended, inPlayStatus: inPlay, inPlayDelayMs, outcomes } = definition;
  return { at, status, suspended, inPlay, inPlayDelayMs, outcomes: outcomes.map((outcome) => outcome.status) };
}

function isSame(before: ViewState | undefined, state: ViewState): boolean {
  return JSON.stringify({ ...before, at: 0 }) === JSON.stringify({ ...state, at: 0 });
}

/** The most cells of one market: 10 MB. */
const CELLS_MAX = 1_000_000;

/** Pictures of a market's book at the beginning of its parts: of all of them, or of as many as there is room for. */
class PartPictures {
  readonly #scale: MarketScale;
  readonly #cellsMax: number;
  /** The pictures of part 0, and of each `#every`-th after it. */
  #kept: BookPicture[] = [];
  #every = 1;
  #cells = 0;

  constructor(scale: MarketScale, cellsMax = CELLS_MAX) {
    this.#scale = scale;
    this.#cellsMax = cellsMax;
  }

  /** Call it with each part, from the first on. */
  add(part: number, book: MarketBook): void {
    if (part % this.#every !== 0) return;
    const picture = new BookPicture(book, this.#scale);
    this.#kept.push(picture);
    this.#cells += picture.cells;
    while (this.#cells > this.#cellsMax && this.#kept.length > 1) this.#thin();
  }

  /** The nearest picture that is not after the part, and the part that it is of. */
  before(part: number): { readonly part: number; readonly picture: BookPicture } {
    const place = Math.floor(part / this.#every);
    return { part: place * this.#every, picture: defined(this.#kept[place], 'the first part has a picture') };
  }

  #thin(): void {
    this.#kept = this.#kept.filter((_, place) => place % 2 === 0);
    this.#every *= 2;
    this.#cells = this.#kept.reduce((sum, { cells }) => sum + cells, 0);
  }
}

const STRETCHES = 600;
/** Back low and high, lay low and high. */
const CELLS = 4;

/** Least and greatest best prices of a market over its time, in stretches of equal length, and how many updates each has. */
class PriceStretches {
  readonly #book: MarketBook;
  readonly #scale: MarketScale;
  readonly #startAt: number;
  readonly #stretchMs: number;
  readonly #updates: Uint32Array;
  /** The ticks by outcome, stretch and cell. */
  readonly #ticks: Int16Array;
  #stretch = 0;
  /** Whether all outcomes were read in this stretch. */
  #isRead = false;

  constructor(book: MarketBook, scale: MarketScale, span: { readonly firstAt: number; readonly lastAt: number }) {
    const ms = span.lastAt - span.firstAt;
    this.#book = book;
    this.#scale = scale;
    this.#startAt = span.firstAt;
    this.#stretchMs = Math.ceil((ms + 1) / STRETCHES);
    this.#updates = new Uint32Array(Math.floor(ms / this.#stretchMs) + 1);
    this.#ticks = new Int16Array(book.outcomes * this.#updates.length * CELLS).fill(NO_TICK);
  }

  /** Call it before the book changes at this time: what was in force until then counts in each stretch that has begun. */
  moveTo(at: number, isTraded: boolean): void {
    const stretch = Math.floor((at - this.#startAt) / this.#stretchMs);
    while (this.#stretch < stretch) {
      this.#stretch += 1;
      const hadTime = this.#startAt + this.#stretch * this.#stretchMs < at;
      this.#isRead = isTraded && hadTime;
      if (this.#isRead) this.readAll();
    }
    this.#updates[stretch] = (this.#updates[stretch] ?? 0) + 1;
  }

  /** Call it when the market is traded and these levels of its book have changed. */
  changed({ count, kind, outcome }: UpdateColumns): void {
    // A stretch that begins with this very update knows no outcome yet.
    if (!this.#isRead) return this.readAll();
    for (let i = 0; i < count; i += 1) if (kind[i] === LEVEL) this.#read(outcome[i] ?? 0);
  }

  readAll(): void {
    this.#isRead = true;
    for (let outcome = 0; outcome < this.#book.outcomes; outcome += 1) this.#read(outcome);
  }

  shown(): ViewPrices {
    return {
      startAt: this.#startAt,
      stretchMs: this.#stretchMs,
      updates: [...this.#updates],
      outcomes: Array.from({ length: this.#book.outcomes }, (_, outcome) => this.#columnsOf(outcome)),
    };
  }

  #read(outcome: number): void {
    const at = (outcome * this.#updates.length + this.#stretch) * CELLS;
    this.#widen(at, this.#book.bestTick(outcome, AGAINST));
    this.#widen(at + 2, this.#book.bestTick(outcome, FOR));
  }

  #columnsOf(outcome: number): ViewPriceColumns {
    const stretches = this.#updates.length;
    const column = (cell: number): (number | null)[] =>
      Array.from({ length: stretches }, (_, stretch) => {
        const tick = this.#ticks[(outcome * stretches + stretch) * CELLS + cell] ?? NO_TICK;
        return tick === NO_TICK ? null : this.#scale.decimalAt(tick);
      });
    return { backLow: column(0), backHigh: column(1), layLow: column(2), layHigh: column(3) };
  }

  /** The lowest of a stretch is at `low`, the highest beside it. */
  #widen(low: number, tick: number): void {
    if (tick === NO_TICK) return;
    const ticks = this.#ticks;
    if (ticks[low] === NO_TICK || tick < (ticks[low] ?? 0)) ticks[low] = tick;
    if (tick > (ticks[low + 1] ?? 0)) ticks[low + 1] = tick;
  }
}
