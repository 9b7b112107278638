/** What can be asked of a trial: each figure by its name, made of the rows of its units at one of the bounds. */

import { assert } from '../../core/checks/assert.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import type { Bound } from '../../report/figures/bounds.ts';
import type { ProfitMoney } from '../../report/result.ts';
import type { UnitCounts, UnitRow } from '../unit/unit-row.ts';

/** The rows of a trial, one for each event group that was played. */
export interface TrialRows {
  readonly rows: readonly UnitRow[];
  readonly bound: Bound;
}

export interface Figure {
  readonly unit: 'money' | 'share' | 'count' | 'ratio';
  readonly isHigherBetter: boolean;
  /** Whether the figure of a trial is the sum of the figures of its event groups. */
  readonly addsUp: boolean;
  /** Undefined where there is nothing to make it of. */
  of(trial: TrialRows): number | undefined;
}

const sumOfMoney = (pick: (profit: ProfitMoney) => number, isHigherBetter = true): Figure => ({
  unit: 'money',
  isHigherBetter,
  addsUp: true,
  of: (trial) => moneyToDecimal(total(trial, pick)),
});

const sumOfCounts = (pick: (counts: UnitCounts) => number, isHigherBetter: boolean): Figure => ({
  unit: 'count',
  isHigherBetter,
  addsUp: true,
  of: ({ rows }) => countOf(rows, pick),
});

const net = ({ profitGross, commission }: ProfitMoney): number => profitGross - commission;
const staked = ({ stakeMatched }: ProfitMoney): number => stakeMatched;
const matched = ({ matchedFully, matchedPartly }: UnitCounts): number => matchedFully + matchedPartly;

/** Each is documented in docs/sweep.md. */
export const FIGURES = {
  profitNet: sumOfMoney(net),
  profitGross: sumOfMoney(({ profitGross }) => profitGross),
  commission: sumOfMoney(({ commission }) => commission, false),
  stakeMatched: sumOfMoney(staked),
  markToMarket: sumOfMoney(({ markToMarket = 0 }) => markToMarket),
  yield: { unit: 'share', isHigherBetter: true, addsUp: false, of: yieldOf },
  profitPerEvent: { unit: 'money', isHigherBetter: true, addsUp: false, of: profitPerEvent },
  sharpe: { unit: 'ratio', isHigherBetter: true, addsUp: false, of: sharpeOf },
  drawdownMax: { unit: 'money', isHigherBetter: false, addsUp: false, of: drawdownOf },
  eventsWon: { unit: 'share', isHigherBetter: true, addsUp: false, of: eventsWon },
  ordersSent: sumOfCounts(({ sent }) => sent, true),
  ordersMatched: sumOfCounts(matched, true),
  ordersRefused: sumOfCounts(({ refused }) => refused, false),
  ordersRejected: sumOfCounts(({ rejected }) => rejected, false),
  fillRate: { unit: 'share', isHigherBetter: true, addsUp: false, of: fillRate },
  halts: sumOfCounts(({ halts }) => halts, false),
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

/** Over all event groups that were played, also those without a bet. */
function profitPerEvent(trial: TrialRows): number | undefined {
  return trial.rows.length === 0 ? undefined : moneyToDecimal(total(trial, net)) / trial.rows.length;
}

/** Net profits of the event groups in which something was matched. */
function betsByEvent(trial: TrialRows): readonly number[] {
  return profitsOf(trial)
    .filter((profits) => profits.some(({ stakeMatched }) => stakeMatched > 0))
    .map((profits) => moneyToDecimal(profits.reduce((sum, profit) => sum + net(profit), 0) as Money));
}

/** Mean over standard deviation of the net profits of event groups with a bet. */
function sharpeOf(trial: TrialRows): number | undefined {
  const profits = betsByEvent(trial);
  if (profits.length < 2) return undefined;
  const mean = profits.reduce((sum, profit) => sum + profit, 0) / profits.length;
  const squares = profits.reduce((sum, profit) => sum + (profit - mean) ** 2, 0);
  return squares === 0 ? undefined : mean / Math.sqrt(squares / (profits.length - 1));
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
