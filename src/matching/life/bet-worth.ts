/** What a wallet's matched bets in a market are worth, by the outcome that wins: gross, and the commission on it. */

import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';
import { commissionsOn } from './commission.ts';

/** By outcome, 10⁻⁶. Those of several wallets add up, since each pays its own commission. */
export interface BetWorth {
  /** Gross profit of the bets on the outcome, if it wins and if it does not. */
  readonly betsIfWins: Float64Array;
  readonly betsIfLoses: Float64Array;
  /** Gross profit of all bets of the market if this outcome alone wins, and the commission on it. */
  readonly profitIfWins: Float64Array;
  readonly commissionIfWins: Float64Array;
}

export function noBetWorth(outcomes: number): BetWorth {
  return {
    betsIfWins: new Float64Array(outcomes),
    betsIfLoses: new Float64Array(outcomes),
    profitIfWins: new Float64Array(outcomes),
    commissionIfWins: new Float64Array(outcomes),
  };
}

/** Adds a position, as it is before settlement and after: bets on removed outcomes are void and count nothing. */
export function addBetWorth(state: State, market: Market, position: number, into: BetWorth): void {
  const { win, lose } = state.positions.columns;
  const base = state.positions.baseOf(position);
  let allLose = 0;
  for (let outcome = 0; outcome < market.outcomes; outcome += 1) allLose += lose[base + outcome] ?? 0;
  const profits = new Float64Array(market.outcomes);
  for (let outcome = 0; outcome < market.outcomes; outcome += 1) {
    const [ifWins, ifLoses] = [win[base + outcome] ?? 0, lose[base + outcome] ?? 0];
    profits[outcome] = allLose - ifLoses + ifWins;
    add(into.betsIfWins, outcome, ifWins);
    add(into.betsIfLoses, outcome, ifLoses);
    add(into.profitIfWins, outcome, allLose - ifLoses + ifWins);
  }
  for (const [outcome, commission] of commissionsOn(state, market, position, profits).entries())
    add(into.commissionIfWins, outcome, commission);
}

function add(column: Float64Array, outcome: number, amount: number): void {
  column[outcome] = (column[outcome] ?? 0) + amount;
}
