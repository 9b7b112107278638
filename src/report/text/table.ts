/** The result as text for a terminal: every figure of money as an interval with its central value. */

import { busiestHour, FREE_AT_BETFAIR } from '../../result/busiest-hour.ts';
import { columnsOf } from '../../result/figures/bounds.ts';
import { gradesOf, gradeText } from '../../result/grades.ts';
import { marketsText, type Notice } from '../../result/notices.ts';
import type { BacktestResult } from '../../result/result.ts';
import { settledStake } from '../../result/settled-stake.ts';
import { count, plural, tone, utc } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import { type Colours, NO_INK } from './colours.ts';
import { countedRun } from './counted-run.ts';
import { fitted } from './fitted.ts';
import { headline } from './headline.ts';
import { proofLines } from './proof-text.ts';
import { marketLines, totalLines } from './result-tables.ts';
import { statisticsInWords } from './statistics-words.ts';
import { strategyLines } from './strategy-lines.ts';

/** `columns`: of the terminal that shows it, which lines are broken at and the tables are made to fit; undefined for a file or a pipe. */
export function resultTable(result: BacktestResult, colours: Colours = NO_INK, columns?: number): string {
  const blocks = [
    heading(result, colours),
    firstLines(result, colours),
    totalLines(result, colours, columns),
    strategyLines(result, colours),
    marketLines(result, colours, columns),
    orders(result, colours),
    statistics(result, colours),
    noticeLines(result.notices, colours),
    result.proof === undefined ? [] : proofLines(result.proof),
    basis(result, colours),
  ];
  const text = blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
  return `${fitted(text, columns)}\n`;
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

/** What the run made or lost, and how sure that is, before any table. */
function firstLines(result: BacktestResult, colours: Colours): readonly string[] {
  const { byMarket, total } = result;
  const isSettled = byMarket.some(({ settledAt }) => settledAt !== undefined);
  const facts = { markets: byMarket.length, isSettled, settledStake: settledStake(result).central };
  const { money, sureness } = headline({ ...result, ...facts });
  const ink = toneInk(total.central.profitNet, colours);
  return [colours.bold(ink(money)), ...(sureness === undefined ? [] : [sureness])];
}

function toneInk(profit: number, colours: Colours): (text: string) => string {
  const kind = tone(profit);
  return kind === '' ? (text) => text : colours[kind];
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
  const busiest = n.sent > FREE_AT_BETFAIR / 2 ? busiestHour(result.orderRows) : undefined;
  if (busiest !== undefined && busiest.orders > FREE_AT_BETFAIR / 2)
    lines.push(
      `        ${count(busiest.orders)} sent in the busiest hour, from ${utc(busiest.from)}: Betfair charges for those above ${count(FREE_AT_BETFAIR)}, failed cancellations beside`,
    );
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
    'three worlds, in each of which the strategy lives its own fills: cancellations behind your orders (pessimistic), at their likely places, ahead of them (optimistic); the columns need not be in order',
  all: 'five worlds, in each of which the strategy lives its own fills: last in every queue (lowest); cancellations behind, likely, ahead; first in every queue (highest); the columns need not be in order',
  central: 'central fills only: the interval was not asked for, the three columns are one',
};

interface NoticeInk {
  dim(text: string): string;
  warn(text: string): string;
}

/** The lines of each notice: code and sentences, then its file, its markets, and what to do next. */
function noticeLines(notices: readonly Notice[], colours: NoticeInk): readonly string[] {
  return notices.flatMap((notice) => {
    const { code, what, where, next } = notice;
    const markets = marketsText(notice);
    const details = [
      ...(where === undefined ? [] : [`where  ${where}`]),
      ...(markets === undefined ? [] : [`markets  ${markets}`]),
      `next  ${next}`,
    ];
    return [
      colours.warn(`notice ${code}: ${printable(what)}`),
      ...details.map((line) => colours.dim(`        ${printable(line)}`)),
    ];
  });
}
