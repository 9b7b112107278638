/** The hidden truth of a synthetic market: one fair probability per outcome, a martingale until settlement. */

import { assert } from '../../core/checks/assert.ts';
import { TICK_COUNT, tickAtOrAbove, tickAtOrBelow } from '../../core/number/ladder.ts';
import type { Random } from '../../core/number/random.ts';
import { PRICE_SCALE } from '../../core/number/units.ts';
import { FOR, type SideIndex } from '../../core/side.ts';

/** A single move takes at most this share of what an outcome holds, so that every probability stays inside (0, 1). */
const LARGEST_MOVE = 0.5;
/** Halvings from 2⁴⁰ down to the last bit of a double. */
const ROUNDS = 100;

/**
 * Probabilities sum to the number of winners. Every move shifts a symmetric random amount from one outcome to another,
 * so each probability is a martingale, and the winners are drawn from it in the end: at these odds no trader has an
 * edge, and what a strategy earns against this crowd it earns from the spread.
 */
export class FairOdds {
  readonly winners: number;
  readonly #probability: Float64Array;
  #active: number[];

  /** `weights`: relative chances of any positive size, one per outcome; they are scaled to sum to `winners`. */
  constructor({ weights, winners }: { readonly weights: readonly number[]; readonly winners: number }) {
    assert(winners >= 1 && winners < weights.length, 'a market has fewer winners than outcomes');
    assert(
      weights.every((weight) => weight > 0),
      'every outcome has a positive weight',
    );
    this.winners = winners;
    this.#active = weights.map((_, outcome) => outcome);
    this.#probability = scaledToSum(weights, winners);
  }

  probability(outcome: number): number {
    return this.#probability[outcome] ?? 0;
  }

  /** The outcomes that can still win. */
  get active(): readonly number[] {
    return this.#active;
  }

  /** The nearest tick at which an order resting on this side loses nothing on average. */
  tick(outcome: number, resting: SideIndex): number {
    const fair = PRICE_SCALE / this.probability(outcome);
    const nearest = resting === FOR ? tickAtOrAbove(fair) : tickAtOrBelow(fair);
    return Math.min(TICK_COUNT - 1, Math.max(0, nearest));
  }

  /**
   * A small move between two outcomes; `size` is the standard deviation as a share of what the less likely one holds.
   */
  drift(random: Random, size: number): void {
    if (this.#active.length < 2) return;
    const [from, to] = this.#pair(random);
    const share = random.normal() * size;
    this.#shift({ from, to, share: Math.max(-LARGEST_MOVE, Math.min(LARGEST_MOVE, share)) });
  }

  /**
   * A goal or a wicket: half of what the less likely of two outcomes holds changes hands, in either direction with the
   * same chance.
   */
  jump(random: Random): void {
    if (this.#active.length < 2) return;
    const [from, to] = this.#pair(random);
    this.#shift({ from, to, share: random.chance(0.5) ? LARGEST_MOVE : -LARGEST_MOVE });
  }

  /**
   * Removes an outcome (a non-runner) and spreads its probability over the others. Returns what it held, per place
   * paid.
   */
  remove(outcome: number): number {
    const held = this.probability(outcome);
    this.#active = this.#active.filter((other) => other !== outcome);
    assert(this.#active.length > this.winners, 'more runners are left than places');
    let room = 0;
    for (const other of this.#active) room += 1 - this.probability(other);
    for (const other of this.#active) {
      const before = this.probability(other);
      this.#probability[other] = this.winners === 1 ? before / (1 - held) : before + (held * (1 - before)) / room;
    }
    this.#probability[outcome] = 0;
    return held / this.winners;
  }

  /** Draws the winners with exactly these probabilities, by one random start and even steps (systematic sampling). */
  drawWinners(random: Random): number[] {
    const won: number[] = [];
    let threshold = random.uniform();
    let sum = 0;
    for (const outcome of this.#active) {
      sum += this.probability(outcome);
      if (sum > threshold) {
        won.push(outcome);
        threshold += 1;
      }
    }
    const last = this.#active[this.#active.length - 1];
    // The sum may end below the last threshold by a rounding error.
    if (won.length < this.winners && last !== undefined && !won.includes(last)) won.push(last);
    return won;
  }

  #pair(random: Random): readonly [number, number] {
    const first = random.below(this.#active.length);
    const second = (first + 1 + random.below(this.#active.length - 1)) % this.#active.length;
    return [this.#active[first] ?? 0, this.#active[second] ?? 0];
  }

  #shift({ from, to, share }: { readonly from: number; readonly to: number; readonly share: number }): void {
    const a = this.probability(from);
    const b = this.probability(to);
    const moved = share * Math.min(a, b, 1 - a, 1 - b);
    this.#probability[from] = a - moved;
    this.#probability[to] = b + moved;
  }
}

/** Probabilities c·w ÷ (1 + c·w), with c found by bisection so that they sum to `winners` and each stays below 1. */
function scaledToSum(weights: readonly number[], winners: number): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (winners === 1) return Float64Array.from(weights, (weight) => weight / total);
  let low = 0;
  let high = 2 ** 40;
  for (let round = 0; round < ROUNDS; round += 1) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (const weight of weights) sum += (middle * weight) / (total + middle * weight);
    if (sum < winners) low = middle;
    else high = middle;
  }
  return Float64Array.from(weights, (weight) => (low * weight) / (total + low * weight));
}
