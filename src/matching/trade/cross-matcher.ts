/** Matches a taker's bet on one outcome against resting orders on all the others. */

import { assert } from '../../core/checks/assert.ts';
import { NO_TICK, priceOfTick, type Tick } from '../../core/number/ladder.ts';
import { type Money, type Price, profitAt } from '../../core/number/units.ts';
import { crosses, FOR, isBetter, oppositeIndex, type SideIndex } from '../../core/side.ts';
import { type FillSink, RECORDED } from '../book/liquidity.ts';
import { CrossWalk, shownTick } from '../state/cross-walk.ts';
import type { Market } from '../state/market.ts';
import { limitOf, sideOfOrder, takeMatched } from '../state/order-moves.ts';
import type { State } from '../state/state.ts';

/** A maker's part of the match. `trade` is the maker's trade slot, or RECORDED. */
interface Piece {
  maker: number;
  trade: number;
  source: number;
  stake: number;
  winnings: number;
}

/** What an order asks for, before it is one. */
export interface OrderTerms {
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
  readonly stake: Money;
}

/** One for the whole machine. It is the sink of its own fills, and keeps the pieces of the current match. */
export class CrossMatcher implements FillSink {
  readonly #state: State;
  readonly #walk: CrossWalk;
  readonly #level: { outcome: number; side: SideIndex; tick: number } = { outcome: 0, side: FOR, tick: 0 };
  readonly #pieces: Piece[] = [];
  /** By source: what its pieces win. */
  readonly #winnings: number[] = [];
  #source = 0;
  #price = 0 as Price;

  constructor(state: State) {
    this.#state = state;
    this.#walk = new CrossWalk(state.rules);
  }

  /**
   * Matches once, if the synthetic price is within the taker's limit and strictly better than the direct one (NO_TICK
   * for none). Returns the taker's matched stake; 0 where nothing matches.
   */
  match(market: Market, taker: number, left: number, direct: number): number {
    const side = sideOfOrder(this.#state, taker);
    // The taker matches orders of its own side on all other outcomes.
    if (!this.#walk.start(market, this.#state.orders.outcome(taker), side)) return 0;
    if (!this.#walk.find()) return 0;
    const { price } = this.#walk;
    if (!crosses(side, limitOf(this.#state, taker), price)) return 0;
    if (direct !== NO_TICK && !isBetter(oppositeIndex(side), price, priceOfTick(direct as Tick))) return 0;
    const stake = Math.min(left, this.#walk.stake) as Money;
    if (!this.#walk.fillsFor(stake)) return 0;
    this.#consumeSources(market, side);
    this.#bookTaker(market, taker, stake, side);
    this.#bookPieces(market, side);
    return stake;
  }

  /** Whether an order would match stake of this kind at once. */
  wouldMatch(market: Market, { outcome, side, tick, stake }: OrderTerms): boolean {
    const walk = this.#walk;
    if (!walk.start(market, outcome, side) || !walk.find()) return false;
    return crosses(side, priceOfTick(tick as Tick), walk.price) && walk.fillsFor(Math.min(stake, walk.stake) as Money);
  }

  /** Books one piece of a source's level. */
  filled(maker: number, stake: Money): void {
    const { orders, trades, log } = this.#state;
    const price = this.#price;
    const winnings = profitAt(stake, price);
    const piece = { maker, trade: RECORDED, source: this.#source, stake, winnings };
    this.#winnings[this.#source] = (this.#winnings[this.#source] ?? 0) + winnings;
    this.#pieces.push(piece);
    if (maker === RECORDED) return;
    piece.trade = trades.add(maker, price, stake, winnings);
    log.orderMatched(trades.id(piece.trade), orders.id(maker), price, stake);
    takeMatched(this.#state, maker, stake);
  }

  #consumeSources(market: Market, side: SideIndex): void {
    const { sources, ticks, fills } = this.#walk;
    this.#pieces.length = 0;
    for (let i = 0; i < sources.length; i += 1) {
      const fill = (fills[i] ?? 0) as Money;
      this.#source = i;
      this.#winnings[i] = 0;
      this.#level.outcome = sources[i] ?? 0;
      this.#level.side = side;
      this.#level.tick = ticks[i] ?? 0;
      this.#price = priceOfTick(this.#level.tick as Tick);
      const consumed = market.liquidity.consume(this.#level, fill, this);
      assert(consumed === fill, 'a quoted level has its stake');
      market.addMatched(this.#level.outcome, side, this.#level.tick, fill);
    }
  }

  #bookTaker(market: Market, taker: number, stake: Money, side: SideIndex): void {
    const { orders, trades, positions, log } = this.#state;
    const { price } = this.#walk;
    const outcome = orders.outcome(taker);
    const terms = side === FOR ? this.#forTerms(stake, price) : this.#againstTerms(stake, price);
    const trade = trades.add(taker, price, stake, terms.winnings);
    if (terms.losings !== stake) trades.loses(trade, terms.losings);
    orders.setUnmatched(taker, orders.unmatched(taker) - stake);
    positions.book(orders.position(taker), outcome, side, terms.winnings, terms.losings);
    // The taker's limit is on the ladder and no better than the price, so the level shown is on the ladder too.
    market.addMatched(outcome, oppositeIndex(side), shownTick(price, side), stake);
    log.orderMatched(trades.id(trade), orders.id(taker), price, stake);
  }

  /** All bets are For, so all stakes are paid in: a winner takes out no more than that sum. */
  #forTerms(stake: Money, price: Price): { winnings: number; losings: number } {
    const others = this.#paidIn();
    const { sources, fills } = this.#walk;
    for (let i = 0; i < sources.length; i += 1) {
      const excess = (this.#winnings[i] ?? 0) - (stake + others - (fills[i] ?? 0));
      if (excess > 0) this.#shorten(i, excess);
    }
    return { winnings: Math.min(profitAt(stake, price), others), losings: stake };
  }

  /** All bets are Against: the loser's liability pays every other stake, and the taker bears what is missing. */
  #againstTerms(stake: Money, price: Price): { winnings: number; losings: number } {
    const others = this.#paidIn();
    const { sources, fills } = this.#walk;
    let losings: number = stake;
    for (let i = 0; i < sources.length; i += 1) {
      losings = Math.min(losings, (this.#winnings[i] ?? 0) - (others - (fills[i] ?? 0)));
    }
    return { winnings: Math.max(profitAt(stake, price), others), losings };
  }

  #paidIn(): number {
    let sum = 0;
    for (let i = 0; i < this.#walk.sources.length; i += 1) sum += this.#walk.fills[i] ?? 0;
    return sum;
  }

  /** Takes the missing units from the pieces of a source, the last consumed first. */
  #shorten(source: number, excess: number): void {
    let missing = excess;
    for (let i = this.#pieces.length - 1; i >= 0 && missing > 0; i -= 1) {
      const piece = this.#pieces[i];
      if (piece === undefined || piece.source !== source) continue;
      const cut = Math.min(missing, piece.winnings);
      piece.winnings -= cut;
      missing -= cut;
      if (piece.trade !== RECORDED) this.#state.trades.wins(piece.trade, piece.winnings);
    }
    assert(missing === 0, 'winnings cover what a cross match is short of');
  }

  #bookPieces(market: Market, side: SideIndex): void {
    const { orders, positions } = this.#state;
    for (const piece of this.#pieces) {
      const outcome = this.#walk.sources[piece.source] ?? 0;
      const isRecorded = piece.maker === RECORDED;
      const position = isRecorded ? this.#state.recordedPosition(market) : orders.position(piece.maker);
      positions.book(position, outcome, side, piece.winnings, piece.stake);
      this.#state.touch(position);
    }
  }
}
