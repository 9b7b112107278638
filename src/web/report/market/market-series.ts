/** What is drawn of one market: prices of an outcome by stretch, the position after each fill, states, orders and fills. */

import type { MarketResult } from '../../../result/result.ts';
import { type Fill, numberAt, type Order, type Refused, type RunData, textAt } from '../data/run-data.ts';

export interface MarketStory {
  readonly market: MarketResult;
  readonly orders: readonly Order[];
  readonly fills: readonly Fill[];
  readonly refused: readonly Refused[];
  readonly states: readonly StateSpan[];
  /** Seconds UTC. */
  readonly from: number;
  readonly to: number;
  /** Those with orders or prices, the one with most orders first. */
  readonly outcomes: readonly { readonly id: string; readonly title: string }[];
}

export interface StateSpan {
  readonly from: number;
  readonly to: number;
  readonly suspended: boolean;
  readonly inPlay: boolean;
  readonly delayMs: number;
}

export function marketStory(data: RunData, market: MarketResult): MarketStory {
  const orders = data.ordersOf(market.id);
  const fills = data.fillsOf(market.id);
  const times = [
    ...orders.flatMap(({ decidedAt, endedAt }) => [decidedAt, endedAt ?? decidedAt]),
    ...fills.flatMap(({ at }) => [at]),
  ];
  const prices = data.table('prices');
  for (const row of data.rowsOf('prices', market.id)) {
    const at = numberAt(prices, 'at', row);
    if (at !== undefined) times.push(at);
  }
  const from = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) / 1000;
  const last = times.reduce((a, b) => Math.max(a, b), 0) / 1000;
  const to = last + Math.max(1, (last - from) * 0.01);
  const [refused, states] = [data.refusedOf(market.id), statesOf(data, market.id, to)];
  return { market, orders, fills, refused, states, from, to, outcomes: outcomesOf(orders) };
}

function outcomesOf(orders: readonly Order[]): MarketStory['outcomes'] {
  const byOutcome = [...Map.groupBy(orders, ({ outcome }) => outcome)];
  byOutcome.sort(([, a], [, b]) => b.length - a.length);
  return byOutcome.map(([id, own]) => ({ id, title: own[0]?.title ?? id }));
}

function statesOf(data: RunData, market: string, end: number): readonly StateSpan[] {
  const table = data.table('states');
  const rows = data.rowsOf('states', market);
  const at = (row: number | undefined): number => (row === undefined ? end : (numberAt(table, 'at', row) ?? 0) / 1000);
  return rows.map((row, place) => ({
    from: at(row),
    to: at(rows[place + 1]),
    suspended: numberAt(table, 'suspended', row) === 1,
    inPlay: numberAt(table, 'inPlay', row) === 1,
    delayMs: numberAt(table, 'delayMs', row) ?? 0,
  }));
}

export interface PriceLines {
  readonly at: number[];
  /** Back low and high, lay low and high; null where none was offered. */
  readonly lines: readonly (number | null)[][];
}

/** Begins and ends where the market's other charts do. */
export function priceLines(data: RunData, { market, from, to }: MarketStory, outcome: string): PriceLines {
  const table = data.table('prices');
  const rows = data.rowsOf('prices', market.id).filter((row) => textAt(table, 'outcome', row) === outcome);
  const column = (name: string): (number | null)[] => {
    const values = rows.map((row) => numberAt(table, name, row) ?? null);
    return [null, ...values, values.at(-1) ?? null];
  };
  const times = rows.map((row) => (numberAt(table, 'at', row) ?? 0) / 1000);
  return { at: [from, ...times, to], lines: ['backLow', 'backHigh', 'layLow', 'layHigh'].map(column) };
}

export interface PositionLines {
  readonly at: number[];
  readonly lines: readonly { readonly label: string; readonly values: number[] }[];
}

export const ANY_OTHER = 'any other';
const OUTCOMES_DRAWN = 5;
const POINTS_DRAWN = 4000;

/** What the market would bring, before commission, if one outcome alone won: after each fill. */
export function positionLines({ market, fills, from, to, outcomes }: MarketStory): PositionLines {
  const drawn = outcomes.slice(0, OUTCOMES_DRAWN);
  const isDrawn = new Set(drawn.map(({ id }) => id));
  const hasOthers = market.outcomes.some(({ id, result }) => result !== 'Removed' && !isDrawn.has(id));
  // Without a recording it is not known which outcomes there are.
  const others = hasOthers || market.outcomes.length === 0 ? [{ id: '', title: ANY_OTHER }] : [];
  const bets = new Map<string, { wins: number; loses: number }>();
  const lines = [...drawn, ...others].map(({ id, title }) => ({ id, label: title, values: [0] }));
  const at = [from];
  const every = Math.max(1, Math.ceil(fills.length / POINTS_DRAWN));
  for (const [index, { order, price, stake, at: filledAt }] of fills.entries()) {
    const sign = order.side === 'For' ? 1 : -1;
    const bet = bets.get(order.outcome) ?? { wins: 0, loses: 0 };
    bets.set(order.outcome, bet);
    bet.wins += sign * stake * (price - 1);
    bet.loses -= sign * stake;
    if (index % every !== 0 && index < fills.length - 1) continue;
    const lost = [...bets.values()].reduce((sum, { loses }) => sum + loses, 0);
    at.push(filledAt / 1000);
    for (const line of lines) {
      const own = bets.get(line.id);
      line.values.push(own === undefined ? lost : lost + own.wins - own.loses);
    }
  }
  for (const line of lines) line.values.push(line.values.at(-1) ?? 0);
  return { at: [...at, to], lines };
}
