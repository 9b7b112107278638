/** The result as text for a terminal: every figure of money as an interval with its central value. */

import { columnsOf, INTERVAL } from '../figures/bounds.ts';
import { gradesOf, gradeText } from '../grades.ts';
import { amount, count, plural, signed } from '../numbers.ts';
import type { BacktestResult, MarketResult, Profit } from '../result.ts';
import { countedRun } from './counted-run.ts';
import { marketLabel } from './market-label.ts';
import { noticeLines } from './notice-lines.ts';
import { printable } from './printable.ts';
import { proofLines } from './proof-text.ts';
import { refillText } from './refill-text.ts';
import { statisticsInWords } from './statistics-words.ts';

/** Colours, or the identity where none are wanted. */
export interface Colours {
  bold(text: string): string;
  dim(text: string): string;
  gain(text: string): string;
  loss(text: string): string;
  warn(text: string): string;
}

const plain = (text: string): string => text;
export const NO_INK: Colours = { bold: plain, dim: plain, gain: plain, loss: plain, warn: plain };

/** More markets than this and only those that moved the result most are listed. */
const MARKETS_SHOWN = 25;
const NAME_WIDTH = 44;

export function resultTable(result: BacktestResult, colours: Colours = NO_INK): string {
  const blocks = [
    heading(result, colours),
    totals(result, colours),
    markets(result, colours),
    orders(result, colours),
    statistics(result, colours),
    noticeLines(result.notices, colours),
    result.proof === undefined ? [] : proofLines(result.proof),
    basis(result, colours),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function heading(result: BacktestResult, colours: Colours): readonly string[] {
  const names = result.strategies.map((strategy) => printable(strategy.name)).join(', ');
  const facts = [plural(result.byMarket.length, 'market'), plural(result.updates, 'update'), `seed ${result.seed}`];
  const lines = [`${colours.bold(names)}  ${colours.dim(facts.join(' · '))}`];
  for (const tape of result.tapes) {
    if (tape.generated !== undefined) lines.push(colours.warn(`not real trading: ${printable(tape.generated)}`));
  }
  if (result.interrupted) lines.push(colours.warn('interrupted: the figures cover only what was replayed until then'));
  return lines;
}

const TOTAL_ROWS: readonly {
  readonly label: string;
  readonly of: (profit: Profit) => number | undefined;
  readonly sign: boolean;
}[] = [
  { label: 'net profit', of: (profit) => profit.profitNet, sign: true },
  { label: 'gross profit', of: (profit) => profit.profitGross, sign: true },
  { label: 'commission', of: (profit) => profit.commission, sign: false },
  { label: 'gross if greened up at the end', of: (profit) => profit.markToMarket, sign: true },
  { label: 'stake matched', of: (profit) => profit.stakeMatched, sign: false },
];

function totals(result: BacktestResult, colours: Colours): readonly string[] {
  const columns = columnsOf(result.total);
  const width = columns.length > INTERVAL.length ? 13 : 16;
  const heads = columns.map((bound) => bound.padStart(width));
  const lines = [colours.dim(`${printable(result.currency).padEnd(32)}${heads.join('')}`)];
  for (const { label, of, sign } of TOTAL_ROWS) {
    const cells = columns.map((bound) => {
      const profit = result.total[bound];
      const value = profit === undefined ? undefined : of(profit);
      if (value === undefined) return colours.dim('–'.padStart(width));
      return sign ? coloured(value, signed(value).padStart(width), colours) : amount(value).padStart(width);
    });
    const line = `${label.padEnd(32)}${cells.join('')}`;
    lines.push(label === 'net profit' ? colours.bold(line) : line);
  }
  const refill = refillText(result.total);
  if (refill !== undefined) lines.push(refill);
  return lines;
}

function markets(result: BacktestResult, colours: Colours): readonly string[] {
  if (result.byMarket.length === 0) return [colours.warn('No market was replayed.')];
  const all = result.byMarket;
  const shown = all.length <= MARKETS_SHOWN ? all : largest(all);
  const head = ['market'.padEnd(NAME_WIDTH), 'grade', ' orders', 'matched'.padStart(12), 'net profit'.padStart(12)];
  const lines = [colours.dim(`${head.join(' ')}  interval`)];
  for (const market of shown) lines.push(marketLine(market, colours));
  const rest = all.length - shown.length;
  if (rest > 0) lines.push(colours.dim(`… and ${plural(rest, 'market')} with smaller results: all are in the report`));
  return lines;
}

function largest(all: readonly MarketResult[]): readonly MarketResult[] {
  const size = (market: MarketResult): number => Math.abs(market.profit.central.profitNet);
  const kept = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, MARKETS_SHOWN));
  return all.filter((market) => kept.has(market));
}

function marketLine(market: MarketResult, colours: Colours): string {
  const { central } = market.profit;
  const net = INTERVAL.map((bound) => market.profit[bound].profitNet);
  const ended = market.status === 'Settled' || market.status === 'Closed' ? '' : ` ${colours.warn(market.status)}`;
  const cells = [
    clipped(printable(marketLabel(market)), NAME_WIDTH),
    market.grade.padEnd(5),
    count(market.orders).padStart(7),
    amount(central.stakeMatched).padStart(12),
    coloured(central.profitNet, signed(central.profitNet).padStart(12), colours),
  ];
  return `${cells.join(' ')}  ${colours.dim(`${signed(Math.min(...net))} … ${signed(Math.max(...net))}`)}${ended}`;
}

function orders(result: BacktestResult, colours: Colours): readonly string[] {
  const { orders: n } = result;
  const lines = [
    `orders  ${plural(n.intended, 'intent')} of the strategies = ${count(n.refused)} refused + ${plural(n.cancellations, 'cancellation')}${n.cancellationsRepeated === 0 ? '' : ` + ${plural(n.cancellationsRepeated, 'repeated cancellation')}`} + ${plural(n.sent, 'order')} sent`,
    `        ${plural(n.sent, 'order')} sent = ${count(n.accepted)} accepted + ${count(n.rejected)} rejected${n.unanswered === 0 ? '' : ` + ${count(n.unanswered)} unanswered`}`,
    `        ${count(n.accepted)} accepted = ${count(n.matchedFully)} matched in full + ${count(n.matchedPartly)} in part + ${count(n.unmatched)} not at all + ${count(n.cancelled)} cancelled`,
  ];
  const counted = countedRun(result);
  if (counted !== undefined) lines.push(colours.dim(`        ${counted}`));
  const suspended = result.byMarket.reduce((sum, market) => sum + market.ordersSuspended, 0);
  if (suspended > 0) lines.push(colours.dim(`        ${count(suspended)} cancelled by suspensions in play`));
  for (const [code, times] of Object.entries(result.refusals))
    lines.push(colours.dim(`        refused ${code} ${count(times)}`));
  for (const [code, times] of Object.entries(result.rejections))
    lines.push(colours.dim(`        rejected ${printable(code)} ${count(times)}`));
  return lines;
}

/** Empty where nothing was matched: there is nothing to judge. */
function statistics({ statistics, total }: BacktestResult, colours: Colours): readonly string[] {
  if (columnsOf(total).every((bound) => total[bound]?.stakeMatched === 0)) return [];
  return statisticsInWords(statistics).map(({ label, text, meaning }) => {
    const line = `${label.padEnd(18)}${printable(text)}`;
    return meaning === undefined ? colours.dim(line) : line;
  });
}

function basis(result: BacktestResult, colours: Colours): readonly string[] {
  const lines: string[] = [];
  for (const [grade, markets] of gradesOf(result)) lines.push(`grade ${grade}: ${gradeText(grade, markets)}`);
  lines.push(FILLS_MEANINGS[result.fills], ...isolation(result), ...window(result));
  for (const market of result.leftOut)
    lines.push(colours.warn(`left out ${printable(market.id)}: ${printable(market.reason)}`));
  for (const warning of result.warnings) lines.push(colours.warn(printable(warning)));
  lines.push(colours.dim(`transcript ${result.transcriptSha256}`));
  return lines;
}

function window({ settings }: BacktestResult): readonly string[] {
  const asked = settings.find(({ name }) => name === 'window')?.value;
  return asked === undefined ? [] : [`window: strategies were asked ${printable(asked)}`];
}

/** Empty if the run has one strategy and was not cut into pieces. */
function isolation({ settings, strategies }: BacktestResult): readonly string[] {
  const isolate = settings.find(({ name }) => name === 'isolate')?.value;
  const isPlain = strategies.length < 2 && isolate?.startsWith('no') !== false;
  return isolate === undefined || isPlain ? [] : [`isolate: ${printable(isolate)}`];
}

/** What the columns mean under each way of filling. */
export const FILLS_MEANINGS: Readonly<Record<BacktestResult['fills'], string>> = {
  bounds:
    'one order flow, first in, first out: cancellations behind your orders (pessimistic), at their likely places, ahead of them (optimistic); more fills need not mean more profit',
  all: 'one order flow: last in every queue (lowest); first in, first out, cancellations behind, likely, ahead; first in every queue (highest); more fills need not mean more profit',
  central: 'central fills only: the interval was not asked for, the three columns are one',
  react: 'a run for each bound: the strategy reacted to its fills, so the columns need not be in order',
};

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
