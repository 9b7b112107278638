/** What the dashboards of a bot and of a sandbox show alike: parts of long lists, ladders, and the words of a market’s state. */

import type { InPlayStatus, MarketStatus } from '../../../../core/market.ts';
import { decimalOfTick, type Tick, tickOfDecimal } from '../../../../core/number/ladder.ts';
import type { OrderStatus } from '../../../../core/order.ts';
import type { Tone } from '../../../../pages/figure.ts';
import type { Ask, LadderRow, Part } from '../../../../pages/panels.ts';

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

interface LadderParts {
  readonly levels: readonly LadderLevel[];
  readonly own: readonly LadderLevel[];
  /** What was traded at a price, where that is known. */
  readonly tradedAt?: (tick: Tick) => number;
}

/** The rows of a ladder: the levels nearest to where it trades, each price between the best two, and all that hold own stake. */
export function ladderRows({ levels, own, tradedAt = () => 0 }: LadderParts): readonly LadderRow[] {
  const rows = new Map<number, { -readonly [Field in keyof LadderRow]: LadderRow[Field] }>();
  const rowAt = (price: number) => {
    const row = rows.get(price) ?? { price, back: 0, lay: 0, ownBack: 0, ownLay: 0, traded: 0 };
    rows.set(price, row);
    return row;
  };
  for (const { price, column, stake } of levels) rowAt(price)[column] += stake;
  for (const { price, column, stake } of own) rowAt(price)[column === 'back' ? 'ownBack' : 'ownLay'] += stake;
  for (const price of between(levels)) rowAt(price);
  for (const row of rows.values()) {
    const tick = tickOfDecimal(row.price);
    if (tick !== undefined) row.traded = tradedAt(tick);
  }
  return [...rows.values()].sort((a, b) => b.price - a.price);
}

/** A wider gap says no more than that nobody offers anything there. */
const GAP_MAX = 30;

/** The prices of the exchange’s ladder between the best to back and the best to lay. */
function between(levels: readonly LadderLevel[]): readonly number[] {
  const pricesIn = (column: LadderLevel['column']) =>
    levels.filter((level) => level.column === column).map(({ price }) => price);
  const [below, above] = [pricesIn('back'), pricesIn('lay')];
  if (below.length === 0 || above.length === 0) return [];
  const first = (tickOfDecimal(Math.max(...below)) ?? 0) + 1;
  const last = tickOfDecimal(Math.min(...above)) ?? 0;
  if (last - first > GAP_MAX) return [];
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => decimalOfTick((first + index) as Tick));
}

/** A status of an order in words; the API’s own words are for files and programs. */
export function orderWords(status: OrderStatus): string {
  if (status === 'PartiallyMatched') return 'Matched in part';
  return status === 'Pending' ? 'Waits for its delay' : status;
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
