/** The prices a market shows: its resting stake by level, with or without synthetic stake from cross matching. */

import { NO_TICK, priceOfTick, TICK_COUNT, type Tick } from '../../core/number/ladder.ts';
import type { Money, Price } from '../../core/number/units.ts';
import { AGAINST, FOR, oppositeIndex, type Side, type SideIndex, sideOf } from '../../core/side.ts';
import type { Rules } from '../messages/rules.ts';
import { CrossWalk, shownTick } from './cross-walk.ts';
import type { Market } from './market.ts';

/**
 * One level. `side` is the resting side. `amount` can be matched now (0 only with the option `empty`). `matched` was
 * matched at that level: of a cross match, the taker's stake counts at the synthetic level it matched, and the makers'
 * stakes at their own levels.
 */
export interface PriceLevel {
  readonly outcome: number;
  readonly side: Side;
  readonly tick: Tick;
  readonly price: Price;
  readonly amount: Money;
  readonly matched: Money;
}

/**
 * `cross` adds synthetic stake, shown at the nearest ladder price that is worse for the taker; `empty` adds levels
 * where stake was matched and none rests.
 */
export interface PriceOptions {
  readonly cross?: boolean;
  readonly empty?: boolean;
}

/** The levels by outcome, then For before Against, then best first for the taker. An outcome's two sides never cross. */
export function visiblePrices(rules: Rules, market: Market, options: PriceOptions): readonly PriceLevel[] {
  const levels: PriceLevel[] = [];
  for (let outcome = 0; outcome < market.outcomes; outcome += 1) {
    const sides = amountsOf(rules, market, outcome, options);
    for (const side of [FOR, AGAINST]) addSide(levels, market, { outcome, side }, sides[side], options);
  }
  return levels;
}

/** The sum of all resting stake, without synthetic stake. */
export function restingStake(market: Market): Money {
  let sum = 0;
  for (let outcome = 0; outcome < market.outcomes; outcome += 1) {
    for (const side of [FOR, AGAINST])
      for (const amount of directAmounts(market, { outcome, side }).values()) sum += amount;
  }
  return sum as Money;
}

interface Book {
  readonly outcome: number;
  readonly side: SideIndex;
}

/** Stake by tick, and by side: For, then Against. */
type Amounts = Map<number, number>;
type Sides = readonly [Amounts, Amounts];

function amountsOf(rules: Rules, market: Market, outcome: number, options: PriceOptions): Sides {
  const sides: Sides = [
    directAmounts(market, { outcome, side: FOR }),
    directAmounts(market, { outcome, side: AGAINST }),
  ];
  // A removed outcome cannot be bet on, so nothing is offered there.
  if (options.cross !== true || !market.crosses || market.removed[outcome] !== 0) return sides;
  for (const side of [FOR, AGAINST]) addSynthetic(sides[side], rules, market, { outcome, side });
  uncross(sides);
  return sides;
}

/**
 * Of two levels that cross, leaves out the one that pays out less. Stake is matched by whole thousandths, which are worth more at longer
 * odds: what is left over at short odds may be too little to match on another outcome, and much enough to be shown on its own. A removal
 * makes levels that cross as well.
 */
function uncross(sides: Sides): void {
  while (true) {
    const lowestFor = Math.min(...sides[FOR].keys());
    const highestAgainst = Math.max(...sides[AGAINST].keys());
    if (!(highestAgainst >= lowestFor)) return;
    const payout = (side: SideIndex, tick: number) => (sides[side].get(tick) ?? 0) * priceOfTick(tick as Tick);
    if (payout(FOR, lowestFor) < payout(AGAINST, highestAgainst)) sides[FOR].delete(lowestFor);
    else sides[AGAINST].delete(highestAgainst);
  }
}

function addSide(into: PriceLevel[], market: Market, book: Book, amounts: Amounts, options: PriceOptions): void {
  const { outcome, side } = book;
  const first = (outcome * 2 + side) * TICK_COUNT;
  if (options.empty === true) addMatchedTicks(amounts, market, first);
  const ticks = [...amounts.keys()].sort((a, b) => (side === AGAINST ? b - a : a - b));
  for (const at of ticks) {
    const tick = at as Tick;
    const amount = (amounts.get(tick) ?? 0) as Money;
    const matched = (market.matchedAt[first + tick] ?? 0) as Money;
    into.push({ outcome, side: sideOf(side), tick, price: priceOfTick(tick), amount, matched });
  }
}

/** Adds levels where stake was matched and nothing rests any more. */
function addMatchedTicks(amounts: Amounts, market: Market, first: number): void {
  for (let tick = 0; tick < TICK_COUNT; tick += 1) {
    if ((market.matchedAt[first + tick] ?? 0) !== 0 && !amounts.has(tick)) amounts.set(tick, 0);
  }
}

function directAmounts(market: Market, { outcome, side }: Book): Amounts {
  const { liquidity } = market;
  const amounts: Amounts = new Map();
  for (let tick = liquidity.bestTick(outcome, side); tick !== NO_TICK; tick = liquidity.nextTick(outcome, side, tick)) {
    amounts.set(tick, liquidity.amountAt(outcome, side, tick));
  }
  return amounts;
}

/** Adds the synthetic stake of this side, which orders of the other side on all other outcomes make. */
function addSynthetic(amounts: Amounts, rules: Rules, market: Market, { outcome, side }: Book): void {
  const walk = new CrossWalk(rules);
  const makers = oppositeIndex(side);
  if (!walk.start(market, outcome, makers)) return;
  while (walk.find()) {
    const tick = shownTick(walk.price, makers);
    if (tick < 0 || tick >= TICK_COUNT) return;
    amounts.set(tick, (amounts.get(tick) ?? 0) + walk.stake);
    walk.useUp();
  }
}
