/** The rows of a ladder: the levels nearest to where it trades, and all that hold own stake. */

import type { LadderRow } from '../../../../pages/panels.ts';

/** Stake at a price: what can be backed there, or laid. */
export interface LadderLevel {
  readonly price: number;
  readonly column: 'back' | 'lay';
  readonly stake: number;
}

/** `levels` have at most so many of each column, the best first. */
export const DEPTH = 12;

export function ladderRows(levels: readonly LadderLevel[], own: readonly LadderLevel[]): readonly LadderRow[] {
  const rows = new Map<number, { -readonly [Field in keyof LadderRow]: LadderRow[Field] }>();
  const rowAt = (price: number) => {
    const row = rows.get(price) ?? { price, back: 0, lay: 0, ownBack: 0, ownLay: 0 };
    rows.set(price, row);
    return row;
  };
  for (const { price, column, stake } of levels) rowAt(price)[column] += stake;
  for (const { price, column, stake } of own) rowAt(price)[column === 'back' ? 'ownBack' : 'ownLay'] += stake;
  return [...rows.values()].sort((a, b) => b.price - a.price);
}
