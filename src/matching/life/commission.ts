/** Commission on a position's net profit, split over the commission rates of the orders that took the risk. */

import { defined } from '../../core/checks/assert.ts';
import type { Money } from '../../core/number/units.ts';
import { FOR } from '../../core/side.ts';
import { transactionCode } from '../messages/codes.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from '../state/market.ts';
import { sideOfOrder } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';

const COMMISSION = transactionCode('Commission');
const MILLION = 1_000_000n;

/**
 * Charges the commission on a position's net profit. Each rate's share is profit × rate × (matched risk at the rate ÷
 * all matched risk), truncated once.
 */
export function chargeCommission(state: State, market: Market, position: number, profit: Money): void {
  const riskByRate = matchedRisks(state, market, position);
  let total = 0;
  for (const risk of riskByRate.values()) total += risk;
  if (total === 0) return;
  for (const id of [...riskByRate.keys()].sort((a, b) => a - b)) {
    const rate = state.accounts.rates[id];
    if (rate === undefined) continue;
    const weighted = BigInt(profit) * BigInt(riskByRate.get(id) ?? 0) * BigInt(rate.ratePpm);
    const amount = Number(weighted / (BigInt(total) * MILLION));
    if (amount === 0) continue;
    const app = defined(state.accounts.apps[rate.app], 'a rate has an app');
    const first = state.positions.accountOf(position);
    const second = state.accounts.open(state.accounts.defined(app.commissionWallet), market.currency);
    state.accounts.post(first, second, COMMISSION, amount, market.id);
    market.charges.push({ position, account: second, amount });
  }
}

/**
 * Matched risk by commission rate (−1 for orders without one): the stake of For bets and the liability of Against bets.
 */
function matchedRisks(state: State, market: Market, position: number): Map<number, number> {
  const { orders, trades, positions } = state;
  const riskByRate = new Map<number, number>();
  let slot = positions.firstOrder[position] ?? NONE;
  for (; slot !== NONE; slot = orders.positionNext(slot)) {
    if (market.removed[orders.outcome(slot)] !== 0) continue;
    const isFor = sideOfOrder(state, slot) === FOR;
    const rate = orders.rate(slot);
    let risk = riskByRate.get(rate) ?? 0;
    for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade)) {
      risk += isFor ? trades.stake(trade) : trades.winnings(trade);
    }
    riskByRate.set(rate, risk);
  }
  return riskByRate;
}
