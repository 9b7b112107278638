/** What of a level is left a while after a window of the best few stopped showing it: known where a recording has the whole ladder. */

import { NO_TICK } from '../../../src/core/number/ladder.ts';
import { DEFINITION, recordColumns, type UpdateColumns } from '../../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';
import type { TapeMarket } from '../../../src/recording/tape/tape-schema.ts';
import { cellInRow } from '../../../src/simulator/overlay/level-cell.ts';
import { ExactWindow } from './exact-window.ts';

/** As Betfair's recordings of the best few do. */
const DEPTH = 3;

export type Phase = 'before the off' | 'in play';

/** Of the levels that were out of sight for so long: how many, what the window had shown of them last, and what of it was there. */
export interface Remembered {
  levels: number;
  shown: number;
  there: number;
}

interface Due {
  readonly at: number;
  readonly cell: number;
  readonly leftAt: number;
  readonly shown: number;
  readonly phase: Phase;
}

/** Replays full ladders as if the best three levels of each side were shown. */
export class RememberedStake {
  readonly byPhase: Readonly<Record<Phase, readonly Remembered[]>>;
  readonly #ages: readonly number[];

  constructor(ages: readonly number[]) {
    const none = () => ages.map(() => ({ levels: 0, shown: 0, there: 0 }));
    this.#ages = ages;
    this.byPhase = { 'before the off': none(), 'in play': none() };
  }

  play(tape: Tape, market: TapeMarket): void {
    const definitions = tape.definitions(market.index);
    const watched = new WatchedBook(market.facts.outcomes.length);
    const due: Due[][] = this.#ages.map(() => []);
    const cursor = tape.cursor({ markets: [market.index] });
    for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
      const at = update.publishedAt;
      for (const [age, queue] of due.entries())
        while (queue[0] !== undefined && queue[0].at < at) this.#look(age, queue.shift()!, watched);
      watched.define(update, definitions);
      for (const left of watched.apply(update))
        for (const [index, age] of this.#ages.entries()) due[index]!.push({ ...left, at: at + age });
    }
  }

  /** Nothing is said of a level that is shown again by then, nor of one that left the window anew. */
  #look(age: number, { cell, leftAt, shown, phase }: Due, { book, isOpen, phase: now }: WatchedBook): void {
    if (!isOpen || now !== phase || !book.isOutOfSight(cell) || book.leftAt(cell) !== leftAt) return;
    const sum = this.byPhase[phase][age]!;
    sum.levels += 1;
    sum.shown += shown;
    sum.there += Math.min(shown, book.stakeAt(cell));
  }
}

class WatchedBook {
  readonly book: ExactWindow;
  isOpen = false;
  phase: Phase = 'before the off';
  readonly #shown = new Map<number, number>();

  constructor(outcomes: number) {
    this.book = new ExactWindow(outcomes, DEPTH);
  }

  define({ count, kind, amount }: UpdateColumns, definitions: readonly RecordedDefinition[]): void {
    for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) {
      const { status, suspended, inPlayStatus } = definitions[amount[i]!]!;
      this.isOpen = status === 'Open' && !suspended;
      this.phase = inPlayStatus === 'InPlay' ? 'in play' : 'before the off';
    }
  }

  /** Returns the levels that it pushed out of the window. */
  apply(update: UpdateColumns): Omit<Due, 'at'>[] {
    const { book } = this;
    const { publishedAt: leftAt } = update;
    recordColumns(update, book);
    book.updateEnded(leftAt);
    const left: Omit<Due, 'at'>[] = [];
    for (let row = 0; row < book.outcomes * 2; row += 1) {
      for (let tick = book.bestInRow(row); tick !== NO_TICK; tick = book.worseInRow(row, tick)) {
        const cell = cellInRow(row, tick);
        if (!book.isOutOfSight(cell)) this.#shown.set(cell, book.stakeAt(cell));
        else if (book.leftAt(cell) !== leftAt) break;
        else if (this.isOpen) left.push({ cell, leftAt, shown: this.#shown.get(cell) ?? 0, phase: this.phase });
      }
    }
    return left;
  }
}
