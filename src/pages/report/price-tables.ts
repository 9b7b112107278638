/** Prices and states of markets with orders as tables of columns. */

import { decimalOfTick, NO_TICK, type Tick } from '../../core/number/ladder.ts';
import type { MarketPrices, MarketStateChange } from '../../result/market-prices.ts';
import type { ColumnPlan } from './columns.ts';
import { type PackedTable, packTable } from './write-columns.ts';

/** One stretch of one outcome. */
interface StretchRow {
  readonly market: string;
  readonly outcome: string;
  readonly at: number;
  readonly ticks: readonly number[];
}

export function priceTables(prices: readonly MarketPrices[]): readonly PackedTable[] {
  return [
    packTable({ name: 'prices', columns: STRETCH_PLAN, rows: stretches(prices) }),
    packTable({ name: 'states', columns: STATE_PLAN, rows: states(prices) }),
  ];
}

/** Stretches in which nothing was read are left out. */
function* stretches(prices: readonly MarketPrices[]): Generator<StretchRow> {
  for (const { marketId: market, startAt, stretchMs, outcomes } of prices) {
    for (const { outcomeId: outcome, backLow, backHigh, layLow, layHigh } of outcomes) {
      for (let stretch = 0; stretch < backLow.length; stretch += 1) {
        const ticks = [backLow, backHigh, layLow, layHigh].map((column) => column[stretch] ?? NO_TICK);
        if (ticks.some((tick) => tick !== NO_TICK)) yield { market, outcome, at: startAt + stretch * stretchMs, ticks };
      }
    }
  }
}

function* states(prices: readonly MarketPrices[]): Generator<MarketStateChange & { readonly market: string }> {
  for (const { marketId: market, states } of prices) for (const state of states) yield { market, ...state };
}

const STRETCH_PLAN: readonly ColumnPlan<StretchRow>[] = [
  { name: 'market', of: ({ market }) => market },
  { name: 'outcome', of: ({ outcome }) => outcome },
  { name: 'at', of: ({ at }) => at },
  { name: 'backLow', decimals: 3, of: priceAt(0) },
  { name: 'backHigh', decimals: 3, near: 'backLow', of: priceAt(1) },
  { name: 'layLow', decimals: 3, near: 'backHigh', of: priceAt(2) },
  { name: 'layHigh', decimals: 3, near: 'layLow', of: priceAt(3) },
];

function priceAt(place: number): (row: StretchRow) => number | undefined {
  return ({ ticks }) => {
    const tick = ticks[place] ?? NO_TICK;
    return tick === NO_TICK ? undefined : decimalOfTick(tick as Tick);
  };
}

const STATE_PLAN: readonly ColumnPlan<MarketStateChange & { readonly market: string }>[] = [
  { name: 'market', of: ({ market }) => market },
  { name: 'at', of: ({ at }) => at },
  { name: 'suspended', of: ({ suspended }) => (suspended ? 1 : 0) },
  { name: 'inPlay', of: ({ inPlay }) => (inPlay ? 1 : 0) },
  { name: 'delayMs', of: ({ inPlayDelayMs }) => inPlayDelayMs },
];
