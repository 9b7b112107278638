/** What the figures of a search say together of its first trial by the objective, in whole sentences: first of all whether it is luck. */

import type { RealityCheck } from '../chance/reality-check.ts';
import type { SettlementTest } from '../chance/settlement-test.ts';
import type { NotKnown } from '../figure/not-known.ts';
import type { ClosingValue } from '../run/closing-value.ts';
import type { DeflatedSharpe } from './deflated-sharpe.ts';
import type { Overfitting } from './pbo.ts';

/** `trial`: the number of the trial that the figure's own `best` is. */
export type WithTrial<T> = T & { readonly trial: number };

/** Each figure may be not known, with its reason. */
export interface SearchFigures {
  /** Every trial that was ever tried for the strategy, also pruned and abandoned ones. */
  readonly trials: number;
  /** The trial that a table of the search shows first, and the figure by which it does; undefined where none has a value. Both tests were asked about it. */
  readonly first: { readonly trial: number; readonly by: string } | undefined;
  readonly settlement: WithTrial<SettlementTest> | NotKnown;
  readonly reality: WithTrial<RealityCheck> | NotKnown;
  readonly deflated: DeflatedSharpe | NotKnown;
  readonly overfitting: Overfitting | NotKnown;
  /** The closing value of the first trial. */
  readonly closingValue: ClosingValue | NotKnown;
}

export interface Verdict {
  /** The number of the trial that it is about. */
  readonly trial: number | undefined;
  /**
   * `luck`: the first trial is what chance gives as the best. `betterPrices`: so is who won, but its prices beat those at closing.
   * `moreThanLuck`: chance alone seldom gives it. `unclear`: nothing that is known can tell.
   */
  readonly kind: 'luck' | 'betterPrices' | 'moreThanLuck' | 'unclear';
  /** The conclusion in a few words that follow `Luck: `; undefined where there is no first trial. */
  readonly luck: string | undefined;
  /** Whole sentences, the conclusion first. */
  readonly sentences: readonly string[];
}

/** One in twenty searches of nothing is found to be something. */
const LEVEL = 0.05;
const OVERFITTING_HIGH = 0.5;
const DEFLATED_HIGH = 0.95;

export function verdictOf(figures: SearchFigures): Verdict {
  const { first } = figures;
  if (first === undefined) {
    const none = 'There is no verdict: no trial has a value of the objective.';
    return { trial: undefined, kind: 'unclear', luck: undefined, sentences: [none] };
  }
  return { trial: first.trial, ...judged(figures, nameOf(figures.trials, first)) };
}

type Judged = Omit<Verdict, 'trial'>;

function judged(figures: SearchFigures, name: string): Judged {
  const { settlement, reality } = figures;
  if (settlement.kind === 'settlementTest') return bySettlement(settlement, figures, name);
  if (reality.kind === 'realityCheck') return byReality(reality, settlement, { figures, name });
  return {
    kind: 'unclear',
    luck: `cannot be judged, ${within(reality.reason)}`,
    sentences: [`We cannot tell whether the best trial is luck: ${within(reality.reason)}`],
  };
}

/** A reason as the end of a sentence: words after a comma or a colon begin small. */
function within(reason: string): string {
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

function bySettlement(settlement: WithTrial<SettlementTest>, figures: SearchFigures, name: string): Judged {
  const { asked, chanceMedian, chanceHigh } = settlement;
  const further = [...another(settlement), ...doubts(figures)];
  if (asked === undefined) {
    const why = 'it has no bets before the off, or their profit hardly depends on who wins.';
    return {
      kind: 'unclear',
      luck: `cannot be judged, ${why}`,
      sentences: [`${name}, has no verdict: ${why}`, ...further],
    };
  }
  const drawn =
    `Winners drawn from the closing prices, with the same bets, give a best at least as good in ${casesOf(asked.pValue)}: it is ` +
    `${deviations(asked.statistic)}, and luck alone gives a best of ${chanceMedian.toFixed(1)} in the middle and more than ` +
    `${chanceHigh.toFixed(1)} in one of twenty.`;
  if (asked.pValue <= LEVEL) {
    const once =
      'One in twenty searches over worthless strategies shows as much: what counts is whether it holds on events that were not searched.';
    const sentences = [`${name}, is more than luck usually gives.`, drawn, once, ...disagreement(figures.reality)];
    const luck = `seldom enough to explain it, with a best as good in ${casesOf(asked.pValue)}.`;
    return { kind: 'moreThanLuck', luck, sentences: [...sentences, ...further] };
  }
  const better = betterPrices(figures.closingValue) ?? expectedAtClosing(settlement, asked.at);
  if (better === undefined) {
    const sentences = [`${name}, is what luck alone gives.`, drawn, ...further];
    return { kind: 'luck', luck: enough(asked.pValue), sentences };
  }
  const luck = 'enough to explain who won, but the prices were better than those at closing.';
  const conclusion = `${name}, owes to who won no more than luck gives, but it got better prices than those at closing.`;
  return { kind: 'betterPrices', luck, sentences: [conclusion, better, drawn, ...further] };
}

function enough(pValue: number): string {
  return `enough to explain it, with a best as good in ${casesOf(pValue)}.`;
}

function byReality(
  reality: WithTrial<RealityCheck>,
  settlement: NotKnown,
  { figures, name }: { readonly figures: SearchFigures; readonly name: string },
): Judged {
  const { pValue } = reality.asked ?? reality;
  const drawn = `Resampled trials without any profit to expect give a best mean profit as large in ${casesOf(pValue)}.`;
  if (pValue > LEVEL) {
    const sentences = [`${name}, is what luck alone gives.`, drawn, ...doubts(figures)];
    return { kind: 'luck', luck: enough(pValue), sentences };
  }
  return {
    kind: 'unclear',
    luck: `may not be enough, but what is known cannot show it: ${within(settlement.reason)}`,
    sentences: [
      `${name}, may be more than luck, but what is known cannot show it: ${within(settlement.reason)}`,
      drawn,
      reality.caution ??
        'That check knows only results that came: where a rare large loss did not happen, it takes the luck for skill.',
      ...doubts(figures),
    ],
  };
}

/** The first one by the objective need not be the one that luck explains least. */
function another({ asked, best, trial, pValue, statistic }: WithTrial<SettlementTest>): readonly string[] {
  if (best === asked?.at || pValue > LEVEL) return [];
  const also = asked !== undefined && asked.pValue <= LEVEL ? 'stands out further' : 'stands out';
  return [`Trial ${trial} ${also}: it is ${deviations(statistic)}, and a best as good comes in ${casesOf(pValue)}.`];
}

/** Trials elsewhere were not compared with it: they count because each had its chance. A comma follows. */
function nameOf(trials: number, { trial, by }: { readonly trial: number; readonly by: string }): string {
  if (trials === 1) return `Trial ${trial}, the only one tried`;
  return `Trial ${trial}, the best by ${by} with ${trials.toLocaleString('en-US')} trials tried`;
}

export function deviations(statistic: number): string {
  return `${Math.abs(statistic).toFixed(1)} standard deviations ${statistic < 0 ? 'down' : 'up'}`;
}

/** The chance in words such as "31 of 100 cases". */
function casesOf(pValue: number): string {
  if (pValue >= 0.01) return `${Math.round(pValue * 100)} of 100 cases`;
  const cases = Math.round(pValue * 1_000);
  return cases === 0 ? 'fewer than 1 of 1,000 cases' : `${cases} of 1,000 cases`;
}

/** A sentence where the whole interval of the closing value is above 0. */
function betterPrices(value: ClosingValue | NotKnown): string | undefined {
  if (value.kind === 'notKnown' || value.interval.kind === 'notKnown' || value.interval.low <= 0) return undefined;
  const { low, high, level, groups } = value.interval;
  return (
    `They were better by ${value.percent.toFixed(2)} % of stake (${low.toFixed(2)} to ${high.toFixed(2)}, ` +
    `${(level * 100).toFixed(0)} % interval over ${groups} event groups), before commission.`
  );
}

/** A sentence where most of the profit was there at closing already, whoever won. */
function expectedAtClosing({ settled, expected }: SettlementTest, at: number): string | undefined {
  const [made, worth] = [settled[at] ?? 0, expected[at] ?? 0];
  if (made <= 0 || worth < made / 2) return undefined;
  return (
    `Of its profit of ${made.toFixed(2)}, ${worth.toFixed(2)} was to be expected at closing prices, whoever won: whether ` +
    'those prices were luck is for the closing value to say.'
  );
}

function disagreement(reality: RealityCheck | NotKnown): readonly string[] {
  const { pValue } = reality.kind === 'notKnown' ? { pValue: 0 } : (reality.asked ?? reality);
  if (pValue <= LEVEL) return [];
  return [
    `White's reality check does not agree: by the spread of the results alone, a best mean profit as large comes in ` +
      `${casesOf(pValue)}.`,
  ];
}

/** What the two bounds add; they cannot decide, and say so. */
function doubts({ first, reality, deflated, overfitting }: SearchFigures): readonly string[] {
  const sentences: string[] = [];
  if (overfitting.kind === 'overfitting') {
    const carries =
      overfitting.probability >= OVERFITTING_HIGH
        ? 'the choice of the best does not carry over to other events'
        : 'which alone does not speak against it';
    const below = Math.round(overfitting.probability * 100);
    sentences.push(
      `Chosen on one half of the events, the best trial is in the lower half of the trials on the other half in ${below} of ` +
        `100 divisions (PBO): ${carries}.`,
    );
  }
  if (deflated.kind === 'deflatedSharpe') {
    const passes = deflated.deflated >= DEFLATED_HIGH;
    const isCautioned = reality.kind === 'realityCheck' && reality.caution !== undefined;
    const meaning =
      passes && isCautioned ? 'which comes too easily where large losses are rare' : 'a bound, and no p-value';
    const bar = passes ? 'passes' : 'stays below';
    sentences.push(
      `The deflated Sharpe ratio of trial ${first?.trial} is ${deflated.deflated.toFixed(2)} and ${bar} 0.95: ${meaning}.`,
    );
  }
  return sentences;
}
