/**
 * Checks what must be true of the machine after every command: money is conserved, and running sums equal the orders'.
 */

import {
  addMatch,
  addUnmatched,
  createExposureColumns,
  type ExposureColumns,
  measureNeeds,
  unmatchedRisk,
} from '../../core/exposure.ts';
import type { Money } from '../../core/number/units.ts';
import { marketStatusCode } from '../messages/codes.ts';
import { SYSTEM_WALLET } from '../records/accounts.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market } from './market.ts';
import { limitOf, sideOfOrder } from './order-moves.ts';
import type { State } from './state.ts';

const FINISHED = (['Settling', 'Settled', 'Voiding', 'Voided', 'Closed'] as const).map(marketStatusCode);

/** Every broken law as a sentence; empty when all hold. Slow: it walks all that is remembered. */
export function brokenLaws(state: State): readonly string[] {
  const broken: string[] = [];
  checkSums(state, broken);
  const held = new Map<number, number>();
  for (const market of state.markets.values()) {
    checkEscrow(state, market, broken);
    for (const position of market.positions.values()) checkPosition(state, market, position, held, broken);
    checkCover(state, market, broken);
  }
  checkExposure(state, held, broken);
  return broken;
}

/** The balances of all wallets of a currency sum to zero. */
function checkSums(state: State, broken: string[]): void {
  const { accounts } = state;
  const sums = new Map<number, number>();
  for (const wallet of accounts.wallets.values()) {
    for (const [currency, account] of wallet.accounts) {
      const balance = accounts.balance[account] ?? Number.NaN;
      if (!Number.isSafeInteger(balance)) broken.push(`wallet ${wallet.id} has balance ${balance}`);
      sums.set(currency, (sums.get(currency) ?? 0) + balance);
    }
  }
  for (const [currency, sum] of sums) if (sum !== 0) broken.push(`currency ${currency} sums to ${sum}`);
}

/** The market's escrow holds the sum of M while it trades, and nothing at the end. */
function checkEscrow(state: State, market: Market, broken: string[]): void {
  let matched = 0;
  for (const position of market.positions.values()) matched += state.positions.matchedOf(position);
  const account = state.accounts.defined(market.escrowWallet).accounts.get(market.currency);
  const balance = account === undefined ? 0 : state.accounts.balanceOf(account);
  if (balance !== matched) broken.push(`market ${market.id} holds ${balance} in escrow for ${matched}`);
}

/** The position's cells, R and M equal those computed again from its orders and trades. */
function checkPosition(
  state: State,
  market: Market,
  position: number,
  held: Map<number, number>,
  broken: string[],
): void {
  const { positions } = state;
  const name = `position of wallet ${positions.wallet[position]} in market ${market.id}`;
  const account = positions.accountOf(position);
  const unmatched = positions.requiredOf(position) - positions.matchedOf(position);
  held.set(account, (held.get(account) ?? 0) + unmatched);
  if (positions.wallet[position] !== SYSTEM_WALLET) {
    const columns = recomputed(state, market, position);
    for (const key of ['win', 'lose', 'unmatchedWin', 'unmatchedLose'] as const) {
      for (let i = 0; i < market.outcomes; i += 1) {
        const cell = positions.columns[key][positions.baseOf(position) + i] ?? 0;
        if (cell !== columns[key][i])
          broken.push(`${name}: ${key} of outcome ${i} is ${cell}, its orders say ${columns[key][i]}`);
      }
    }
  }
  if (FINISHED.includes(market.status)) return;
  const needs = { required: 0 as Money, matched: 0 as Money };
  const cells = { firstSlot: positions.baseOf(position), outcomes: market.outcomes, winners: market.winnersRange };
  measureNeeds(positions.columns, { ...cells, removed: positions.removed }, needs);
  if (needs.required !== positions.required[position])
    broken.push(`${name}: R is ${positions.required[position]}, not ${needs.required}`);
  if (needs.matched !== positions.matched[position])
    broken.push(`${name}: M is ${positions.matched[position]}, not ${needs.matched}`);
}

function recomputed(state: State, market: Market, position: number): ExposureColumns {
  const { orders, trades, positions } = state;
  const columns = createExposureColumns(market.outcomes);
  let slot = positions.firstOrder[position] ?? NONE;
  for (; slot !== NONE; slot = orders.positionNext(slot)) {
    const outcome = orders.outcome(slot);
    if (market.removed[outcome] !== 0) continue;
    const side = sideOfOrder(state, slot);
    addUnmatched(columns, outcome, side, unmatchedRisk(side, orders.unmatched(slot) as Money, limitOf(state, slot)));
    for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade)) {
      const stake = trades.losings(trade) as Money;
      addMatch(columns, outcome, side, { stake, winnings: trades.winnings(trade) as Money });
    }
  }
  return columns;
}

/**
 * Whichever outcome wins, the matched bets of all wallets together gain nothing: what one wallet gets, another has put
 * in.
 */
function checkCover(state: State, market: Market, broken: string[]): void {
  if (market.removed.includes(1)) return;
  const { columns, base } = state.positions;
  for (let winner = 0; winner < market.outcomes; winner += 1) {
    if (market.winnersRange.max > 1) break;
    let profit = 0;
    for (const position of market.positions.values()) {
      for (let i = 0; i < market.outcomes; i += 1) {
        profit += (i === winner ? columns.win : columns.lose)[(base[position] ?? 0) + i] ?? 0;
      }
    }
    if (profit > 0) broken.push(`market ${market.id} pays out ${profit} more than it took if ${winner} wins`);
  }
}

/** A wallet's unmatchedExposure is Σ (R − M) over its markets. */
function checkExposure(state: State, held: Map<number, number>, broken: string[]): void {
  const { accounts } = state;
  for (const wallet of accounts.wallets.values()) {
    for (const account of wallet.accounts.values()) {
      const exposure = accounts.exposureOf(account);
      const expected = held.get(account) ?? 0;
      if (exposure !== expected)
        broken.push(`wallet ${wallet.id} holds ${exposure} unmatched, its positions ${expected}`);
    }
  }
}
