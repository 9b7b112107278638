/**
 * The bot of the ground-truth runs: seeded orders near the best price, planned on the market as it would be without
 * them.
 */

import { NO_TICK, TICK_COUNT, type Tick } from '../../../src/core/number/ladder.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { type Money, money, STAKE_STEP } from '../../../src/core/number/units.ts';
import { crosses, isBetter, oppositeIndex, type SideIndex, worseStep } from '../../../src/core/side.ts';
import type { CrowdView } from '../../../src/simulator/crowd/crowd.ts';

export interface BotHabits {
  /** Stakes are drawn evenly between these shares of a typical level. */
  readonly levelShareMin: number;
  readonly levelShareMax: number;
  /** Share of orders that cross the spread and take at once. */
  readonly takerShare: number;
  readonly gapMs: number;
  readonly lifetimeMs: number;
}

export interface PlannedOrder {
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: Tick;
  readonly stake: Money;
  readonly cancelAt: number;
}

export interface LevelView extends CrowdView {
  amountAt(outcome: number, side: SideIndex, tick: number): Money;
}

/** How many best levels the typical level is the median of, and how many must have been seen before the first order. */
const SAMPLES_KEPT = 199;
const SAMPLES_FIRST = 60;
const JOIN_SHARE = 0.6;
const IMPROVE_SHARE = 0.2;

export class Bot {
  readonly #habits: BotHabits;
  readonly #random: Random;
  readonly #outcomes: number;
  readonly #samples: number[] = [];
  #standing: PlannedOrder[] = [];
  #nextAt: number;

  constructor(options: {
    readonly habits: BotHabits;
    readonly random: Random;
    readonly outcomes: number;
    readonly startsAt: number;
  }) {
    this.#habits = options.habits;
    this.#random = options.random;
    this.#outcomes = options.outcomes;
    this.#nextAt = options.startsAt;
  }

  /** When the bot looks at the market next. */
  get nextAt(): number {
    return this.#nextAt;
  }

  /** The order that the bot places then; undefined where no order fits. */
  plan(view: LevelView): PlannedOrder | undefined {
    const at = this.#nextAt;
    this.#nextAt = at + 1 + Math.floor(this.#random.exponential() * this.#habits.gapMs);
    const outcome = this.#random.below(this.#outcomes);
    const side: SideIndex = this.#random.chance(0.5) ? 0 : 1;
    const takes = this.#random.chance(this.#habits.takerShare);
    const place = this.#random.uniform();
    const share = this.#random.uniform();
    const life = this.#random.exponential();
    this.#sample(view, outcome, side);
    if (this.#samples.length < SAMPLES_FIRST) return undefined;
    const tick = takes ? view.bestTick(outcome, oppositeIndex(side)) : passiveTick(view, { outcome, side, place });
    if (tick === NO_TICK || this.#crossesOwn(at, { outcome, side, tick })) return undefined;
    const order: PlannedOrder = {
      outcome,
      side,
      tick: tick as Tick,
      stake: this.#stake(share),
      cancelAt: at + 1 + Math.floor(life * this.#habits.lifetimeMs),
    };
    this.#standing.push(order);
    return order;
  }

  #stake(share: number): Money {
    const { levelShareMin, levelShareMax } = this.#habits;
    const sorted = [...this.#samples].sort((a, b) => a - b);
    const typical = sorted[sorted.length >> 1] ?? 0;
    const stake = typical * (levelShareMin + share * (levelShareMax - levelShareMin));
    return money(Math.max(1, Math.floor(stake / STAKE_STEP)) * STAKE_STEP);
  }

  #sample(view: LevelView, outcome: number, side: SideIndex): void {
    const best = view.bestTick(outcome, side);
    if (best === NO_TICK) return;
    this.#samples.push(view.amountAt(outcome, side, best));
    if (this.#samples.length > SAMPLES_KEPT) this.#samples.shift();
  }

  /** Whether the order would match one of the bot's own, had none of those been matched. */
  #crossesOwn(at: number, order: { outcome: number; side: SideIndex; tick: number }): boolean {
    this.#standing = this.#standing.filter((standing) => standing.cancelAt > at);
    return this.#standing.some(
      (standing) =>
        standing.outcome === order.outcome &&
        standing.side !== order.side &&
        crosses(order.side, order.tick, standing.tick),
    );
  }
}

/** A tick at the best price of the order's own side, one tick better where the spread has room, or one tick behind. */
function passiveTick(
  view: LevelView,
  { outcome, side, place }: { readonly outcome: number; readonly side: SideIndex; readonly place: number },
): number {
  const best = view.bestTick(outcome, side);
  const other = view.bestTick(outcome, oppositeIndex(side));
  if (best === NO_TICK || other === NO_TICK || place < JOIN_SHARE) return best;
  if (place < JOIN_SHARE + IMPROVE_SHARE) {
    const better = best - worseStep(side);
    return isBetter(side, other, better) ? better : best;
  }
  return Math.max(0, Math.min(TICK_COUNT - 1, best + worseStep(side)));
}
