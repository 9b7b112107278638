/** A strategy's position in one market, read from the exposure book; the strategy sees it through a PositionWindow. */

import { moneyToDecimal } from '../../core/number/units.ts';
import { type Side, sideIndex } from '../../core/side.ts';
import type { ExposureBook } from '../../risk/exposure/exposure-book.ts';
import type { PositionView } from '../../strategy/views/views.ts';
import type { MarketEntry } from './strategy-in-market.ts';

const NOTHING = Object.freeze({ stake: 0, averagePrice: undefined });

export class LedgerPosition implements PositionView {
  readonly #exposure: ExposureBook;
  readonly #entry: MarketEntry;
  readonly #strategy: number;

  constructor(exposure: ExposureBook, entry: MarketEntry, strategy: number) {
    this.#exposure = exposure;
    this.#entry = entry;
    this.#strategy = strategy;
  }

  get isFlat(): boolean {
    return !this.#isOpen() || this.#exposure.isFlat(this.#market(), this.#strategy);
  }

  get worstLoss(): number {
    return this.#isOpen() ? moneyToDecimal(this.#exposure.worstLoss(this.#market(), this.#strategy)) : 0;
  }

  profitIfWins(outcome: string): number {
    if (!this.#isOpen()) return 0;
    const at = { market: this.#market(), strategy: this.#strategy, outcome: this.#outcome(outcome) };
    return moneyToDecimal(this.#exposure.profitIfWins(at));
  }

  matched(outcome: string, side: Side): { readonly stake: number; readonly averagePrice: number | undefined } {
    const position = this.#isOpen() ? this.#exposure.position(this.#market(), this.#strategy) : undefined;
    if (position === undefined) return NOTHING;
    const index = this.#outcome(outcome);
    const stake = position.matchedStake(index, sideIndex(side));
    if (stake === 0) return NOTHING;
    return {
      stake: moneyToDecimal(stake),
      averagePrice: 1 + position.matchedWinnings(index, sideIndex(side)) / stake,
    };
  }

  #market(): number {
    return this.#entry.state.index;
  }

  /** False after settlement, when the exposure book has dropped the market. */
  #isOpen(): boolean {
    return this.#exposure.isOpen(this.#market());
  }

  #outcome(id: string): number {
    const outcome = this.#entry.outcomeById.get(id);
    if (outcome !== undefined) return outcome;
    throw new RangeError(
      `The position is that of market ${this.#entry.state.facts.id}, which has no outcome '${String(id).slice(0, 100)}': ` +
        'the position in another market of the event is in `linked`.',
    );
  }
}
