/** What the dashboards of a bot and of a sandbox show alike: parts of long lists, ladders, and the words of a market’s state. */

import type { InPlayStatus, MarketStatus } from '../../../../core/market.ts';
import type { Ask, LadderRow, Part, Tone } from '../../../../pages/panels.ts';

const ROWS_MAX = 50;

/** Rows from `from` on; where the list has become shorter than that, its last rows. */
export function partOf<Row>(all: readonly Row[], { from }: Pick<Ask, 'from'>): Part<Row> {
  const last = Math.max(0, Math.floor((all.length - 1) / ROWS_MAX) * ROWS_MAX);
  const first = Math.min(from, last);
  return { rows: all.slice(first, first + ROWS_MAX), from: first, total: all.length };
}

/** Makes rows of the part alone. */
export function mappedPart<From, Row>({ rows, from, total }: Part<From>, row: (of: From) => Row): Part<Row> {
  return { rows: rows.map(row), from, total };
}

/** Stake at a price: what can be backed there, or laid. */
export interface LadderLevel {
  readonly price: number;
  readonly column: 'back' | 'lay';
  readonly stake: number;
}

/** `levels` have at most so many of each column, the best first. */
export const DEPTH = 12;

/** The rows of a ladder: the levels nearest to where it trades, and all that hold own stake. */
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

interface Stated {
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly suspended: boolean;
  readonly published: boolean;
}

/** A market’s state in one or two words, and whether orders match in it. */
export function stateWords(market: Stated): { readonly state: string; readonly tone: Tone } {
  const { status, inPlayStatus, suspended, published } = market;
  const inPlay = inPlayStatus === 'InPlay' ? ', in play' : '';
  if (status !== 'Open') return { state: status, tone: 'plain' };
  if (!published) return { state: 'Not published', tone: 'plain' };
  return suspended ? { state: `Suspended${inPlay}`, tone: 'warn' } : { state: `Open${inPlay}`, tone: 'good' };
}
