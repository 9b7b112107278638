/** Reads updates and marks how much processor time those take that open, change or close a market, with all that follows from them. */

import { MergedUpdates, type SourceMarket, type UpdateSource } from '../../src/backtest/simulation/backtest-source.ts';
import { defined } from '../../src/core/checks/assert.ts';
import type { Instant } from '../../src/core/number/units.ts';
import type { PendingUpdate } from '../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { RecordedMarket } from '../../src/simulator/replay/played-market.ts';
import { median, Stopwatch } from './figure.ts';

type Part = 'opening' | 'changing' | 'closing';

/** Seconds by what an update did, and how many did it. */
export interface Marks {
  readonly seconds: Record<Part, number>;
  readonly times: Record<Part, number>;
}

interface Watched {
  readonly updates: number;
  readonly definitions: readonly RecordedDefinition[];
}

/** What there is to know of each market, by its index in the run: read beforehand, so that no mark pays for it. */
export function watchedMarkets(markets: readonly SourceMarket[]): ReadonlyMap<number, Watched> {
  return new Map(
    markets.map(({ index, tape, market }) => [
      index,
      { updates: market.updates, definitions: tape.definitions(market.index) },
    ]),
  );
}

/**
 * A mark begins when such an update is handed out and ends when the next one is asked for: between the two it is folded, decided
 * on, judged, executed and logged. Prices alone are not marked. What it takes to mark is measured before, and taken off.
 */
export class MarkedSource implements UpdateSource {
  readonly marks: Marks;
  readonly #inner: MergedUpdates;
  readonly #watched: ReadonlyMap<number, Watched>;
  readonly #defined = new Map<number, number>();
  readonly #costOfMark: number;
  #part: Part | undefined;
  #watch = new Stopwatch();

  constructor(markets: readonly SourceMarket[], watched: ReadonlyMap<number, Watched>) {
    this.#inner = new MergedUpdates(markets);
    this.#watched = watched;
    this.#costOfMark = costOfMark();
    this.marks = { seconds: { opening: 0, changing: 0, closing: 0 }, times: { opening: 0, changing: 0, closing: 0 } };
  }

  get startAt(): Instant {
    return this.#inner.startAt;
  }

  get index(): number {
    return this.#inner.index;
  }

  next(): PendingUpdate | undefined {
    this.#end();
    return this.#begun(this.#inner.next());
  }

  nextPrices(): PendingUpdate | undefined {
    this.#end();
    return this.#begun(this.#inner.nextPrices());
  }

  recorded(index: number): RecordedMarket {
    return this.#inner.recorded(index);
  }

  #begun(update: PendingUpdate | undefined): PendingUpdate | undefined {
    if (update === undefined) return update;
    const { updates, definitions } = defined(this.#watched.get(this.index), 'the market is one of the run');
    const isLast = update.sequence + 1 === updates;
    if (!update.isDefinition && update.sequence > 0 && !isLast) return update;
    const number = this.#defined.get(this.index) ?? 0;
    if (update.isDefinition) this.#defined.set(this.index, number + 1);
    const status = update.isDefinition ? definitions[number]?.status : undefined;
    const closes = isLast || status === 'Settled' || status === 'Voided';
    this.#part = update.sequence === 0 ? 'opening' : closes ? 'closing' : 'changing';
    this.#watch = new Stopwatch();
    return update;
  }

  #end(): void {
    const part = this.#part;
    if (part === undefined) return;
    this.marks.seconds[part] += Math.max(0, this.#watch.seconds() - this.#costOfMark);
    this.marks.times[part] += 1;
    this.#part = undefined;
  }
}

/** Seconds that a mark shows where nothing happens between its two looks at the clock. */
function costOfMark(): number {
  return median(Array.from({ length: 99 }, () => new Stopwatch().seconds()));
}
