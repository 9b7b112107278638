/** A seeded synthetic recording of one market: traders add, cancel, trade, hide stake and move. */

import { TICK_COUNT } from '../../../src/core/number/ladder.ts';
import type { Instant } from '../../../src/core/number/units.ts';
import { AGAINST, FOR, oppositeIndex, type SideIndex, worseStep } from '../../../src/core/side.ts';
import { UpdateBuffer } from '../../../src/recording/segment/update-buffer.ts';
import { Random } from '../random.ts';

const EVENT_WEIGHTS = { add: 40, cancel: 24, trade: 18, hidden: 5, refill: 3, move: 6, clear: 1 };

/** Makes one update after the other. The recorded book is never crossed at the end of an update. */
export class RandomCrowd {
  readonly outcomes: number;
  readonly #random: Random;
  readonly #stake: Float64Array;
  readonly #trades = new Map<number, number>();
  /** What the levels that this update touched held before it. */
  readonly #before = new Map<number, number>();
  #at = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.outcomes = this.#random.between(2, 4);
    this.#stake = new Float64Array(this.outcomes * 2 * TICK_COUNT);
  }

  /** The first update fills the books; each later one holds 1 to 20 events, conflated as a recording would. */
  next(options: { readonly trades: boolean }): UpdateBuffer {
    this.#before.clear();
    this.#trades.clear();
    if (this.#at === 0) for (let outcome = 0; outcome < this.outcomes; outcome += 1) this.#open(outcome);
    else {
      const events = this.#random.chance(0.45) ? 1 : this.#random.between(2, 20);
      for (let i = 0; i < events; i += 1) this.#event(options.trades);
    }
    this.#at += 1;
    return this.#written();
  }

  #open(outcome: number): void {
    const middle = this.#random.between(30, 300);
    for (let distance = 0; distance < this.#random.between(2, 10); distance += 1) {
      this.#set(outcome, AGAINST, middle - 1 - distance, this.#amount());
      this.#set(outcome, FOR, middle + 1 + distance, this.#amount());
    }
  }

  #event(trades: boolean): void {
    const outcome = this.#random.between(0, this.outcomes - 1);
    const side: SideIndex = this.#random.chance(0.5) ? FOR : AGAINST;
    const kind = this.#random.weighted(EVENT_WEIGHTS);
    switch (kind) {
      case 'add':
        return this.#add(outcome, side);
      case 'cancel':
        return this.#cancel(outcome, side);
      case 'trade':
        return trades ? this.#trade(outcome, side) : undefined;
      case 'hidden':
        return trades ? this.#hidden(outcome) : undefined;
      case 'refill':
        return trades ? this.#refill(outcome, side) : undefined;
      case 'move':
        return this.#move(outcome, side);
      case 'clear':
        for (const tick of this.#ticks(outcome, side)) this.#set(outcome, side, tick, 0);
    }
  }

  #add(outcome: number, side: SideIndex): void {
    const tick = this.#near(outcome, side) + worseStep(side) * this.#random.between(-1, 4);
    if (this.#wouldCross(outcome, side, tick)) return;
    this.#set(outcome, side, tick, this.#get(outcome, side, tick) + this.#amount());
  }

  #cancel(outcome: number, side: SideIndex): void {
    const ticks = this.#ticks(outcome, side);
    if (ticks.length === 0) return;
    const tick = ticks[Math.min(ticks.length - 1, this.#random.between(0, 3))]!;
    const stake = this.#get(outcome, side, tick);
    this.#set(outcome, side, tick, this.#random.chance(0.35) ? 0 : this.#random.between(0, stake));
  }

  #trade(outcome: number, side: SideIndex): void {
    let left = this.#amount();
    for (const tick of this.#ticks(outcome, side).slice(0, 3)) {
      const stake = this.#get(outcome, side, tick);
      const piece = Math.min(left, stake);
      if (piece === 0) return;
      left -= piece;
      this.#set(outcome, side, tick, stake - piece);
      this.#print(outcome, tick, piece);
    }
  }

  /** Adds traded volume at a price that displays less than that, or nothing. */
  #hidden(outcome: number): void {
    const tick = this.#near(outcome, FOR) + this.#random.between(-3, 2);
    if (tick >= 0 && tick < TICK_COUNT) this.#print(outcome, tick, this.#amount());
  }

  /** A level trades and is full again in the same update. */
  #refill(outcome: number, side: SideIndex): void {
    const tick = this.#ticks(outcome, side)[0];
    if (tick !== undefined) this.#print(outcome, tick, this.#random.between(1, this.#get(outcome, side, tick)));
  }

  /** One side retreats and the other follows through the prices it left. */
  #move(outcome: number, side: SideIndex): void {
    const other = oppositeIndex(side);
    for (const tick of this.#ticks(outcome, side).slice(0, this.#random.between(1, 3))) {
      this.#set(outcome, side, tick, 0);
      if (!this.#random.chance(0.7) || this.#wouldCross(outcome, other, tick)) continue;
      this.#set(outcome, other, tick, this.#amount());
    }
  }

  #written(): UpdateBuffer {
    const update = new UpdateBuffer();
    update.start(this.#at as Instant);
    update.sequence = this.#at;
    const trades = [...this.#trades];
    trades.sort(([one], [other]) => one - other);
    // Prices that displayed nothing have no side to be sorted by: their place in the list is arbitrary.
    if (this.#random.chance(0.5)) trades.reverse();
    for (const [at, stake] of trades) update.trade(Math.trunc(at / TICK_COUNT), at % TICK_COUNT, stake);
    const touched = [...this.#before].sort(([one], [other]) => one - other);
    const change = ([cell, before]: readonly [number, number]): number => this.#stake[cell]! - before;
    for (const level of touched) if (change(level) < 0) this.#writeLevel(update, level[0]);
    for (const level of touched) if (change(level) > 0) this.#writeLevel(update, level[0]);
    const last = trades.at(-1);
    if (last !== undefined) update.lastPrice(Math.trunc(last[0] / TICK_COUNT), last[0] % TICK_COUNT);
    return update;
  }

  #writeLevel(update: UpdateBuffer, cell: number): void {
    const row = Math.trunc(cell / TICK_COUNT);
    update.level(row >> 1, row & 1, cell % TICK_COUNT, this.#stake[cell]!);
  }

  #print(outcome: number, tick: number, stake: number): void {
    const at = outcome * TICK_COUNT + tick;
    this.#trades.set(at, (this.#trades.get(at) ?? 0) + stake);
  }

  /** A round or odd amount, from the smallest to a hundred times a usual order. */
  #amount(): number {
    if (this.#random.chance(0.1)) return this.#random.between(1, 9);
    if (this.#random.chance(0.5)) return this.#random.between(1, 40) * 500_000;
    return this.#random.between(1, 30_000_000);
  }

  /** The best tick of a side; where there is none, one tick beyond the other side, or the middle of the ladder. */
  #near(outcome: number, side: SideIndex): number {
    const best = this.#ticks(outcome, side)[0];
    if (best !== undefined) return best;
    const opposite = this.#ticks(outcome, oppositeIndex(side))[0];
    return opposite === undefined ? 150 : opposite + worseStep(side);
  }

  #wouldCross(outcome: number, side: SideIndex, tick: number): boolean {
    if (tick < 0 || tick >= TICK_COUNT) return true;
    const best = this.#ticks(outcome, oppositeIndex(side))[0];
    if (best === undefined) return false;
    return side === AGAINST ? tick >= best : tick <= best;
  }

  /** Ticks with stake, best first. */
  #ticks(outcome: number, side: SideIndex): number[] {
    const ticks: number[] = [];
    for (let tick = 0; tick < TICK_COUNT; tick += 1) if (this.#get(outcome, side, tick) > 0) ticks.push(tick);
    return side === AGAINST ? ticks.reverse() : ticks;
  }

  #get(outcome: number, side: SideIndex, tick: number): number {
    return this.#stake[(outcome * 2 + side) * TICK_COUNT + tick] ?? 0;
  }

  #set(outcome: number, side: SideIndex, tick: number, stake: number): void {
    if (tick < 0 || tick >= TICK_COUNT) return;
    const cell = (outcome * 2 + side) * TICK_COUNT + tick;
    if (!this.#before.has(cell)) this.#before.set(cell, this.#stake[cell]!);
    this.#stake[cell] = stake;
  }
}
