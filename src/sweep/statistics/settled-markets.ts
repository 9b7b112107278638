/** The settled markets of a sweep with the positions of all its trials, read from the store event by event. */

import { NumberColumn } from '../../core/collections/number-column.ts';
import { positionProfits } from '../../research/chance/position-profits.ts';
import { type JudgedEnd, judgedEnd } from '../../research/chance/settled-market.ts';
import type { MarketOfTrials } from '../../research/chance/settlement-test.ts';
import type { NotKnown } from '../../research/figure/not-known.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import { rowsOf } from '../result/top-trials.ts';
import type { TrialStore } from '../store/trial-store.ts';
import type { PreOffPosition, UnitMarket, UnitOutcome } from '../unit/unit-row.ts';
import type { ProfitsOfTrial } from './trial-profits.ts';

/**
 * How many markets with a bet there were, and how many of them can be judged by closing prices. Judged are the bets matched before the
 * off, as if held to settlement.
 */
export interface MarketCount {
  bet: number;
  judged: number;
  /** The number of them in which a trial had a bet matched in play, which is not judged. */
  late: number;
  /** The same over trials: a position is what one trial had matched in one market before the off. */
  positions: number;
  positionsJudged: number;
  /** The number of them with bets matched in play too, in rows of an earlier version, which do not tell the two apart. */
  untold: number;
}

/** The markets that were counted, by their ids, where trials come in pieces. */
export type SeenMarkets = Map<string, { readonly place: number; readonly isLate: boolean; readonly isJudged: boolean }>;

/** Markets without a bet of any trial change nothing and are left out. `count` is counted up while they are read. */
export function* settledMarkets(
  store: TrialStore,
  {
    trials,
    bound,
    seen,
  }: { readonly trials: readonly ProfitsOfTrial[]; readonly bound: Bound; readonly seen: SeenMarkets },
  count: MarketCount,
): Generator<MarketOfTrials> {
  for (const units of unitsByEvent(trials).values()) {
    for (const [id, positions] of positionsIn(store, units, { bound, trials: trials.length })) {
      const { market, early } = positions;
      const known = seen.get(id) ?? { place: seen.size, isLate: false, isJudged: false };
      const isJudged = market !== undefined && early > 0;
      if (!seen.has(id)) count.bet += 1;
      if (positions.isLate && !known.isLate) count.late += 1;
      if (isJudged && !known.isJudged) count.judged += 1;
      seen.set(id, { ...known, isLate: known.isLate || positions.isLate, isJudged: known.isJudged || isJudged });
      count.positions += early;
      count.untold += positions.untold;
      if (!isJudged) continue;
      count.positionsJudged += early;
      yield { ...market, place: known.place };
    }
  }
}

/** The units by event where each unit is of one event; all together where one holds several. */
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

  /** The units in the order of the trials. */
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

/** The positions by market, of the trials that have a bet in it: each row is read, added and forgotten. */
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
        const known = byMarket.get(market.id) ?? new MarketPositions(market, trials);
        byMarket.set(market.id, known);
        known.add(market, { trial, at });
      }
    }
  }
  return byMarket;
}

/** What all trials had matched in one market before the off. */
class MarketPositions {
  /** How many trials had, and how many positions are not known. */
  early = 0;
  untold = 0;
  /** A trial had a bet matched in play. */
  isLate = false;
  readonly #end: JudgedEnd | NotKnown;
  /** The profits by outcome and trial. */
  readonly #profits: readonly Float64Array[];

  /** How a market ended, and its close, are the same for all trials. */
  constructor({ status, winnerCount, outcomes }: UnitMarket, trials: number) {
    const runners = runnersOf(outcomes);
    this.#end = judgedEnd({ status, winnerCount, outcomes: runners });
    this.#profits = runners.map(() => new Float64Array(trials));
  }

  /** Undefined where it cannot be judged. */
  get market(): MarketOfTrials | undefined {
    if (this.#end.kind === 'notKnown') return undefined;
    const { closing, winners } = this.#end;
    return { closing, winners, profits: this.#profits };
  }

  /** `at`: the index of the bound in the row. */
  add({ outcomes, matchedLate }: UnitMarket, { trial, at }: { readonly trial: number; readonly at: number }): void {
    const isLate = matchedLate[at] === true;
    this.isLate ||= isLate;
    const positions = runnersOf(outcomes).map((outcome) => outcome.positions[at]);
    if (positions.some((position) => position !== undefined && position.preOff === undefined)) {
      this.untold += 1;
      return;
    }
    const of = (pick: keyof PreOffPosition) =>
      Float64Array.from(positions, (position) => position?.preOff?.[pick] ?? 0);
    const [ifWins, ifLoses] = [of('ifWins'), of('ifLoses')];
    // Bets that cancel each other out are none beside bets in play: nothing of them depends on who wins.
    if (isLate && ifWins.every((amount) => amount === 0) && ifLoses.every((amount) => amount === 0)) return;
    this.early += 1;
    if (this.#end.kind === 'notKnown') return;
    const { winners, share } = this.#end;
    const amounts = positionProfits({ winners: winners.length, share, ifWins, ifLoses });
    for (const [outcome, row] of this.#profits.entries()) row[trial] = amounts[outcome] ?? 0;
  }
}

function runnersOf(outcomes: readonly UnitOutcome[]): readonly UnitOutcome[] {
  return outcomes.filter(({ result }) => result !== 'Removed');
}
