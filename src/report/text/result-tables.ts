/** The two tables of a result as text: its totals in each bound, and its markets. */

import { columnsOf, INTERVAL } from '../../result/figures/bounds.ts';
import type { BacktestResult, MarketResult, Profit } from '../../result/result.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count, plural, signed } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import type { Colours } from './colours.ts';
import { refillText } from './refill-text.ts';

interface TotalRow {
  readonly label: string;
  /** The heading where there is little room. */
  readonly short: string;
  readonly of: (profit: Profit) => number | undefined;
  readonly sign: boolean;
}

const TOTAL_ROWS: readonly TotalRow[] = [
  { label: 'net profit', short: 'net profit', of: (profit) => profit.profitNet, sign: true },
  { label: 'gross profit', short: 'gross profit', of: (profit) => profit.profitGross, sign: true },
  { label: 'commission', short: 'commission', of: (profit) => profit.commission, sign: false },
  {
    label: 'gross if greened up at the end',
    short: 'gross if greened up',
    of: (profit) => profit.markToMarket,
    sign: true,
  },
  { label: 'stake matched', short: 'stake matched', of: (profit) => profit.stakeMatched, sign: false },
];
const LABEL = { wide: 32, narrow: 20 };

/** `room`: columns of the terminal; undefined where none shows it. */
export function totalLines(result: BacktestResult, colours: Colours, room: number | undefined): readonly string[] {
  const bounds = columnsOf(result.total);
  const wide = bounds.length > INTERVAL.length ? 13 : 16;
  const isNarrow = room !== undefined && LABEL.wide + wide * bounds.length > room;
  const label = isNarrow ? LABEL.narrow : LABEL.wide;
  const width = isNarrow ? 13 : wide;
  const heads = bounds.map((bound) => bound.padStart(width));
  const lines = [colours.dim(`${printable(result.currency).padEnd(label)}${heads.join('')}`)];
  for (const row of TOTAL_ROWS) {
    const cells = bounds.map((bound) => {
      const profit = result.total[bound];
      const value = profit === undefined ? undefined : row.of(profit);
      if (value === undefined) return colours.dim('–'.padStart(width));
      return row.sign ? coloured(value, signed(value).padStart(width), colours) : amount(value).padStart(width);
    });
    const line = `${(isNarrow ? row.short : row.label).padEnd(label)}${cells.join('')}`;
    lines.push(row.label === 'net profit' ? colours.bold(line) : line);
  }
  const refill = refillText(result.total);
  if (refill !== undefined) lines.push(refill);
  return lines;
}

/** More markets than this and only those that moved the result most are listed. */
const MARKETS_SHOWN = 25;
/** Widths where there is room. */
const WIDE = { name: 44, grade: 5, orders: 7, matched: 12, net: 12 };
/** A shorter name does not tell markets apart: the interval makes room for it then. */
const NAME_MIN = 24;
const NAME_LEAST = 12;

export function marketLines(result: BacktestResult, colours: Colours, room: number | undefined): readonly string[] {
  if (result.byMarket.length === 0) return [colours.warn('No market was replayed.')];
  const all = result.byMarket;
  const shown = (all.length <= MARKETS_SHOWN ? all : largest(all)).map(rowOf);
  const columns = columnsFor(shown, room);
  const interval = (text: string): string => (columns.hasInterval ? `  ${text}` : '');
  const head = [
    'market'.padEnd(columns.name),
    'grade',
    'orders'.padStart(columns.orders),
    'matched'.padStart(columns.matched),
    'net profit'.padStart(columns.net),
  ];
  const lines = [colours.dim(`${head.join(' ')}${interval('interval')}`)];
  for (const row of shown) {
    const cells = [
      clipped(row.name, columns.name),
      row.grade.padEnd(columns.grade),
      row.orders.padStart(columns.orders),
      row.matched.padStart(columns.matched),
      coloured(row.profitNet, row.net.padStart(columns.net), colours),
    ];
    const ended = row.ended === '' ? '' : ` ${colours.warn(row.ended)}`;
    lines.push(`${cells.join(' ')}${interval(colours.dim(row.interval))}${ended}`);
  }
  const rest = all.length - shown.length;
  if (rest > 0) lines.push(colours.dim(`… and ${plural(rest, 'market')} with smaller results: all are in the report`));
  return lines;
}

interface MarketRow {
  readonly name: string;
  readonly grade: string;
  readonly orders: string;
  readonly matched: string;
  readonly net: string;
  readonly profitNet: number;
  readonly interval: string;
  /** How it ended, where that was not by its result. */
  readonly ended: string;
}

function rowOf(market: MarketResult): MarketRow {
  const { central } = market.profit;
  const net = INTERVAL.map((bound) => market.profit[bound].profitNet);
  return {
    name: printable(marketLabel(market)),
    grade: market.grade,
    orders: count(market.orders),
    matched: amount(central.stakeMatched),
    net: signed(central.profitNet),
    profitNet: central.profitNet,
    interval: `${signed(Math.min(...net))} … ${signed(Math.max(...net))}`,
    ended: market.status === 'Settled' || market.status === 'Closed' ? '' : market.status,
  };
}

interface Columns {
  readonly name: number;
  readonly grade: number;
  readonly orders: number;
  readonly matched: number;
  readonly net: number;
  readonly hasInterval: boolean;
}

/** The columns at their usual width; where that is too wide for the terminal, as narrow as they may be, and the rest for the names. */
function columnsFor(rows: readonly MarketRow[], room: number | undefined): Columns {
  const end = longest(rows, ({ interval, ended }) => `${interval}${ended === '' ? '' : ` ${ended}`}`);
  if (room === undefined || roomTaken(WIDE) + 2 + end <= room) return { ...WIDE, hasInterval: true };
  const narrow = {
    name: 0,
    grade: WIDE.grade,
    orders: Math.max(
      'orders'.length,
      longest(rows, ({ orders }) => orders),
    ),
    matched: Math.max(
      'matched'.length,
      longest(rows, ({ matched }) => matched),
    ),
    net: Math.max(
      'net profit'.length,
      longest(rows, ({ net }) => net),
    ),
  };
  const withInterval = room - roomTaken(narrow) - 2 - end;
  if (withInterval >= NAME_MIN) return { ...narrow, name: withInterval, hasInterval: true };
  const endedAlone = longest(rows, ({ ended }) => (ended === '' ? '' : ` ${ended}`));
  return { ...narrow, name: Math.max(NAME_LEAST, room - roomTaken(narrow) - endedAlone), hasInterval: false };
}

function roomTaken({ name, grade, orders, matched, net }: Omit<Columns, 'hasInterval'>): number {
  return name + grade + orders + matched + net + 4;
}

function longest(rows: readonly MarketRow[], text: (row: MarketRow) => string): number {
  return Math.max(0, ...rows.map((row) => text(row).length));
}

function largest(all: readonly MarketResult[]): readonly MarketResult[] {
  const size = (market: MarketResult): number => Math.abs(market.profit.central.profitNet);
  const kept = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, MARKETS_SHOWN));
  return all.filter((market) => kept.has(market));
}

function coloured(value: number, text: string, colours: Colours): string {
  if (!/[1-9]/.test(text)) return text;
  return value > 0 ? colours.gain(text) : colours.loss(text);
}

/** Cut in the middle: markets of one event differ at the end of their names. */
function clipped(text: string, width: number): string {
  if (text.length <= width) return text.padEnd(width);
  const tail = Math.floor(width / 3);
  return `${text.slice(0, width - tail - 1)}…${text.slice(-tail)}`;
}
