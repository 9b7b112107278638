/** Numbers the outcomes of all markets of a run, and their two sides, so that sums over bets fit into typed arrays. */

import { defined } from '../../core/checks/assert.ts';
import { type Side, type SideIndex, sideOf } from '../../core/side.ts';
import type { JudgedMarket } from './judged-market.ts';

/** The place of one outcome; a slot is 2 × `outcome` + its side's index. */
export interface OutcomePlace {
  /** Counts up over all markets. */
  readonly outcome: number;
  /** Index of its market. */
  readonly market: number;
}

export class BetSlots {
  readonly markets: readonly JudgedMarket[];
  /** The number of each market's first outcome. */
  readonly firstOutcome: readonly number[];
  /** Number of outcomes, and of slots. */
  readonly outcomes: number;
  readonly count: number;
  readonly #marketOf: Int32Array;
  readonly #places = new Map<string, ReadonlyMap<string, OutcomePlace>>();

  constructor(markets: readonly JudgedMarket[]) {
    this.markets = markets;
    const first: number[] = [];
    let outcomes = 0;
    for (const [market, { result }] of markets.entries()) {
      first.push(outcomes);
      const places = result.outcomes.map(({ id }, at) => [id, { outcome: outcomes + at, market }] as const);
      this.#places.set(result.id, new Map(places));
      outcomes += result.outcomes.length;
    }
    this.firstOutcome = first;
    this.outcomes = outcomes;
    this.count = 2 * outcomes;
    this.#marketOf = new Int32Array(outcomes);
    for (const [market, { result }] of markets.entries())
      this.#marketOf.fill(market, first[market], first[market]! + result.outcomes.length);
  }

  placeOf(market: string, outcome: string): OutcomePlace {
    return defined(this.#places.get(market)?.get(outcome), 'a bet is on an outcome of a market of the result');
  }

  slotOf(outcome: number, side: SideIndex): number {
    return 2 * outcome + side;
  }

  sideOf(slot: number): Side {
    return sideOf(slot % 2);
  }

  groupOf(slot: number): string {
    return this.markets[this.#marketOf[slot >> 1]!]!.group;
  }

  /** A figure of each outcome of all markets; NaN where there is none. */
  column(of: (market: JudgedMarket, outcome: number) => number | undefined): Float64Array {
    const column = new Float64Array(this.outcomes);
    for (const [market, judged] of this.markets.entries())
      for (let at = 0; at < judged.result.outcomes.length; at += 1)
        column[this.firstOutcome[market]! + at] = of(judged, at) ?? Number.NaN;
    return column;
  }
}
