/** Synthetic stake on one outcome, made of resting orders on all others: its price and amount, level by level. */

import { shownStake } from '../../core/book/shown-stake.ts';
import { NO_TICK, priceOfTick, TICK_COUNT, type Tick, tickAtOrAbove, tickAtOrBelow } from '../../core/number/ladder.ts';
import { type Money, mulDiv, mulDivCeil, PRICE_SCALE, type Price } from '../../core/number/units.ts';
import { FOR, type SideIndex } from '../../core/side.ts';
import type { Rules } from '../messages/rules.ts';
import type { Market } from './market.ts';

/**
 * Walks from the best levels of the other outcomes inward. `find` leaves the next quote in `price` and `stake`. `useUp`
 * uses the quote up in the walk's own amounts (for display), whereas a matcher consumes the real levels and starts
 * again.
 */
export class CrossWalk {
  /** The outcomes that give the stake, in index order, with the levels of the current quote. */
  readonly sources: number[] = [];
  readonly ticks: number[] = [];
  readonly prices: number[] = [];
  readonly fills: number[] = [];
  price = 0 as Price;
  stake = 0 as Money;
  readonly #amounts: number[] = [];
  readonly #rules: Rules;
  #market: Market | undefined;
  #makers: SideIndex = FOR;
  #taken: TakenStake | undefined;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /**
   * Begins at the best levels of `makers` orders on every outcome but one; returns false where an outcome has none.
   * `taken` is stake that the walk does without.
   */
  start(market: Market, outcome: number, makers: SideIndex, taken?: TakenStake): boolean {
    this.#market = market;
    this.#makers = makers;
    this.#taken = taken;
    this.sources.length = 0;
    for (let other = 0; other < market.outcomes; other += 1) {
      if (other === outcome || market.removed[other] !== 0) continue;
      const index = this.sources.length;
      this.sources.push(other);
      const tick = market.liquidity.bestTick(other, makers);
      if (tick === NO_TICK) return false;
      this.#stand(index, tick, market);
    }
    return true;
  }

  /**
   * Finds the next price with stake, passing over levels too small to give any; returns false where there is none left.
   */
  find(): boolean {
    const market = this.#market;
    if (market === undefined) return false;
    if (!this.#passDust(market)) return false;
    while (true) {
      this.price = syntheticPrice(this.prices, this.sources.length, this.#makers, this.#rules.crossPrice);
      if (this.price === OVERROUND) return false;
      const least = this.#leastPayout();
      this.stake = this.price > PRICE_SCALE ? this.#stakeFor(least) : (0 as Money);
      if (this.stake > 0) return true;
      if (!this.#standOnNext(this.#leastIndex, market)) return false;
    }
  }

  /**
   * Computes what each source gives for `stake` at the quoted price (floor for For makers, ceiling for Against makers);
   * returns false where a source gives nothing.
   */
  fillsFor(stake: Money): boolean {
    let whole = true;
    for (let i = 0; i < this.sources.length; i += 1) {
      const at = this.prices[i] ?? 0;
      const fill = this.#makers === FOR ? mulDiv(stake, this.price, at) : mulDivCeil(stake, this.price, at);
      this.fills[i] = fill;
      if (fill === 0) whole = false;
    }
    return whole;
  }

  /** Uses up the current quote in the walk's own amounts. */
  useUp(): void {
    this.fillsFor(this.stake);
    for (let i = 0; i < this.sources.length; i += 1) {
      this.#amounts[i] = (this.#amounts[i] ?? 0) - (this.fills[i] ?? 0);
    }
  }

  /** Passes over levels of which the walk has left less than can be matched; returns false where none is behind one. */
  #passDust(market: Market): boolean {
    for (let i = 0; i < this.sources.length; i += 1) {
      if (shownStake(this.#amounts[i] ?? 0) === 0 && !this.#standOnNext(i, market)) return false;
    }
    return true;
  }

  #leastIndex = 0;

  #leastPayout(): number {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.sources.length; i += 1) {
      const payout = mulDiv(this.#amounts[i] ?? 0, this.prices[i] ?? 0, PRICE_SCALE);
      if (payout >= least) continue;
      least = payout;
      this.#leastIndex = i;
    }
    return least;
  }

  #stakeFor(payout: number): Money {
    const stake = mulDiv(payout, PRICE_SCALE, this.price);
    return (stake - (stake % this.#rules.crossStakeStep)) as Money;
  }

  #standOnNext(index: number, market: Market): boolean {
    const { liquidity } = market;
    const source = this.sources[index] ?? 0;
    let next = this.ticks[index] ?? 0;
    do {
      next = liquidity.nextTick(source, this.#makers, next);
      if (next === NO_TICK) return false;
      this.#stand(index, next, market);
    } while (shownStake(this.#amounts[index] ?? 0) === 0);
    return true;
  }

  #stand(index: number, tick: number, market: Market): void {
    this.ticks[index] = tick;
    this.prices[index] = priceOfTick(tick as Tick);
    const source = this.sources[index] ?? 0;
    const amount = market.liquidity.amountAt(source, this.#makers, tick);
    this.#amounts[index] = this.#taken === undefined ? amount : amount - this.#taken.at(source, tick);
  }
}

/** Stake that a taker has matched on paper, and that is in the book still. */
export class TakenStake {
  readonly #stakes = new Map<number, number>();

  at(outcome: number, tick: number): number {
    return this.#stakes.get(outcome * TICK_COUNT + tick) ?? 0;
  }

  /** Takes what the sources of a walk give. */
  take({ sources, ticks, fills }: Pick<CrossWalk, 'sources' | 'ticks' | 'fills'>): void {
    for (const [index, outcome] of sources.entries()) {
      const tick = ticks[index] ?? 0;
      this.#stakes.set(outcome * TICK_COUNT + tick, this.at(outcome, tick) + (fills[index] ?? 0));
    }
  }
}

/**
 * The result where 1 − Σ 1/pᵢ ≤ 0, which ends the walk under both rules (profile section 6). For makers further inward
 * might leave a positive remainder again, but only past better orders that were not matched.
 */
const OVERROUND = 1 as Price;

/**
 * The ladder tick at which synthetic stake is shown among the market's prices: the nearest one that is worse for its
 * taker (profile section 6). For makers offer it to a For taker, as an Against level. May lie outside the ladder.
 */
export function shownTick(price: Price, makers: SideIndex): number {
  return makers === FOR ? tickAtOrBelow(price) : tickAtOrAbove(price);
}

/**
 * The price P with 1/P = 1 − Σ 1/pᵢ, rounded against the taker: down where the makers are For, up where they are
 * Against. OVERROUND where the sum reaches 1; 0 where the rule wants an exact price and this one is not.
 */
export function syntheticPrice(
  prices: readonly number[],
  count: number,
  makers: SideIndex,
  rule: Rules['crossPrice'],
): Price {
  let product = 1;
  for (let i = 0; i < count; i += 1) product *= prices[i] ?? 0;
  if (!Number.isSafeInteger(product * PRICE_SCALE)) return widePrice(prices, count, makers, rule);
  let rest = product;
  for (let i = 0; i < count; i += 1) rest -= (product / (prices[i] ?? 1)) * PRICE_SCALE;
  if (rest <= 0) return OVERROUND;
  const remainder = (product * PRICE_SCALE) % rest;
  if (remainder !== 0 && rule === 'exact') return 0 as Price;
  const floor = (product * PRICE_SCALE - remainder) / rest;
  return (makers === FOR || remainder === 0 ? floor : floor + 1) as Price;
}

/** Computes `syntheticPrice` with bigints, for products beyond 2⁵³. */
function widePrice(prices: readonly number[], count: number, makers: SideIndex, rule: Rules['crossPrice']): Price {
  const scale = BigInt(PRICE_SCALE);
  let product = 1n;
  for (let i = 0; i < count; i += 1) product *= BigInt(prices[i] ?? 0);
  let rest = product;
  for (let i = 0; i < count; i += 1) rest -= (product / BigInt(prices[i] ?? 1)) * scale;
  if (rest <= 0n) return OVERROUND;
  const remainder = (product * scale) % rest;
  if (remainder !== 0n && rule === 'exact') return 0 as Price;
  const floor = Number((product * scale) / rest);
  return (makers === FOR || remainder === 0n ? floor : floor + 1) as Price;
}
