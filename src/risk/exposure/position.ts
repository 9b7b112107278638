/** One position: the bets of a whole market, of a strategy in it or of a wallet in it, in slots of shared columns. */

import {
  addMatch,
  addUnmatched,
  type ExposureShape,
  lossAtWorst,
  matchedLoss,
  measureNeeds,
  type Needs,
  possibleLoss,
  profitIfWins,
  requiredFunds,
} from '../../core/exposure.ts';
import type { WinnersRange } from '../../core/market.ts';
import { type Money, ZERO } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { PositionColumns } from './position-columns.ts';

/** What one order's change does to each position it belongs to. All four may be negative. */
export interface PositionChange {
  readonly unmatchedStake: Money;
  readonly unmatchedRisk: Money;
  readonly stake: Money;
  readonly winnings: Money;
}

/** A stake and the backer's profit it was, or would be, matched for. */
interface Match {
  readonly stake: Money;
  readonly winnings: Money;
}

export class Position implements ExposureShape {
  readonly firstSlot: number;
  readonly outcomes: number;
  readonly #columns: PositionColumns;
  #winners: WinnersRange;
  readonly #needs: Needs = { required: ZERO, matched: ZERO };
  #possibleLoss: Money = ZERO;
  #unmatchedStake: Money = ZERO;
  #matchedStake: Money = ZERO;

  constructor(columns: PositionColumns, market: { readonly outcomes: number; readonly winners: WinnersRange }) {
    this.#columns = columns;
    this.firstSlot = columns.take(market.outcomes);
    this.outcomes = market.outcomes;
    this.#winners = market.winners;
  }

  get winners(): WinnersRange {
    return this.#winners;
  }

  /** Asked of the columns each time: they are replaced when they grow. */
  get removed(): Uint8Array {
    return this.#columns.removed;
  }

  /** W: the most that can be lost, whatever is filled. Below zero where every result is a profit. */
  get possibleLoss(): Money {
    return this.#possibleLoss;
  }

  /** R: what the exchange holds for matched and unmatched bets. */
  get required(): Money {
    return this.#needs.required;
  }

  /** M: the most that the matched bets can lose. */
  get matched(): Money {
    return this.#needs.matched;
  }

  /** Nothing matched and nothing unmatched; bets that cancel each other out are not flat. */
  get isFlat(): boolean {
    return this.#unmatchedStake === 0 && this.#matchedStake === 0;
  }

  profitIfWins(outcome: number): Money {
    return profitIfWins(this.#columns.exposure, this, outcome);
  }

  /** W of the bets on one outcome, whether it wins or loses, with no help from the others. */
  outcomeLoss(outcome: number): Money {
    const { win, lose, unmatchedWin, unmatchedLose } = this.#columns.exposure;
    const slot = this.firstSlot + outcome;
    const ifWins = (unmatchedWin[slot] ?? 0) - (win[slot] ?? 0);
    const ifLoses = (unmatchedLose[slot] ?? 0) - (lose[slot] ?? 0);
    return Math.max(ifWins, ifLoses) as Money;
  }

  matchedStake(outcome: number, side: SideIndex): Money {
    return (this.#columns.matchedStake[2 * (this.firstSlot + outcome) + side] ?? 0) as Money;
  }

  matchedWinnings(outcome: number, side: SideIndex): Money {
    return (this.#columns.matchedWinnings[2 * (this.firstSlot + outcome) + side] ?? 0) as Money;
  }

  /** Books a change, at the cost of one pass over the market's outcomes. */
  apply(outcome: number, side: SideIndex, change: PositionChange): void {
    const columns = this.#columns;
    const slot = this.firstSlot + outcome;
    this.#unmatchedStake = (this.#unmatchedStake + change.unmatchedStake) as Money;
    addUnmatched(columns.exposure, slot, side, change.unmatchedRisk);
    if (change.stake !== 0 || change.winnings !== 0) {
      const entry = 2 * slot + side;
      columns.matchedStake[entry] = (columns.matchedStake[entry] ?? 0) + change.stake;
      columns.matchedWinnings[entry] = (columns.matchedWinnings[entry] ?? 0) + change.winnings;
      this.#matchedStake = (this.#matchedStake + change.stake) as Money;
      addMatch(columns.exposure, slot, side, change);
    }
    this.#possibleLoss = measureNeeds(columns.exposure, this, this.#needs);
  }

  /** What R would be with this much more unmatched risk; leaves nothing behind. */
  requiredWith(outcome: number, side: SideIndex, unmatchedRisk: Money): Money {
    const exposure = this.#columns.exposure;
    const slot = this.firstSlot + outcome;
    addUnmatched(exposure, slot, side, unmatchedRisk);
    const required = requiredFunds(exposure, this);
    addUnmatched(exposure, slot, side, -unmatchedRisk as Money);
    return required;
  }

  /** What `possibleLoss` would be with this much more unmatched risk; leaves nothing behind. */
  possibleLossWith(outcome: number, side: SideIndex, unmatchedRisk: Money): Money {
    const exposure = this.#columns.exposure;
    const slot = this.firstSlot + outcome;
    addUnmatched(exposure, slot, side, unmatchedRisk);
    const loss = possibleLoss(exposure, this);
    addUnmatched(exposure, slot, side, -unmatchedRisk as Money);
    return loss;
  }

  /** What M would be had this stake matched at this price; leaves nothing behind. */
  matchedWith(outcome: number, side: SideIndex, match: Match): Money {
    const exposure = this.#columns.exposure;
    const slot = this.firstSlot + outcome;
    addMatch(exposure, slot, side, match);
    const matched = matchedLoss(exposure, this);
    addMatch(exposure, slot, side, { stake: -match.stake as Money, winnings: -match.winnings as Money });
    return matched;
  }

  /** What the matched bets lose in their worst result: below zero where each is a profit. */
  lossAtWorst(): Money {
    return lossAtWorst(this.#columns.exposure, this);
  }

  /** What `lossAtWorst` would be had this stake matched at this price; leaves nothing behind. */
  lossAtWorstWith(outcome: number, side: SideIndex, match: Match): Money {
    const exposure = this.#columns.exposure;
    const slot = this.firstSlot + outcome;
    addMatch(exposure, slot, side, match);
    const loss = lossAtWorst(exposure, this);
    addMatch(exposure, slot, side, { stake: -match.stake as Money, winnings: -match.winnings as Money });
    return loss;
  }

  /** What `outcomeLoss` would be with this much more unmatched risk; leaves nothing behind. */
  outcomeLossWith(outcome: number, side: SideIndex, unmatchedRisk: Money): Money {
    const exposure = this.#columns.exposure;
    const slot = this.firstSlot + outcome;
    addUnmatched(exposure, slot, side, unmatchedRisk);
    const loss = this.outcomeLoss(outcome);
    addUnmatched(exposure, slot, side, -unmatchedRisk as Money);
    return loss;
  }

  /** A copy of this position in slots of its own. */
  copy(): Position {
    const copy = new Position(this.#columns, this);
    this.#columns.copy(this.firstSlot, copy.firstSlot, this.outcomes);
    Object.assign(copy.#needs, this.#needs);
    copy.#possibleLoss = this.#possibleLoss;
    copy.#unmatchedStake = this.#unmatchedStake;
    copy.#matchedStake = this.#matchedStake;
    return copy;
  }

  /** Marks an outcome that cannot win any more. */
  removeOutcome(outcome: number): void {
    this.#columns.removed[this.firstSlot + outcome] = 1;
    this.#possibleLoss = measureNeeds(this.#columns.exposure, this, this.#needs);
  }

  setWinners(winners: WinnersRange): void {
    this.#winners = winners;
    this.#possibleLoss = measureNeeds(this.#columns.exposure, this, this.#needs);
  }

  /** Releases its slots and holds nothing any more. It must not be used again. */
  drop(): void {
    this.#columns.release(this.firstSlot, this.outcomes);
    Object.assign(this.#needs, { required: ZERO, matched: ZERO });
    this.#possibleLoss = ZERO;
    this.#unmatchedStake = ZERO;
    this.#matchedStake = ZERO;
  }
}
