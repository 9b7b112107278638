/** Levels the profit of a position over all outcomes, or closes the position on one outcome. */

import { defined } from '../../core/checks/assert.ts';
import type { PlaceIntent } from '../../core/intent.ts';
import type { MatchBehavior } from '../../core/order.ts';
import { isBelowMinimum } from '../decision/below-minimum.ts';
import { checkOptions } from '../decision/known-keys.ts';
import { roundStakeDown } from '../stake-step.ts';
import type { Level, MarketView, OutcomeView, PositionView } from '../views/views.ts';
import { back, lay } from './place.ts';

/**
 * How hedging orders are placed. They take the best price there is; where the exchange has a smallest stake and less than that is offered
 * there, their price is as much worse as it takes to match the smallest stake, and there is no order where the book has too little.
 */
export interface HedgeOptions {
  /** Smaller hedges are not placed. Hedges below the exchange's minimum are not placed either. Default 0.01. */
  readonly stakeMin?: number;
  /** CancelUnmatched (default): match what is available now, and ask again for the rest. */
  readonly matchBehavior?: MatchBehavior;
  /** Keeps unmatched stake at the in-play switch, where the market cancels it then. Default false. */
  readonly keepWhenInPlay?: boolean;
  /** Stays with each of the orders, at most 200 characters. */
  readonly note?: string | undefined;
}

/**
 * The orders that give every outcome the same profit at the best prices to take now, before commission; none when the
 * profit is level already, or when a price that is needed is missing.
 *
 * With Wᵢ the profit if i wins, orders of stake (c − Wᵢ) ÷ priceᵢ, For where positive and Against where negative, level
 * the market for any c. The levelled profit is concave in c with its corners at the Wᵢ, so one of the Wᵢ is the best c.
 * Of these n choices, each of which needs no order on one outcome, the most profitable is taken. A trade on one outcome
 * is thus closed on that outcome with stake |Wᵢ − W| ÷ priceᵢ, unless backing the others pays better. Where several
 * outcomes win, `winnersMax` of them are assumed.
 *
 * Only matched bets count: call it when no own order is on its way, or the hedge is sent twice.
 *
 * @example
 * decide: ({ market, orders, position }) => (orders.length === 0 ? greenUp(market, position) : [])
 */
export function greenUp(
  market: MarketView,
  position: PositionView,
  options: HedgeOptions = {},
): readonly PlaceIntent[] {
  checkOptions('greenUp', options, HEDGE_OPTIONS);
  const count = readProfits(market, position);
  // Every price is above 1, so a hedging stake is smaller than the profit it levels: a small spread needs no prices
  // read.
  if (spreadOf(count) < leastSpread(market, options)) return NOTHING;
  readPrices(count);
  const level = bestLevel(count, market.winnersMax);
  if (level === undefined) return NOTHING;
  let orders: PlaceIntent[] | undefined;
  for (let i = 0; i < count; i += 1) {
    const { outcome, profit } = runnerAt(i);
    const order = profit === level ? undefined : hedge(outcome, level - profit, options);
    if (order === undefined) continue;
    if (orders === undefined) orders = [order];
    else orders.push(order);
  }
  return orders ?? NOTHING;
}

/** Frozen, since all strategies are given this object. */
const NOTHING: readonly PlaceIntent[] = Object.freeze([]);

const HEDGE_OPTIONS: ReadonlySet<string> = new Set(['stakeMin', 'matchBehavior', 'keepWhenInPlay', 'note']);

/**
 * The order that closes the bets on this one outcome at the best price to take now: afterwards it makes no difference
 * whether the outcome wins. Stake = |Σ For stake × price − Σ Against stake × price| ÷ price to take.
 *
 * @example
 * decide: ({ market, orders, position }) =>
 *   orders.length === 0 ? market.outcomes.flatMap((outcome) => closeTrade(outcome, position)) : []
 */
export function closeTrade(
  outcome: OutcomeView,
  position: PositionView,
  options: HedgeOptions = {},
): readonly PlaceIntent[] {
  checkOptions('closeTrade', options, HEDGE_OPTIONS);
  const backed = position.matched(outcome.id, 'For');
  const laid = position.matched(outcome.id, 'Against');
  const difference = backed.stake * (backed.averagePrice ?? 0) - laid.stake * (laid.averagePrice ?? 0);
  const order = hedge(outcome, -difference, options);
  return order === undefined ? NOTHING : [order];
}

const STAKE_MIN = 0.01;
/** Far more than the rounding error of added stakes, far less than a step. */
const NOISE = 1e-9;

/** The smallest spread of profits that is hedged: below it both the stake and the payout would be under the minimum. */
function leastSpread({ stakeMin, payoutMin = Number.POSITIVE_INFINITY }: MarketView, options: HedgeOptions): number {
  const own = options.stakeMin ?? STAKE_MIN;
  return stakeMin === undefined ? own : Math.max(own, Math.min(stakeMin, payoutMin));
}

interface Runner {
  outcome: OutcomeView;
  profit: number;
  /** The prices at which the outcome can be backed and laid now; NaN where there is none. */
  toBack: number;
  toLay: number;
}

/** Scratch space of the current call, reused by the next one to avoid garbage: strategies call this at each update. */
const runners: Runner[] = [];

/** Reads the active outcomes and their profits into `runners`; returns how many there are. */
function readProfits(market: MarketView, position: PositionView): number {
  let count = 0;
  for (const outcome of market.outcomes) {
    if (outcome.status !== 'Active') continue;
    const profit = position.profitIfWins(outcome.id);
    const runner = runners[count];
    if (runner === undefined) runners.push({ outcome, profit, toBack: Number.NaN, toLay: Number.NaN });
    else {
      runner.outcome = outcome;
      runner.profit = profit;
    }
    count += 1;
  }
  return count;
}

function readPrices(count: number): void {
  for (let i = 0; i < count; i += 1) {
    const runner = runnerAt(i);
    runner.toBack = runner.outcome.bestPrice('Against') ?? Number.NaN;
    runner.toLay = runner.outcome.bestPrice('For') ?? Number.NaN;
  }
}

/** The largest profit minus the smallest. */
function spreadOf(count: number): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < count; i += 1) {
    const { profit } = runnerAt(i);
    if (profit < least) least = profit;
    if (profit > most) most = profit;
  }
  return most - least;
}

function runnerAt(index: number): Runner {
  return defined(runners[index], 'the runner was read');
}

/** The level of profit that pays most; undefined where each choice needs a price that is missing. */
function bestLevel(count: number, winners: number): number | undefined {
  let best: number | undefined;
  let mostProfit = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i += 1) {
    const level = runnerAt(i).profit;
    const profit = levelledProfit(count, level, winners);
    if (profit <= mostProfit) continue;
    best = level;
    mostProfit = profit;
  }
  return best;
}

/** The levelled profit without its constant part: winners × c − Σ stakes. −Infinity where a price is missing. */
function levelledProfit(count: number, level: number, winners: number): number {
  let staked = 0;
  for (let i = 0; i < count; i += 1) {
    const { profit, toBack, toLay } = runnerAt(i);
    if (profit !== level) staked += (level - profit) / (profit < level ? toBack : toLay);
  }
  const total = winners * level - staked;
  return Number.isNaN(total) ? Number.NEGATIVE_INFINITY : total;
}

/**
 * An order whose payout, stake × price, is |payout|: For when `payout` is positive, Against when negative. Undefined
 * where there is no price or the stake is too small.
 */
function hedge(outcome: OutcomeView, payout: number, options: HedgeOptions): PlaceIntent | undefined {
  if (payout === 0) return undefined;
  const { keepWhenInPlay, matchBehavior = 'CancelUnmatched', note } = options;
  const limit = limitOf(outcome, payout, matchBehavior);
  if (limit === undefined) return undefined;
  const { price } = limit;
  const stake = roundStakeDown(limit.stake, outcome.stakeStep);
  if (stake < (options.stakeMin ?? STAKE_MIN) || isBelowMinimum(outcome, { stake, price })) return undefined;
  const order =
    keepWhenInPlay === undefined
      ? { stake, price, matchBehavior, note }
      : { stake, price, matchBehavior, keepWhenInPlay, note };
  return payout > 0 ? back(outcome, order) : lay(outcome, order);
}

/**
 * Where an exchange has a smallest stake, an order that may not rest matches that much at once, or nothing: its price is as far from the
 * best one as that needs. Undefined where all that is shown is too little.
 */
function limitOf(outcome: OutcomeView, payout: number, matchBehavior: MatchBehavior): Level | undefined {
  const least = matchBehavior === 'CancelUnmatched' ? (outcome.stakeMin ?? 0) : 0;
  let left = Math.abs(payout);
  let taken = 0;
  for (const level of outcome.levels(payout > 0 ? 'Against' : 'For', least === 0 ? 1 : Number.POSITIVE_INFINITY)) {
    const rest = left / level.price;
    if (level.stake >= Math.min(rest, least - taken) - NOISE) return { price: level.price, stake: taken + rest };
    taken += level.stake;
    left -= level.stake * level.price;
  }
  return undefined;
}
