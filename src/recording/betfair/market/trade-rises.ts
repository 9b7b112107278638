/** Separates trades from revaluations among the rises of traded volume in one message. */

import { NO_TICK } from '../../../core/number/ladder.ts';
import { money } from '../../../core/number/units.ts';
import { AGAINST, FOR, isBetter, type SideIndex } from '../../../core/side.ts';
import type { UpdateBuffer } from '../../segment/update-buffer.ts';
import type { Revaluations } from '../../tape/tape-schema.ts';
import type { MarketParts, OutcomeImport } from './outcome-import.ts';

/** A trade moves at least 0.01 on each side, so a rise below 0.02 in sum is none, whatever the book says. In 10⁻⁶. */
const SMALLEST_TRADE = 20_000;
/** A rise of up to this (10⁻⁶ of both sides' volume) beside a trade does not show that the trade went on. */
const PENNIES = 100_000;
/**
 * If more little rises of an outcome than this lie at prices that the book excludes, all its little rises are a
 * revaluation.
 */
const UNEXPLAINED_RISES_MAX = 2;

interface Rise {
  readonly outcome: OutcomeImport;
  /** The side that showed stake at the price before the message. */
  readonly side: SideIndex;
  readonly tick: number;
  /** Both sides' volume in 10⁻⁶. */
  readonly amount: number;
  readonly isLittle: boolean;
}

/**
 * A few seconds after each hour Betfair values the volume of other currencies again: it rises by pennies at nearly
 * every price, without any trade. The book tells the two apart: a trade lies at or inside the best prices before or
 * after its message. Messages are conflated, so that the best price may have been swept and be back: then the stake at
 * the price fell, the last price moved through it, or the same message trades at the best price [our reading, decision
 * 72].
 */
export class TradeRises {
  readonly #parts: MarketParts;
  readonly #rises: Rise[] = [];
  #messages = 0;
  #count = 0;
  /** Volume of both sides dropped as revaluation so far, in 10⁻⁶. */
  #volume = 0;

  constructor(parts: MarketParts) {
    this.#parts = parts;
  }

  /** What was dropped as revaluation so far; undefined where nothing was. */
  get revaluations(): Revaluations | undefined {
    if (this.#messages === 0) return undefined;
    return { messages: this.#messages, rises: this.#count, stake: money(Math.round(this.#volume / 2)) };
  }

  /** Begins a message. */
  start(): void {
    this.#rises.length = 0;
  }

  /** Collects the outcome's rises. Call it while the book is as it was before the message. */
  addRises(outcome: OutcomeImport): void {
    const { riseTicks, riseAmounts, riseLittle, riseCount } = outcome.volume;
    for (let i = 0; i < riseCount; i += 1) {
      const tick = riseTicks[i] as number;
      const side = this.#restingSide(outcome.index, tick);
      this.#rises.push({ outcome, side, tick, amount: riseAmounts[i] as number, isLittle: riseLittle[i] === true });
    }
  }

  /** Appends the rises that are trades. Call it once the book is as it is after the message. */
  emit(into: UpdateBuffer, isOpen: boolean): void {
    if (this.#rises.length === 0) return;
    const trades = isOpen ? this.#judged() : this.#rises;
    if (trades.length > 1) trades.sort((a, b) => this.#compare(a, b));
    for (const { outcome, tick, amount } of trades) into.trade(outcome.index, tick, amount / 2);
  }

  #judged(): Rise[] {
    const trades: Rise[] = [];
    const before = this.#count;
    let from = 0;
    while (from < this.#rises.length) {
      const { outcome } = this.#rises[from] as Rise;
      let to = from + 1;
      while (this.#rises[to]?.outcome === outcome) to += 1;
      this.#judge(this.#rises.slice(from, to), trades);
      from = to;
    }
    if (this.#count > before) this.#messages += 1;
    return trades;
  }

  /** Decides which rises of one outcome are trades. */
  #judge(rises: readonly Rise[], trades: Rise[]): void {
    const beyond = rises.map((rise) => this.#beyond(rise));
    const isRun = rises.some(({ isLittle }, i) => !isLittle && beyond[i] === undefined) || this.#isRun(rises, beyond);
    const isSwept = [FOR, AGAINST].map(
      (side) => isRun || rises.some((rise, i) => !rise.isLittle && beyond[i] === side && this.#isShown(rise, side)),
    );
    const isUnexplained = rises.map((rise, i) => {
      const side = beyond[i];
      if (side === undefined) return false;
      return !(isSwept[side] === true && rise.amount > PENNIES) && !this.#isShown(rise, side);
    });
    const unexplained = rises.filter(({ isLittle }, i) => isLittle && isUnexplained[i] === true).length;
    const isRevalued = unexplained > UNEXPLAINED_RISES_MAX || rises[0]?.outcome.volume.isRevalued === true;
    for (const [i, rise] of rises.entries()) {
      if (rise.isLittle && (isRevalued || isUnexplained[i] === true)) this.#drop(rise);
      else if (isUnexplained[i] === true) this.#parts.losses.add('risesOffTouch');
      else trades.push(rise);
    }
  }

  /**
   * Whether the rises are a run of trades through several prices. At a busy price hundreds are little beside its
   * volume. So a run may also begin with any rise above pennies at the best price, where a large one went on beyond it,
   * and neither the volume as a whole nor other small rises look like a revaluation.
   */
  #isRun(rises: readonly Rise[], beyond: readonly (SideIndex | undefined)[]): boolean {
    if (rises[0]?.outcome.volume.isRevalued === true) return false;
    const isBegun = rises.some(({ amount }, i) => amount > PENNIES && beyond[i] === undefined);
    const goesOn = rises.some(({ isLittle }, i) => !isLittle && beyond[i] !== undefined);
    const pennies = rises.filter(({ amount }, i) => amount <= PENNIES && beyond[i] !== undefined).length;
    return isBegun && goesOn && pennies <= UNEXPLAINED_RISES_MAX;
  }

  #drop(rise: Rise): void {
    this.#count += 1;
    this.#volume += rise.amount;
  }

  /**
   * The side behind whose best level the price lies, both before the message and after it; undefined at or inside the
   * best prices.
   */
  #beyond({ outcome, tick }: Rise): SideIndex | undefined {
    const { book, scale } = this.#parts;
    if (scale.prices !== undefined) return undefined;
    for (const side of [FOR, AGAINST] as const) {
      const before = book.bestBefore(outcome.index, side);
      const after = book.best(outcome.index, side);
      if (before === NO_TICK || after === NO_TICK) continue;
      if (isBetter(side, before, tick) && isBetter(side, after, tick)) return side;
    }
    return undefined;
  }

  /** Whether the message shows that stake was swept down to the price. */
  #isShown({ outcome, tick, amount, isLittle }: Rise, side: SideIndex): boolean {
    if (amount < SMALLEST_TRADE) return false;
    const { book } = this.#parts;
    const moved = outcome.movedTo;
    if (moved !== NO_TICK && !isBetter(side, moved, tick)) return true;
    const fell = book.amountBefore(outcome.index, side, tick) - book.amount(outcome.index, side, tick);
    return isLittle ? fell > 0 && fell >= amount / 2 : fell > 0;
  }

  /** The side that shows stake at the price; where neither does, the side whose best price lies beyond it. */
  #restingSide(outcome: number, tick: number): SideIndex {
    const { book, scale } = this.#parts;
    if (book.amount(outcome, AGAINST, tick) > 0) return AGAINST;
    if (book.amount(outcome, FOR, tick) > 0) return FOR;
    if (scale.prices === undefined) {
      const best = book.best(outcome, FOR);
      return best !== NO_TICK && best < tick ? FOR : AGAINST;
    }
    const rank = scale.rankOf(tick);
    return book.some(outcome, FOR, (level) => scale.rankOf(level) < rank) ? FOR : AGAINST;
  }

  /** Sorts by outcome as the market numbers them, Against before For, best price first. */
  #compare(a: Rise, b: Rise): number {
    if (a.outcome !== b.outcome) return a.outcome.index - b.outcome.index;
    if (a.side !== b.side) return b.side - a.side;
    const { scale } = this.#parts;
    return isBetter(a.side, scale.rankOf(a.tick), scale.rankOf(b.tick)) ? -1 : 1;
  }
}
