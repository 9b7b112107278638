/** The statistics of a run in words: what each figure is, in one line, with what it says and does not say. */

import type { Interval } from '../../research/chance/bootstrap.ts';
import type { Luck } from '../../research/chance/luck.ts';
import type { Meaning } from '../../research/figure/meaning.ts';
import type { NotKnown } from '../../research/figure/not-known.ts';
import type { CostSplit } from '../../research/run/cost-split.ts';
import type { Drawdown } from '../../research/run/drawdown.ts';
import type { FillBias } from '../../research/run/fill-bias.ts';
import type { KellyGrowth } from '../../research/run/kelly-growth.ts';
import type { CellsBy, CellTables, ProfitParts, RunStatistics } from '../../result/statistics.ts';
import { amount, count, plural, signed } from '../../words/numbers.ts';

export interface FigureInWords {
  readonly label: string;
  readonly text: string;
  /** Undefined where the figure is not known. */
  readonly meaning: Meaning | undefined;
}

/** The headings of the tables of cells. */
export const CELL_TABLES: Readonly<Record<CellsBy['by'], string>> = {
  price: 'price',
  timeToOff: 'time to the off',
  marketType: 'market type',
  side: 'side',
};

/** A cell stands out at this adjusted p-value. */
const STANDS_OUT = 0.05;

/** First the three lines that the gross profit is made of. Empty where nothing was matched. */
export function statisticsInWords(statistics: RunStatistics): readonly FigureInWords[] {
  const { profit, profitPerEvent, closingValue, luck, growth, drawdown, costs, fillBias, tables } = statistics;
  return [
    figure('worth at closing', { ...WORTH, ...profit }, closingText),
    figure('luck', luck, (known) => `${luckText(known)}${judgedText(statistics)}`),
    figure('in play', { ...IN_PLAY, ...profit }, inPlayText),
    figure('profit per event', profitPerEvent.central, (known) => profitText(known)),
    figure('closing value', closingValue.preOff, ({ percent, interval }) => {
      return `the prices got before the off were ${betterText(percent)} than those at the off${spreadText(interval, ' %')}`;
    }),
    figure('fill bias', fillBias, fillBiasText),
    figure('costs', costs, costsText),
    figure('drawdown', drawdown, drawdownText),
    figure('growth', growth, growthText),
    figure('cells', tables, cellsText),
  ];
}

function figure<Known extends Meaning & { readonly kind: string }>(
  label: string,
  value: Known | NotKnown,
  textOf: (known: Known) => string,
): FigureInWords {
  if (isNotKnown(value)) return { label, text: `not known: ${lowered(value.reason)}`, meaning: undefined };
  return { label, text: textOf(value), meaning: value };
}

function isNotKnown(value: { readonly kind: string }): value is NotKnown {
  return value.kind === 'notKnown';
}

function lowered(reason: string): string {
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, '')}`;
}

function luckText({ luck, chanceAbove, chanceBelow, pValue }: Luck): string {
  if (!/[1-9]/.test(amount(luck))) return `${signed(luck)}: who won made no difference`;
  const [did, kind, chance] =
    luck > 0 ? (['helped', 'good', chanceAbove] as const) : (['hurt', 'bad', chanceBelow] as const);
  const draws = chance < 0.01 ? 'fewer than 1' : String(Math.round(chance * 100));
  const verdict = pValue < 0.05 ? 'rare' : 'ordinary';
  return `${signed(luck)}: who won ${did}, which is ${verdict}: as ${kind} in ${draws} of 100 draws of the winners`;
}

const WORTH = {
  kind: 'worth',
  says: 'It says what the bets matched before the off were worth at closing prices, gross, whoever won: the prices got.',
  doesNotSay: 'It takes closing prices for true, and is no profit before who won is added, and commission taken off.',
} as const;

const IN_PLAY = {
  kind: 'inPlay',
  says: 'It says what the bets matched in play brought: with what was worth at closing and luck it is the gross profit.',
  doesNotSay:
    'It is not judged: closing prices know nothing of what was known in play, and whether a bet is closed there depends on how the race goes.',
} as const;

function closingText({ closing }: ProfitParts): string {
  return `${signed(closing)}: what closing prices predict for the bets matched before the off`;
}

/** The lines add up to the gross profit. */
function inPlayText({ inPlay, others, gross }: ProfitParts): string {
  const other = /[1-9]/.test(amount(others))
    ? ` and ${signed(others)} from bets before the off in markets that closing prices cannot judge`
    : '';
  return `${signed(inPlay)} from bets matched in play${other}, not judged: ${signed(gross)} gross in all`;
}

/** Which markets are not in it, where there are such. */
function judgedText({ judged }: RunStatistics): string {
  const leftOut = judged.leftOut.reduce((sum, { markets }) => sum + markets, 0);
  if (leftOut === 0) return '';
  return ` (${count(judged.markets)} of ${plural(judged.markets + leftOut, 'market')} with bets can be judged)`;
}

function profitText({ estimate, low, high, groups }: Interval): string {
  const sign = low > 0 ? 'above 0' : high < 0 ? 'below 0' : 'on both sides of 0';
  return `${signed(estimate)} net, 95 % interval ${signed(low)} … ${signed(high)}: ${sign}, from ${plural(groups, 'event group')}`;
}

function betterText(percent: number): string {
  return `${amount(Math.abs(percent))} % ${percent < 0 ? 'worse' : 'better'}`;
}

/** The interval of a figure in brackets, or why there is none. */
export function spreadText(interval: Interval | NotKnown, unit: string, decimals = 2): string {
  if (interval.kind === 'notKnown') return ` (no interval: ${lowered(interval.reason)})`;
  return ` (95 %: ${signed(interval.low, decimals)}${unit} … ${signed(interval.high, decimals)}${unit})`;
}

function fillBiasText({ filledPercent, unfilledPercent, difference }: FillBias): string {
  const more = filledPercent >= unfilledPercent;
  return `what was matched was worth ${amount(Math.abs(filledPercent - unfilledPercent))} % of stake ${more ? 'more' : 'less'} at closing than what was not${spreadText(difference, ' %')}`;
}

function costsText({ spread, delay, commission, total, percent }: CostSplit): string {
  const waiting = delay < 0 ? `you saved ${amount(-delay)} by waiting` : `the delay cost ${amount(delay)}`;
  const end = `${amount(Math.abs(total))} ${total < 0 ? 'better' : 'worse'} than the middle of the prices, ${amount(Math.abs(percent))} % of stake`;
  return `crossing the spread cost ${amount(spread)}, ${waiting}, commission ${amount(commission)}: ${end}. The rest came from price moves and results`;
}

function drawdownText({ depth, peak, trough, recovered, longest }: Drawdown): string {
  if (depth === 0) return 'the profit never fell';
  const end =
    recovered === undefined ? 'not made up for' : `made up for after ${plural(recovered - peak, 'event group')}`;
  return `deepest fall ${amount(depth)} over ${plural(trough - peak, 'event group')}, ${end}; longest time below a high: ${count(longest)}`;
}

function growthText({ growth, bestMultiple }: KellyGrowth): string {
  const best =
    bestMultiple === 'beyond'
      ? 'no event group lost, so that no size was best'
      : bestMultiple === 0
        ? 'staking nothing would have been best'
        : `${amount(bestMultiple)} × these stakes would have been best`;
  return `${signed(growth * 100, 3)} % of the balance per event group; ${best}`;
}

function cellsText({ judged, tables }: CellTables): string {
  const out = tables.flatMap(({ by, cells }) =>
    cells.flatMap(({ cell, adjusted = 1 }) => (adjusted <= STANDS_OUT ? [`${CELL_TABLES[by]} ${cell}`] : [])),
  );
  const among = `of ${count(judged)} by price, time to the off, market type and side`;
  if (judged === 0) return 'none can be judged by closing prices';
  return out.length === 0 ? `${among} none stands out` : `${among} these stand out: ${out.join(', ')}`;
}
