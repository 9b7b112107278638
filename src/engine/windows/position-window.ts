/** A position as its strategy sees it: reads the ledger's and gives no access to it. */

import type { Side } from '../../core/side.ts';
import { closeClass } from '../../strategy/views/closed-class.ts';
import type { PositionView } from '../../strategy/views/views.ts';
import { ownError } from './own-error.ts';

export class PositionWindow implements PositionView {
  readonly #position: PositionView;

  constructor(position: PositionView) {
    this.#position = position;
    Object.freeze(this);
  }

  get isFlat(): boolean {
    return this.#position.isFlat;
  }
  get worstLoss(): number {
    return this.#position.worstLoss;
  }

  profitIfWins(outcome: string): number {
    try {
      return this.#position.profitIfWins(outcome);
    } catch (thrown) {
      throw ownError(thrown);
    }
  }

  matched(outcome: string, side: Side): { readonly stake: number; readonly averagePrice: number | undefined } {
    try {
      const { stake, averagePrice } = this.#position.matched(outcome, side);
      return stake === 0 ? NOTHING : { stake, averagePrice };
    } catch (thrown) {
      throw ownError(thrown);
    }
  }
}

const NOTHING = Object.freeze({ stake: 0, averagePrice: undefined });

closeClass(PositionWindow);
