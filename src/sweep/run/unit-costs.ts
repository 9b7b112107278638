/** What units are seen to cost, by which jobs are cut and the time that is left is told. */

import type { UnitGroup } from '../unit/market-groups.ts';

/** What a unit costs besides its updates, as so many updates: its strategies are loaded, its markets opened and settled. */
const BESIDES = 1_000;
/** Assumed before the first unit was played. */
const FIRST_MS = 0.005;

export class UnitCosts {
  #weight = 0;
  #elapsedMs = 0;

  add(group: UnitGroup, elapsedMs: number): void {
    this.#weight += weightOf(group);
    this.#elapsedMs += elapsedMs;
  }

  get isMeasured(): boolean {
    return this.#elapsedMs > 0;
  }

  expectedMs(group: UnitGroup): number {
    return weightOf(group) * (this.isMeasured ? this.#elapsedMs / this.#weight : FIRST_MS);
  }
}

function weightOf({ updates }: UnitGroup): number {
  return updates + BESIDES;
}
