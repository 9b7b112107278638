/** The settled money of a run over the last week, of all and of each strategy: what the limits remember, drawn as steps. */

import { type Instant, type Money, moneyToDecimal } from '../../../../core/number/units.ts';
import type { RiskHistory } from '../../../../core/run/risk-memory.ts';
import type { MoneyCurve, MoneyPart } from '../../../../pages/money-panel.ts';
import type { MarketSums } from './market-sums.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** More would not be told apart on a screen. */
const POINTS_MAX = 200;

type Drawn = Pick<MoneyPart, 'days' | 'curve'>;

interface Step {
  readonly at: number;
  readonly profit: number;
}

/** Made anew where something was settled, and each minute. */
export class MoneyCurves {
  #key = '';
  #drawn: Drawn = { days: [], curve: { at: [], all: [], strategies: [] } };

  of(history: RiskHistory, sums: MarketSums, now: Instant): Drawn {
    const key = `${history.total} ${sums.version} ${Math.floor(now / MINUTE_MS)}`;
    if (key !== this.#key) this.#drawn = drawn(history, sums, now);
    this.#key = key;
    return this.#drawn;
  }
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

function drawn(history: RiskHistory, sums: MarketSums, now: Instant): Drawn {
  const results = history.memory().results.filter(({ profit }) => profit !== 0);
  const days = new Map<number, number>();
  for (const { at, profit } of results) days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + profit);
  const newest = [...days].sort(([a], [b]) => b - a).slice(0, 7);
  return {
    days: newest.map(([day, profit]) => ({ at: day * DAY_MS, profit: decimal(profit) })),
    curve: curveOf(results, { total: history.total, sums, now }),
  };
}

interface CurveParts {
  readonly total: number;
  readonly sums: MarketSums;
  readonly now: number;
}

function curveOf(results: readonly Step[], { total, sums, now }: CurveParts): MoneyCurve {
  const byStrategy = new Map<string, Step[]>();
  for (const { at, gross } of sums.markets)
    for (const [name, profit] of Object.entries(gross))
      byStrategy.set(name, [...(byStrategy.get(name) ?? []), { at, profit }]);
  const [first] = results;
  if (first === undefined) return { at: [], all: [], strategies: [] };
  const at = timesOf(results, first.at - MINUTE_MS, Math.floor(now / MINUTE_MS) * MINUTE_MS);
  const strategies = [...byStrategy].map(([name, steps]) => {
    const older = sums.older.gross[name] ?? 0;
    const all = steps.reduce((sum, { profit }) => sum + profit, older);
    return { name, values: levels(at, steps, all) };
  });
  return { at, all: levels(at, results, total), strategies };
}

/** The beginning, each result, and now; of very many results every second, third, … and the last. */
function timesOf(results: readonly Step[], begin: number, now: number): readonly number[] {
  const every = Math.ceil(results.length / POINTS_MAX);
  const kept = results.filter((_, index) => (results.length - 1 - index) % every === 0).map(({ at }) => at + MINUTE_MS);
  return [begin, ...kept, Math.max(now, (kept.at(-1) ?? begin) + MINUTE_MS)];
}

/** The sum up to each time, so that the last one is `total`. */
function levels(times: readonly number[], steps: readonly Step[], total: number): readonly number[] {
  const ordered = [...steps].sort((a, b) => a.at - b.at);
  let level = ordered.reduce((rest, { profit }) => rest - profit, total);
  let next = 0;
  const values = times.map((time) => {
    for (let step = ordered[next]; step !== undefined && step.at < time; step = ordered[next]) {
      level += step.profit;
      next += 1;
    }
    return decimal(level);
  });
  if (values.length > 0) values[values.length - 1] = decimal(total);
  return values;
}

function decimal(micros: number): number {
  return moneyToDecimal(Math.round(micros) as Money);
}
