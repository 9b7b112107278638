/** What is kept of one unit, and its form in bytes: counts, and of each market the money that it brought under each bound. */

import { defined } from '../../core/checks/assert.ts';
import { MARKET_STATUSES, type MarketStatus } from '../../core/market.ts';
import { type Money, moneyFromDecimal } from '../../core/number/units.ts';
import {
  type BacktestResult,
  BOUNDS,
  type Bound,
  type MarketResult,
  type OrderCounts,
  type ProfitMoney,
} from '../../report/result.ts';
import { RowReader, RowWriter } from './row-bytes.ts';

export interface UnitRow {
  /** Of the central flow. */
  readonly counts: UnitCounts;
  /** Those that were computed. */
  readonly bounds: readonly Bound[];
  readonly markets: readonly UnitMarket[];
}

export interface UnitCounts extends OrderCounts {
  readonly updates: number;
  readonly decisions: number;
  /** How often a strategy was halted. */
  readonly halts: number;
}

export interface UnitMarket {
  readonly id: string;
  readonly status: MarketStatus;
  /** ms UTC; undefined where the recording ends before. */
  readonly settledAt: number | undefined;
  readonly orders: number;
  /** One for each of the row's bounds, in their order. */
  readonly profit: readonly ProfitMoney[];
}

/** Raised when the bytes change their meaning. It is part of every unit's key, so that older rows are computed anew and never misread. */
export const ROW_VERSION = 1;

const COUNTS = [
  ...['updates', 'decisions', 'halts', 'intended', 'refused', 'cancellations', 'sent', 'accepted', 'rejected'],
  ...['unanswered', 'matchedFully', 'matchedPartly', 'cancelled', 'unmatched'],
] as const satisfies readonly string[] as readonly (keyof UnitCounts)[];

/** `bounds`: those that were computed. The same result gives the same bytes on every machine. */
export function unitRowOf(result: BacktestResult, bounds: readonly Bound[]): UnitRow {
  const { orders, updates, decisions, halts, byMarket } = result;
  const ordered = BOUNDS.filter((bound) => bounds.includes(bound));
  return {
    counts: { ...orders, updates, decisions, halts: halts.length },
    bounds: ordered,
    markets: byMarket.map((market) => marketOf(market, ordered)),
  };
}

function marketOf({ id, status, settledAt, orders, profit }: MarketResult, bounds: readonly Bound[]): UnitMarket {
  return {
    id,
    status,
    settledAt,
    orders,
    profit: bounds.map((bound) => {
      const { stakeMatched, profitGross, commission, markToMarket } = defined(
        profit[bound],
        'a bound that was computed',
      );
      return {
        stakeMatched: exact(stakeMatched),
        profitGross: exact(profitGross),
        commission: exact(commission),
        ...(markToMarket === undefined ? {} : { markToMarket: exact(markToMarket) }),
      };
    }),
  };
}

/** A result's decimals are whole millionths. */
function exact(decimal: number): Money {
  return defined(moneyFromDecimal(decimal), 'a figure of a result is money');
}

/** Little-endian: version, bounds, counts, markets. */
export function packRow({ counts, bounds, markets }: UnitRow): Uint8Array<ArrayBuffer> {
  const writer = new RowWriter();
  writer.byte(ROW_VERSION);
  writer.byte(bounds.reduce((mask, bound) => mask | (1 << BOUNDS.indexOf(bound)), 0));
  for (const name of COUNTS) writer.number(counts[name]);
  writer.number(markets.length);
  for (const { id, status, settledAt, orders, profit } of markets) {
    writer.text(id);
    writer.byte(MARKET_STATUSES.indexOf(status));
    writer.number(settledAt);
    writer.number(orders);
    for (const { stakeMatched, profitGross, commission, markToMarket } of profit) {
      writer.number(stakeMatched);
      writer.number(profitGross);
      writer.number(commission);
      writer.number(markToMarket);
    }
  }
  return writer.bytes();
}

/** Undefined for bytes of another version. */
export function unpackRow(bytes: Uint8Array): UnitRow | undefined {
  const reader = new RowReader(bytes);
  if (reader.byte() !== ROW_VERSION) return undefined;
  const mask = reader.byte();
  const bounds = BOUNDS.filter((_, index) => (mask & (1 << index)) !== 0);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, reader.count()])) as unknown as UnitCounts;
  const markets = Array.from({ length: reader.count() }, () => readMarket(reader, bounds));
  return { counts, bounds, markets };
}

function readMarket(reader: RowReader, bounds: readonly Bound[]): UnitMarket {
  const id = reader.text();
  const status = defined(MARKET_STATUSES[reader.byte()], 'a status of markets');
  const settledAt = reader.number();
  const orders = reader.count();
  const profit = bounds.map((): ProfitMoney => {
    const [stakeMatched, profitGross, commission] = [reader.money(), reader.money(), reader.money()];
    const markToMarket = reader.number();
    const figures = { stakeMatched, profitGross, commission };
    return markToMarket === undefined ? figures : { ...figures, markToMarket: markToMarket as Money };
  });
  return { id, status, settledAt, orders, profit };
}
