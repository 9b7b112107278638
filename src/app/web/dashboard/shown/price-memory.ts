/** The prices of each market that is open since a run or a sandbox was started: a reading every two seconds, of a long market every fourth, eighth, … */

import { decimalOfTick, NO_TICK, tick } from '../../../../core/number/ladder.ts';
import type { PriceCurve } from '../../../../pages/panels.ts';

export const LOOK_EVERY_MS = 2_000;
/** When a market has so many readings, every second one is dropped, and it is read half as often from then on. */
const READINGS_MAX = 240;
/** As many lines as can be told apart: the outcomes with the lowest prices. */
const LINES_MAX = 6;

interface Readings {
  readonly at: number[];
  /** The best tick to back of each outcome at each reading; NO_TICK where there was none. */
  readonly ticks: number[][];
  everyMs: number;
}

/** A market whose prices are read. */
export interface ReadMarket {
  readonly id: string;
  readonly isOpen: boolean;
  /** The best tick to back of each outcome; NO_TICK where there is none. */
  readonly bests: () => readonly number[];
}

export class PriceMemory {
  readonly #byMarket = new Map<string, Readings>();

  /** Markets that are not open are read no more; those that are not followed any more are forgotten. */
  look(markets: Iterable<ReadMarket>, now: number): void {
    const followed = new Set<string>();
    for (const market of markets) {
      followed.add(market.id);
      if (market.isOpen) this.#read(market, now);
    }
    for (const id of this.#byMarket.keys()) if (!followed.has(id)) this.#byMarket.delete(id);
  }

  curve({
    id,
    outcomes,
  }: {
    readonly id: string;
    readonly outcomes: readonly { readonly title: string }[];
  }): PriceCurve | undefined {
    const readings = this.#byMarket.get(id);
    if (readings === undefined || readings.at.length < 2) return undefined;
    const { at, ticks } = readings;
    const lines = outcomes.flatMap(({ title }, index) => {
      const values = (ticks[index] ?? []).map((each) => (each === NO_TICK ? null : decimalOfTick(tick(each))));
      const last = values.findLast((price) => price !== null);
      return last === undefined || last === null ? [] : [{ title, values, last }];
    });
    lines.sort((a, b) => a.last - b.last);
    return { at, lines: lines.slice(0, LINES_MAX).map(({ title, values }) => ({ title, values })) };
  }

  #read({ id, bests }: ReadMarket, now: number): void {
    const readings = this.#byMarket.get(id) ?? { at: [], ticks: [], everyMs: LOOK_EVERY_MS };
    this.#byMarket.set(id, readings);
    const { at, ticks } = readings;
    const last = at.at(-1);
    // A timer may come a little early.
    if (last !== undefined && now - last < readings.everyMs - LOOK_EVERY_MS / 2) return;
    const read = bests();
    // An outcome that came later had no price before.
    while (ticks.length < read.length) ticks.push(at.map(() => NO_TICK));
    at.push(now);
    for (const [outcome, column] of ticks.entries()) column.push(read[outcome] ?? NO_TICK);
    if (at.length >= READINGS_MAX) halve(readings);
  }
}

function halve(readings: Readings): void {
  for (const column of [readings.at, ...readings.ticks])
    column.splice(0, column.length, ...column.filter((_, index) => index % 2 === 1));
  readings.everyMs *= 2;
}
