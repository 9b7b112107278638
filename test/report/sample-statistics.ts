/** Invented statistics of a result, each figure known; those of a run without markets are all not known. */

import type { Interval } from '../../src/research/chance/bootstrap.ts';
import { notKnown } from '../../src/research/figure/not-known.ts';
import type { ClosingValue } from '../../src/research/run/closing-value.ts';
import type { CellRow, RunStatistics } from '../../src/result/statistics.ts';

const MEANING = { says: 'It says one thing.', doesNotSay: 'It does not say another.' };

const NONE = notKnown('There is no bet.');

const NOTHING: RunStatistics = {
  ...{ eventGroups: 0, unsettled: 0, luck: NONE, judged: { markets: 0, leftOut: [] }, growth: NONE },
  profit: { gross: 0, closing: 0, luck: 0, inPlay: 0, others: 0 },
  profitPerEvent: { pessimistic: NONE, central: NONE, optimistic: NONE },
  yieldPercent: { pessimistic: NONE, central: NONE, optimistic: NONE },
  closingValue: { startingPrice: NONE, preOff: NONE, after10s: NONE, after60s: NONE },
  ...{ drawdown: NONE, costs: NONE, fillBias: NONE, calibration: NONE, models: [], tables: NONE },
  pricesTaken: { backs: NONE, lays: NONE },
};

const PROFIT = { gross: 45.1, closing: 12.9, luck: 35.3, inPlay: -3.1, others: 0 };

const CALIBRATION = {
  kind: 'calibration' as const,
  bands: [
    { from: 0, to: 0.05, count: 41, meanChance: 0.031, shareWon: 0.024, low: 0.004, high: 0.126 },
    { from: 0.1, to: 0.2, count: 96, meanChance: 0.148, shareWon: 0.167, low: 0.106, high: 0.254 },
  ],
  ...{ brier: 0.0831, logLoss: 0.2914, forecasts: 137, ...MEANING },
};

const TAKEN = {
  kind: 'priceCalibration' as const,
  bands: [
    { from: 0.2, to: 0.3, count: 4, meanChance: 0.26, shareWon: 0.25, low: 0.046, high: 0.699 },
    { from: 0.3, to: 0.4, count: 61, meanChance: 0.34, shareWon: 0.55, low: 0.425, high: 0.669 },
  ],
  ...{ outcomes: 65, ...MEANING },
};

export function sampleStatistics(groups: number): RunStatistics {
  if (groups === 0) return NOTHING;
  const interval = (estimate: number, half: number): Interval => {
    const [low, high] = [estimate - half, estimate + half];
    return { kind: 'interval', estimate, low, high, level: 0.95, standardError: half / 2, groups, ...MEANING };
  };
  const closing = (percent: number, bets: number): ClosingValue => {
    const stake = bets * 6.25;
    const money = (percent / 100) * stake;
    return { kind: 'closingValue', money, stake, percent, interval: interval(percent, 0.8), bets, ...MEANING };
  };
  return {
    ...{ eventGroups: groups, unsettled: 1, profit: PROFIT },
    profitPerEvent: { pessimistic: interval(-1.2, 3), central: interval(1.1, 3), optimistic: interval(2.4, 3) },
    yieldPercent: { pessimistic: interval(-0.7, 1.6), central: interval(0.5, 1.6), optimistic: interval(0.8, 1.6) },
    closingValue: {
      startingPrice: notKnown('No bet has a closing price.'),
      preOff: closing(1.34, 412),
      after10s: closing(-0.12, 530),
      after60s: closing(0.4, 521),
    },
    luck: {
      ...{ kind: 'luck', settled: 48.2, expected: 12.9, luck: 35.3, deviation: 41.4, z: 0.85, ...MEANING },
      ...{ chanceAbove: 0.21, chanceBelow: 0.8, pValue: 0.42 },
    },
    judged: { markets: groups, leftOut: [{ reason: 'The market has no result.', markets: 2 }] },
    growth: {
      ...{ kind: 'kellyGrowth', growth: 0.0012, interval: interval(0.0012, 0.003), groupsToDouble: 577 },
      ...{ bestMultiple: 1.8, bank: 10_048.2, ...MEANING },
    },
    drawdown: {
      ...{ kind: 'drawdown', depth: 63.4, peak: 3, trough: 9, recovered: 14, longest: 11, isOpen: false, ...MEANING },
    },
    costs: { kind: 'costSplit', spread: 31.2, delay: -4.1, commission: 7.7, total: 34.8, percent: 1.35, ...MEANING },
    fillBias: {
      ...{ kind: 'fillBias', filledPercent: 1.34, unfilledPercent: 2.9, difference: interval(-1.56, 0.9), ...MEANING },
    },
    calibration: CALIBRATION,
    models: [
      {
        strategy: 'a',
        signal: 'fair',
        calibration: CALIBRATION,
        brierSkill: interval(0.002, 0.004),
        logLossSkill: NONE,
      },
    ],
    tables: {
      ...{ kind: 'cellTables', judged: 4, ...MEANING },
      tables: [
        { by: 'price', cells: [cell('2 to 3', 0.4), cell('50 and more', undefined)] },
        { by: 'timeToOff', cells: [cell('last minute', 0.03), cell('in play', undefined)] },
        { by: 'marketType', cells: [cell('WIN', 0.4)] },
        { by: 'side', cells: [cell('For (back)', 0.4)] },
      ],
    },
    pricesTaken: { backs: TAKEN, lays: notKnown('Nothing was matched on an outcome with a result.') },
  };
}

function cell(name: string, adjusted: number | undefined): CellRow {
  const sums = { cell: name, bets: 212, stake: 1_204.5, profit: -14.2, yieldGrossPercent: -1.18 };
  if (adjusted !== undefined)
    return { ...sums, expected: 3.1, luck: -17.3, pValue: adjusted / 2, adjusted, reason: undefined };
  const [expected, luck, pValue] = [undefined, undefined, undefined];
  return { ...sums, expected, luck, pValue, adjusted, reason: 'No settled market has closing prices.' };
}
