/** Levels the profit of a position over all outcomes, or undoes the trade on one. */

import type { PlaceIntent } from '../core/intent.ts';
import type { MatchBehavior } from '../core/order.ts';
import { back, lay } from './place.ts';
import { roundStakeDown } from './stake-step.ts';
import type { MarketView, OutcomeView, PositionView } from './views.ts';

export interface HedgeOptions {
  /** Hedges of a smaller stake are left out as dust. Default 0.01. */
  readonly stakeMin?: number;
  /** Default CancelUnmatched: take what is there now, and ask again for the rest. */
  readonly matchBehavior?: MatchBehavior;
  readonly keepWhenInPlay?: boolean;
}

/**
 * The orders that give every outcome the same profit at the best prices to take now, before commission; none when it
 * is level already, or when a price it would need is missing.
 *
 * With Wᵢ the profit if i wins, orders of stake (c − Wᵢ) ÷ priceᵢ, For where positive and Against where negative,
 * level the market for any c. The levelled profit is concave in c with its corners at the Wᵢ, so one of them is the
 * best c between the least and the most profit: of n ways, each leaving one outcome alone, the most profitable is
 * taken. A trade on one outcome is thus closed there with |Wᵢ − W| ÷ priceᵢ, unless backing the others pays better.
 * Where several outcomes win, `winnersMax` of them are meant.
 *
 * It counts matched bets only: ask for it when no own order is on its way, or the hedge is sent twice.
 *
 * @example
 * decide: ({ market, orders, position }) => (orders.length === 0 ? greenUp(market, position) : [])
 */
export function greenUp(
  market: MarketView,
  position: PositionView,
  options: HedgeOptions = {},
): readonly PlaceIntent[] {
  const runners: Runner[] = [];
  for (const outcome of market.outcomes) if (outcome.status === 'Active') runners.push(runnerOf(outcome, position));
  const level = bestLevel(runners, market.winnersMax);
  if (level === undefined) return NOTHING;
  let orders: PlaceIntent[] | undefined;
  for (const { outcome, profit } of runners) {
    if (profit === level) continue;
    const order = hedge(outcome, level - profit, options);
    if (order === undefined) continue;
    if (orders === undefined) orders = [order];
    else orders.push(order);
  }
  return orders ?? NOTHING;
}

const NOTHING: readonly PlaceIntent[] = [];

/**
 * The order that undoes the bets on this one outcome at the best price to take now: afterwards it makes no difference
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
  const backed = position.matched(outcome.id, 'For');
  const laid = position.matched(outcome.id, 'Against');
  const difference = backed.stake * (backed.averagePrice ?? 0) - laid.stake * (laid.averagePrice ?? 0);
  const order = hedge(outcome, -difference, options);
  return order === undefined ? NOTHING : [order];
}

const STAKE_MIN = 0.01;

interface Runner {
  readonly outcome: OutcomeView;
  readonly profit: number;
  readonly toBack: number;
  readonly toLay: number;
}

function runnerOf(outcome: OutcomeView, position: PositionView): Runner {
  const toBack = outcome.bestAgainst?.price ?? Number.NaN;
  const toLay = outcome.bestFor?.price ?? Number.NaN;
  return { outcome, profit: position.profitIfWins(outcome.id), toBack, toLay };
}

/** The profit to level at that pays most; undefined where a price it would need is missing each time. */
function bestLevel(runners: readonly Runner[], winners: number): number | undefined {
  let best: number | undefined;
  let mostProfit = Number.NEGATIVE_INFINITY;
  for (const { profit: level } of runners) {
    const profit = levelledProfit(runners, level, winners);
    if (profit <= mostProfit) continue;
    best = level;
    mostProfit = profit;
  }
  return best;
}

/** The levelled profit but for a constant: winners × c − Σ stakes. The least there is where a price is missing. */
function levelledProfit(runners: readonly Runner[], level: number, winners: number): number {
  let staked = 0;
  for (const { profit, toBack, toLay } of runners) {
    if (profit !== level) staked += (level - profit) / (profit < level ? toBack : toLay);
  }
  const total = winners * level - staked;
  return Number.isNaN(total) ? Number.NEGATIVE_INFINITY : total;
}

/** An order whose payout, stake × price, is `payout`: For when positive, Against when negative. */
function hedge(outcome: OutcomeView, payout: number, options: HedgeOptions): PlaceIntent | undefined {
  if (payout === 0) return undefined;
  const level = payout > 0 ? outcome.bestAgainst : outcome.bestFor;
  if (level === undefined) return undefined;
  const stake = roundStakeDown(Math.abs(payout) / level.price);
  if (stake < (options.stakeMin ?? STAKE_MIN)) return undefined;
  const { keepWhenInPlay, matchBehavior = 'CancelUnmatched' } = options;
  const { price } = level;
  const order =
    keepWhenInPlay === undefined ? { stake, price, matchBehavior } : { stake, price, matchBehavior, keepWhenInPlay };
  return payout > 0 ? back(outcome, order) : lay(outcome, order);
}
