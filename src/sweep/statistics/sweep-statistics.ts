/** The statistics of a sweep: how much of its best trial is luck, by all that is known of all its trials. */

import { defined } from '../../core/checks/assert.ts';
import { tickOfDecimal } from '../../core/number/ladder.ts';
import { type RealityCheck, realityCheck, stationaryBootstrap } from '../../research/chance/reality-check.ts';
import { type PieceOfTrials, type SettlementTest, settlementTest } from '../../research/chance/settlement-test.ts';
import { momentsOf } from '../../research/figure/moments.ts';
import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import { type DeflatedSharpe, deflatedSharpe, sharpeOf } from '../../research/search/deflated-sharpe.ts';
import { type Overfitting, overfittingOf } from '../../research/search/pbo.ts';
import { type Plateau, plateauOf } from '../../research/search/plateau.ts';
import { type Verdict, verdictOf, type WithTrial } from '../../research/search/verdict.ts';
import {
  type AssignedValue,
  type Assignment,
  type Dimension,
  isOrdered,
  numberOf,
  positionBetween,
} from '../space/dimension.ts';
import { toNumber } from '../space/quantity.ts';
import type { Objective } from '../space/read/objective.ts';
import type { FoldChoice } from '../space/read/read-folds.ts';
import type { TrialStore } from '../store/trial-store.ts';
import { type BestTrial, bestTrialOf } from './best-trial.ts';
import { type FoldFigures, foldFigures } from './fold-figures.ts';
import { searchedFoldFigures } from './searched-folds.ts';
import { type MarketCount, type SeenMarkets, settledMarkets } from './settled-markets.ts';
import { type SurfaceKey, surfaceOf } from './surface.ts';
import { type EventTime, type ProfitsOfTrial, type TrialProfits, trialProfits } from './trial-profits.ts';
import type { TriedTrials } from './tried-trials.ts';

export interface SweepStatistics {
  readonly tried: TriedTrials;
  /** Trials that were played on all their event groups, those that were given up or pruned after a part of them, and those of the folds' own searches. */
  readonly trials: { readonly whole: number; readonly part: number; readonly inFolds: number };
  readonly events: number;
  readonly markets: MarketCount;
  /** The number of the trial with the best value of the objective. */
  readonly best: number | undefined;
  readonly bestTrial: BestTrial | undefined;
  readonly verdict: Verdict;
  readonly settlement: WithTrial<SettlementTest> | NotKnown;
  readonly reality: WithTrial<RealityCheck> | NotKnown;
  readonly deflated: DeflatedSharpe | NotKnown;
  readonly overfitting: Overfitting | NotKnown;
  readonly plateau: Plateau | NotKnown;
  readonly surface: readonly SurfaceKey[];
  /** Undefined where the configuration asks for none. */
  readonly folds: FoldFigures | NotKnown | undefined;
}

export interface StatisticsParts {
  readonly store: TrialStore;
  readonly configuration: number;
  readonly objective: Objective;
  readonly dimensions: readonly Dimension[];
  /** Each unit is of one event. */
  readonly isApart: boolean;
  readonly folds: FoldChoice | undefined;
  /** Each fold has a search of its own. */
  readonly hasFoldSearches: boolean;
  readonly tried: TriedTrials;
}

const SEED = 1;
/** Redraws and resamples: as many as the work allows, and never so few that they say nothing. */
const REDRAWS = { most: 999, least: 199 };
/** Profits that all redraws together may add up. */
const WORK_MAX = 4e9;
/** Profits of trials in events that the settlement test has beside each other. */
const PIECE_CELLS = 4e6;
/** Mean run of neighbouring events in a resample. */
const MEAN_BLOCK = 2;

export function sweepStatistics(parts: StatisticsParts): SweepStatistics {
  const { store, configuration, objective, dimensions, tried } = parts;
  const table = trialProfits(store, configuration, parts);
  const bestTrial = bestTrialOf(table.trials, objective.goal, dimensions);
  const best = bestTrial?.trial;
  const whole = table.trials.filter(({ isWhole }) => isWhole);
  const markets: MarketCount = { bet: 0, judged: 0, late: 0, positions: 0, positionsJudged: 0, untold: 0 };
  const inFolds = table.trials.filter(({ isOfFold }) => isOfFold).length;
  const settlement = settlementOf({ parts, table, best }, markets);
  const reality = realityOf(whole, { events: table.events.length, best });
  const deflated = deflatedOf(whole, best, tried.total);
  const overfitting = overfittingOf({ trials: profitsOf(whole), measure: 'mean' });
  const figures = { settlement, reality, deflated, overfitting, closingValue: NO_FILLS };
  const first = best === undefined ? undefined : { trial: best, by: objective.figure };
  return {
    tried,
    events: table.events.length,
    markets,
    best,
    bestTrial,
    ...figures,
    trials: { whole: whole.length, part: table.trials.length - whole.length - inFolds, inFolds },
    verdict: verdictIn(verdictOf({ ...figures, trials: tried.total, first }), table.trials.length, tried.total),
    plateau: plateauIn(dimensions, whole, best),
    surface: surfaceOf(dimensions, whole, objective.goal),
    folds: foldsIn(parts, table.events, whole),
  };
}

/** The folds by their own searches where the sweep has made those, else by the units of the trials. */
function foldsIn(
  { store, configuration, objective, folds: choice, hasFoldSearches }: StatisticsParts,
  events: readonly EventTime[],
  trials: readonly ProfitsOfTrial[],
): SweepStatistics['folds'] {
  if (choice === undefined) return undefined;
  return hasFoldSearches
    ? searchedFoldFigures({ store, configuration, objective })
    : foldFigures({ store, objective, choice, events, trials });
}

/** Tests know the trials of one configuration alone: others had the same chance to be the best, and make the best one less. */
function verdictIn(verdict: Verdict, tested: number, tried: number): Verdict {
  if (tried <= tested || verdict.kind === 'unclear') return verdict;
  const missing =
    `The tests know ${tested.toLocaleString('en-US')} of these trials; the others, of earlier configurations and other ` +
    'sweeps of the strategy or without a result, make luck likelier than the tests say.';
  return { ...verdict, sentences: [...verdict.sentences, missing] };
}

const NO_FILLS = notKnown('A sweep keeps no fills.');

/** They are read again from the store where they are too many to hold. */
function* profitsOf(trials: readonly ProfitsOfTrial[]): Generator<Float64Array> {
  for (const { profits } of trials) yield profits;
}

function redrawsFor(cells: number): number {
  return Math.max(REDRAWS.least, Math.min(REDRAWS.most, Math.floor(WORK_MAX / Math.max(1, cells))));
}

const UNTOLD = notKnown(
  'Trials had bets matched in play, and units that an earlier version played do not tell them from those before the off: run the sweep again.',
);
const NONE_EARLY = notKnown('No trial has a bet that was matched before the off: there is no verdict.');

/** A test of a small part would speak of other bets than those that made the profits. */
function tooFewJudged({ positions, positionsJudged }: MarketCount): NotKnown {
  const share = Math.round((100 * positionsJudged) / positions);
  return notKnown(
    `Closing prices can judge ${share} % of the positions of all trials, and it takes half of them: the markets of the others have no result or no closing prices.`,
  );
}

/** Over all trials, also those of which a part is known and those of the folds' own searches: each had its chance to be the best. */
function settlementOf(
  {
    parts: { store, objective },
    table: { trials, events },
    best,
  }: { readonly parts: StatisticsParts; readonly table: TrialProfits; readonly best: number | undefined },
  count: MarketCount,
): WithTrial<SettlementTest> | NotKnown {
  if (trials.length === 0) return notKnown('No trial was played yet.');
  const test = settlementTest({
    pieces: piecesOf({ store, trials, bound: objective.bound, events: events.length, count }),
    seed: SEED,
    redraws: redrawsFor(trials.length * events.length),
    asked: indexOf(trials, best),
  });
  if (count.bet === 0) return notKnown('No trial has a bet.');
  if (count.untold > 0) return UNTOLD;
  if (count.positions === 0) return NONE_EARLY;
  if (count.judged === 0) {
    return notKnown('No market with a bet before the off has closing prices of all its runners and a result.');
  }
  if (2 * count.positionsJudged < count.positions) return tooFewJudged(count);
  return test.kind === 'notKnown' ? test : { ...test, trial: numberAt(trials, test.best) };
}

interface PiecesOfSweep {
  readonly store: TrialStore;
  readonly trials: readonly ProfitsOfTrial[];
  readonly bound: Objective['bound'];
  readonly events: number;
  /** Counted up while they are read. */
  readonly count: MarketCount;
}

function* piecesOf({ store, trials, bound, events, count }: PiecesOfSweep): Generator<PieceOfTrials> {
  const size = Math.max(1, Math.floor(PIECE_CELLS / Math.max(1, events)));
  const seen: SeenMarkets = new Map();
  for (let from = 0; from < trials.length; from += size) {
    const piece = trials.slice(from, from + size);
    yield { trials: piece.length, markets: settledMarkets(store, { trials: piece, bound, seen }, count) };
  }
}

function realityOf(
  whole: readonly ProfitsOfTrial[],
  { events, best }: { readonly events: number; readonly best: number | undefined },
): WithTrial<RealityCheck> | NotKnown {
  const check = realityCheck({
    trials: profitsOf(whole),
    resampler: stationaryBootstrap({ seed: SEED, meanBlock: MEAN_BLOCK }),
    resamples: redrawsFor(whole.length * events),
    asked: indexOf(whole, best),
  });
  return check.kind === 'notKnown' ? check : { ...check, trial: numberAt(whole, check.best) };
}

function indexOf(trials: readonly ProfitsOfTrial[], number: number | undefined): number | undefined {
  const index = trials.findIndex((trial) => trial.number === number);
  return index < 0 ? undefined : index;
}

function numberAt(trials: readonly ProfitsOfTrial[], index: number): number {
  return trials[index]?.number ?? -1;
}

function deflatedOf(
  whole: readonly ProfitsOfTrial[],
  best: number | undefined,
  tried: number,
): DeflatedSharpe | NotKnown {
  const chosen = whole.find(({ number }) => number === best);
  if (chosen === undefined) return notKnown('No trial has a value of the objective.');
  const sample = sharpeOf(chosen.profits);
  if (sample.kind === 'notKnown') return sample;
  const ratios = whole.flatMap(({ profits }) => {
    const each = sharpeOf(profits);
    return each.kind === 'notKnown' ? [] : [each.sharpe];
  });
  return deflatedSharpe({ best: sample, trials: Math.max(1, tried), deviation: momentsOf(ratios).deviation });
}

/** The plateau by the mean net profit of an event, whatever the objective is. */
function plateauIn(
  dimensions: readonly Dimension[],
  whole: readonly ProfitsOfTrial[],
  best: number | undefined,
): Plateau | NotKnown {
  const chosen = whole.find(({ number }) => number === best);
  if (chosen === undefined) return notKnown('No trial has a value of the objective.');
  const { mean, deviation, count } = momentsOf(chosen.profits);
  const near = whole.filter((trial) => areNeighbours(dimensions, chosen.assignment, trial.assignment));
  return plateauOf({
    value: mean,
    standardError: deviation / Math.sqrt(count),
    neighbours: near.map(({ profits }) => momentsOf(profits).mean),
  });
}

/** Neighbours of a range, which has no steps, are a tenth of it away. */
const NEAR = 0.1;
/** What is left of decimals in a place. */
const ROUNDING = 1e-9;

/**
 * Whether one trial is a neighbour of the other: at most a step away in each ordered key, and equal in all others. No trial is its own
 * neighbour.
 */
export function areNeighbours(dimensions: readonly Dimension[], a: Assignment, b: Assignment): boolean {
  let isOther = false;
  for (const dimension of dimensions) {
    const [of, to] = [a[dimension.key], b[dimension.key]];
    if (of === to || of === undefined || to === undefined) continue;
    if (!isNear(dimension, of, to)) return false;
    isOther = true;
  }
  return isOther;
}

function isNear(dimension: Dimension, a: AssignedValue, b: AssignedValue): boolean {
  if (!isOrdered(dimension)) return false;
  const limit = dimension.kind === 'range' ? NEAR : 1;
  return Math.abs(placeIn(dimension, a) - placeIn(dimension, b)) <= limit + ROUNDING;
}

/** The number of a value, or its place in a range from 0 to 1. */
function placeIn(dimension: Dimension, label: AssignedValue): number {
  switch (dimension.kind) {
    case 'list':
      return dimension.values.findIndex((value) => value.label === label);
    case 'ticks':
      return defined(tickOfDecimal(Number(label)), 'a value of the space is a price') / dimension.step;
    case 'steps': {
      const { decimals, step } = dimension;
      return numberIn(label) / toNumber({ digits: step, decimals });
    }
    case 'range': {
      const { from, to, isLog } = dimension;
      const at = numberIn(label);
      if (isLog) return positionBetween(from, to, at);
      return to === from ? 0 : (at - from) / (to - from);
    }
  }
}

function numberIn(label: AssignedValue): number {
  return defined(numberOf(label), 'a value of an ordered dimension is a number');
}
