/** The slow and obvious exposure: every figure from the list of all orders, over every allowed set of winners. */

import type { WinnersRange } from '../../src/core/market.ts';
import { priceOfTick } from '../../src/core/number/ladder.ts';
import type { ExposureOrder } from '../../src/risk/exposure/exposed.ts';
import type { Stakes } from '../../src/risk/exposure/exposure-book.ts';

export interface NaiveMarket {
  readonly market: number;
  readonly event: string;
  readonly outcomes: number;
  winners: WinnersRange;
  readonly removed: Set<number>;
}

export interface NaiveOrder extends ExposureOrder {
  held: Stakes;
}

/** What an unmatched stake can lose: BigInt, so that it shares no arithmetic with the code it judges. */
function riskOf(order: NaiveOrder): bigint {
  const stake = BigInt(order.held.stakeUnmatched);
  return order.side === 'For' ? stake : (stake * BigInt(priceOfTick(order.tick) - 1_000)) / 1_000n;
}

/** Loss of one order's unmatched part in a result, and profit of its matched part. */
function inResult(order: NaiveOrder, won: boolean): { unmatchedLoss: bigint; matchedProfit: bigint } {
  const backed = order.side === 'For';
  const stake = BigInt(order.held.stakeMatched);
  const winnings = BigInt(order.held.winningsMatched);
  const forProfit = won ? winnings : -stake;
  return {
    unmatchedLoss: won === backed ? 0n : riskOf(order),
    matchedProfit: backed ? forProfit : -forProfit,
  };
}

/** Every allowed set of winners, as bit masks. */
export function winnerSets(market: NaiveMarket): number[] {
  const eligible = market.outcomes - market.removed.size;
  const least = Math.min(market.winners.min, eligible);
  const most = Math.min(market.winners.max, eligible);
  const sets: number[] = [];
  for (let set = 0; set < 2 ** market.outcomes; set += 1) {
    const winners = [...Array(market.outcomes).keys()].filter((outcome) => wins(set, outcome));
    if (winners.some((outcome) => market.removed.has(outcome))) continue;
    if (winners.length >= least && winners.length <= most) sets.push(set);
  }
  return sets;
}

/** R: max over W of U(W) + max(0, −S(W)). */
export function naiveRequired(market: NaiveMarket, orders: readonly NaiveOrder[]): number {
  return worstOver(market, orders, ({ unmatchedLoss, matchedProfit }) => unmatchedLoss + atLeastZero(-matchedProfit));
}

/** M: max over W of max(0, −S(W)). */
export function naiveMatchedLoss(market: NaiveMarket, orders: readonly NaiveOrder[]): number {
  return worstOver(market, orders, ({ matchedProfit }) => atLeastZero(-matchedProfit));
}

/** The most that can be lost, whatever is filled, and nothing where all results are profits: max over W of max(0, U(W) − S(W)). */
export function naivePossibleLoss(market: NaiveMarket, orders: readonly NaiveOrder[]): number {
  return worstOver(market, orders, ({ unmatchedLoss, matchedProfit }) => atLeastZero(unmatchedLoss - matchedProfit));
}

/** The worst of the bets on one outcome, whether it wins or loses. */
export function naiveOutcomeLoss(orders: readonly NaiveOrder[], outcome: number): number {
  const on = orders.filter((order) => order.outcome === outcome);
  const losses = [true, false].map((won) => {
    const { unmatchedLoss, matchedProfit } = totals(on, () => won);
    return unmatchedLoss - matchedProfit;
  });
  return Number(largest(losses));
}

export function naiveProfitIfWins(orders: readonly NaiveOrder[], winner: number): number {
  return Number(totals(orders, (outcome) => outcome === winner).matchedProfit);
}

type Totals = { unmatchedLoss: bigint; matchedProfit: bigint };

function worstOver(market: NaiveMarket, orders: readonly NaiveOrder[], loss: (totals: Totals) => bigint): number {
  const losses = winnerSets(market).map((set) => loss(totals(orders, (outcome) => wins(set, outcome))));
  return Number(largest(losses));
}

function totals(orders: readonly NaiveOrder[], won: (outcome: number) => boolean): Totals {
  const sum = { unmatchedLoss: 0n, matchedProfit: 0n };
  for (const order of orders) {
    const result = inResult(order, won(order.outcome));
    sum.unmatchedLoss += result.unmatchedLoss;
    sum.matchedProfit += result.matchedProfit;
  }
  return sum;
}

function wins(set: number, outcome: number): boolean {
  return Math.floor(set / 2 ** outcome) % 2 === 1;
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}
