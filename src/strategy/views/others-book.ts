/** An outcome's book without the strategy's own orders: what the others offer. */

import { shownStake } from '../../core/book/shown-stake.ts';
import { type MarketState, NO_OWN_STAKE } from '../../core/market-state.ts';
import { decimalOfTick, type Tick } from '../../core/number/ladder.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { type Side, sideIndex } from '../../core/side.ts';
import { closeClass } from './closed-class.ts';
import { checkOpen, type ViewGate } from './view-gate.ts';
import type { BookView, Level } from './views.ts';

/** Levels per side that `levels` and `snapshot` return by default. */
export const DEFAULT_DEPTH = 3;

/** Reads the market on access, for the strategy that is being called, and copies nothing. */
export class OthersBook implements BookView {
  readonly #state: MarketState;
  readonly #at: number;
  readonly #gate: ViewGate;

  constructor(state: MarketState, at: number, gate: ViewGate) {
    this.#state = state;
    this.#at = at;
    this.#gate = gate;
    Object.freeze(this);
  }

  get bestAgainst(): Level | undefined {
    return this.#best('Against');
  }

  get bestFor(): Level | undefined {
    return this.#best('For');
  }

  bestPrice(side: Side): number | undefined {
    return this.#best(side)?.price;
  }

  levels(side: Side, depth: number = DEFAULT_DEPTH): readonly Level[] {
    checkOpen(this.#gate);
    const levels: Level[] = [];
    const resting = sideIndex(side);
    let tick = this.#state.bestTick(this.#at, resting);
    while (tick >= 0 && levels.length < depth) {
      const stake = this.#ofOthers(side, tick);
      if (stake > 0) levels.push({ price: decimalOfTick(tick as Tick), stake: moneyToDecimal(stake) });
      tick = this.#state.nextTick(this.#at, resting, tick);
    }
    return levels;
  }

  #best(side: Side): Level | undefined {
    const [best] = this.levels(side, 1);
    return best && Object.freeze(best);
  }

  #ofOthers(side: Side, tick: number): Money {
    const resting = sideIndex(side);
    let left: number = this.#state.amountAt(this.#at, resting, tick);
    for (const { strategy, stake } of this.#state.ownAt?.(this.#at, resting, tick) ?? NO_OWN_STAKE)
      if (strategy === this.#gate.strategy) left -= stake;
    return shownStake(left);
  }
}

closeClass(OthersBook);
