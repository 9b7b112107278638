/** What trades, bets and positions pay when the winners are known, dead heats included (profile section 7). */

import { type Money, mulDivFloor } from '../../core/number/units.ts';
import { FOR, type SideIndex } from '../../core/side.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market, Settlement } from '../state/market.ts';
import type { State } from '../state/state.ts';

/**
 * Gross profit or loss of one trade. In a dead heat of k winners for w places a bet on a winner settles w/k of its
 * stake at full odds and loses the rest; shares are floored on either side, never overpaid.
 */
export function profitOfTrade(
  bet: { winnings: number; losings: number },
  side: SideIndex,
  won: boolean,
  settlement: Settlement,
): Money {
  const win = side === FOR ? bet.winnings : -bet.winnings;
  const lose = side === FOR ? -bet.losings : bet.losings;
  return (won ? lose + shareOf(win - lose, settlement) : lose) as Money;
}

/** What a settlement pays a position beside its M: in a wallet with a money step the sum of its bets, each in steps. */
export function paidProfit(state: State, market: Market, position: number, settlement: Settlement): Money {
  const { positions, orders, accounts } = state;
  if (accounts.stepOf(positions.accountOf(position)) === 1)
    return profitOfPosition(state, market, position, settlement);
  let profit = 0;
  let slot = positions.firstOrder[position] ?? NONE;
  for (; slot !== NONE; slot = orders.positionNext(slot)) profit += profitOfOrder(state, slot);
  return profit as Money;
}

/** The profit or loss of an order's trades as they were settled, in the steps of its wallet. */
export function profitOfOrder(state: State, slot: number): Money {
  const { orders, trades } = state;
  let profit = 0;
  for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade))
    profit += trades.profitLoss(trade);
  return inSteps(profit, state.accounts.stepOf(state.positions.accountOf(orders.position(slot))));
}

/** Winnings are rounded down, and losses up. */
export function inSteps(profit: number, step: number): Money {
  return (Math.floor(profit / step) * step) as Money;
}

/**
 * The profit or loss of a position: Σ lose over all outcomes + (w/k) · Σ (win − lose) over the winners, where k winners
 * share w places.
 */
function profitOfPosition(state: State, market: Market, position: number, settlement: Settlement): Money {
  const { columns } = state.positions;
  const base = state.positions.baseOf(position);
  let allLose = 0;
  for (let cell = base; cell < base + market.outcomes; cell += 1) allLose += columns.lose[cell] ?? 0;
  let winners = 0;
  for (const winner of settlement.winners) {
    winners += (columns.win[base + winner] ?? 0) - (columns.lose[base + winner] ?? 0);
  }
  return (allLose + shareOf(winners, settlement)) as Money;
}

function shareOf(difference: number, settlement: Settlement): number {
  const { winners, places } = settlement;
  return places === winners.length ? difference : mulDivFloor(difference, places, winners.length);
}
