/** The statistics of a sweep as text and as JSON, each with what it cannot say. */

import type { FoldTable } from '../../pages/report/sweep-facts.ts';
import { fitted } from '../../report/text/fitted.ts';
import type { NotKnown } from '../../research/figure/not-known.ts';
import { deviations } from '../../research/search/verdict.ts';
import { FIGURES, isFigureName } from '../../sweep/result/figures.ts';
import { constraintWords } from '../../sweep/result/trial-value.ts';
import type { Objective } from '../../sweep/space/read/objective.ts';
import type { FoldFigures, FoldSide } from '../../sweep/statistics/fold-figures.ts';
import type { SurfaceKey, SurfaceValue } from '../../sweep/statistics/surface.ts';
import type { SweepStatistics } from '../../sweep/statistics/sweep-statistics.ts';
import { amount, inUnit } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import { columns, widest } from './sweep-text.ts';

/** Sentences are broken here, and earlier in a narrower terminal. */
const WIDTH = 110;

interface TextChoices {
  /** What each figure says as well, and the surface. */
  readonly isLong: boolean;
  /** Columns of the terminal that shows it. */
  readonly columns: number | undefined;
}

/** The best trial and whether it is luck, before all else. */
export function headlineOf({ bestTrial, verdict, trials }: SweepStatistics, objective: Objective): string {
  const { figure, per } = objective;
  if (bestTrial === undefined) {
    const asked = constraintWords(objective);
    const lacks = asked.length === 0 ? `has a value of ${figure}` : `has ${asked.join(' and ')}`;
    return trials.whole === 0 ? 'Best: none yet, no trial was played whole.' : `Best: none, no trial ${lacks}.`;
  }
  const { trial, value, settings, atEdge } = bestTrial;
  const sign = value > 0 && figure.startsWith('profit') ? '+' : '';
  const words = [
    `trial ${trial}`,
    `${figure}${per === 'event' ? ' per event' : ''} ${sign}${valueText(value, objective)}`,
    ...settings.map((setting) => printable(`${setting.key} ${setting.value}`)),
    ...(atEdge.length === 0
      ? []
      : [`at the edge of ${printable(atEdge.join(' and '))}: widen ${atEdge.length === 1 ? 'it' : 'them'}`]),
  ];
  return `Best: ${words.join(', ')}. Luck: ${verdict.luck}`;
}

export function headlineText(statistics: SweepStatistics, objective: Objective, columns: number | undefined): string {
  return wrapped(headlineOf(statistics, objective), '', Math.min(WIDTH, columns ?? WIDTH));
}

/** Behind the headline, which has the first sentence of the verdict. */
export function statisticsText(
  statistics: SweepStatistics,
  objective: Objective,
  { isLong, columns = WIDTH }: TextChoices,
): string {
  const width = Math.min(WIDTH, columns);
  const { verdict, surface, folds } = statistics;
  const paragraphs = [verdict.sentences.slice(1).join(' '), ...countedText(statistics, objective)]
    .filter((text) => text !== '')
    .map((text) => wrapped(text, '', width));
  const figures = linesOf(statistics).map(({ name, value, says, doesNotSay }) => {
    const notes = [...(isLong ? [says] : []), doesNotSay].filter((note) => note !== '');
    return [fitted(`${name.padEnd(NAME)}${value}\n`, width), ...notes.map((note) => wrapped(note, '  ', width))].join(
      '',
    );
  });
  return [
    ...paragraphs,
    figures.join(''),
    ...(folds ? [foldsText(folds, objective, width)] : []),
    ...(isLong && surface.some(({ values }) => values.length > 0)
      ? [fitted(surfaceText(surface, objective), columns)]
      : []),
  ].join('\n');
}

/** How many trials were tried and markets judged, and what could not be read. */
export function countedText(
  { tried, trials, events, markets }: SweepStatistics,
  { bound }: Objective,
): readonly string[] {
  const parts = [
    `${trials.whole} played whole`,
    ...(trials.part === 0 ? [] : [`${trials.part} in part`]),
    ...(trials.inFolds === 0 ? [] : [`${trials.inFolds} by the searches of folds`]),
  ];
  const others = tried.others.map((other) => `, ${other.trials} in ${printable(other.directory)}`).join('');
  const counted =
    `${counts(tried.total, 'trial')} tried: ${tried.here} in this sweep (${parts.join(', ')})${others}; ` +
    `${counts(events, 'event')}, ${markets.judged} of ${counts(markets.bet, 'market')} with a bet can be judged by closing prices, ${bound} bound.` +
    (markets.late === 0 ? '' : ` Not judged: bets matched in play, in ${counts(markets.late, 'market')}.`);
  const unread = tried.unread.map(({ directory, why }) => `Not counted: ${printable(directory)}: ${printable(why)}`);
  return [counted, ...unread];
}

const NAME = 18;

interface FigureLine {
  readonly name: string;
  readonly value: string;
  readonly says: string;
  readonly doesNotSay: string;
}

/** Those that are known, and in one line at the end why others are not. */
export function linesOf(statistics: SweepStatistics): readonly FigureLine[] {
  const all = allLines(statistics);
  const lacking = all.flatMap((line) => ('reason' in line ? [line] : []));
  const reasons = [...Map.groupBy(lacking, ({ reason }) => reason)].map(([reason, lines]) =>
    capital(`${lines.map(({ name }) => name).join(', ')}: ${reason}`),
  );
  const known = all.flatMap((line) => ('reason' in line ? [] : [line]));
  if (reasons.length === 0) return known;
  return [...known, { name: 'not known', value: reasons.join(' '), says: '', doesNotSay: '' }];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface Lacking {
  readonly name: string;
  readonly reason: string;
}

function allLines({
  best,
  settlement,
  reality,
  deflated,
  overfitting,
  plateau,
}: SweepStatistics): readonly (FigureLine | Lacking)[] {
  return [
    lineOf('settlement test', settlement, (test) => {
      const chance = `chance alone ${amount(test.chanceMedian, 1)}, more than ${amount(test.chanceHigh, 1)} in one of twenty`;
      const told = ({ trial, statistic, pValue }: OfTrial & { readonly statistic: number }): string =>
        `trial ${trial} is ${deviations(statistic)}, p ${pValue.toFixed(3)}`;
      return `${besides(ofFirst(test, best), test, told)}; ${chance}`;
    }),
    lineOf('reality check', reality, (check) => {
      const caution = check.caution === undefined ? '' : `. ${check.caution}`;
      const told = ({ trial, mean, pValue }: OfTrial & { readonly mean: number }): string =>
        `trial ${trial} has ${mean.toFixed(2)} an event played, p ${pValue.toFixed(3)}`;
      return `${besides(ofFirst(check, best), { ...check, mean: check.bestMean }, told)}${caution}`;
    }),
    lineOf('deflated Sharpe', deflated, ({ deflated: value, sharpe, expectedMaximum }) => {
      const chosen = `trial ${best} has a Sharpe ratio of ${sharpe.toFixed(3)} over all events played`;
      return `${value.toFixed(3)}; ${chosen}, the best of as many worthless ones about ${expectedMaximum.toFixed(3)}`;
    }),
    lineOf('PBO', overfitting, ({ probability, lossProbability }) => {
      const losses = `${(lossProbability * 100).toFixed(0)} % lose in the other half`;
      return `${probability.toFixed(2)}; of those chosen in one half of the events ${losses}`;
    }),
    lineOf('plateau score', plateau, ({ score, neighbours }) => {
      return `${score.toFixed(2)} of ${counts(neighbours, 'neighbour')} within one standard error of trial ${best}, by the mean of all events played`;
    }),
  ];
}

interface OfTrial {
  readonly trial: number;
  readonly pValue: number;
}

/** What a test says of the first trial by the objective. */
function ofFirst<T extends { readonly at: number }>(
  { asked }: { readonly asked: T | undefined },
  best: number | undefined,
): (Omit<T, 'at'> & { readonly trial: number }) | undefined {
  if (asked === undefined || best === undefined) return undefined;
  const { at: _index, ...rest } = asked;
  return { trial: best, ...rest };
}

/** A sentence about the first trial by the objective, and about the one that stands out most where that is another one. */
function besides<T extends OfTrial>(first: T | undefined, most: T, told: (each: T) => string): string {
  if (first === undefined || first.trial === most.trial) return told(most);
  return `${told(first)}; most: ${told(most)}`;
}

interface Told {
  readonly kind: string;
  readonly says: string;
  readonly doesNotSay: string;
}

function lineOf<T extends Told>(name: string, figure: T | NotKnown, say: (figure: T) => string): FigureLine | Lacking {
  if (isNotKnown(figure)) return { name, reason: figure.reason };
  return { name, value: say(figure), says: figure.says, doesNotSay: figure.doesNotSay };
}

function isNotKnown(figure: Told | NotKnown): figure is NotKnown {
  return figure.kind === 'notKnown';
}

function foldsText(folds: FoldFigures | NotKnown, objective: Objective, width: number): string {
  if (folds.kind === 'notKnown') return wrapped(`Folds are not known: ${folds.reason}`, '', width);
  const { head, rows } = foldRows(folds, objective) ?? { head: [], rows: [] };
  // The last columns matter least.
  let shown = head.length;
  const tableOf = (): string => columns([head, ...rows].map((row) => row.slice(0, shown)));
  while (widest(tableOf()) > width && shown > 1) shown -= 1;
  const table = tableOf();
  const best = folds.hasSearches ? "The best trial of each fold's own search" : 'The best trial in sample of each fold';
  return `${best}, and its figures out of sample\n${table}${wrapped(folds.doesNotSay, '  ', width)}`;
}

/** Two rows a fold, in and out of sample, which fit a terminal; undefined where they are not known. */
export function foldRows(folds: FoldFigures | NotKnown, objective: Objective): FoldTable | undefined {
  if (folds.kind === 'notKnown') return undefined;
  const side = ({ events, objective: value, profitPerEvent, yield: share }: FoldSide): readonly string[] => [
    String(events),
    value === undefined ? '–' : valueText(value, objective),
    share === undefined ? '–' : inUnit(share, 'share'),
    profitPerEvent === undefined ? '–' : inUnit(profitPerEvent, 'ratio'),
  ];
  const rows = folds.folds.flatMap(({ from, to, leftOut, trial, inSample, outOfSample }, index) => [
    [`${index + 1}`, 'in', trial === undefined ? '–' : String(trial), ...side(inSample), '', dayOf(from), dayOf(to)],
    ['', 'out', '', ...side(outOfSample), String(leftOut), '', ''],
  ]);
  const all = [
    ['all', 'in', '', ...side(folds.inSample), '', '', ''],
    ['', 'out', '', ...side(folds.outOfSample), '', '', ''],
  ];
  const head = ['fold', 'side', 'trial', 'events', 'value', 'net yield', 'per event', 'left out', 'from', 'to'];
  return { head, rows: [...rows, ...all], doesNotSay: folds.doesNotSay };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function surfaceText(surface: readonly SurfaceKey[], objective: Objective): string {
  const rows = surface.flatMap(({ key, effect, values }) =>
    values.map((value, at) => [
      at === 0 ? printable(key) : '',
      at === 0 ? `${(effect * 100).toFixed(0)} %` : '',
      spanText(value),
      String(value.trials),
      valueText(value.best, objective),
      valueText(value.median, objective),
    ]),
  );
  const head = ['key', 'explains', 'value', 'trials', 'best', 'median'];
  return `What each key explains of the differences between trials, and ${objective.figure} for each of its values\n${columns([head, ...rows])}`;
}

function spanText({ from, to }: SurfaceValue): string {
  return printable(from === to ? String(from) : `${from} to ${to}`);
}

function valueText(value: number, { figure }: Objective): string {
  return inUnit(value, isFigureName(figure) ? FIGURES[figure].unit : undefined);
}

function counts(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function wrapped(text: string, indent: string, width: number): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return `${[...lines, line].join('\n')}\n`;
}

/** Plain data: without the figures of each trial and each division. */
export function statisticsJson(statistics: SweepStatistics, objective: Objective): object {
  const { settlement, reality, overfitting, ...rest } = statistics;
  return {
    headline: headlineOf(statistics, objective),
    ...rest,
    settlement: settlement.kind === 'notKnown' ? settlement : withoutRows(settlement, rest.best),
    reality: reality.kind === 'notKnown' ? reality : withFirst(reality, rest.best),
    overfitting: overfitting.kind === 'notKnown' ? overfitting : withoutDivisions(overfitting),
  };
}

type Known<Key extends 'settlement' | 'overfitting'> = Exclude<SweepStatistics[Key], NotKnown>;

function withoutRows(test: Known<'settlement'>, best: number | undefined): object {
  const { settled: _settled, expected: _expected, deviation: _deviation, ...rest } = test;
  return withFirst(rest, best);
}

/** The test by the numbers of trials, without the places that they have in it. */
function withFirst<T extends { readonly best: number; readonly asked: { readonly at: number } | undefined }>(
  test: T,
  best: number | undefined,
): object {
  const { best: _index, asked: _asked, ...rest } = test;
  return { ...rest, ofFirst: ofFirst(test, best) };
}

function withoutDivisions({ chosen: _chosen, logits: _logits, ...rest }: Known<'overfitting'>): object {
  return rest;
}
