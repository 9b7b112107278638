/** Commission on a position's net profit, split over the commission rates of the orders that took the risk. */

import { defined } from '../../core/checks/assert.ts';
import type { Money } from '../../core/number/units.ts';
import { FOR } from '../../core/side.ts';
import { transactionCode } from '../messages/codes.ts';
import type { CommissionRate } from '../records/accounts.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from '../state/market.ts';
import { sideOfOrder } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';

const COMMISSION = transactionCode('Commission');
const MILLION = 1_000_000n;

/** A commission rate's part of a position's matched risk. */
interface RiskAtRate {
  readonly rate: CommissionRate;
  readonly risk: number;
  /** The whole matched risk of the position, at all rates and at none. */
  readonly ofRisk: number;
  /** The money step of the position's wallet. */
  readonly step: number;
}

/**
 * Charges the commission on a position's net profit. Each rate's share is profit × rate × (matched risk at the rate ÷
 * all matched risk), truncated once; in a wallet with a money step it is rounded to the nearest one.
 */
export function chargeCommission(state: State, market: Market, position: number, profit: Money): void {
  for (const at of risksByRate(state, market, position)) {
    const { rate } = at;
    const amount = shareOf(at, profit);
    if (amount === 0) continue;
    const app = defined(state.accounts.apps[rate.app], 'a rate has an app');
    const first = state.positions.accountOf(position);
    const second = state.accounts.open(state.accounts.defined(app.commissionWallet), market.currency);
    state.accounts.post(first, second, COMMISSION, amount, market.id);
    market.charges.push({ position, account: second, amount });
  }
}

/** What `chargeCommission` would charge on each of these net profits; nothing on a loss. */
export function commissionsOn(
  state: State,
  market: Market,
  position: number,
  profits: ArrayLike<number>,
): readonly number[] {
  const risks = risksByRate(state, market, position);
  return Array.from(profits, (profit) =>
    profit > 0 ? risks.reduce((sum, at) => sum + shareOf(at, profit as Money), 0) : 0,
  );
}

function shareOf({ rate, risk, ofRisk, step }: RiskAtRate, profit: Money): number {
  const share = BigInt(profit) * BigInt(risk) * BigInt(rate.ratePpm);
  const unit = BigInt(ofRisk) * MILLION * BigInt(step);
  return Number(step === 1 ? share / unit : (share + unit / 2n) / unit) * step;
}

/** In the order of the rates' ids. */
function risksByRate(state: State, market: Market, position: number): readonly RiskAtRate[] {
  const riskByRate = matchedRisks(state, market, position);
  let ofRisk = 0;
  for (const risk of riskByRate.values()) ofRisk += risk;
  if (ofRisk === 0) return [];
  const step = state.accounts.stepOf(state.positions.accountOf(position));
  const ids = [...riskByRate.keys()].sort((a, b) => a - b);
  return ids.flatMap((id) => {
    const rate = state.accounts.rates[id];
    return rate === undefined ? [] : [{ rate, risk: riskByRate.get(id) ?? 0, ofRisk, step }];
  });
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
