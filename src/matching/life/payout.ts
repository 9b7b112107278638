/** What trades and positions pay when the winners are known, dead heats included (profile section 7). */

import { type Money, mulDivFloor } from '../../core/number/units.ts';
import { FOR, type SideIndex } from '../../core/side.ts';
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

/**
 * The profit or loss of a position: Σ lose over all outcomes + (w/k) · Σ (win − lose) over the winners, where k winners
 * share w places.
 */
export function profitOfPosition(state: State, market: Market, position: number, settlement: Settlement): Money {
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
