/** The settled markets of a sweep with the positions of all its trials, read from the store event by event. */

import { NumberColumn } from '../../core/collections/number-column.ts';
import type { Bound } from '../../report/figures/bounds.ts';
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
    for (const positions of positionsIn(store, units, { bound, trials: trials.length }).values()) {
      count.bet += 1;
      count.positions += positions.held;
      if (positions.early < positions.held) count.late += 1;
      if (positions.market === undefined) continue;
      count.judged += 1;
      count.positionsJudged += positions.early;
      yield positions.market;
    }
  }
}

/** By event where each unit is of one event; all together where one holds several. */
function unitsByEvent(trials: readonly ProfitsOfTrial[]): ReadonlyMap<string, EventUnits> {
  const byEvent = new Map<string, EventUnits>();
  let isApart = true;
  for (const [trial, { units }] of trials.entries()) {
    for (const { key, event = '' } of units) {
      isApart &&= event !== '';
      const known = byEvent.get(event) ?? new EventUnits();
      byEvent.set(event, known);
      known.add(trial, key);
    }
  }
  return isApart ? byEvent : new Map([['', EventUnits.joined([...byEvent.values()])]]);
}

const KEY_BYTES = 32;
const FIRST_KEYS = 16;

/** Units of one event, one of a trial: as many as there are trials, so that their keys are kept as bytes. */
class EventUnits {
  readonly #trials = new NumberColumn();
  #keys = Buffer.alloc(FIRST_KEYS * KEY_BYTES);

  /** In the order of the trials. */
  static joined(all: readonly EventUnits[]): EventUnits {
    const units = all.flatMap((each) => [...each]).sort((a, b) => a.trial - b.trial);
    const joined = new EventUnits();
    for (const { trial, key } of units) joined.add(trial, key);
    return joined;
  }

  add(trial: number, key: string): void {
    const at = this.#trials.length * KEY_BYTES;
    if (at === this.#keys.length) this.#keys = Buffer.concat([this.#keys, Buffer.alloc(at)]);
    this.#keys.write(key, at, 'hex');
    this.#trials.push(trial);
  }

  *[Symbol.iterator](): Generator<{ readonly trial: number; readonly key: string }> {
    for (let at = 0; at < this.#trials.length; at += 1)
      yield {
        trial: this.#trials.at(at),
        key: this.#keys.toString('hex', at * KEY_BYTES, (at + 1) * KEY_BYTES),
      };
  }
}

/** By market, of the trials that have a bet in it: each row is read, added and forgotten. */
function positionsIn(
  store: TrialStore,
  units: EventUnits,
  { bound, trials }: { readonly bound: Bound; readonly trials: number },
): ReadonlyMap<string, MarketPositions> {
  const byMarket = new Map<string, MarketPositions>();
  for (const { trial, key } of units) {
    for (const { bounds, markets } of rowsOf(store, [key])) {
      const at = bounds.indexOf(bound);
      for (const market of markets) {
        if ((market.profit[at]?.stakeMatched ?? 0) === 0) continue;
        const known = byMarket.get(market.id) ?? new MarketPositions(trials);
        byMarket.set(market.id, known);
        known.add(market, { trial, at });
      }
    }
  }
  return byMarket;
}

/** What all trials hold in one market. */
class MarketPositions {
  /** How many trials have a bet in it, and how many of them had none matched in play. */
  held = 0;
  early = 0;
  readonly #trials: number;
  #market: MarketOfTrials | undefined;
  /** By outcome and trial. */
  #profits: readonly Float64Array[] = [];
  #winnerCount = 1;

  constructor(trials: number) {
    this.#trials = trials;
  }

  /** Undefined where it cannot be judged. */
  get market(): MarketOfTrials | undefined {
    return this.#market;
  }

  /** `at`: the index of the bound in the row. */
  add(market: UnitMarket, { trial, at }: { readonly trial: number; readonly at: number }): void {
    this.held += 1;
    if (market.matchedLate[at] === true) return;
    // How it ended, and its close, are the same for all trials.
    if (this.early === 0) {
      this.#profits = runnersOf(market.outcomes).map(() => new Float64Array(this.#trials));
      this.#market = marketOf(market, this.#profits);
      this.#winnerCount = market.winnerCount;
    }
    this.early += 1;
    if (this.#market === undefined) return;
    const amounts = amountsOf(runnersOf(market.outcomes), at, this.#winnerCount);
    for (const [outcome, row] of this.#profits.entries()) row[trial] = amounts[outcome] ?? 0;
  }
}

/** Undefined where it was void, settled by a dead heat, not settled, or without closing prices. */
function marketOf(market: UnitMarket, profits: readonly Float64Array[]): MarketOfTrials | undefined {
  if (market.status !== 'Settled') return undefined;
  const { winnerCount } = market;
  const runners = runnersOf(market.outcomes);
  const winners = runners.flatMap(({ result }, index) => (result === 'Winner' ? [index] : []));
  const isPlain = runners.every(({ winShare }) => winShare === 0 || winShare === 1);
  if (!isPlain || winners.length !== winnerCount) return undefined;
  const closing = closingOfRunners(runners, winnerCount);
  if (closing.kind === 'notKnown') return undefined;
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
