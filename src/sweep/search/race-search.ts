/**
 * A race: all candidates are played on a few event groups, those that are clearly behind the leader drop out, and the others go on
 * to more (after F-race: M. Birattari, T. Stützle, L. Paquete and K. Varrentrapp, GECCO 2002).
 */

import { assert, defined } from '../../core/checks/assert.ts';
import type { Generation, Score, Search, Trial } from './search.ts';

/** Tests pairs of contributions, one of each event group: how likely a difference this large to either side is where there is none. */
export type PairedTest = (pairs: readonly (readonly [number, number])[]) => number;

export interface RaceOptions {
  /** Event groups of the first round; undefined: as many as the number of candidates asks for. */
  readonly events: number | undefined;
  /** How many times more each later round has. */
  readonly factor: number;
  /** The error of a round, over all its comparisons. */
  readonly alpha: number;
  /** How many event groups there are. */
  readonly eventsInAll: number;
  readonly test: PairedTest;
}

export class RaceSearch implements Search {
  readonly asks = 'events';
  readonly #options: RaceOptions;
  readonly #start: Search;
  /** Undefined: the start is not asked for its candidates yet. */
  #running: readonly Trial[] | undefined;
  #events = 0;

  /** `start` gives the candidates: all its generations at once. */
  constructor(start: Search, options: RaceOptions) {
    assert(options.eventsInAll > 0, 'a race needs event groups');
    this.#start = start;
    this.#options = options;
  }

  next(scores: ReadonlyMap<number, Score>): Generation | undefined {
    const { factor, eventsInAll } = this.#options;
    if (this.#running === undefined) {
      this.#running = this.#candidates(scores);
      const { events = firstEvents(this.#running.length, this.#options.alpha) } = this.#options;
      this.#events = Math.min(events, eventsInAll);
      return this.#running.length === 0 ? undefined : this.#round();
    }
    if (this.#events === eventsInAll) return undefined;
    this.#running = this.#survivors(this.#running, scores);
    const isDecided = this.#running.length === 1;
    this.#events = isDecided ? eventsInAll : Math.min(eventsInAll, Math.ceil(this.#events * factor));
    return this.#round();
  }

  #candidates(scores: ReadonlyMap<number, Score>): readonly Trial[] {
    const trials: Trial[] = [];
    for (let next = this.#start.next(scores); next !== undefined; next = this.#start.next(scores))
      trials.push(...next.trials);
    return trials;
  }

  #round(): Generation {
    return { trials: this.#running ?? [], events: this.#events };
  }

  /** The leader, and all that are not surely worse than it. */
  #survivors(running: readonly Trial[], scores: ReadonlyMap<number, Score>): readonly Trial[] {
    const { test, alpha } = this.#options;
    // Who has bet nothing yet cannot lead, although it loses nothing either.
    const sums = running.map(({ number }) => {
      const score = scores.get(number);
      return score?.value === undefined ? -Infinity : sumOf(score);
    });
    const best = Math.max(...sums);
    const leader = defined(running[sums.indexOf(best)], 'the largest is one of them');
    const rivals = running.filter((trial) => trial !== leader);
    const ps = holm(rivals.map((rival) => test(pairsOf(scores.get(leader.number), scores.get(rival.number)))));
    const out = new Set(rivals.filter((_, index) => (ps[index] ?? 1) <= alpha));
    return running.filter((trial) => !out.has(trial));
  }
}

/**
 * The least p-value of n signed ranks is 2^(1 − n), and Holm's correction multiplies it by the number of comparisons: with fewer event
 * groups nobody could drop out. Some more, so that one event group may go the other way.
 */
function firstEvents(candidates: number, alpha: number): number {
  let events = MORE_EVENTS + 1;
  for (let least = 1; least * candidates > alpha; least /= 2) events += 1;
  return events;
}

const MORE_EVENTS = 4;

/** The sum of the contributions in one order, so that it has the same bits however they arrived. */
function sumOf(score: Score | undefined): number {
  const events = [...(score?.byEvent ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  return events.reduce((sum, [, contribution]) => sum + contribution, 0);
}

/** A trial that did nothing in an event group contributed nothing there. */
function pairsOf(a: Score | undefined, b: Score | undefined): readonly (readonly [number, number])[] {
  const events = [...new Set([...(a?.byEvent?.keys() ?? []), ...(b?.byEvent?.keys() ?? [])])].sort();
  return events.map((event) => [a?.byEvent?.get(event) ?? 0, b?.byEvent?.get(event) ?? 0]);
}

/**
 * Holm's correction: which of several comparisons hold at once with one error of a given size. The corrected p-values are in the same order
 * (S. Holm, Scand. J. Statist. 6 (1979), 65–70).
 */
export function holm(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  const corrected: number[] = ps.map(() => 1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.min(1, Math.max(least, p * (ps.length - rank)));
    corrected[index] = least;
  }
  return corrected;
}
