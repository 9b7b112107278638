/** What a wallet's matched bets in a market are worth, by the outcome that wins: gross, and the commission on it. */

import { FOR } from '../../core/side.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from '../state/market.ts';
import { sideOfOrder } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { commissionsOn } from './commission.ts';
import { inSteps } from './payout.ts';

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
  const { win, lose } = cellsOf(state, market, position);
  const allLose = lose.reduce((sum, each) => sum + each, 0);
  const profits = new Float64Array(market.outcomes);
  for (let outcome = 0; outcome < market.outcomes; outcome += 1) {
    const [ifWins, ifLoses] = [win[outcome] ?? 0, lose[outcome] ?? 0];
    profits[outcome] = allLose - ifLoses + ifWins;
    add(into.betsIfWins, outcome, ifWins);
    add(into.betsIfLoses, outcome, ifLoses);
    add(into.profitIfWins, outcome, allLose - ifLoses + ifWins);
  }
  for (const [outcome, commission] of commissionsOn(state, market, position, profits).entries())
    add(into.commissionIfWins, outcome, commission);
}

/** By outcome, what the bets on it pay if it wins and if it does not: in a wallet with a money step each bet in steps. */
function cellsOf(state: State, market: Market, position: number): { win: Float64Array; lose: Float64Array } {
  const { positions, orders, trades, accounts } = state;
  const { columns } = positions;
  const [base, end] = [positions.baseOf(position), positions.baseOf(position) + market.outcomes];
  const step = accounts.stepOf(positions.accountOf(position));
  if (step === 1) return { win: columns.win.subarray(base, end), lose: columns.lose.subarray(base, end) };
  const cells = { win: new Float64Array(market.outcomes), lose: new Float64Array(market.outcomes) };
  let slot = positions.firstOrder[position] ?? NONE;
  for (; slot !== NONE; slot = orders.positionNext(slot)) {
    const outcome = orders.outcome(slot);
    if (market.removed[outcome] !== 0) continue;
    const sign = sideOfOrder(state, slot) === FOR ? 1 : -1;
    let [ifWins, ifLoses] = [0, 0];
    for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade)) {
      ifWins += sign * trades.winnings(trade);
      ifLoses -= sign * trades.losings(trade);
    }
    add(cells.win, outcome, inSteps(ifWins, step));
    add(cells.lose, outcome, inSteps(ifLoses, step));
  }
  return cells;
}

function add(column: Float64Array, outcome: number, amount: number): void {
  column[outcome] = (column[outcome] ?? 0) + amount;
}
