/** Builds a valid backtest result of any size; a test mentions only what matters to it. */

import type { ByBound } from '../../src/result/figures/bounds.ts';
import type { BacktestResult, MarketResult, Profit, ProfitPoint } from '../../src/result/result.ts';
import { sampleStatistics } from './sample-statistics.ts';

const START = Date.UTC(2026, 7, 1, 12, 0, 0);
const COURSES = ['Ascot', 'Kempton', 'Newmarket', 'York', 'Chepstow', 'Galway', 'Leopardstown', 'Lingfield'];

/** `markets` settled markets with a wandering profit; the same for the same arguments. */
export function sampleResult(markets: number, changes: Partial<BacktestResult> = {}): BacktestResult {
  const byMarket = Array.from({ length: markets }, (_, index) => sampleMarket(index));
  const total = sumByBound(byMarket);
  return {
    version: '0.1.0',
    seed: 1,
    currency: 'USDC',
    tapes: [{ path: 'data/august.tape', sha256: 'ab'.repeat(32), grade: 'A' }],
    strategies: [
      {
        name: 'favourite-scalp',
        file: 'strategies/favourite-scalp.ts',
        params: { stake: 10, ticks: 2 },
        timerCalls: 0,
      },
    ],
    settings: [
      { name: 'latency', value: 'request 80 ms, response 40 ms' },
      { name: 'fill rules', value: 'cancellations pro-rata, hidden volume through-queue, cross matching rounded' },
    ],
    wallets: [{ name: 'main', currency: 'USDC', balanceStart: 10_000, balanceEnd: 10_000 + total.central.profitNet }],
    fills: 'bounds',
    updates: markets * 4183,
    decisions: markets * 911,
    orders: {
      intended: markets * 27,
      refused: markets * 2,
      cancellations: markets * 3,
      cancellationsRepeated: 0,
      sent: markets * 22,
      accepted: markets * 21,
      rejected: markets,
      unanswered: 0,
      matchedFully: markets * 11,
      matchedPartly: markets * 3,
      cancelled: markets * 4,
      unmatched: markets * 3,
    },
    refusals: markets === 0 ? {} : { LIMIT_MARKET: markets, FEED_STALE: markets },
    refused: { rows: [], byMarket: {} },
    rejections: markets === 0 ? {} : { SUSPENDED_MARKET: markets },
    total,
    byMarket,
    leftOut: [],
    curve: curveOf(byMarket),
    runs: [],
    orderRows: [],
    fillRows: [],
    plots: [],
    prices: [],
    warnings: [],
    notices: [],
    halts: [],
    statistics: sampleStatistics(markets),
    interrupted: false,
    transcriptSha256: 'cd'.repeat(32),
    elapsedMs: 1250,
    ...changes,
  };
}

function sampleMarket(index: number): MarketResult {
  const course = COURSES[index % COURSES.length] ?? '';
  const swing = Math.sin(index * 2.399) * 14 + Math.sin(index * 0.31) * 6 + 1.1;
  return {
    id: `1.${230_000_000 + index * 17}`,
    name: `${13 + (index % 8)}:${String((index * 5) % 60).padStart(2, '0')} Handicap`,
    eventId: `e${index % COURSES.length}`,
    eventName: `${course} 1st Aug`,
    marketTypeId: 'WIN',
    winnerCount: 1,
    outcomes: [],
    grade: 'A',
    updates: 4183,
    orders: 21,
    ordersSuspended: 0,
    stakeOutOfSight: 0,
    status: 'Settled',
    settledAt: START + index * 5 * 60_000,
    profit: {
      pessimistic: profit(180, swing - 2.4),
      central: profit(240, swing),
      optimistic: profit(290, swing + 1.9),
    },
  };
}

function profit(stakeMatched: number, gross: number): Profit {
  const profitGross = round(gross);
  const commission = round(Math.max(0, gross) * 0.02);
  return {
    stakeMatched,
    profitGross,
    commission,
    profitNet: round(profitGross - commission),
    markToMarket: round(gross * 0.4),
  };
}

function sumByBound(markets: readonly MarketResult[]): ByBound<Profit> {
  const sum = (bound: 'pessimistic' | 'central' | 'optimistic'): Profit => {
    const add = (of: (profit: Profit) => number): number =>
      round(markets.reduce((all, each) => all + of(each.profit[bound]), 0));
    return {
      stakeMatched: add((each) => each.stakeMatched),
      profitGross: add((each) => each.profitGross),
      commission: add((each) => each.commission),
      profitNet: add((each) => each.profitNet),
      markToMarket: add((each) => each.markToMarket ?? 0),
    };
  };
  return { pessimistic: sum('pessimistic'), central: sum('central'), optimistic: sum('optimistic') };
}

function curveOf(markets: readonly MarketResult[]): readonly ProfitPoint[] {
  let [pessimistic, central, optimistic] = [0, 0, 0];
  return markets.map((market) => {
    pessimistic = round(pessimistic + market.profit.pessimistic.profitNet);
    central = round(central + market.profit.central.profitNet);
    optimistic = round(optimistic + market.profit.optimistic.profitNet);
    return { at: market.settledAt ?? START, market: market.id, pessimistic, central, optimistic };
  });
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
