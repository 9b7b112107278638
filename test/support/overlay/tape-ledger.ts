/** What a tape alone says about volume and levels, in plain sums, with which fills and books are compared. */

import { TICK_COUNT } from '../../../src/core/number/ladder.ts';
import { AGAINST, FOR, type SideIndex } from '../../../src/core/side.ts';
import { LEVEL, TRADE, type UpdateColumns } from '../../../src/recording/segment/update.ts';
import type { OwnFill, PlacedOrder } from './minimal-exchange.ts';

export class TapeLedger {
  readonly #outcomes: number;
  readonly #level: Float64Array;
  readonly #traded: Float64Array;
  readonly #rose: Float64Array;
  readonly #filled: Float64Array;
  /** The ticks of everything that was read or filled lie between these two. */
  lowest = TICK_COUNT - 1;
  highest = 0;

  constructor(outcomes: number) {
    this.#outcomes = outcomes;
    this.#level = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#traded = new Float64Array(outcomes * TICK_COUNT);
    this.#rose = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#filled = new Float64Array(outcomes * 2 * TICK_COUNT);
  }

  /** The level as the tape's level events alone leave it. */
  level(outcome: number, side: SideIndex, tick: number): number {
    return this.#level[cell(outcome, side, tick)]!;
  }

  /** Reads an update. A level's new stake counts as far as it exceeds what the update's trades left there. */
  read(update: UpdateColumns): void {
    const tradedNow = new Map<number, number>();
    const setNow = new Set<number>();
    for (let i = 0; i < update.count; i += 1) {
      const outcome = update.outcome[i]!;
      const tick = update.tick[i]!;
      const amount = update.amount[i]!;
      if (update.kind[i] === TRADE || update.kind[i] === LEVEL) this.#reach(tick);
      if (update.kind[i] === TRADE) {
        this.#traded[outcome * TICK_COUNT + tick]! += amount;
        for (const side of [FOR, AGAINST]) tradedNow.set(cell(outcome, side, tick), amount);
      }
      if (update.kind[i] !== LEVEL) continue;
      const at = (outcome * 2 + update.side[i]!) * TICK_COUNT + tick;
      this.#rise(at, amount, tradedNow.get(at) ?? 0);
      setNow.add(at);
    }
    for (const [at, traded] of tradedNow) if (!setNow.has(at)) this.#rise(at, this.#level[at]!, traded);
  }

  /**
   * Counts stake of a level that was not shown for a while and is shown again: like new stake, it may match what it
   * crosses.
   */
  comesAgain(outcome: number, side: SideIndex, tick: number): void {
    this.#reach(tick);
    this.#rose[cell(outcome, side, tick)]! += this.#level[cell(outcome, side, tick)]!;
  }

  fill(fill: OwnFill, order: PlacedOrder): void {
    if (fill.how !== 'recorded') return;
    this.#reach(order.tick);
    this.#filled[cell(order.outcome, order.side, order.tick)]! += fill.stake;
  }

  /**
   * Checks the volume bound: passive fills never exceed what was traded at or through the price plus recorded opposite
   * stake that came to rest at or through it, for all our orders at or behind a price together. Returns the first
   * breach in words.
   */
  breach(): string | undefined {
    for (let outcome = 0; outcome < this.#outcomes; outcome += 1) {
      for (const side of [FOR, AGAINST]) {
        let filled = 0;
        let allowed = 0;
        for (let k = this.lowest; k <= this.highest; k += 1) {
          const tick = side === FOR ? this.highest - (k - this.lowest) : k;
          const opposite: SideIndex = side === FOR ? AGAINST : FOR;
          filled += this.#filled[cell(outcome, side, tick)]!;
          allowed += this.#traded[outcome * TICK_COUNT + tick]! + this.#rose[cell(outcome, opposite, tick)]!;
          if (filled > allowed) return `outcome ${outcome} side ${side} tick ${tick}: ${filled} of ${allowed}`;
        }
      }
    }
    return undefined;
  }

  /** Forgets volume and fills, so that the next check only covers what follows. */
  startOver(): void {
    for (const column of [this.#traded, this.#rose, this.#filled]) column.fill(0);
  }

  /** All stake that ever came to rest at a level. */
  cameToRest(outcome: number, side: SideIndex, tick: number): number {
    return this.#rose[cell(outcome, side, tick)]!;
  }

  #reach(tick: number): void {
    this.lowest = Math.min(this.lowest, tick);
    this.highest = Math.max(this.highest, tick);
  }

  #rise(at: number, to: number, traded: number): void {
    const left = Math.max(0, this.#level[at]! - traded);
    this.#rose[at]! += Math.max(0, to - left);
    this.#level[at] = to;
  }
}

function cell(outcome: number, side: SideIndex, tick: number): number {
  return (outcome * 2 + side) * TICK_COUNT + tick;
}
