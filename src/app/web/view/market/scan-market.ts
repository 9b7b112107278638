/** Reads the updates of a market once: where its parts begin, pictures of its book there, its states and its prices over time. */

import { MergedUpdates, type SourceMarket } from '../../../../backtest/simulation/backtest-source.ts';
import { defined } from '../../../../core/checks/assert.ts';
import { type WinnersRange, winnersOfCount } from '../../../../core/market.ts';
import type { ViewPrices, ViewState } from '../../../../pages/view-data.ts';
import { DEFINITION, recordColumns } from '../../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../../recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../../../recording/tape/definition.ts';
import { BookPicture } from './book-picture.ts';
import { emptyBook, type MarketBook } from './market-book.ts';
import { MarketInstants } from './market-instants.ts';
import { type MarketScale, scaleOf } from './market-scale.ts';
import { PriceStretches } from './price-stretches.ts';

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
