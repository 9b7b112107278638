/** An outcome's book without the strategy's own orders: what the others offer. */

import { shownStake } from '../../core/book/shown-stake.ts';
import { MONEY_SCALE, moneyToDecimal } from '../../core/number/units.ts';
import type { Side } from '../../core/side.ts';
import { closeClass } from './closed-class.ts';
import type { BookView, Level, OrderView, OutcomeView } from './views.ts';

/** Levels per side that `levels` and `snapshot` return by default. */
export const DEFAULT_DEPTH = 3;

/** Reads the outcome's view and the orders on access, and copies neither. */
export class OthersBook implements BookView {
  readonly #outcome: OutcomeView;
  readonly #orders: readonly OrderView[];

  constructor(outcome: OutcomeView, orders: readonly OrderView[]) {
    this.#outcome = outcome;
    this.#orders = orders;
    Object.freeze(this);
  }

  get bestAgainst(): Level | undefined {
    return this.#best('Against');
  }

  get bestFor(): Level | undefined {
    return this.#best('For');
  }

  bestPrice(side: Side): number | undefined {
    return this.#ordersOn(side) === 0 ? this.#outcome.bestPrice(side) : this.#best(side)?.price;
  }

  levels(side: Side, depth: number = DEFAULT_DEPTH): readonly Level[] {
    const own = this.#ordersOn(side);
    // Each own order takes one level away at most.
    const shown = this.#outcome.levels(side, depth + own);
    return own === 0 ? shown : shown.flatMap((level) => this.#ofOthers(side, level)).slice(0, depth);
  }

  #best(side: Side): Level | undefined {
    const [best] = this.levels(side, 1);
    return best === undefined ? undefined : Object.freeze(best);
  }

  /** What others hold of a level; none where they hold less than is shown. */
  #ofOthers(side: Side, { price, stake }: Level): readonly Level[] {
    let left = stake;
    for (const order of this.#orders) {
      if (order.price === price && this.#rests(order, side)) left -= order.stakeUnmatched;
    }
    const others = shownStake(Math.round(left * MONEY_SCALE));
    return others === 0 ? [] : [{ price, stake: moneyToDecimal(others) }];
  }

  #ordersOn(side: Side): number {
    let count = 0;
    for (const order of this.#orders) if (this.#rests(order, side)) count += 1;
    return count;
  }

  /** Whether the exchange has reported the order as resting: what is on its way, delayed in play or of unknown fate is in no book yet. */
  #rests(order: OrderView, side: Side): boolean {
    if (order.side !== side || order.outcomeId !== this.#outcome.id || order.marketId !== this.#outcome.marketId)
      return false;
    return order.status === 'Unmatched' || order.status === 'PartiallyMatched';
  }
}

closeClass(OthersBook);
