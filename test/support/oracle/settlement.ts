/** Settling, voiding and resettling (profile section 7). */

import type { TransactionCode } from '../../../src/core/transaction.ts';
import type { MarketCommand } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal } from '../../../src/matching/messages/event.ts';
import { post } from './accounts.ts';
import { asMoney, divideDown, sum } from './amounts.ts';
import { emitOrder, isLive } from './fills.ts';
import { positionOf, required, resultFor } from './funds.ts';
import { moveTo } from './market-moves.ts';
import { voidUnmatched } from './orders.ts';
import {
  disturb,
  emit,
  type OracleMarket,
  type OracleOrder,
  type OracleTrade,
  type Paid,
  SYSTEM,
  type Verdict,
  type World,
} from './world.ts';

type Refusal = CommandRefusal | undefined;
type Settle = Extract<MarketCommand, { kind: 'settle' }>;
type Resettle = Extract<MarketCommand, { kind: 'resettle' }>;

export function settleMarket(world: World, market: OracleMarket, command: Settle): Refusal {
  const { step } = command;
  if (market.status !== (step === 'finish' ? 'Settling' : 'Locked')) return 'INVALID_MOVE';
  if (step !== 'finish') {
    const verdict = verdictOf(market, command);
    if (verdict === undefined) return 'INVALID_ARGUMENT';
    moveTo(world, market, 'Settling');
    for (const order of market.orders) if (isLive(order)) voidUnmatched(world, order, 'MarketSettled');
    settleOrders(world, market, verdict);
    payAll(world, market, settlementOf(world, market, verdict), 'MarketPositionPayout');
  }
  if (step !== 'begin') moveTo(world, market, 'Settled');
  return undefined;
}

function verdictOf(market: OracleMarket, { winners, places }: Settle | Resettle): Verdict | undefined {
  if (winners.length === 0 && places === 0) return { winners, places };
  const distinct = new Set(winners).size === winners.length;
  if (winners.length === 0 || !distinct || winners.some((winner) => market.removed[winner] !== false)) return undefined;
  const paid = places ?? market.terms.winners.max;
  if (!Number.isInteger(paid) || paid < 1 || paid > market.terms.winners.max) return undefined;
  return { winners, places: Math.min(winners.length, paid) };
}

function isDeadHeat({ winners, places }: Verdict): boolean {
  return winners.length > places;
}

/** Emits the result of each order that has live bets. */
function settleOrders(world: World, market: OracleMarket, verdict: Verdict): void {
  market.verdict = verdict;
  for (const order of market.orders) {
    const trades = order.trades.filter((trade) => !trade.annulled);
    if (trades.every(({ stake }) => stake === 0n)) continue;
    for (const trade of trades) {
      const profitLoss = asMoney(tradeResult(trade, verdict));
      emit(world, { kind: 'tradeSettled', trade: trade.id, profitLoss });
    }
    const named = verdict.winners.includes(order.outcome);
    const won = isDeadHeat(verdict) && named ? true : named === order.isFor;
    order.status = won ? 'Won' : 'Lost';
    emitOrder(world, order);
  }
}

/** A bet on one of k winners that share w places: w/k of it at full odds, the rest of the stake loses, floored. */
function tradeResult(trade: OracleTrade, verdict: Verdict): bigint {
  if (!verdict.winners.includes(trade.order.outcome)) return trade.lose;
  return trade.lose + shared(trade.win - trade.lose, verdict);
}

function shared(gain: bigint, { winners, places }: Verdict): bigint {
  return winners.length === 0 ? 0n : divideDown(gain * BigInt(places), BigInt(winners.length));
}

/** Profit or loss of a wallet in a market. */
function netOf(market: OracleMarket, wallet: number, verdict: Verdict): bigint {
  const { win, lose } = positionOf(market, wallet);
  const allLose = sum(lose);
  return allLose + shared(resultFor(verdict.winners, win, lose) - allLose, verdict);
}

/** The same for a wallet whose bets are settled one by one: no bet pays a part of the wallet's smallest amount. */
function netOfBets(
  market: OracleMarket,
  wallet: number,
  { verdict, moneyStep }: { verdict: Verdict; moneyStep: bigint },
): bigint {
  const bets = market.orders.filter((order) => order.wallet === wallet);
  return sum(
    bets.map(({ trades }) => {
      const results = trades.filter(({ annulled }) => !annulled).map((trade) => tradeResult(trade, verdict));
      return divideDown(sum(results), moneyStep) * moneyStep;
    }),
  );
}

function walletsIn(market: OracleMarket): number[] {
  return [...new Set(market.orders.map((order) => order.wallet))].sort((a, b) => a - b);
}

/** What each wallet is due when a market ends by a verdict, or is voided without one. */
function settlementOf(world: World, market: OracleMarket, verdict: Verdict | undefined): Paid[] {
  return walletsIn(market).map((wallet) => {
    const { m } = required(market, wallet);
    if (verdict === undefined) return { wallet, payout: m, commissions: [] };
    const { moneyStep } = world.wallets[wallet]!;
    const net =
      moneyStep === undefined ? netOf(market, wallet, verdict) : netOfBets(market, wallet, { verdict, moneyStep });
    return { wallet, payout: net + m, commissions: commissionsOf(world, market, { wallet, net }) };
  });
}

/** Rate × net profit, pro rata to matched risk per rate, each share rounded once. Bets without a rate pay nothing. */
function commissionsOf(world: World, market: OracleMarket, { wallet, net }: { wallet: number; net: bigint }) {
  if (net <= 0n) return [];
  const { moneyStep } = world.wallets[wallet]!;
  const trades = market.orders
    .filter((order) => order.wallet === wallet)
    .flatMap((order) => order.trades.filter((trade) => !trade.annulled));
  const total = sum(trades.map(risk));
  return world.rates.flatMap(({ ppm }, rate) => {
    const mine = sum(trades.filter((trade) => trade.order.rate === rate).map(risk));
    const amount = total === 0n ? 0n : nearest(net * ppm * mine, 1_000_000n * total, moneyStep);
    return amount === 0n ? [] : [{ rate, amount }];
  });
}

/** A share of a commission: truncated, or rounded to the wallet's smallest amount. */
function nearest(dividend: bigint, divisor: bigint, moneyStep: bigint | undefined): bigint {
  if (moneyStep === undefined) return dividend / divisor;
  return divideDown(2n * dividend + divisor * moneyStep, 2n * divisor * moneyStep) * moneyStep;
}

/** What a bet could lose. */
function risk(trade: OracleTrade): bigint {
  return trade.order.isFor ? -trade.lose : -trade.win;
}

/** Posts what each wallet is due, and clears the residue of truncation from the escrow. */
function payAll(world: World, market: OracleMarket, paid: readonly Paid[], code: TransactionCode): void {
  const { currency } = market.terms;
  const { escrow } = market;
  for (const { wallet, payout, commissions } of paid) {
    if (payout !== 0n) {
      post(world, { code, currency, market: market.id, wallet: escrow, amount: -payout, other: wallet });
    }
    for (const { rate, amount } of commissions) {
      const other = commissionWallet(world, rate);
      post(world, { code: 'Commission', currency, market: market.id, wallet, amount: -amount, other });
    }
  }
  const residual = world.wallets[escrow]!.accounts.find((one) => one.currency === currency)?.balance ?? 0n;
  postResidual(world, market, residual);
  market.settlement = { paid, residual, code };
  disturb(world, market);
}

function commissionWallet(world: World, rate: number): number {
  return world.apps[world.rates[rate]!.app]!.commissionWallet;
}

function postResidual(world: World, market: OracleMarket, residual: bigint): void {
  if (residual === 0n) return;
  const { id, escrow, terms } = market;
  const { currency } = terms;
  post(world, { code: 'SettlementResidual', currency, market: id, wallet: escrow, amount: -residual, other: SYSTEM });
}

/** Undoes every posting of the last settlement or void. */
function reversePostings(world: World, market: OracleMarket): void {
  const { paid, residual, code } = market.settlement!;
  const { currency } = market.terms;
  const { id, escrow } = market;
  postResidual(world, market, -residual);
  for (const { wallet, commissions } of paid) {
    for (const { rate, amount } of commissions) {
      const other = commissionWallet(world, rate);
      post(world, { code: 'Commission', currency, market: id, wallet, amount, other });
    }
  }
  for (const { wallet, payout } of paid) {
    if (payout !== 0n) post(world, { code, currency, market: id, wallet: escrow, amount: payout, other: wallet });
  }
}

export function voidMarket(world: World, market: OracleMarket, step: 'begin' | 'finish' | undefined): Refusal {
  const from = step === 'finish' ? ['Voiding'] : ['Open', 'Locked'];
  if (!from.includes(market.status)) return 'INVALID_MOVE';
  if (step !== 'finish') {
    moveTo(world, market, 'Voiding');
    for (const order of market.orders) voidOrder(world, order);
    payAll(world, market, settlementOf(world, market, undefined), 'MarketPositionVoid');
  }
  if (step !== 'begin') moveTo(world, market, 'Voided');
  return undefined;
}

/** Voids one order of any status but Cancelled, Failed and Voided. */
export function voidOrder(world: World, order: OracleOrder): void {
  if (order.status === 'Cancelled' || order.status === 'Failed' || order.status === 'Voided') return;
  for (const trade of order.trades) emit(world, { kind: 'tradeSettled', trade: trade.id, profitLoss: asMoney(0n) });
  order.voided += order.unmatched;
  order.unmatched = 0n;
  order.restedAs = undefined;
  order.status = 'Voided';
  disturb(world, order.market);
  emitOrder(world, order);
}

/** Undoes the settlement or void and settles anew. Without winners it voids. */
export function resettle(world: World, market: OracleMarket, command: Resettle): Refusal {
  if (market.status !== 'Settled' && market.status !== 'Voided') return 'INVALID_MOVE';
  if (command.winners.length === 0 && command.places === undefined) {
    moveTo(world, market, 'Voiding');
    reversePostings(world, market);
    for (const order of market.orders) voidOrder(world, order);
    payAll(world, market, settlementOf(world, market, undefined), 'MarketPositionVoid');
    return moveTo(world, market, 'Voided');
  }
  const verdict = verdictOf(market, command);
  return verdict === undefined ? 'INVALID_ARGUMENT' : payAgain(world, market, () => verdict);
}

/** `verdictNow` is asked once all bets stand as before the settlement. */
export function payAgain(world: World, market: OracleMarket, verdictNow: () => Verdict): undefined {
  moveTo(world, market, 'Settling');
  reversePostings(world, market);
  market.settlement = undefined;
  disturb(world, market);
  const verdict = verdictNow();
  settleOrders(world, market, verdict);
  payAll(world, market, settlementOf(world, market, verdict), 'MarketPositionPayout');
  return moveTo(world, market, 'Settled');
}
