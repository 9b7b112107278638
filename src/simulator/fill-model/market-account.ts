/** What one market brought the bot under one fill model: paid result, commission, and worth at shown prices. */

import type { MarketState } from '../../core/market-state.ts';
import { priceOfTick, tick } from '../../core/number/ladder.ts';
import { type Money, mulDiv, PRICE_SCALE, type Price, profitAt, ZERO } from '../../core/number/units.ts';
import { AGAINST, FOR, oppositeIndex, type Side, type SideIndex } from '../../core/side.ts';

/** All amounts in 10⁻⁶, summed over the bot's wallets. */
export class MarketAccount {
  /** Sum of all postings between the bot's wallets and this market: what it really paid, once it is settled. */
  net: Money = ZERO;
  commission: Money = ZERO;
  stakeMatched: Money = ZERO;
  /** The result of `markToMarket`; undefined while there was no position or no price. */
  worth: Money | undefined;
  /** The profit of the bets on each outcome, if it wins and if it loses. */
  readonly #win: Float64Array;
  readonly #lose: Float64Array;

  constructor(outcomes: number) {
    this.#win = new Float64Array(outcomes);
    this.#lose = new Float64Array(outcomes);
  }

  get gross(): Money {
    return (this.net + this.commission) as Money;
  }

  match(bet: { outcome: number; side: Side; price: Price; stake: Money }): void {
    const { outcome, side, price, stake } = bet;
    const sign = side === 'For' ? 1 : -1;
    this.stakeMatched = (this.stakeMatched + stake) as Money;
    this.#win[outcome] = (this.#win[outcome] ?? 0) + sign * profitAt(stake, price);
    this.#lose[outcome] = (this.#lose[outcome] ?? 0) - sign * stake;
  }

  reprice(bet: { outcome: number; side: Side; stake: Money; from: Price; to: Price }): void {
    const sign = bet.side === 'For' ? 1 : -1;
    const change = profitAt(bet.stake, bet.to) - profitAt(bet.stake, bet.from);
    this.#win[bet.outcome] = (this.#win[bet.outcome] ?? 0) + sign * change;
  }

  /** Voids the bets on a removed outcome. */
  voidOutcome(outcome: number): void {
    this.#win[outcome] = 0;
    this.#lose[outcome] = 0;
  }

  /**
   * Values the positions: the gross profit if every outcome's bets were closed at the best prices shown now (green-up),
   * as if there were enough stake. Where the side that is needed is empty, the other side's best price is used instead,
   * then the last traded one; without any price the worse of the two results counts. It is called each time the market
   * stops trading, so that the last call before settlement stands.
   */
  markToMarket(market: MarketState): void {
    let worth = 0;
    let isFlat = true;
    for (let outcome = 0; outcome < this.#win.length; outcome += 1) {
      const win = this.#win[outcome] ?? 0;
      const lose = this.#lose[outcome] ?? 0;
      if (win === 0 && lose === 0) continue;
      isFlat = false;
      worth += closedAt(market, outcome, win, lose);
    }
    if (!isFlat) this.worth = worth as Money;
  }
}

/**
 * Closing a bet that is worth `win` or `lose` takes a stake s at price q with s × q = |win − lose|: Against where the
 * bet profits from a win, For otherwise. Both results are then lose + s (or lose − s).
 */
function closedAt(market: MarketState, outcome: number, win: number, lose: number): number {
  const difference = win - lose;
  if (difference === 0) return lose;
  const meets = difference > 0 ? FOR : AGAINST;
  const price = shownPrice(market, outcome, meets);
  return price === undefined ? Math.min(win, lose) : lose + mulDiv(difference, PRICE_SCALE, price);
}

function shownPrice(market: MarketState, outcome: number, side: SideIndex): Price | undefined {
  const wanted = market.bestTick(outcome, side);
  const best = wanted >= 0 ? wanted : market.bestTick(outcome, oppositeIndex(side));
  return best >= 0 ? priceOfTick(tick(best)) : market.lastPrice(outcome);
}
