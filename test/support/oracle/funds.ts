/**
 * Positions, required funds and balances, each computed from scratch from orders and trades (profile section 6, Funds).
 */

import { larger, profit } from './amounts.ts';
import { activeOutcomes, type OracleMarket, type OracleWallet, type Required, type World } from './world.ts';

export interface Position {
  readonly win: bigint[];
  readonly lose: bigint[];
  readonly unmatchedWin: bigint[];
  readonly unmatchedLose: bigint[];
}

/** An order that does not exist yet, to ask what it would cost. */
export interface Supposed {
  readonly isFor: boolean;
  readonly outcome: number;
  readonly limit: bigint;
  readonly stake: bigint;
}

export function positionOf(market: OracleMarket, wallet: number, supposed: readonly Supposed[] = []): Position {
  const zeros = market.removed.map(() => 0n);
  const position: Position = {
    win: [...zeros],
    lose: [...zeros],
    unmatchedWin: [...zeros],
    unmatchedLose: [...zeros],
  };
  for (const order of market.orders) {
    if (order.wallet !== wallet) continue;
    for (const trade of order.trades) {
      if (trade.annulled) continue;
      bump(position.win, order.outcome, trade.win);
      bump(position.lose, order.outcome, trade.lose);
    }
    if (order.unmatched > 0n) addUnmatched(position, order, order.unmatched);
  }
  for (const each of supposed) addUnmatched(position, each, each.stake);
  return position;
}

function addUnmatched(position: Position, order: Supposed, unmatched: bigint): void {
  if (order.isFor) bump(position.unmatchedLose, order.outcome, unmatched);
  else bump(position.unmatchedWin, order.outcome, profit(unmatched, order.limit));
}

function bump(amounts: bigint[], at: number, by: bigint): void {
  amounts[at] = (amounts[at] ?? 0n) + by;
}

const setsKnown = new WeakMap<OracleMarket, { active: number; sets: number[][] }>();

/** `listWinnerSets`, remembered for as long as no outcome is removed. */
function winnerSets(market: OracleMarket): number[][] {
  const active = activeOutcomes(market).length;
  const known = setsKnown.get(market);
  if (known?.active === active) return known.sets;
  const sets = listWinnerSets(market);
  setsKnown.set(market, { active, sets });
  return sets;
}

/** Every set of winners that the market may end with. A removed outcome cannot win. */
function listWinnerSets(market: OracleMarket): number[][] {
  const active = activeOutcomes(market);
  const most = Math.min(market.terms.winners.max, active.length);
  const fewest = Math.min(market.terms.winners.min, most);
  const sets: number[][] = [];
  for (let bits = 0; bits < 1 << active.length; bits++) {
    const set = active.filter((_, index) => ((bits >> index) & 1) === 1);
    if (set.length >= fewest && set.length <= most) sets.push(set);
  }
  return sets;
}

/** Σ over winners of win + Σ over the rest of lose. */
export function resultFor(winners: readonly number[], win: readonly bigint[], lose: readonly bigint[]): bigint {
  let result = 0n;
  for (const amount of lose) result += amount;
  for (const winner of winners) result += (win[winner] ?? 0n) - (lose[winner] ?? 0n);
  return result;
}

/** R and M of one wallet in one market, by trying every set of winners. */
export function required(market: OracleMarket, wallet: number, supposed: readonly Supposed[] = []): Required {
  const position = positionOf(market, wallet, supposed);
  let r = 0n;
  let m = 0n;
  for (const winners of winnerSets(market)) {
    const matchedLoss = larger(0n, -resultFor(winners, position.win, position.lose));
    const unmatched = resultFor(winners, position.unmatchedWin, position.unmatchedLose);
    m = larger(m, matchedLoss);
    r = larger(r, unmatched + matchedLoss);
  }
  return { r, m };
}

/** R and M of one wallet as held now: nothing is required once the market is settled or voided. */
export function held(market: OracleMarket, wallet: number): Required {
  if (market.settlement !== undefined) return { r: 0n, m: 0n };
  const known = market.memo.get(wallet);
  if (known !== undefined) return known;
  const fresh = required(market, wallet);
  market.memo.set(wallet, fresh);
  return fresh;
}

export function unmatchedExposure(world: World, wallet: number, currency: number): bigint {
  // Only a user's wallet places orders.
  if (world.wallets[wallet]!.type !== 'User') return 0n;
  let exposure = 0n;
  for (const market of world.markets) {
    if (market.terms.currency !== currency || market.forgotten) continue;
    const { r, m } = held(market, wallet);
    exposure += r - m;
  }
  return exposure;
}

/** balance + overdraft − unmatchedExposure; undefined where the wallet has no account in the currency. */
export function available(world: World, wallet: OracleWallet, currency: number): bigint | undefined {
  const account = wallet.accounts.find((one) => one.currency === currency);
  if (account === undefined) return undefined;
  return account.balance + account.overdraft - unmatchedExposure(world, wallet.id, currency);
}
