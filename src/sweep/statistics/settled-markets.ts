/** The settled markets of a sweep with the positions of all its trials, read from the store event by event. */

import type { Bound } from '../../report/result.ts';
import { closingOfRunners } from '../../research/chance/closing.ts';
import { positionProfits } from '../../research/chance/position-profits.ts';
import type { MarketOfTrials } from '../../research/chance/settlement-test.ts';
import { rowsOf } from '../result/top-trials.ts';
import type { TrialStore } from '../store/trial-store.ts';
import type { UnitMarket, UnitOutcome } from '../unit/unit-row.ts';
import type { ProfitsOfTrial } from './trial-profits.ts';

/**
 * How many markets with a bet there were, and how many of them can be judged by closing prices. A trial that had a bet matched in
 * play has no position in that market here: what is known then is not in those prices, and winners drawn from them would make luck
 * of it, good or bad.
 */
export interface MarketCount {
  bet: number;
  judged: number;
  /** In how many of them a trial had a bet matched in play. */
  late: number;
  /** The same over trials: a position is that of one trial in one market. */
  positions: number;
  positionsJudged: number;
}

/** Markets without a bet of any trial change nothing and are left out. `count` is counted up while they are read. */
export function* settledMarkets(
  store: TrialStore,
  { trials, bound }: { readonly trials: readonly ProfitsOfTrial[]; readonly bound: Bound },
  count: MarketCount,
): Generator<MarketOfTrials> {
  for (const units of unitsByEvent(trials).values()) {
    for (const positions of positionsIn(store, units, bound).values()) {
      count.bet += 1;
      count.positions += positions.length;
      const early = positions.filter(({ at, market }) => market.matchedLate[at] !== true);
      if (early.length < positions.length) count.late += 1;
      const market = marketOf(early, trials.length);
      if (market === undefined) continue;
      count.judged += 1;
      count.positionsJudged += early.length;
      yield market;
    }
  }
}

interface TrialUnit {
  /** Index of the trial. */
  readonly trial: number;
  readonly key: string;
}

/** By event where each unit is of one event; all together where one holds several. */
function unitsByEvent(trials: readonly ProfitsOfTrial[]): ReadonlyMap<string, readonly TrialUnit[]> {
  const isApart = trials.every(({ units }) => units.every(({ event }) => event !== undefined));
  const byEvent = new Map<string, TrialUnit[]>();
  for (const [trial, { units }] of trials.entries()) {
    for (const { key, event = '' } of units) {
      const name = isApart ? event : '';
      const known = byEvent.get(name);
      if (known === undefined) byEvent.set(name, [{ trial, key }]);
      else known.push({ trial, key });
    }
  }
  return byEvent;
}

interface Held {
  readonly trial: number;
  /** Index of the bound in the row. */
  readonly at: number;
  readonly market: UnitMarket;
}

/** By market, of the trials that have a bet in it. */
function positionsIn(
  store: TrialStore,
  units: readonly TrialUnit[],
  bound: Bound,
): ReadonlyMap<string, readonly Held[]> {
  const byMarket = new Map<string, Held[]>();
  for (const { trial, key } of units) {
    for (const { bounds, markets } of rowsOf(store, [key])) {
      const at = bounds.indexOf(bound);
      for (const market of markets) {
        if ((market.profit[at]?.stakeMatched ?? 0) === 0) continue;
        const held = byMarket.get(market.id);
        if (held === undefined) byMarket.set(market.id, [{ trial, at, market }]);
        else held.push({ trial, at, market });
      }
    }
  }
  return byMarket;
}

/** Undefined where it was void, settled by a dead heat, not settled, or without closing prices. */
function marketOf(held: readonly Held[], trials: number): MarketOfTrials | undefined {
  const [first] = held;
  if (first === undefined || first.market.status !== 'Settled') return undefined;
  const { winnerCount } = first.market;
  const runners = runnersOf(first.market.outcomes);
  const winners = runners.flatMap(({ result }, index) => (result === 'Winner' ? [index] : []));
  const isPlain = runners.every(({ winShare }) => winShare === 0 || winShare === 1);
  if (!isPlain || winners.length !== winnerCount) return undefined;
  const closing = closingOfRunners(runners, winnerCount);
  if (closing.kind === 'notKnown') return undefined;
  const profits = runners.map(() => new Float64Array(trials));
  for (const { trial, at, market } of held) {
    const amounts = amountsOf(runnersOf(market.outcomes), at, winnerCount);
    for (const [outcome, row] of profits.entries()) row[trial] = amounts[outcome] ?? 0;
  }
  return { closing: closing.probabilities, winners, profits };
}

function runnersOf(outcomes: readonly UnitOutcome[]): readonly UnitOutcome[] {
  return outcomes.filter(({ result }) => result !== 'Removed');
}

/** Net with one winner; with several, where the commission is of no single outcome, gross. */
function amountsOf(runners: readonly UnitOutcome[], at: number, winners: number): Float64Array {
  const of = (pick: 'profitIfWinsNet' | 'betsIfWins' | 'betsIfLoses'): Float64Array =>
    Float64Array.from(runners, ({ positions }) => positions[at]?.[pick] ?? 0);
  if (winners === 1) return of('profitIfWinsNet');
  return positionProfits({ winners, ifWins: of('betsIfWins'), ifLoses: of('betsIfLoses') });
}
