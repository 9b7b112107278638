/** Settles, voids and resettles a market: what every order, trade, position and wallet gets in the end. */

import { assert } from '../../core/checks/assert.ts';
import type { MarketStatus } from '../../core/market.ts';
import type { Money } from '../../core/number/units.ts';
import { FOR } from '../../core/side.ts';
import { CANCELLED, FAILED, LOST, reasonCode, transactionCode, VOIDED, WON } from '../messages/codes.ts';
import type { MarketCommand, MoveStep } from '../messages/command.ts';
import { NONE } from '../records/order-columns.ts';
import type { Market, Settlement } from '../state/market.ts';
import {
  changeOrder,
  clearUnmatched,
  isLiveOrder,
  isPending,
  sideOfOrder,
  voidUnmatched,
} from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { liveOrders } from '../trade/cancel.ts';
import { chargeCommission } from './commission.ts';
import { isIn, moveMarket } from './lifecycle.ts';
import { paidProfit, profitOfTrade } from './payout.ts';

const MARKET_SETTLED = reasonCode('MarketSettled');
const PAYOUT = transactionCode('MarketPositionPayout');
const VOID_REFUND = transactionCode('MarketPositionVoid');
const RESIDUAL = transactionCode('SettlementResidual');
const COMMISSION = transactionCode('Commission');

/**
 * Settles a market (see messages/event.ts for its events). Refused with INVALID_MOVE in a wrong status, and with
 * INVALID_ARGUMENT for winners that make no sense.
 */
export function settle(state: State, market: Market, command: Extract<MarketCommand, { kind: 'settle' }>): void {
  if (command.step === 'finish') return finish(state, market, 'Settling', 'Settled');
  if (!isIn(market, state.rules.settleFrom)) return state.log.refused('INVALID_MOVE');
  const settlement = settlementOf(market, command);
  if (settlement === undefined) return state.log.refused('INVALID_ARGUMENT');
  moveMarket(state, market, 'Settling');
  voidLeftovers(state, market);
  pay(state, market, settlement);
  if (command.step === undefined) finish(state, market, 'Settling', 'Settled');
}

/** Voids a market and gives all stakes back. Refused with INVALID_MOVE in a wrong status. */
export function voidMarket(state: State, market: Market, step: MoveStep | undefined): void {
  if (step === 'finish') return finish(state, market, 'Voiding', 'Voided');
  if (!isIn(market, state.rules.voidFrom)) return state.log.refused('INVALID_MOVE');
  moveMarket(state, market, 'Voiding');
  payBack(state, market);
  if (step === undefined) finish(state, market, 'Voiding', 'Voided');
}

/**
 * Undoes a settlement or void and settles again. Refused with INVALID_MOVE in a wrong status, and with INVALID_ARGUMENT
 * for winners that make no sense.
 */
export function resettle(state: State, market: Market, command: Extract<MarketCommand, { kind: 'resettle' }>): void {
  if (!isIn(market, state.rules.resettleFrom)) return state.log.refused('INVALID_MOVE');
  const voids = command.winners.length === 0 && command.places === undefined;
  const settlement = voids ? undefined : settlementOf(market, command);
  if (!voids && settlement === undefined) return state.log.refused('INVALID_ARGUMENT');
  if (settlement !== undefined) return payAgain(state, market, () => settlement);
  moveMarket(state, market, 'Voiding');
  reversePostings(state, market);
  payBack(state, market);
  finish(state, market, 'Voiding', 'Voided');
}

/** Undoes the last settlement or void, and settles by what `settlementNow` says once all bets stand as before it. */
export function payAgain(state: State, market: Market, settlementNow: () => Settlement): void {
  moveMarket(state, market, 'Settling');
  reversePostings(state, market);
  pay(state, market, settlementNow());
  finish(state, market, 'Settling', 'Settled');
}

/** The winners as declared, and how many places are paid; undefined where they make no sense in this market. */
function settlementOf(
  market: Market,
  declared: { winners: readonly number[]; places?: number },
): Settlement | undefined {
  const { winners } = declared;
  const places = declared.places ?? market.winnersRange.max;
  if (winners.length === 0 && declared.places === 0) return { winners: [], places: 0 };
  if (winners.length === 0 || new Set(winners).size !== winners.length) return undefined;
  // With more places than the market pays, winners could be declared for which no wallet's funds were held.
  if (!Number.isInteger(places) || places < 1 || places > market.winnersRange.max) return undefined;
  for (const winner of winners) if (market.removed[winner] !== 0) return undefined;
  return { winners: [...winners], places: Math.min(places, winners.length) };
}

function finish(state: State, market: Market, from: MarketStatus, to: MarketStatus): void {
  if (!isIn(market, [from])) return state.log.refused('INVALID_MOVE');
  market.settledAt = state.now;
  moveMarket(state, market, to);
}

/** Voids all stake that is still unmatched, including that of Pending orders. */
function voidLeftovers(state: State, market: Market): void {
  state.beginRound();
  const slots = liveOrders(state, market);
  for (let i = 0; i < slots.size; i += 1) voidUnmatched(state, market, slots.at(i), MARKET_SETTLED);
  market.pending.clear();
  state.endRound();
}

function pay(state: State, market: Market, settlement: Settlement): void {
  market.settlement = settlement;
  const { orders } = state;
  for (let slot = market.firstOrder; slot !== NONE; slot = orders.marketNext(slot)) {
    if (orders.matched(slot) === 0 || market.removed[orders.outcome(slot)] !== 0) continue;
    settleOrder(state, slot, settlement);
  }
  for (const position of byWallet(market)) payPosition(state, market, position, settlement);
  postResidual(state, market);
}

function settleOrder(state: State, slot: number, settlement: Settlement): void {
  const { orders, trades } = state;
  const won = settlement.winners.includes(orders.outcome(slot));
  const side = sideOfOrder(state, slot);
  for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade)) {
    const bet = { winnings: trades.winnings(trade), losings: trades.losings(trade) };
    logTradeSettled(state, trade, profitOfTrade(bet, side, won, settlement));
  }
  // In a dead heat the orders on a winner end as Won, whichever side they are on (profile section 7).
  const deadHeat = won && settlement.places < settlement.winners.length;
  changeOrder(state, slot, deadHeat || won === (side === FOR) ? WON : LOST);
}

function payPosition(state: State, market: Market, position: number, settlement: Settlement): void {
  const { positions, accounts } = state;
  const profit = paidProfit(state, market, position, settlement);
  const amount = profit + positions.matchedOf(position);
  const account = positions.accountOf(position);
  if (amount !== 0) {
    accounts.post(state.escrowAccount(market), account, PAYOUT, amount, market.id);
  }
  release(state, position, amount);
  if (profit > 0) chargeCommission(state, market, position, profit);
}

/** Voids every order that is not Cancelled or Failed, and gives each position's M back to its wallet. */
function payBack(state: State, market: Market): void {
  const { orders, positions, accounts } = state;
  market.settlement = undefined;
  state.beginRound();
  for (let slot = market.firstOrder; slot !== NONE; slot = orders.marketNext(slot)) {
    const status = orders.status(slot);
    if (status !== CANCELLED && status !== FAILED && status !== VOIDED) voidOrder(state, market, slot);
  }
  market.pending.clear();
  state.endRound();
  for (const position of byWallet(market)) {
    const amount = positions.matchedOf(position);
    const second = positions.accountOf(position);
    if (amount !== 0) {
      accounts.post(state.escrowAccount(market), second, VOID_REFUND, amount, market.id);
    }
    release(state, position, amount);
  }
  postResidual(state, market);
}

/** Voids a whole order: its trades pay nothing, and its unmatched stake leaves the book. */
export function voidOrder(state: State, market: Market, slot: number): void {
  const { orders, trades } = state;
  if (isLiveOrder(state, slot) && !isPending(state, slot)) market.liquidity.withdraw(slot);
  clearUnmatched(state, slot);
  for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade)) {
    logTradeSettled(state, trade, 0 as Money);
  }
  changeOrder(state, slot, VOIDED);
}

/** Undoes every posting of the last settlement or void, so that each position's M is in escrow again. */
function reversePostings(state: State, market: Market): void {
  const { positions, accounts } = state;
  const { id } = market;
  if (market.residual !== 0) {
    const second = state.systemAccount(market.currency);
    accounts.post(state.escrowAccount(market), second, RESIDUAL, -market.residual, id);
    market.residual = 0;
  }
  for (const charge of market.charges) {
    const first = positions.accountOf(charge.position);
    accounts.post(first, charge.account, COMMISSION, -charge.amount, id);
  }
  market.charges.length = 0;
  for (const position of byWallet(market)) {
    const amount = -(positions.paid[position] ?? 0);
    const code = market.settlement === undefined ? VOID_REFUND : PAYOUT;
    const second = positions.accountOf(position);
    if (amount !== 0) accounts.post(state.escrowAccount(market), second, code, amount, id);
    const { required, matched } = positions.measure(position, market);
    assert(required === matched, 'nothing is unmatched in a settled market');
    positions.required[position] = required;
    positions.matched[position] = matched;
    positions.paid[position] = 0;
  }
}

/** Frees what a position holds of its account. Its exposures stay, for a later resettlement and for readers. */
function release(state: State, position: number, paid: number): void {
  const { positions } = state;
  assert(positions.required[position] === positions.matched[position], 'nothing is unmatched at the end');
  positions.paid[position] = paid;
  positions.required[position] = 0;
  positions.matched[position] = 0;
}

/** Posts what truncation and money steps left in escrow to the System wallet, or what is missing there from it. */
function postResidual(state: State, market: Market): void {
  const escrow = state.accounts.defined(market.escrowWallet).accounts.get(market.currency);
  const amount = escrow === undefined ? 0 : state.accounts.balanceOf(escrow);
  if (escrow === undefined || amount === 0) return;
  const second = state.systemAccount(market.currency);
  state.accounts.post(escrow, second, RESIDUAL, amount, market.id);
  market.residual = amount;
}

function logTradeSettled(state: State, trade: number, profitLoss: Money): void {
  const { trades } = state;
  trades.settle(trade, profitLoss, state.now);
  state.log.tradeSettled(trades.id(trade), profitLoss);
}

/** The market's positions (slots) in the order of their wallets' ids. */
function byWallet(market: Market): readonly number[] {
  return [...market.positions].sort((a, b) => a[0] - b[0]).map(([, position]) => position);
}
