/** The overlay as the design's text says it, slow and obvious: objects, lists and chunks. It judges the fast one. */

import { halved } from '../../src/core/number/steady-math.ts';
import type { Money } from '../../src/core/number/units.ts';
import { AGAINST, crosses, FOR, isBetter, oppositeIndex, type SideIndex } from '../../src/core/side.ts';
import { type FillSink, type Liquidity, RECORDED } from '../../src/matching/book/liquidity.ts';
import { LEVEL, TRADE, type UpdateColumns } from '../../src/recording/segment/update.ts';
import type { FillRules } from '../../src/simulator/overlay/fill-rules.ts';
import type { RestingFillSink } from '../../src/simulator/overlay/overlay-liquidity.ts';
import { displayed, NaiveOutOfSight, type SeenLevel } from './naive-out-of-sight.ts';
import { aheadAfter, displacedAfter, marginOf, meetDisplaced, passBetter } from './naive-places.ts';

interface OwnOrder {
  readonly slot: number;
  /** Unmatched. */
  m: number;
  /** Stake of others ahead, recorded or displaced, where the order has a turn. */
  a: number;
  /** What reaches it first and fills others. */
  margin: number;
  /** Came after the last update, where that counts. */
  isArriving: boolean;
}

/** R is what was recorded there, X what of it we ate, D what others would have there but for the tape: our orders displaced it. */
interface Level extends SeenLevel {
  /** What of X has not come back in time, as of an instant. */
  missing: { stake: number; at: number };
  readonly queue: OwnOrder[];
}

type Chunk = { readonly kind: 'recorded'; readonly stake: number } | { readonly kind: 'own'; readonly order: OwnOrder };

interface Trade {
  readonly outcome: number;
  readonly tick: number;
  readonly stake: number;
}

export class NaiveOverlay implements Liquidity {
  readonly levels = new Map<string, Level>();
  readonly outOfSight: NaiveOutOfSight<Level>;
  readonly #rules: FillRules;
  readonly #sink: RestingFillSink;
  #paused = false;
  #resumed = false;
  #cameBack = false;
  #shownAgain = false;
  readonly #now: () => number;

  constructor(parts: {
    readonly rules: FillRules;
    readonly sink: RestingFillSink;
    readonly now?: () => number;
    readonly depth?: number;
  }) {
    this.#rules = parts.rules;
    this.#sink = parts.sink;
    this.#now = parts.now ?? (() => 0);
    const depth = parts.depth ?? Number.POSITIVE_INFINITY;
    this.outOfSight = new NaiveOutOfSight({ levels: this.levels, rule: parts.rules.levelsOutOfSight, depth });
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (this.#paused) this.#resumed = true;
    this.#paused = false;
  }

  // What a taker meets.

  bestTick(outcome: number, side: SideIndex): number {
    return this.#displayed(outcome, side)[0] ?? -1;
  }

  nextTick(outcome: number, side: SideIndex, tick: number): number {
    return this.#displayed(outcome, side).find((at) => isBetter(side, tick, at)) ?? -1;
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    const level = this.levels.get(key(outcome, side, tick));
    if (level === undefined) return 0 as Money;
    const recorded = this.outOfSight.isGone(level) ? 0 : level.R - level.X;
    return displayed(recorded + sum(level.queue.map((order) => order.m))) as Money;
  }

  consume(at: { outcome: number; side: SideIndex; tick: number }, stake: Money, sink: FillSink): Money {
    const level = this.#level(at.outcome, at.side, at.tick);
    const isThere = this.outOfSight.isThere(level, this.#now());
    let left: number = stake;
    let eatenBefore = level.X;
    for (const chunk of this.#chunks(level, level.R)) {
      if (left === 0) break;
      if (chunk.kind === 'recorded') {
        const gone = Math.min(eatenBefore, chunk.stake);
        eatenBefore -= gone;
        const piece = isThere ? Math.min(left, chunk.stake - gone) : 0;
        left -= piece;
        if (piece > 0) {
          this.#consumeStake(level, piece);
          sink.filled(RECORDED, piece as Money);
        }
      } else {
        const piece = Math.min(left, chunk.order.m);
        left -= piece;
        this.#takeOff(chunk.order.slot, piece);
        sink.filled(chunk.order.slot, piece as Money);
      }
    }
    return (stake - left) as Money;
  }

  rest(order: { slot: number; outcome: number; side: SideIndex; tick: number; stake: Money }): void {
    const level = this.#level(order.outcome, order.side, order.tick);
    this.outOfSight.forgetWithoutOurs();
    const margin = marginOf(order.stake, level.R);
    const others = level.R + level.D;
    const inFront = Math.max(level.queue.at(-1)?.a ?? 0, others - margin);
    const behind = this.#rules.size === 'for-us' ? inFront : others;
    level.queue.push({
      ...{ slot: order.slot, m: order.stake },
      a: this.#rules.queue === 'first' ? 0 : behind,
      margin: this.#rules.size === 'against-us' ? margin : 0,
      isArriving: this.#rules.arrival === 'after-next',
    });
  }

  reduce(slot: number, stake: Money): void {
    this.#takeOff(slot, stake);
  }

  withdraw(slot: number): void {
    this.#takeOff(slot, Number.POSITIVE_INFINITY);
  }

  // What the tape says.

  apply(update: UpdateColumns): void {
    for (const level of this.levels.values()) this.#comeBackInTime(level);
    const before = new Map([...this.levels].map(([name, level]) => [name, level.R]));
    const trades: Trade[] = [];
    const sets: { level: Level; to: number }[] = [];
    for (let i = 0; i < update.count; i += 1) {
      const outcome = update.outcome[i]!;
      const tick = update.tick[i]!;
      if (update.kind[i] === TRADE) trades.push({ outcome, tick, stake: update.amount[i]! });
      const side = update.side[i] === AGAINST ? AGAINST : FOR;
      if (update.kind[i] === LEVEL) sets.push({ level: this.#level(outcome, side, tick), to: update.amount[i]! });
    }
    const traded: Level[] = [];
    for (const side of [AGAINST, FOR] as const) {
      const ofSide = trades.filter((trade) => this.#sideOf(trade, before) === side);
      ofSide.sort((one, other) => (side === AGAINST ? other.tick - one.tick : one.tick - other.tick));
      // A trade of before may have filled our last order that a hidden one would have met.
      for (const trade of ofSide) if (this.#sideOf(trade, before) === side) traded.push(this.#trade(trade, side));
    }
    for (const { level, to } of sets) this.#set(level, to);
    for (const level of traded) {
      const stood = before.get(key(level.outcome, level.side, level.tick)) ?? 0;
      if (!sets.some((set) => set.level === level)) this.#set(level, stood);
    }
    this.outOfSight.updateEnded(this.#now());
    for (const level of this.levels.values()) {
      for (const order of level.queue.filter((each) => each.isArriving)) {
        order.a = level.R + level.D;
        order.isArriving = false;
      }
    }
    for (const level of this.outOfSight.takeShownAgain()) {
      if (this.#rules.crossing === 'reserved') this.#meet(level, level.R - level.X);
      else this.#shownAgain = true;
    }
    if ((this.#resumed || this.#cameBack || this.#shownAgain) && !this.#paused) this.#meetWhatCrosses();
  }

  /** 0 ≤ X ≤ R and 0 ≤ a₁ ≤ a₂ ≤ … ≤ R + D, at every level. */
  invariantsHold(): boolean {
    return [...this.levels.values()].every((level) => {
      const places = [0, ...level.queue.map((order) => order.a), level.R + level.D];
      const ascending = places.every((place, i) => i === 0 || place >= places[i - 1]!);
      return (
        level.X >= 0 && level.X <= level.R && level.D >= 0 && ascending && level.queue.every((order) => order.m > 0)
      );
    });
  }

  /** Returns the level that it traded at. */
  #trade(trade: Trade, side: SideIndex): Level {
    const level = this.#level(trade.outcome, side, trade.tick);
    // What our orders before it kept from the trade, by order of ours; of what comes after them all, under `undefined`.
    const kept = new Map<OwnOrder | undefined, number>();
    if (!this.#paused) {
      let budget = passBetter(this.levels.values(), { level, stake: trade.stake }, (order, most) =>
        this.#fill(order, most),
      );
      let sum = trade.stake - budget;
      for (const chunk of this.#chunks(level, level.R + level.D)) {
        if (chunk.kind === 'recorded') budget -= Math.min(budget, chunk.stake);
        else {
          kept.set(chunk.order, sum);
          if (chunk.order.isArriving) continue;
          const lost = Math.min(budget, chunk.order.margin);
          chunk.order.margin -= lost;
          budget -= lost;
          const piece = this.#fill(chunk.order, budget);
          budget -= piece;
          sum += piece;
        }
      }
      kept.set(undefined, sum);
    }
    const displaced = (by?: OwnOrder): number => (this.#rules.displaced === 'gone' ? 0 : (kept.get(by) ?? 0));
    for (const order of level.queue) order.a = Math.max(0, order.a + displaced(order) - trade.stake);
    level.D = Math.max(0, level.D + displaced() - Math.max(0, trade.stake - level.R));
    level.R -= Math.min(trade.stake, level.R);
    level.X = Math.min(level.X, level.R);
    return level;
  }

  #set(level: Level, to: number): void {
    if (to < level.R) {
      let least = 0;
      for (const order of level.queue) {
        const inFront = Math.min(order.a, level.D);
        const recorded = aheadAfter(this.#rules.cancellations, { ahead: order.a - inFront, from: level.R, to });
        least = Math.max(least, recorded + displacedAfter(inFront, level.R, to));
        order.a = least;
      }
      level.D = displacedAfter(level.D, level.R, to);
      level.R = to;
      level.X = Math.min(level.X, to);
      if (this.#rules.refill === 'next-change') this.#comeBack(level, 0);
    } else if (to > level.R) {
      const rise = to - level.R;
      level.R = to;
      if (this.#rules.refill === 'next-change') this.#comeBack(level, 0);
      meetDisplaced(this.levels.values(), level, rise);
      this.#meet(level, rise);
    }
  }

  #consumeStake(level: Level, stake: number): void {
    if (stake === 0) return;
    level.missing = { stake: stake + Math.min(level.X, this.#stillMissing(level)), at: this.#now() };
    level.X += stake;
  }

  #comeBackInTime(level: Level): void {
    if (typeof this.#rules.refill !== 'object') return;
    level.missing = { stake: Math.min(level.X, this.#stillMissing(level)), at: this.#now() };
    this.#comeBack(level, level.missing.stake);
  }

  #stillMissing({ missing }: Level): number {
    const { refill } = this.#rules;
    if (typeof refill !== 'object') return missing.stake;
    return Math.floor(missing.stake * halved((this.#now() - missing.at) / refill.halfLifeMs));
  }

  #comeBack(level: Level, missing: number): void {
    if (level.X <= missing) return;
    level.X = missing;
    this.#cameBack = true;
  }

  #meet(level: Level, stake: number): void {
    const crossed = this.#ownCrossedBy(level);
    if (this.#rules.crossing === 'reserved') {
      this.#consumeStake(level, Math.min(stake, sum(crossed.map((order) => order.m))));
    } else if (!this.#paused) {
      let left = stake;
      for (const order of crossed) {
        const piece = Math.min(left, order.m);
        this.#consumeStake(level, piece);
        left -= this.#fill(order, piece);
      }
    }
  }

  #meetWhatCrosses(): void {
    this.#resumed = false;
    this.#cameBack = false;
    this.#shownAgain = false;
    if (this.#rules.crossing === 'reserved') return;
    const outcomes = new Set([...this.levels.values()].map(({ outcome }) => outcome));
    for (const outcome of [...outcomes].sort((one, other) => one - other)) {
      for (const side of [AGAINST, FOR] as const) {
        const recorded = [...this.levels.values()].filter(
          (level) => level.outcome === outcome && level.side === side && displayed(level.R) > level.X,
        );
        recorded.sort((one, other) => (isBetter(side, one.tick, other.tick) ? -1 : 1));
        for (const level of recorded) {
          const isCrossing = this.#ownCrossedBy(level).length > 0;
          if (isCrossing && this.outOfSight.isThere(level, this.#now())) this.#meet(level, level.R - level.X);
        }
      }
    }
  }

  /** The side that displayed stake before the message; else the one where we stand at or through the price. */
  #sideOf(trade: Trade, before: Map<string, number>): SideIndex | undefined {
    const against = before.get(key(trade.outcome, AGAINST, trade.tick)) ?? 0;
    const forStake = before.get(key(trade.outcome, FOR, trade.tick)) ?? 0;
    if (against > 0 && against >= forStake) return AGAINST;
    if (forStake > 0) return FOR;
    return ([AGAINST, FOR] as const).find((side) => {
      const level = this.#level(trade.outcome, side, trade.tick);
      return (
        this.#ownOn(level.outcome, side, (tick) => tick === level.tick || isBetter(side, tick, level.tick)).length > 0
      );
    });
  }

  /** `others`: the stake of others that is there. What is displaced is there for trades, and not for takers of ours. */
  #chunks(level: Level, others: number): Chunk[] {
    const chunks: Chunk[] = [];
    let reached = 0;
    for (const order of level.queue) {
      const a = this.#rules.queue === 'last' ? others : Math.min(others, order.a);
      chunks.push({ kind: 'recorded', stake: a - reached }, { kind: 'own', order });
      reached = a;
    }
    chunks.push({ kind: 'recorded', stake: others - reached });
    return chunks;
  }

  #fill(order: OwnOrder, most: number): number {
    const piece = Math.min(order.m, most);
    if (piece > 0) this.#sink.fillResting(order.slot, piece as Money);
    return piece;
  }

  #ownCrossedBy(level: Level): OwnOrder[] {
    const side = oppositeIndex(level.side);
    return this.#ownOn(level.outcome, side, (tick) => crosses(side, tick, level.tick));
  }

  #ownOn(outcome: number, side: SideIndex, includes: (tick: number) => boolean): OwnOrder[] {
    const levels = [...this.levels.values()].filter(
      (level) => level.outcome === outcome && level.side === side && includes(level.tick),
    );
    levels.sort((one, other) => (isBetter(side, one.tick, other.tick) ? -1 : 1));
    return levels.flatMap((level) => level.queue);
  }

  #displayed(outcome: number, side: SideIndex): number[] {
    const ticks = [...this.levels.values()]
      .filter((level) => level.outcome === outcome && level.side === side)
      .map((level) => level.tick)
      .filter((tick) => this.amountAt(outcome, side, tick) > 0);
    return ticks.sort((one, other) => (side === AGAINST ? other - one : one - other));
  }

  #takeOff(slot: number, stake: number): void {
    for (const level of this.levels.values()) {
      const at = level.queue.findIndex((order) => order.slot === slot);
      if (at === -1) continue;
      const order = level.queue[at]!;
      order.m -= Math.min(order.m, stake);
      if (order.m === 0) level.queue.splice(at, 1);
      return;
    }
    throw new Error(`slot ${slot} does not rest`);
  }

  #level(outcome: number, side: SideIndex, tick: number): Level {
    const name = key(outcome, side, tick);
    const known = this.levels.get(name);
    if (known !== undefined) return known;
    const missing = { stake: 0, at: 0 };
    const level: Level = {
      outcome,
      side,
      tick,
      R: 0,
      X: 0,
      D: 0,
      missing,
      leftAt: Number.NEGATIVE_INFINITY,
      isGone: false,
      queue: [],
    };
    this.levels.set(name, level);
    return level;
  }
}

function key(outcome: number, side: SideIndex, tick: number): string {
  return `${outcome} ${side} ${tick}`;
}

function sum(stakes: readonly number[]): number {
  return stakes.reduce((total, stake) => total + stake, 0);
}
