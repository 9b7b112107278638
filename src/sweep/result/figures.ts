/** What can be asked of a trial: each figure by its name, made of the rows of its units at one of the bounds. */

import { assert } from '../../core/checks/assert.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { momentsOf } from '../../research/figure/moments.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { ProfitMoney } from '../../result/result.ts';
import { eventOf } from '../unit/unit-event.ts';
import type { UnitCounts, UnitRow } from '../unit/unit-row.ts';

/** The rows of a trial, one for each unit that was played. */
export interface TrialRows {
  readonly rows: readonly UnitRow[];
  readonly bound: Bound;
}

export interface Figure {
  /** What it is, in words that are shown beside it. */
  readonly says: string;
  readonly unit: 'money' | 'share' | 'count' | 'ratio';
  readonly isHigherBetter: boolean;
  /** Undefined where there is nothing to make it of. */
  of(trial: TrialRows): number | undefined;
}

const sumOfMoney = (says: string, pick: (profit: ProfitMoney) => number, isHigherBetter = true): Figure => ({
  says,
  unit: 'money',
  isHigherBetter,
  of: (trial) => moneyToDecimal(total(trial, pick)),
});

const sumOfCounts = (says: string, pick: (counts: UnitCounts) => number, isHigherBetter: boolean): Figure => ({
  says,
  unit: 'count',
  isHigherBetter,
  of: ({ rows }) => countOf(rows, pick),
});

const measured = (unit: Figure['unit'], says: string, of: Figure['of'], isHigherBetter = true): Figure => ({
  says,
  unit,
  isHigherBetter,
  of,
});

const net = ({ profitGross, commission }: ProfitMoney): number => profitGross - commission;
const staked = ({ stakeMatched }: ProfitMoney): number => stakeMatched;
const matched = ({ matchedFully, matchedPartly }: UnitCounts): number => matchedFully + matchedPartly;

/** Each is documented in docs/sweep.md. */
export const FIGURES = {
  profitNet: sumOfMoney('profit after commission', net),
  profitGross: sumOfMoney('profit before commission', ({ profitGross }) => profitGross),
  commission: sumOfMoney('commission', ({ commission }) => commission, false),
  stakeMatched: sumOfMoney("backers' stake matched", staked),
  markToMarket: sumOfMoney('worth of open positions at the last prices', ({ markToMarket = 0 }) => markToMarket),
  yield: measured('share', 'net profit per stake matched', yieldOf),
  profitPerEvent: measured('money', 'net profit per event group with a bet', profitPerEvent),
  eventsBet: measured('count', 'event groups with a bet', (trial) => betsByEvent(trial).length),
  sharpe: measured('ratio', 'mean over deviation of the net profits of all event groups played', sharpeOf),
  drawdownMax: measured('money', 'deepest fall of the net profit, by settlement', drawdownOf, false),
  eventsWon: measured('share', 'event groups with a bet that won, net', eventsWon),
  ordersSent: sumOfCounts('orders sent', ({ sent }) => sent, true),
  ordersMatched: sumOfCounts('orders matched at least in part', matched, true),
  ordersRefused: sumOfCounts('orders refused by limits and guards', ({ refused }) => refused, false),
  ordersRejected: sumOfCounts('orders rejected by the exchange', ({ rejected }) => rejected, false),
  fillRate: measured('share', 'orders matched at least in part, of those accepted', fillRate),
  halts: sumOfCounts('times that a strategy was halted', ({ halts }) => halts, false),
} as const satisfies Readonly<Record<string, Figure>>;

export type FigureName = keyof typeof FIGURES;

export function isFigureName(name: string): name is FigureName {
  return Object.hasOwn(FIGURES, name);
}

/** @throws where there is none of this name */
export function figureNamed(name: string): Figure {
  assert(isFigureName(name), `${name} is a figure`);
  return FIGURES[name];
}

function profitsOf({ rows, bound }: TrialRows): readonly (readonly ProfitMoney[])[] {
  return rows.map(({ bounds, markets }) => {
    const at = bounds.indexOf(bound);
    return markets.flatMap(({ profit }) => profit[at] ?? []);
  });
}

function total(trial: TrialRows, pick: (profit: ProfitMoney) => number): Money {
  return profitsOf(trial)
    .flat()
    .reduce((sum, profit) => sum + pick(profit), 0) as Money;
}

function countOf(rows: readonly UnitRow[], pick: (counts: UnitCounts) => number): number {
  return rows.reduce((sum, { counts }) => sum + pick(counts), 0);
}

function yieldOf(trial: TrialRows): number | undefined {
  const stake = total(trial, staked);
  return stake === 0 ? undefined : total(trial, net) / stake;
}

/** The mean profit of the event groups with a bet, as in the result of one run. */
function profitPerEvent(trial: TrialRows): number | undefined {
  const events = betsByEvent(trial).length;
  return events === 0 ? undefined : moneyToDecimal(total(trial, net)) / events;
}

interface EventProfit {
  readonly net: number;
  readonly isBet: boolean;
}

/** The profit of each event group that was played. */
function profitsByEvent({ rows, bound }: TrialRows): readonly EventProfit[] {
  const byEvent = new Map<string, EventProfit>();
  for (const { bounds, markets } of rows) {
    const at = bounds.indexOf(bound);
    for (const market of markets) {
      const event = eventOf(market);
      const known = byEvent.get(event) ?? { net: 0, isBet: false };
      const profit = market.profit[at];
      const isBet = known.isBet || (profit?.stakeMatched ?? 0) > 0;
      byEvent.set(event, { net: known.net + (profit === undefined ? 0 : net(profit)), isBet });
    }
  }
  return [...byEvent.values()];
}

/** How many event groups were played. */
export function eventsOf(trial: TrialRows): number {
  return profitsByEvent(trial).length;
}

/** Net profits of the event groups with a bet. */
function betsByEvent(trial: TrialRows): readonly number[] {
  return profitsByEvent(trial).flatMap(({ net: brought, isBet }) => (isBet ? [moneyToDecimal(brought as Money)] : []));
}

/** Over all event groups that were played, as the deflated Sharpe ratio takes it: one without a bet brought 0. */
function sharpeOf(trial: TrialRows): number | undefined {
  const profits = profitsByEvent(trial).map(({ net: brought }) => moneyToDecimal(brought as Money));
  if (profits.length < 2) return undefined;
  const { mean, deviation } = momentsOf(profits);
  return deviation === 0 ? undefined : mean / deviation;
}

function eventsWon(trial: TrialRows): number | undefined {
  const profits = betsByEvent(trial);
  return profits.length === 0 ? undefined : profits.filter((profit) => profit > 0).length / profits.length;
}

/** The deepest fall of the cumulative net profit below its highest point so far, market by market in the order of settlement. */
function drawdownOf({ rows, bound }: TrialRows): number {
  const settled = rows.flatMap(({ bounds, markets }) => {
    const at = bounds.indexOf(bound);
    return markets.flatMap(({ id, settledAt, profit }) => {
      const brought = profit[at];
      return settledAt === undefined || brought === undefined ? [] : [{ id, settledAt, net: net(brought) }];
    });
  });
  settled.sort((a, b) => a.settledAt - b.settledAt || (a.id < b.id ? -1 : 1));
  let [worth, highest, deepest] = [0, 0, 0];
  for (const each of settled) {
    worth += each.net;
    highest = Math.max(highest, worth);
    deepest = Math.max(deepest, highest - worth);
  }
  return moneyToDecimal(deepest as Money);
}

/** Orders that were matched at least in part, of those that the exchange accepted. */
function fillRate({ rows }: TrialRows): number | undefined {
  const accepted = countOf(rows, (counts) => counts.accepted);
  return accepted === 0 ? undefined : countOf(rows, matched) / accepted;
}
