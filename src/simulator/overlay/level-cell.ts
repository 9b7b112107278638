/** One integer for (outcome, resting side, tick): the index in every column that is kept per level. */

import { TICK_COUNT } from '../../core/number/ladder.ts';
import { AGAINST, FOR, type SideIndex } from '../../core/side.ts';

/** The row of one resting side of one outcome. */
export function rowOf(outcome: number, side: SideIndex): number {
  return outcome * 2 + side;
}

/** The index of a level: its row × 350 + its tick. */
export function cellOf(outcome: number, side: SideIndex, tick: number): number {
  return (outcome * 2 + side) * TICK_COUNT + tick;
}

/** The index of the level at a tick of a row. */
export function cellInRow(row: number, tick: number): number {
  return row * TICK_COUNT + tick;
}

/** The row of a level. */
export function rowOfCell(cell: number): number {
  return Math.trunc(cell / TICK_COUNT);
}

/** The tick of a level. */
export function tickOfCell(cell: number): number {
  return cell % TICK_COUNT;
}

/** The resting side of a row. */
export function sideOfRow(row: number): SideIndex {
  return (row & 1) === AGAINST ? AGAINST : FOR;
}

/** The row of the other side of the same outcome. */
export function oppositeRow(row: number): number {
  return row ^ 1;
}
