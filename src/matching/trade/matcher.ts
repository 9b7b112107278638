/**
 * A taker's walk through the book: best price first, always at the maker's price, with cross matches where they are
 * better.
 */

import { assert } from '../../core/checks/assert.ts';
import { NO_TICK, priceOfTick, type Tick } from '../../core/number/ladder.ts';
import { type Money, type Price, profitAt } from '../../core/number/units.ts';
import { crosses, FOR, oppositeIndex, type SideIndex } from '../../core/side.ts';
import { type FillSink, RECORDED } from '../book/liquidity.ts';
import { MATCHED, PARTIALLY_MATCHED } from '../messages/codes.ts';
import { outcomeOf, sideOfTerms, tickOf } from '../records/orders.ts';
import type { Market } from '../state/market.ts';
import { changeOrder, limitOf, marketOf, moveUnmatched, sideOfOrder } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';
import { CrossMatcher, type OrderTerms } from './cross-matcher.ts';

/** Whether an order may match at once. Most orders match nothing, and skip all the preparation below. */
export function mayMatch(market: Market, outcome: number, side: SideIndex, limit: number): boolean {
  if (market.crosses) return true;
  const best = market.liquidity.bestTick(outcome, oppositeIndex(side));
  return best !== NO_TICK && crosses(side, limit, best);
}

/** One for the whole machine. It is the sink of its own fills, and keeps the current taker while it matches. */
export class Matcher implements FillSink {
  readonly #state: State;
  readonly #cross: CrossMatcher;
  /** The level being consumed, and which order consumes it. */
  readonly #level: { outcome: number; side: SideIndex; tick: number } = { outcome: 0, side: FOR, tick: 0 };
  #market: Market | undefined;
  #taker = 0;
  #takerSide: SideIndex = FOR;
  #takerPosition = 0;
  #price = 0 as Price;

  constructor(state: State) {
    this.#state = state;
    this.#cross = new CrossMatcher(state);
  }

  /** Whether an order would match at once, and not rest untouched. */
  wouldMatch(market: Market, terms: OrderTerms): boolean {
    const best = market.liquidity.bestTick(terms.outcome, oppositeIndex(terms.side));
    if (best !== NO_TICK && crosses(terms.side, terms.tick, best)) return true;
    return market.crosses && this.#cross.wouldMatch(market, terms);
  }

  /** Matches as much as the book holds; the order's unmatched stake is what is left. */
  match(market: Market, taker: number): void {
    const { orders } = this.#state;
    const terms = orders.terms(taker);
    const side = sideOfTerms(terms);
    const limit = tickOf(terms);
    const outcome = outcomeOf(terms);
    const resting = oppositeIndex(side);
    const before = orders.unmatched(taker);
    const level = this.#level;
    this.#market = market;
    this.#taker = taker;
    this.#takerSide = side;
    this.#takerPosition = orders.position(taker);
    level.outcome = outcome;
    level.side = resting;
    let left = before;
    while (left > 0) {
      const best = market.liquidity.bestTick(outcome, resting);
      const direct = best !== NO_TICK && crosses(side, limit, best) ? best : NO_TICK;
      const crossed = market.crosses ? this.#cross.match(market, taker, left, direct) : 0;
      if (crossed === 0 && direct === NO_TICK) break;
      if (crossed === 0) this.#consumeStake(market, direct, left);
      left = orders.unmatched(taker);
    }
    if (left !== before) moveUnmatched(this.#state, taker, before, left);
  }

  /** Matches a resting order with recorded stake, at the order's own limit price. */
  matchResting(order: number, stake: Money): void {
    const market = marketOf(this.#state, order);
    const price = limitOf(this.#state, order);
    const side = sideOfOrder(this.#state, order);
    const outcome = this.#state.orders.outcome(order);
    const winnings = profitAt(stake, price);
    const level = this.#level;
    level.outcome = outcome;
    level.side = side;
    level.tick = this.#state.orders.tick(order);
    this.#price = price;
    market.liquidity.reduce(order, stake);
    this.#maker(market, order, stake, winnings);
    market.addMatched(outcome, side, level.tick, stake);
    this.#recordedSide(market, oppositeIndex(side), stake, winnings);
  }

  /** Books one piece of the level: the maker's part, then the taker's. */
  filled(maker: number, stake: Money): void {
    const market = this.#market;
    assert(market !== undefined, 'a fill belongs to a taker');
    const { outcome, side, tick } = this.#level;
    const winnings = profitAt(stake, this.#price);
    if (maker === RECORDED) this.#recordedSide(market, side, stake, winnings);
    else this.#maker(market, maker, stake, winnings);
    this.#takerFill(stake, winnings);
    market.addMatched(outcome, side, tick, stake);
  }

  #consumeStake(market: Market, tick: number, stake: number): void {
    this.#level.tick = tick;
    this.#price = priceOfTick(tick as Tick);
    const { liquidity } = market;
    const consumed = liquidity.consume(this.#level, stake as Money, this);
    if (consumed > 0) return;
    const { outcome, side } = this.#level;
    assert(liquidity.bestTick(outcome, side) !== tick, 'a level that turned out to be gone is shown no more');
  }

  #takerFill(stake: Money, winnings: Money): void {
    const { orders, trades, positions, log } = this.#state;
    const taker = this.#taker;
    const price = this.#price;
    const trade = trades.add(taker, price, stake, winnings);
    orders.setUnmatched(taker, orders.unmatched(taker) - stake);
    positions.book(this.#takerPosition, this.#level.outcome, this.#takerSide, winnings, stake);
    log.orderMatched(trades.id(trade), orders.id(taker), price, stake);
  }

  /** Books a resting order's part of a match at the level. */
  #maker(market: Market, order: number, stake: Money, winnings: Money): void {
    const { orders, trades, positions, log } = this.#state;
    const price = this.#price;
    const { outcome, side } = this.#level;
    const trade = trades.add(order, price, stake, winnings);
    log.orderMatched(trades.id(trade), orders.id(order), price, stake);
    const position = orders.position(order);
    assert(positions.markets[position] === market, 'a maker rests in the market');
    const left = orders.unmatched(order) - stake;
    assert(left >= 0, 'no more is matched than was unmatched');
    orders.setUnmatched(order, left);
    positions.fill(position, outcome, side, releasedRisk(side, left, stake, price, winnings), winnings, stake);
    this.#state.touch(position);
    changeOrder(this.#state, order, left === 0 ? MATCHED : PARTIALLY_MATCHED);
  }

  #recordedSide(market: Market, side: SideIndex, stake: Money, winnings: Money): void {
    const position = this.#state.recordedPosition(market);
    this.#state.positions.book(position, this.#level.outcome, side, winnings, stake);
    this.#state.touch(position);
  }
}

/**
 * How much the risk of an order's unmatched stake falls when a piece of it is matched at its own limit price. It is the
 * difference of two truncated risks, not the risk of the piece, so that nothing is left over when all stake is gone.
 */
function releasedRisk(side: SideIndex, left: number, stake: number, limit: Price, winnings: number): number {
  if (side === FOR) return stake;
  if (left === 0) return winnings;
  return profitAt((left + stake) as Money, limit) - profitAt(left as Money, limit);
}
