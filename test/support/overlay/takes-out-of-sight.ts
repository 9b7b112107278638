/**
 * Compares fills of orders that took with the tape: which levels the source showed then, and how long it had not shown
 * the others.
 */

import { defined } from '../../../src/core/checks/assert.ts';
import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { oppositeIndex, sideIndex } from '../../../src/core/side.ts';
import { recordColumns } from '../../../src/recording/segment/update.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';
import type { TapeMarket } from '../../../src/recording/tape/tape-schema.ts';
import type { FillRow } from '../../../src/result/result.ts';
import { cellOf } from '../../../src/simulator/overlay/level-cell.ts';
import { ExactWindow } from './exact-window.ts';

/** A fill at a level that was out of sight; `age` is the time since it left the window, in ms. */
export interface TakenOutOfSight {
  readonly age: number;
  readonly stake: number;
}

/**
 * `fills`: those of one market, in the order of time, all of orders that took. An update of the same instant comes
 * first, as in a replay.
 */
export function takenOutOfSight(tape: Tape, market: TapeMarket, fills: readonly FillRow[]): TakenOutOfSight[] {
  const { outcomes } = market.facts;
  const window = new ExactWindow(outcomes.length, defined(market.depth, 'the source shows the best few'));
  const cursor = tape.cursor({ markets: [market.index] });
  const taken: TakenOutOfSight[] = [];
  let update = cursor.next();
  for (const { at, outcomeId, side, price, stake } of fills) {
    for (; update !== undefined && update.publishedAt <= at; update = cursor.next()) {
      recordColumns(update, window);
      window.updateEnded(update.publishedAt);
    }
    const outcome = outcomes.findIndex(({ id }) => id === outcomeId);
    const tick = defined(tickOfDecimal(price), `${price} is on the ladder`);
    const cell = cellOf(outcome, oppositeIndex(sideIndex(side)), tick);
    if (window.isOutOfSight(cell)) taken.push({ age: at - window.leftAt(cell), stake });
  }
  return taken;
}
