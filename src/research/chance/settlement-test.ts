/**
 * The market-implied settlement test: whether the profits of a search are more than the winners' luck, with all positions as
 * they were and the winners drawn again from the closing probabilities.
 */

import { assert } from '../../core/checks/assert.ts';
import { Random } from '../../core/number/random.ts';
import type { Meaning } from '../figure/meaning.ts';
import type { Figures } from '../figure/moments.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';
import { type WinnerDraw, winnerDraw } from './winners.ts';

/** One settled market. Leave out those that were void. */
export interface SettledMarket {
  /**
   * The chance of each outcome at closing that it is among the winners; the sum is the number of winners, normally 1, more in a dead heat.
   */
  readonly closing: Figures;
  /** The outcomes that won. */
  readonly winners: readonly number[];
}

/** One settled market with the positions of all trials in it. */
export interface MarketOfTrials extends SettledMarket {
  /**
   * `profits[outcome][trial]`: with one winner, the profit of the trial in this market if the outcome wins, net of commission or
   * gross, as long as all are the same. With several winners, amounts whose sum over the winners is the profit, as
   * `positionProfits` makes them.
   */
  readonly profits: readonly Figures[];
  /**
   * The market's number in all pieces, where trials come in pieces: the same winners are drawn for it. Its place in the list where it is
   * left out.
   */
  readonly place?: number | undefined;
}

/** Some of the trials, with all markets in which one of them has a position. */
export interface PieceOfTrials {
  readonly trials: number;
  /** Read once: a generator will do, and each market's positions are kept in single precision. */
  readonly markets: Iterable<MarketOfTrials>;
}

/** What the test says of one trial beside all others. */
export interface SettlementOfTrial {
  /** The trial's index. */
  readonly at: number;
  /** Its profit over its exact null deviation. */
  readonly statistic: number;
  /** How often chance gives a largest statistic over all trials that is at least this one, as `pValue` of the test. */
  readonly pValue: number;
}

export interface SettlementTest extends Meaning {
  readonly kind: 'settlementTest';
  /** (1 + exceeding) ÷ (1 + redraws). */
  readonly pValue: number;
  /** Redraws in which the largest statistic over all trials is at least the one observed. */
  readonly exceeding: number;
  readonly redraws: number;
  /** The largest profit over its exact null deviation, and the trial that has it. */
  readonly statistic: number;
  readonly best: number;
  /** The same largest statistic where chance alone decides: its median, and what it stays below in 95 of 100 redraws. */
  readonly chanceMedian: number;
  readonly chanceHigh: number;
  /** The test of the trial that was asked about; undefined where there is none, and where its profit does not depend on who wins. */
  readonly asked: SettlementOfTrial | undefined;
  /** The profit of each trial as settled, the one expected at closing, and its exact deviation under the null. */
  readonly settled: Float64Array;
  readonly expected: Float64Array;
  readonly deviation: Float64Array;
}

const SETTLEMENT_MEANING: Meaning = {
  says:
    'The settlement test says how often winners drawn from the closing prices would give the best of these trials a ' +
    'profit as large, with the same bets. It holds for any odds and any number of trials, however alike they are.',
  doesNotSay:
    'It takes the closing prices for true, and markets for independent of each other. Better prices than at closing ' +
    'are part of what it expects: a strategy that lives on them shows it in the closing value, not here.',
};

/** Ties count as reached; rows are kept in single precision, and what differs by its rounding is a tie. */
const TIE = 1e-5;

/**
 * A profit expected at closing that is more deviations than this from 0 was made before the winners were known, as by trading out of
 * each bet: no draw of winners changes it much, and it would be the largest statistic in every redraw.
 */
const DECIDED = 5;

interface TestInput {
  readonly pieces: Iterable<PieceOfTrials>;
  readonly seed: number;
  readonly redraws: number;
  /** Index of the trial to speak of besides the one with the largest statistic. */
  readonly asked?: number | undefined;
}

/**
 * Trials without risk (no position, or nearly the same profit whoever wins) are left out of the maximum: who wins is no luck of theirs,
 * good or bad. Trials that do not fit into memory side by side come in pieces: each is in one piece, and their indices go on from piece
 * to piece.
 */
export function settlementTest({ pieces, seed, redraws, asked }: TestInput): SettlementTest | NotKnown {
  assert(Number.isInteger(redraws) && redraws >= 19, `the settlement test takes 19 redraws or more, got ${redraws}`);
  const maxima = new Float64Array(redraws).fill(-Infinity);
  const sums: PieceSums[] = [];
  for (const piece of pieces) sums.push(addPiece(piece, { seed, maxima }));
  const [settled, expected, deviation, statistics] = (['settled', 'expected', 'deviation', 'statistics'] as const).map(
    (name) => joined(sums.map((each) => each[name])),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  if (deviation.every((each) => each === 0)) {
    return notKnown('No trial had a profit that depended on who wins: there is no luck to tell apart.');
  }
  const best = statistics.reduce((top, each, at) => (each > (statistics[top] ?? -Infinity) ? at : top), -1);
  const statistic = statistics[best];
  if (statistic === undefined) {
    return notKnown('The profit of each trial was made before the winners were known: there is no luck to tell apart.');
  }
  const exceeding = reaching(maxima, statistic);
  maxima.sort();
  return {
    kind: 'settlementTest',
    pValue: (1 + exceeding) / (1 + redraws),
    exceeding,
    redraws,
    statistic,
    best,
    asked: askedIn(statistics, maxima, asked),
    chanceMedian: maxima[Math.floor(redraws / 2)]!,
    chanceHigh: maxima[Math.ceil(redraws * 0.95) - 1]!,
    settled,
    expected,
    deviation,
    ...SETTLEMENT_MEANING,
  };
}

/** The number of redraws whose largest statistic is at least this one. */
function reaching(maxima: Float64Array, statistic: number): number {
  return maxima.reduce((count, maximum) => (maximum >= statistic - TIE ? count + 1 : count), 0);
}

function askedIn(statistics: Float64Array, maxima: Float64Array, asked = -1): SettlementOfTrial | undefined {
  const statistic = statistics[asked] ?? -Infinity;
  if (statistic === -Infinity) return undefined;
  return { at: asked, statistic, pValue: (1 + reaching(maxima, statistic)) / (1 + maxima.length) };
}

/** The sums of each trial of a piece; a trial without risk has the statistic −∞. */
interface PieceSums {
  readonly settled: Float64Array;
  readonly expected: Float64Array;
  readonly deviation: Float64Array;
  readonly statistics: Float64Array;
}

/** `maxima`: of each redraw the largest statistic so far. */
function addPiece(
  { trials, markets }: PieceOfTrials,
  { seed, maxima }: { readonly seed: number; readonly maxima: Float64Array },
): PieceSums {
  const [settled, expected, variance, largest] = [0, 0, 0, 0].map(() => new Float64Array(trials)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const kept: KeptMarket[] = [];
  for (const market of markets) {
    const random = drawsOf(seed, market.place ?? kept.length);
    kept.push(keep({ market, random, settled, expected, variance, largest }));
  }
  const deviation = variance.map((each, trial) => (Math.sqrt(each) > 1e-9 * largest[trial]! ? Math.sqrt(each) : 0));
  const risky = Uint32Array.from(deviation.keys()).filter(
    (trial) => deviation[trial] !== 0 && Math.abs(expected[trial]!) <= DECIDED * deviation[trial]!,
  );
  const statistics = new Float64Array(trials).fill(-Infinity);
  if (risky.length > 0) {
    const scaled = scaledRows(kept, deviation, risky);
    observedIn(kept, scaled).forEach((statistic, at) => {
      statistics[risky[at]!] = statistic;
    });
    drawInto(maxima, kept, scaled);
  }
  return { settled, expected, deviation, statistics };
}

/** Each market has draws of its own, so that they are the same whichever other markets a piece has. */
function drawsOf(seed: number, place: number): Random {
  return Random.fromSeed(Random.fromSeed(seed).below(2 ** 20) * 2 ** 32 + place);
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  for (const part of parts) {
    all.set(part, next);
    next += part.length;
  }
  return all;
}

interface KeptMarket {
  readonly draw: WinnerDraw;
  readonly random: Random;
  readonly winners: readonly number[];
  /** Profits, `outcome × trials + trial`; let go once they are scaled. */
  rows: Float32Array;
}

/** All rows one after the other, the outcomes of the first market first: profits over the deviation of their trial. */
interface ScaledRows {
  readonly rows: Float32Array;
  /** The trials with risk: the length of a row. */
  readonly width: number;
  /** The places where the rows of each market begin. */
  readonly begins: readonly number[];
}

function keep({
  market: { closing, winners, profits },
  random,
  settled,
  expected,
  variance,
  largest,
}: {
  readonly market: MarketOfTrials;
  readonly random: Random;
  readonly settled: Float64Array;
  readonly expected: Float64Array;
  readonly variance: Float64Array;
  readonly largest: Float64Array;
}): KeptMarket {
  const trials = settled.length;
  const draw = winnerDraw(closing);
  assert(profits.length === closing.length, 'profits are known for each outcome');
  assert(winners.length === draw.winners, 'as many outcomes won as the closing probabilities sum to');
  const rows = new Float32Array(closing.length * trials);
  const amounts = new Float64Array(closing.length);
  profits.forEach((row, outcome) => {
    assert(row.length === trials, 'each trial has a profit for each outcome');
    rows.set(row, outcome * trials);
  });
  for (let trial = 0; trial < trials; trial += 1) {
    let size = 0;
    for (let outcome = 0; outcome < amounts.length; outcome += 1) {
      amounts[outcome] = profits[outcome]![trial]!;
      size = Math.max(size, Math.abs(amounts[outcome]!));
    }
    if (size === 0) continue;
    largest[trial] = Math.max(largest[trial]!, size);
    expected[trial] = expected[trial]! + draw.expectation(amounts);
    variance[trial] = variance[trial]! + draw.variance(amounts);
    for (const winner of winners) settled[trial] = settled[trial]! + amounts[winner]!;
  }
  return { draw, random, winners, rows };
}

function scaledRows(kept: readonly KeptMarket[], deviation: Float64Array, risky: Uint32Array): ScaledRows {
  const trials = deviation.length;
  const width = risky.length;
  const count = kept.reduce((sum, { rows }) => sum + rows.length / trials, 0);
  const scaled = new Float32Array(count * width);
  const begins: number[] = [];
  let next = 0;
  for (const market of kept) {
    begins.push(next);
    for (let row = 0; row < market.rows.length; row += trials) {
      for (let at = 0; at < width; at += 1) {
        const trial = risky[at]!;
        scaled[next + at] = market.rows[row + trial]! / deviation[trial]!;
      }
      next += width;
    }
    market.rows = new Float32Array(0);
  }
  return { rows: scaled, width, begins };
}

/** The statistic of each trial with risk. */
function observedIn(kept: readonly KeptMarket[], { rows, width, begins }: ScaledRows): Float64Array {
  const sums = new Float64Array(width);
  const from = kept.flatMap(({ winners }, market) => winners.map((winner) => begins[market]! + winner * width));
  addRows(sums, rows, Float64Array.from(from));
  return sums;
}

/** Redraws all winners, and notes the largest statistic of a trial for each redraw. */
function drawInto(maxima: Float64Array, kept: readonly KeptMarket[], { rows, width, begins }: ScaledRows): void {
  const sums = new Float64Array(width);
  const winners = new Uint32Array(kept.reduce((most, { draw }) => Math.max(most, draw.winners), 1));
  const from = new Float64Array(kept.reduce((sum, { draw }) => sum + draw.winners, 0));
  for (let redraw = 0; redraw < maxima.length; redraw += 1) {
    let count = 0;
    for (let market = 0; market < kept.length; market += 1) {
      const { draw, random } = kept[market]!;
      draw.draw(random, winners);
      for (let at = 0; at < draw.winners; at += 1) {
        from[count] = begins[market]! + winners[at]! * width;
        count += 1;
      }
    }
    sums.fill(0);
    addRows(sums, rows, from);
    let maximum = maxima[redraw]!;
    for (let at = 0; at < width; at += 1) if (sums[at]! > maximum) maximum = sums[at]!;
    maxima[redraw] = maximum;
  }
}

/** Adds the rows that begin at these places, four at a time: half of the time would go to reading and writing sums. */
function addRows(sums: Float64Array, rows: Float32Array, from: Float64Array): void {
  const width = sums.length;
  let at = 0;
  for (; at + 4 <= from.length; at += 4) {
    const a = from[at]!;
    const b = from[at + 1]!;
    const c = from[at + 2]!;
    const d = from[at + 3]!;
    for (let trial = 0; trial < width; trial += 1) {
      sums[trial] = sums[trial]! + (rows[a + trial]! + rows[b + trial]! + (rows[c + trial]! + rows[d + trial]!));
    }
  }
  for (; at < from.length; at += 1) {
    const a = from[at]!;
    for (let trial = 0; trial < width; trial += 1) sums[trial] = sums[trial]! + rows[a + trial]!;
  }
}
