/** The statistics of a run: by hand for a few bets, and for whole runs against the rows of their files, fill by fill. */

import { expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { keptEnd } from '../../src/backtest/result/kept-piece.ts';
import type { ReadSignal } from '../../src/backtest/result/signal-notices.ts';
import { resultWithStatistics } from '../../src/backtest/statistics/run-statistics.ts';
import { instant } from '../../src/core/number/units.ts';
import { back, defineStrategy } from '../../src/index.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import type { RunStatistics } from '../../src/result/statistics.ts';
import { SignalSeries } from '../../src/strategy/signals.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { budget } from '../support/budget.ts';
import { madeDay } from '../support/made-races.ts';
import {
  closeOf,
  naiveBets,
  naiveCosts,
  naiveFills,
  naiveProfit,
  naiveTaken,
  naiveUnfilled,
  naiveValue,
} from '../support/naive-statistics.ts';
import { sampleStrategy } from '../support/places.ts';
import { OPTIONS, runScript, Script, type ScriptedMarket, START } from '../support/scripted-run.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

/** Backs the first outcome once in each market, at the best price there is. */
const backer = defineStrategy({
  name: 'backer',
  decide({ market, orders, position }) {
    const [first] = market.outcomes;
    if (!market.tradable || orders.length > 0 || first?.bestAgainst === undefined) return [];
    if (position.matched(first.id, 'For').stake > 0) return [];
    return [back(first, { stake: 10, price: first.bestAgainst.price })];
  },
});

/** Bets are got at 2.0 and 1.85 is the middle at the off; the last traded price is 1.9 after 10 s and 1.6 after a minute. */
function race(market: ScriptedMarket, from: number): ScriptedMarket {
  return market
    .at(from + 1_000, ...levels(0, 2, 2.2), ...levels(1, 1.9, 2))
    .at(from + 5_000, { last: [0, 1.9] })
    .at(from + 20_000, ...gone(0, 2, 2.2), ...levels(0, 1.8, 1.9), ...gone(1, 1.9, 2), ...levels(1, 2.1, 2.2))
    .at(from + 40_000, { last: [0, 1.6] });
}

function levels(outcome: number, against: number, forSide: number, stake = 100): Parameters<ScriptedMarket['at']>[1][] {
  return [{ level: [outcome, 'Against', against, stake] }, { level: [outcome, 'For', forSide, stake] }];
}

function gone(outcome: number, against: number, forSide: number): Parameters<ScriptedMarket['at']>[1][] {
  return levels(outcome, against, forSide, 0);
}

function off(market: ScriptedMarket, at: number): ScriptedMarket {
  return market
    .at(at, { define: { suspended: true } })
    .at(at + 1_000, { define: { inPlayStatus: 'InPlay', suspended: false } });
}

function settle(market: ScriptedMarket, at: number, winner: number): void {
  market.at(at, {
    define: {
      status: 'Settled',
      outcomes: [0, 1].map((outcome) => ({
        status: outcome === winner ? 'Winner' : 'Loser',
        startingPrice: outcome === 0 ? 1.75 : 2.25,
      })),
    },
  });
}

/** Each market an event of its own. */
async function scripted(script: Script, signals: readonly ReadSignal[] = []): Promise<BacktestResult> {
  const end = keptEnd(await runScript(script, [backer]), []);
  const markets = end.collector.markets.map((market) => ({
    ...market,
    facts: { ...market.facts, eventId: market.facts.id },
  }));
  const kept = { ...end, collector: { ...end.collector, markets } };
  const pieces = [
    {
      ends: [['central', kept, '00']] as const,
      transcriptSha256: '00',
      interrupted: false,
    },
  ];
  const source = { markets: [], leftOut: [], strange: [], onTapes: new Set<string>() };
  return resultWithStatistics({
    ...{ options: { ...OPTIONS, seed: 3 }, strategies: [], tapes: [], source, signals, elapsedMs: 0 },
    pieces,
  });
}

/** The first and the fourth are won. */
function sixRaces(): Script {
  const script = new Script();
  for (const [index, winner] of [0, 1, 1, 0, 1, 1].entries()) {
    const from = index * 100_000;
    settle(off(race(script.market(), from), from + 70_000), from + 90_000, winner);
  }
  const late = script.market();
  settle(off(late, 500).at(602_000, ...levels(0, 2, 2.2), ...levels(1, 1.9, 2)), 690_000, 1);
  race(script.market(), 700_000);
  return script;
}

test('six races by hand, one that turns in play before the bet, one without a result', async () => {
  const script = sixRaces();
  const { statistics, total } = await scripted(script);
  const middle = 2 / (1 / 1.8 + 1 / 1.9);
  // By the starting prices, 1.75 and 2.25.
  const chance = 2.25 / 4;

  // Won at 2.0 with commission of 5 %: 9.50; lost: -10. The seventh lost in play, the eighth is open.
  expect(total.central).toMatchObject({ stakeMatched: 80, profitNet: -31 });
  expect(statistics).toMatchObject({ eventGroups: 7, unsettled: 1 });
  expect(statistics.profitPerEvent.central).toMatchObject({ estimate: expect.closeTo(-31 / 7, 9), groups: 7 });
  expect(statistics.yieldPercent.pessimistic).toMatchObject({ estimate: expect.closeTo((-31 / 70) * 100, 9) });
  expect(statistics.drawdown).toMatchObject({ depth: 40.5, peak: 1, trough: 7, longest: 6, isOpen: true });
  expect(statistics.growth).toMatchObject({ bank: 9_969, bestMultiple: 0 });
  const { closingValue, luck, profit, judged, costs, fillBias, calibration, tables } = statistics;
  expect(closingValue.startingPrice).toMatchObject({ bets: 6, money: expect.closeTo(60 * (2 / 1.75 - 1), 9) });
  expect(closingValue.preOff).toMatchObject({ bets: 6, percent: expect.closeTo((2 / middle - 1) * 100, 9) });
  expect(closingValue.after10s).toMatchObject({ bets: 7, money: expect.closeTo(70 * (2 / 1.9 - 1), 9) });
  // The eighth recording ends before the minute is over.
  expect(closingValue.after60s).toMatchObject({ bets: 6, money: expect.closeTo(60 * (2 / 1.6 - 1), 9) });
  expect(luck).toMatchObject({
    settled: -20,
    expected: expect.closeTo(6 * (10 * chance - 10 * (1 - chance)), 9),
    deviation: expect.closeTo(20 * Math.sqrt(6 * chance * (1 - chance)), 9),
  });
  expect(profit).toEqual({
    gross: -30,
    closing: expect.closeTo(6 * (20 * chance - 10), 9),
    luck: expect.closeTo(-20 - 6 * (20 * chance - 10), 9),
    inPlay: -10,
    others: 0,
  });
  expect(judged.markets).toBe(6);
  expect(judged.leftOut.map(({ markets }) => markets)).toEqual([1, 1]);
  const decided = 2 / (1 / 2 + 1 / 2.2);
  expect(costs).toMatchObject({
    spread: expect.closeTo(80 * (1 - 2 / decided), 9),
    delay: expect.closeTo(0, 9),
    commission: 1,
  });
  expect(fillBias).toEqual({ kind: 'notKnown', reason: 'Nothing that arrived before the off was left unfilled.' });
  expect(calibration).toMatchObject({
    forecasts: 14,
    brier: expect.closeTo((5 * chance ** 2 + 2 * (1 - chance) ** 2) / 7, 9),
  });
  const cells = tables.kind === 'cellTables' ? tables.tables : [];
  expect(
    cells.map(({ cells: rows }) => rows.map(({ cell, bets, profit }) => [cell, bets, Math.round(profit)])),
  ).toEqual([
    [['2 to 3', 7, -30]],
    [
      ['1 to 5 minutes', 6, -20],
      ['in play', 1, -10],
    ],
    [['MATCH_ODDS', 7, -30]],
    [['For (back)', 7, -30]],
  ]);
});

/** Five races, of which the first outcome wins all but one; the signal gives it these values before and after the off. */
function withSignal(before: readonly number[], after: number): Promise<BacktestResult> {
  const script = new Script();
  const series = new SignalSeries();
  for (const [index, winner] of [0, 0, 1, 0, 0].entries()) {
    const from = index * 100_000;
    const market = race(script.market(), from);
    settle(off(market, from + 70_000), from + 90_000, winner);
    for (const [outcome, value] of before.entries()) {
      const row = { market: market.id, outcome: `o${outcome}` };
      series.add({ ...row, availableAt: instant(START + from + 60_000), value });
      series.add({ ...row, availableAt: instant(START + from + 80_000), value: after });
    }
  }
  return scripted(script, [{ strategy: 'backer', name: 'fair', file: 'fair.csv', series }]);
}

test('the prices taken, by hand', async () => {
  const { pricesTaken } = (await scripted(sixRaces())).statistics;
  // At 2.0 in each of the seven markets with a result, one in play; the first and the fourth won.
  expect(pricesTaken.backs).toMatchObject({
    outcomes: 7,
    bands: [{ from: 0.5, to: 0.6, count: 7, meanChance: 0.5, shareWon: expect.closeTo(2 / 7, 9) }],
  });
  expect(pricesTaken.lays).toMatchObject({ kind: 'notKnown', reason: expect.stringContaining('Nothing was matched') });
});

test('a signal whose values are chances is compared with the closing prices, by what was known before the off', async () => {
  const [model] = (await withSignal([0.8, 0.2], 1)).statistics.models;
  const chance = 2.25 / 4;
  const market = (4 * (1 - chance) ** 2 + chance ** 2) / 5;
  const ofModel = (4 * 0.2 ** 2 + 0.8 ** 2) / 5;
  expect(model).toMatchObject({ strategy: 'backer', signal: 'fair' });
  expect(model?.calibration).toMatchObject({ forecasts: 10, brier: expect.closeTo(ofModel, 9) });
  expect(model?.brierSkill).toMatchObject({ estimate: expect.closeTo(market - ofModel, 9), groups: 5 });
});

test.each([
  [[1.4, 0.6], 'do not lie from 0 to 1 or do not sum to its winners'],
  [[0.5, 0.3], 'do not lie from 0 to 1 or do not sum to its winners'],
  [[], 'No settled market with closing prices has a value of the signal for each outcome'],
] as const)('values %j are not read as chances', async (values, reason) => {
  const [model] = (await withSignal(values, 0.5)).statistics.models;
  expect(model?.calibration).toMatchObject({ kind: 'notKnown', reason: expect.stringContaining(reason) });
  expect(model?.brierSkill.kind).toBe('notKnown');
});

function expectTaken({ backs, lays }: RunStatistics['pricesTaken'], fills: ReturnType<typeof naiveFills>): void {
  for (const [side, found] of [
    ['For', backs],
    ['Against', lays],
  ] as const) {
    const taken = naiveTaken(fills, side);
    expect(taken.length).toBeGreaterThan(10);
    const bands = found.kind === 'notKnown' ? [] : found.bands;
    expect(found).toMatchObject({ kind: 'priceCalibration', outcomes: taken.length });
    expect(bands.reduce((sum, { count }) => sum + count, 0)).toBe(taken.length);
    for (const { from, to, count, meanChance, shareWon } of bands) {
      const own = taken.filter(({ chance }) => chance >= from && chance < to);
      expect(own).toHaveLength(count);
      expect(shareWon).toBeCloseTo(own.filter(({ won }) => won).length / count, 12);
      expect(meanChance).toBeCloseTo(own.reduce((sum, { chance }) => sum + chance, 0) / count, 6);
    }
  }
}

const files = [sampleStrategy('favourite-scalp'), sampleStrategy('passive-quoter')];

const PLAYED = [{ fills: 'bounds' }, { isolate: 'strategy' }, { isolate: 'event' }] as const;

test.each(budget<readonly Partial<BacktestOptions>[]>({ each: PLAYED, deep: [...PLAYED, { fills: 'all' }] }))(
  'over the sample with %j: the figures of the rows, fill by fill',
  async (change) => {
    const result = await backtestOf(files, change);
    const { closingValue, costs, fillBias, luck, profit, judged, tables, profitPerEvent, eventGroups } =
      result.statistics;
    const fills = naiveFills(result);
    const early = fills.filter(({ isEarly }) => isEarly);
    expect(early.length).toBeGreaterThan(100);
    expect(fills.length - early.length).toBeGreaterThan(100);
    const near = (figures: object) =>
      Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, expect.closeTo(figure, 4)]));
    const preOff = naiveBets(early, ({ outcome }) => closeOf(outcome), true);
    expect(closingValue.preOff).toMatchObject(near(naiveValue(preOff)));
    expect(closingValue.after10s).toMatchObject(
      near(naiveValue(naiveBets(fills, ({ fill }) => fill.lastPriceAfter10s))),
    );
    expect(closingValue.after60s).toMatchObject(
      near(naiveValue(naiveBets(fills, ({ fill }) => fill.lastPriceAfter60s))),
    );
    expect(costs).toMatchObject(near(naiveCosts(fills)));
    expectTaken(result.statistics.pricesTaken, fills);
    const unfilled = naiveValue(naiveUnfilled(result));
    expect(unfilled.bets).toBeGreaterThan(10);
    expect(fillBias).toMatchObject(near({ unfilledPercent: (unfilled.money / unfilled.stake) * 100 }));
    expect(profitPerEvent.central).toMatchObject(near({ estimate: result.total.central.profitNet / eventGroups }));
    const paid = (from: typeof fills) => from.reduce((sum, each) => sum + naiveProfit(each), 0);
    const judgeable = early.filter(({ market }) => market.status === 'Settled');
    expect(judged.markets).toBe(new Set(judgeable.map(({ market }) => market.id)).size);
    expect(new Set(judgeable.map(({ market }) => market.winnerCount))).toEqual(new Set([1, 3, 4]));
    expect(luck).toMatchObject(near({ settled: paid(judgeable) }));
    const { gross, closing, inPlay, others, luck: beyond } = profit;
    expect(gross).toBe(result.total.central.profitGross);
    expect(closing + beyond).toBeCloseTo(paid(judgeable), 3);
    expect(inPlay).toBeCloseTo(paid(fills.filter(({ isEarly }) => !isEarly)), 3);
    expect(Math.abs(inPlay)).toBeGreaterThan(1);
    expect(closing + beyond + inPlay + others).toBeCloseTo(gross, 3);
    const sides = tables.kind === 'cellTables' ? (tables.tables.find(({ by }) => by === 'side')?.cells ?? []) : [];
    for (const { cell, bets, profit: ofCell } of sides) {
      const side = cell.startsWith('For') ? 'For' : 'Against';
      const own = [...result.orderRows].filter((order) => order.side === side && order.flow === 'central');
      expect(ofCell).toBeCloseTo(
        own.reduce((sum, order) => sum + (order.profit ?? 0), 0),
        4,
      );
      expect(bets).toBeLessThanOrEqual(fills.filter(({ fill }) => fill.side === side).length);
    }
    for (const table of tables.kind === 'cellTables' ? tables.tables : [])
      expect(table.cells.reduce((sum, { profit }) => sum + profit, 0)).toBeCloseTo(result.total.central.profitGross, 3);
    expect(JSON.parse(backtestJson(result)).statistics).toMatchObject({ eventGroups });
  },
);

test('a run without orders judges nothing but the closing prices, and its table says nothing of luck', async () => {
  const idle = temporaryFile(
    'idle.ts',
    `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'idle', decide() { return []; } });
`,
  );
  const result = await backtestOf([idle]);
  const { luck, tables, costs, drawdown, calibration, models } = result.statistics;
  for (const figure of [luck, tables, costs, drawdown]) expect(figure.kind).toBe('notKnown');
  expect(calibration.kind).toBe('calibration');
  expect(models).toEqual([]);
  expect(resultTable(result)).not.toContain('luck');
  expect(JSON.stringify(result.statistics)).not.toContain('null');
});

test('two threads give the statistics of one', async () => {
  const change = { tapes: [madeDay(5)], isolate: 'market' } as const;
  const [one, two] = [await backtestOf(files, change), await backtestOf(files, change, { jobs: 2 })];
  expect(one.orders.matchedFully).toBeGreaterThan(0);
  expect(two.statistics).toEqual(one.statistics);
});

test('a run that is ended in the middle judges what is settled, and counts what is not', async () => {
  const ending = new AbortController();
  const onProgress = ({ done, total }: { readonly done: number; readonly total: number }): void => {
    if (done > total / 2) ending.abort();
  };
  const { interrupted, statistics } = await backtestOf(files, {}, { onProgress, signal: ending.signal, sliceMs: 5 });
  expect(interrupted).toBe(true);
  expect(statistics.unsettled).toBeGreaterThan(3);
  expect(statistics.eventGroups).toBeGreaterThan(0);
  expect(statistics.profitPerEvent.central).toMatchObject({
    reason: expect.stringMatching(/^\d event groups?: an interval needs at least 5/),
  });
});
