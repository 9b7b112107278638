/** Keeps the prices of markets with own orders over time, in a few stretches each, for the report of a run. */

import type { MarketState } from '../../core/market-state.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import { AGAINST, FOR } from '../../core/side.ts';
import type { MarketPrices, MarketStateChange } from '../../result/market-prices.ts';

/** When a market goes on longer than these hold, each becomes twice as long. */
const STRETCHES = 240;
const FIRST_STRETCH_MS = 250;
/** Prices are read at most this often in each stretch: a market in play has hundreds of updates a second. */
const READINGS = 8;
/** Outcomes with orders of one run whose prices are kept. A stretch of one takes 8 bytes: 4 MB in all. */
const OUTCOMES_MAX = 2000;
const STATES_MAX = 200;

/** An update of a market without own orders costs one look into an array. */
export class PriceHistory {
  /** The tracks by index of the market, while it goes on. */
  readonly #going: (MarketTrack | undefined)[] = [];
  readonly #ended: MarketPrices[] = [];
  #outcomes = 0;

  /** An order was sent: from now on the prices of its outcome are kept. */
  sent(at: number, outcome: number, market: MarketState): void {
    let track = this.#going[market.index];
    if (track?.has(outcome) === true || this.#outcomes >= OUTCOMES_MAX) return;
    if (track === undefined) {
      track = new MarketTrack(at, market);
      this.#going[market.index] = track;
    }
    this.#outcomes += 1;
    track.add(outcome, at, market);
  }

  updated(at: number, market: MarketState): void {
    const track = this.#going[market.index];
    if (track !== undefined) track.updated(at, market);
  }

  marketEnded(index: number): void {
    const track = this.#going[index];
    if (track === undefined) return;
    this.#going[index] = undefined;
    this.#ended.push(track.kept());
  }

  /** The prices of the markets that have ended. */
  get kept(): readonly MarketPrices[] {
    return this.#ended;
  }
}

interface OutcomeTrack {
  readonly outcome: number;
  readonly id: string;
  /** Four cells a stretch: back low and high, lay low and high. */
  readonly ticks: Int16Array;
}

const CELLS = 4;

class MarketTrack {
  readonly #marketId: string;
  readonly #startAt: number;
  readonly #outcomes: OutcomeTrack[] = [];
  readonly #states: MarketStateChange[] = [];
  #stretchMs = FIRST_STRETCH_MS;
  /** Stretches in which something was read. */
  #stretches = 0;
  #readAgainAt = 0;
  #suspended = false;
  #inPlay = false;
  #delayMs = -1;

  constructor(at: number, market: MarketState) {
    this.#marketId = market.facts.id;
    this.#startAt = at;
    this.#noteState(at, market);
  }

  has(outcome: number): boolean {
    for (const each of this.#outcomes) if (each.outcome === outcome) return true;
    return false;
  }

  add(outcome: number, at: number, market: MarketState): void {
    const ticks = new Int16Array(STRETCHES * CELLS).fill(NO_TICK);
    this.#outcomes.push({ outcome, id: market.facts.outcomes[outcome]?.id ?? '', ticks });
    this.#read(at, market);
  }

  updated(at: number, market: MarketState): void {
    const inPlay = market.inPlayStatus === 'InPlay';
    if (market.suspended !== this.#suspended || inPlay !== this.#inPlay || market.inPlayDelayMs !== this.#delayMs)
      this.#noteState(at, market);
    if (at >= this.#readAgainAt) this.#read(at, market);
  }

  kept(): MarketPrices {
    const column = (ticks: Int16Array, cell: number): Int16Array =>
      Int16Array.from({ length: this.#stretches }, (_, stretch) => ticks[stretch * CELLS + cell] ?? NO_TICK);
    return {
      marketId: this.#marketId,
      startAt: this.#startAt,
      stretchMs: this.#stretchMs,
      outcomes: this.#outcomes.map(({ id, ticks }) => ({
        outcomeId: id,
        backLow: column(ticks, 0),
        backHigh: column(ticks, 1),
        layLow: column(ticks, 2),
        layHigh: column(ticks, 3),
      })),
      states: this.#states,
    };
  }

  #noteState(at: number, market: MarketState): void {
    this.#suspended = market.suspended;
    this.#inPlay = market.inPlayStatus === 'InPlay';
    this.#delayMs = market.inPlayDelayMs;
    if (this.#states.length === STATES_MAX) return;
    const { suspended, inPlayDelayMs } = market;
    this.#states.push({ at, suspended, inPlay: this.#inPlay, inPlayDelayMs });
  }

  #read(at: number, market: MarketState): void {
    let stretch = Math.floor((at - this.#startAt) / this.#stretchMs);
    while (stretch >= STRETCHES) {
      this.#lengthen();
      stretch = Math.floor((at - this.#startAt) / this.#stretchMs);
    }
    this.#stretches = Math.max(this.#stretches, stretch + 1);
    this.#readAgainAt = at + this.#stretchMs / READINGS;
    if (market.suspended) return;
    for (const { outcome, ticks } of this.#outcomes) {
      widen(ticks, stretch * CELLS, market.bestTick(outcome, AGAINST));
      widen(ticks, stretch * CELLS + 2, market.bestTick(outcome, FOR));
    }
  }

  /** Two stretches become one. */
  #lengthen(): void {
    this.#stretchMs *= 2;
    this.#stretches = Math.ceil(this.#stretches / 2);
    for (const { ticks } of this.#outcomes) {
      const before = ticks.slice();
      ticks.fill(NO_TICK);
      for (let cell = 0; cell < before.length; cell += 1) {
        const at = Math.floor(cell / (2 * CELLS)) * CELLS + (cell % CELLS);
        widen(ticks, at - (at % 2), before[cell] ?? NO_TICK);
      }
    }
  }
}

/** The lowest of a stretch is at `low`, the highest beside it. */
function widen(ticks: Int16Array, low: number, tick: number): void {
  if (tick === NO_TICK) return;
  if (ticks[low] === NO_TICK || tick < (ticks[low] ?? 0)) ticks[low] = tick;
  if (tick > (ticks[low + 1] ?? 0)) ticks[low + 1] = tick;
}
