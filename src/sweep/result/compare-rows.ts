/** Lays a whole backtest of a trial beside the rows of its units: they are to be equal, figure by figure. */

import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { type Bound, mapBounds } from '../../result/figures/bounds.ts';
import type { BacktestResult, MarketResult } from '../../result/result.ts';
import type { UnitMarket, UnitRow } from '../unit/unit-row.ts';

export interface RowDifference {
  readonly market: string;
  readonly figure: string;
  readonly kept: string;
  readonly found: string;
}

export function compareRows(result: BacktestResult, rows: readonly UnitRow[]): readonly RowDifference[] {
  const found = new Map(result.byMarket.map((market) => [market.id, market]));
  const accepted = acceptedOf(result);
  const kept = rows.flatMap(({ bounds, markets }) => markets.map((market) => ({ bounds, market })));
  const differences = kept.flatMap(({ bounds, market }) => {
    const other = found.get(market.id);
    found.delete(market.id);
    return other === undefined
      ? [{ market: market.id, figure: 'market', kept: 'played', found: 'not played' }]
      : differencesOf(
          figuresKept(market, bounds),
          figuresFound({ ...other, orders: accepted.get(`${bounds[0]} ${market.id}`) ?? 0 }, bounds),
          market.id,
        );
  });
  const others = [...found.keys()].map((market) => ({ market, figure: 'market', kept: 'not played', found: 'played' }));
  return [...differences, ...others];
}

/** How many orders the exchange accepted, by world and market. */
function acceptedOf({ orderRows }: BacktestResult): ReadonlyMap<string, number> {
  const accepted = new Map<string, number>();
  for (const { flow, marketId, status } of orderRows) {
    if (status === undefined) continue;
    const key = `${flow} ${marketId}`;
    accepted.set(key, (accepted.get(key) ?? 0) + 1);
  }
  return accepted;
}

type Figures = Readonly<Record<string, string>>;

function differencesOf(kept: Figures, found: Figures, market: string): readonly RowDifference[] {
  return Object.entries(kept).flatMap(([figure, value]) => {
    const other = found[figure] ?? 'missing';
    return other === value ? [] : [{ market, figure, kept: value, found: other }];
  });
}

function figuresKept({ status, settledAt, orders, profit }: UnitMarket, bounds: readonly Bound[]): Figures {
  const figures: Record<string, string> = { status, settledAt: String(settledAt), orders: String(orders) };
  for (const [index, bound] of bounds.entries()) {
    const { stakeMatched, profitGross, commission, markToMarket } = profit[index] ?? {};
    const decimals = { stakeMatched, profitGross, commission, markToMarket };
    for (const [name, value] of Object.entries(decimals)) figures[`${name}.${bound}`] = decimal(value);
  }
  return figures;
}

function decimal(value: Money | undefined): string {
  return value === undefined ? 'undefined' : String(moneyToDecimal(value));
}

function figuresFound({ status, settledAt, orders, profit }: MarketResult, bounds: readonly Bound[]): Figures {
  const figures: Record<string, string> = { status, settledAt: String(settledAt), orders: String(orders) };
  mapBounds(profit, ({ stakeMatched, profitGross, commission, markToMarket }, bound) => {
    if (!bounds.includes(bound)) return;
    const decimals = { stakeMatched, profitGross, commission, markToMarket };
    for (const [name, value] of Object.entries(decimals)) figures[`${name}.${bound}`] = String(value);
  });
  return figures;
}
