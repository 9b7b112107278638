/** What the figures of a search say together, in whole sentences: first of all whether its best trial is luck. */

import type { RealityCheck } from '../chance/reality-check.ts';
import type { SettlementTest } from '../chance/settlement-test.ts';
import type { NotKnown } from '../figure/not-known.ts';
import type { ClosingValue } from '../run/closing-value.ts';
import type { DeflatedSharpe } from './deflated-sharpe.ts';
import type { Overfitting } from './pbo.ts';

/** Each may be not known, with its reason. */
export interface SearchFigures {
  /** Every trial that was ever tried for the strategy, also pruned and abandoned ones. */
  readonly trials: number;
  readonly settlement: SettlementTest | NotKnown;
  readonly reality: RealityCheck | NotKnown;
  readonly deflated: DeflatedSharpe | NotKnown;
  readonly overfitting: Overfitting | NotKnown;
  /** Of the best trial. */
  readonly closingValue: ClosingValue | NotKnown;
}

export interface Verdict {
  /**
   * `luck`: the best trial is what chance gives. `betterPrices`: so is who won, but its prices beat those at closing.
   * `moreThanLuck`: chance alone seldom gives it. `unclear`: nothing that is known can tell.
   */
  readonly kind: 'luck' | 'betterPrices' | 'moreThanLuck' | 'unclear';
  /** Whole sentences, the conclusion first. */
  readonly sentences: readonly string[];
}

/** One in twenty searches of nothing is found to be something. */
const LEVEL = 0.05;
const OVERFITTING_HIGH = 0.5;
const DEFLATED_HIGH = 0.95;

export function verdictOf(figures: SearchFigures): Verdict {
  const { settlement, reality } = figures;
  if (settlement.kind === 'settlementTest') return bySettlement(settlement, figures);
  if (reality.kind === 'realityCheck') return byReality(reality, settlement, figures);
  return {
    kind: 'unclear',
    sentences: [
      `${bestOf(figures.trials)} may be luck or more: nothing that is known can tell.`,
      `The settlement test is not known: ${settlement.reason}`,
      `The reality check is not known: ${reality.reason}`,
    ],
  };
}

function bySettlement(settlement: SettlementTest, figures: SearchFigures): Verdict {
  const best = bestOf(figures.trials);
  const cases = casesOf(settlement.pValue);
  const drawn =
    `Winners drawn from the closing prices, with the same bets, give a best at least as good in ${cases}; the best here is ` +
    `${settlement.statistic.toFixed(1)} standard deviations, and luck alone gives ${settlement.chanceMedian.toFixed(1)} in ` +
    `the middle and more than ${settlement.chanceHigh.toFixed(1)} in one of twenty.`;
  if (settlement.pValue > LEVEL) {
    const better = betterPrices(figures.closingValue) ?? expectedAtClosing(settlement);
    if (better === undefined) {
      return { kind: 'luck', sentences: [`${best} is what luck alone gives.`, drawn, ...doubts(figures)] };
    }
    const conclusion = `${best} owes to who won no more than luck gives, but it got better prices than those at closing.`;
    return { kind: 'betterPrices', sentences: [conclusion, better, drawn, ...doubts(figures)] };
  }
  return {
    kind: 'moreThanLuck',
    sentences: [
      `${best} is more than luck usually gives.`,
      drawn,
      'One in twenty searches over worthless strategies shows as much: what counts is whether it holds on events that were not searched.',
      ...disagreement(figures.reality),
      ...doubts(figures),
    ],
  };
}

function byReality(reality: RealityCheck, settlement: NotKnown, figures: SearchFigures): Verdict {
  const best = bestOf(figures.trials);
  const without = `The settlement test is not known: ${settlement.reason}`;
  const drawn = `Resampled trials without any profit to expect give a best mean profit as large in ${casesOf(reality.pValue)}.`;
  if (reality.pValue > LEVEL) {
    return { kind: 'luck', sentences: [`${best} is what luck alone gives.`, drawn, without, ...doubts(figures)] };
  }
  return {
    kind: 'unclear',
    sentences: [
      `${best} may be more than luck, but what is known cannot show it.`,
      drawn,
      reality.caution ??
        'That check knows only results that came: where a rare large loss did not happen, it takes the luck for skill.',
      without,
      ...doubts(figures),
    ],
  };
}

function bestOf(trials: number): string {
  return trials === 1 ? 'The only trial' : `The best of ${trials.toLocaleString('en-US')} trials`;
}

/** As "31 of 100 cases". */
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
function expectedAtClosing({ settled, expected, best }: SettlementTest): string | undefined {
  const [made, worth] = [settled[best] ?? 0, expected[best] ?? 0];
  if (made <= 0 || worth < made / 2) return undefined;
  return (
    `Of its profit of ${made.toFixed(2)}, ${worth.toFixed(2)} was to be expected at closing prices, whoever won: whether ` +
    'those prices were luck is for the closing value to say.'
  );
}

function disagreement(reality: RealityCheck | NotKnown): readonly string[] {
  if (reality.kind === 'notKnown' || reality.pValue <= LEVEL) return [];
  return [
    `White's reality check does not agree: by the spread of the results alone, a best mean profit as large comes in ` +
      `${casesOf(reality.pValue)}.`,
  ];
}

/** What the two bounds add; they cannot decide, and say so. */
function doubts({ reality, deflated, overfitting }: SearchFigures): readonly string[] {
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
    sentences.push(
      `The deflated Sharpe ratio is ${deflated.deflated.toFixed(2)} and ${passes ? 'passes' : 'stays below'} 0.95: ${meaning}.`,
    );
  }
  return sentences;
}
