/**
 * Removes an outcome (a non-runner): its bets are void, and a removal with a large enough factor reprices the others
 * (backtest.md, "Removal").
 */

import { unmatchedRisk } from '../../core/exposure.ts';
import { priceOfTick, tick, tickAtOrBelow } from '../../core/number/ladder.ts';
import { type Money, PRICE_SCALE, type Price, profitAt } from '../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';
import { CANCELLED, FAILED, IN_PLAY, reasonCode, VOIDED } from '../messages/codes.ts';
import type { MarketCommand } from '../messages/command.ts';
import type { Rules } from '../messages/rules.ts';
import { SYSTEM_WALLET } from '../records/accounts.ts';
import { NONE } from '../records/order-columns.ts';
import { canCross, type Market } from '../state/market.ts';
import { isLiveOrder, isPending, limitOf, sideOfOrder, voidUnmatched } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { prunePending } from '../trade/delays.ts';
import { isIn } from './lifecycle.ts';
import { payAgain, voidOrder } from './settlement.ts';

type RemoveCommand = Extract<MarketCommand, { kind: 'removeOutcome' }>;

/** What a trade of an order on this side wins and loses more than before, as the backer's profit and stake. */
interface TradeChange {
  readonly market: Market;
  readonly outcome: number;
  readonly side: SideIndex;
  readonly winnings: number;
  readonly losings: number;
}

const OUTCOME_REMOVED = reasonCode('OutcomeRemoved');
const MILLION = 1_000_000;

/**
 * Events: outcomeRemoved; per order on the outcome, by id, its tradeSettled (0) and orderChanged (Voided); from the
 * factors of the rules on, tradeRepriced of every trade on the others (in play the rules may leave out what was matched there), by id, then of every resting Against order
 * there, by id, its orderChanged or orderReduced; then the postings, the oldest position first, which may charge below
 * zero.
 */
export function removeOutcome(state: State, market: Market, command: RemoveCommand): void {
  const { outcome, factorPpm } = command;
  if (!isIn(market, state.rules.removeFrom)) return state.log.refused('INVALID_MOVE');
  if (market.removed[outcome] !== 0) return state.log.refused('INVALID_ARGUMENT');
  if (!Number.isInteger(factorPpm) || factorPpm < 0 || factorPpm >= MILLION)
    return state.log.refused('INVALID_ARGUMENT');
  state.log.outcomeRemoved(market.id, outcome, factorPpm);
  const { settlement } = market;
  if (settlement === undefined) return takeOut(state, market, command);
  payAgain(state, market, () => {
    takeOut(state, market, command);
    const winners = settlement.winners.filter((winner) => winner !== outcome);
    return { winners, places: Math.min(settlement.places, winners.length) };
  });
}

function takeOut(state: State, market: Market, command: RemoveCommand): void {
  const { outcome } = command;
  state.beginRound();
  // Every position is measured again, because one outcome fewer can win; the oldest position posts first.
  const positions = [...market.positions.values()];
  for (const position of positions) state.touch(position);
  voidOrdersOf(state, market, outcome);
  prunePending(state, market);
  reduceOthers(state, market, command);
  for (const position of positions) clearCells(state, position, outcome);
  market.removed[outcome] = 1;
  market.crosses = canCross(market, market.removed.filter((mark) => mark === 0).length, state.rules);
  market.modifiedAt = state.now;
  state.endRound();
}

function voidOrdersOf(state: State, market: Market, outcome: number): void {
  const { orders } = state;
  for (let slot = market.firstOrder; slot !== NONE; slot = orders.marketNext(slot)) {
    if (orders.outcome(slot) !== outcome) continue;
    const status = orders.status(slot);
    if (status === CANCELLED || status === FAILED || status === VOIDED) continue;
    voidOrder(state, market, slot);
  }
}

function reduceOthers(state: State, market: Market, command: RemoveCommand): void {
  const { orders, trades, rules } = state;
  const { factorPpm, basis } = command;
  const reprices = factorPpm >= rules.removalRepricesFromPpm[basis];
  const voids = factorPpm >= rules.removalVoidsFromPpm[basis];
  if (factorPpm === 0 || (!reprices && !voids)) return;
  const isLate = market.inPlay === IN_PLAY && rules.removalInPlay === 'matched before';
  const before = isLate ? market.tradesBeforeInPlay : Number.POSITIVE_INFINITY;
  const resting: number[] = [];
  const repricedTrades: number[] = [];
  for (let slot = market.firstOrder; slot !== NONE; slot = orders.marketNext(slot)) {
    const outcome = orders.outcome(slot);
    if (outcome === command.outcome || market.removed[outcome] !== 0) continue;
    const rests = isLiveOrder(state, slot) && !isPending(state, slot);
    if (rests && !isLate && sideOfOrder(state, slot) === AGAINST) resting.push(slot);
    let trade = reprices ? orders.firstTrade(slot) : NONE;
    for (; trade !== NONE; trade = trades.next(trade)) if (trades.id(trade) < before) repricedTrades.push(trade);
  }
  repricedTrades.sort((a, b) => trades.id(a) - trades.id(b));
  for (const trade of repricedTrades) repriceTrade(state, market, trade, command);
  for (const slot of resting) {
    const isKept = rules.removalOfKept === 'reduce' && orders.keepsWhenInPlay(slot);
    if (isKept && reprices) reduceOrder(state, market, slot, command);
    else if (!isKept && voids) voidUnmatched(state, market, slot, OUTCOME_REMOVED);
  }
}

/** Lets an order rest at its reduced price. It offers less there than before, so that no other order can match it. */
function reduceOrder(state: State, market: Market, slot: number, command: RemoveCommand): void {
  const { orders, positions } = state;
  const from = limitOf(state, slot);
  const to = tick(Math.max(0, tickAtOrBelow(reducedParts(from, command) / MILLION)));
  if (to === orders.tick(slot)) return;
  const stake = orders.unmatched(slot) as Money;
  const outcome = orders.outcome(slot);
  const price = priceOfTick(to);
  market.liquidity.withdraw(slot);
  orders.moveTo(slot, to);
  orders.setModifiedAt(slot, state.now);
  const risk = unmatchedRisk(AGAINST, stake, price) - unmatchedRisk(AGAINST, stake, from);
  positions.moveUnmatched(orders.position(slot), outcome, AGAINST, risk);
  state.log.orderReduced(orders.id(slot), price);
  market.liquidity.rest({ slot, outcome, side: AGAINST, tick: to, stake });
}

function repriceTrade(state: State, market: Market, trade: number, command: RemoveCommand): void {
  const { orders, trades } = state;
  const price = repriced(trades.price(trade) as Price, command, state.rules);
  if (price === trades.price(trade)) return;
  const winnings = profitAt(trades.stake(trade) as Money, price);
  const change = winnings - trades.winnings(trade);
  trades.reprice(trade, price, winnings, state.now);
  state.log.tradeRepriced(trades.id(trade), price);
  const slot = trades.order(trade);
  const position = orders.position(slot);
  const outcome = orders.outcome(slot);
  const side = sideOfOrder(state, slot);
  state.positions.book(position, outcome, side, change, 0);
  bookAgainstRecorded(state, { market, outcome, side, winnings: change, losings: 0 });
}

/**
 * Changes the recorded participants' position by the opposite of a trade's change: they have no orders whose trades
 * could change. Changes of trades between orders cancel each other out.
 */
export function bookAgainstRecorded(state: State, change: TradeChange): void {
  const { market, outcome, side, winnings, losings } = change;
  const recorded = market.positions.get(SYSTEM_WALLET);
  if (recorded === undefined) return;
  state.positions.book(recorded, outcome, side === FOR ? AGAINST : FOR, winnings, losings);
  state.touch(recorded);
}

function repriced(price: Price, command: RemoveCommand, rules: Rules): Price {
  const exact = reducedParts(price, command);
  const isTruncated = rules.removalPrice === 'truncated';
  const reduced = isTruncated ? Math.floor(exact / MILLION) : Math.floor(exact / (10 * MILLION) + 0.5) * 10;
  return Math.min(price, Math.max(rules.removalLeastPrice, reduced)) as Price;
}

/** The reduced price before rounding, in 10⁻⁹: a whole number, below 2⁵³ for every price at which a trade can be. */
function reducedParts(price: Price, { factorPpm, basis }: RemoveCommand): number {
  const kept = MILLION - factorPpm;
  return basis === 'win' ? price * kept : PRICE_SCALE * MILLION + (price - PRICE_SCALE) * kept;
}

function clearCells(state: State, position: number, outcome: number): void {
  const { columns, removed, base } = state.positions;
  const cell = (base[position] ?? 0) + outcome;
  columns.win[cell] = 0;
  columns.lose[cell] = 0;
  columns.unmatchedWin[cell] = 0;
  columns.unmatchedLose[cell] = 0;
  removed[cell] = 1;
}
