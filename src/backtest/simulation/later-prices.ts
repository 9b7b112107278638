/** Reads the last traded price of each fill's outcome some seconds after the fill: where the market went from there. */

import { NO_TICK } from '../../core/number/ladder.ts';
import type { ModelFill } from '../../simulator/fill-model/fill-listener.ts';
import type { ReplayMarket } from '../../simulator/replay/replay-market.ts';
import type { SimulatedClock } from '../../time/simulated-clock.ts';

/** How long after a fill the price is read. */
const DELAYS_MS = [10_000, 60_000] as const;

interface LaterPricesParts {
  readonly clock: SimulatedClock;
  readonly marketOf: (index: number) => ReplayMarket | undefined;
  /** `delay` is 0 for the first of the delays, 1 for the second. */
  readonly keep: (row: number, delay: 0 | 1, tick: number) => void;
}

/** Costs an update nothing: one timer for each delay, armed while fills wait. */
export class LaterPrices {
  readonly #queues: readonly [WaitingFills, WaitingFills];

  constructor({ clock, marketOf, keep }: LaterPricesParts) {
    const queueOf = (delay: 0 | 1) =>
      new WaitingFills(clock, DELAYS_MS[delay], (row, market, outcome) =>
        keep(row, delay, lastTickOf(marketOf(market), outcome)),
      );
    this.#queues = [queueOf(0), queueOf(1)];
  }

  /** `row` is the fill's in the table of fills. */
  filled(row: number, { at, market, outcome }: ModelFill): void {
    for (const queue of this.#queues) queue.add(row, at, market, outcome);
  }
}

/**
 * The last tick that was traded, by the recording alone; NO_TICK where nothing was traded, and where the market or its recording has ended.
 */
function lastTickOf(market: ReplayMarket | undefined, outcome: number): number {
  const isOver = market === undefined || market.played.hasEnded || market.isCutOff;
  return isOver ? NO_TICK : market.played.book.lastTick(outcome);
}

/** Four numbers are kept of each fill: its row, when its price is due, market and outcome. */
const FIELDS = 4;

/** Fills that wait for one delay, which end in the order in which they began. */
class WaitingFills {
  readonly #clock: SimulatedClock;
  readonly #delayMs: number;
  readonly #read: (row: number, market: number, outcome: number) => void;
  readonly #waiting: number[] = [];
  /** The place where the first fill begins that still waits. */
  #first = 0;

  constructor(clock: SimulatedClock, delayMs: number, read: (row: number, market: number, outcome: number) => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#read = read;
  }

  add(row: number, at: number, market: number, outcome: number): void {
    this.#waiting.push(row, at + this.#delayMs, market, outcome);
    if (this.#waiting.length === this.#first + FIELDS) this.#arm();
  }

  #arm(): void {
    this.#clock.at(this.#dueOfFirst(), this.#due);
  }

  #dueOfFirst(): number {
    return this.#waiting[this.#first + 1] ?? Number.POSITIVE_INFINITY;
  }

  readonly #due = (): void => {
    const now = this.#clock.now();
    while (this.#dueOfFirst() <= now) {
      const from = this.#first;
      this.#first += FIELDS;
      this.#read(this.#waiting[from] ?? 0, this.#waiting[from + 2] ?? 0, this.#waiting[from + 3] ?? 0);
    }
    if (this.#first === this.#waiting.length || this.#first > LET_GO_AFTER) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    if (this.#waiting.length > 0) this.#arm();
  };
}

const LET_GO_AFTER = 4096;
