/** What a market's book, as it is known, holds of the run's own orders: their states, each with the times by which it is laid beside prices. */

import { NO_OWN_STAKE, type OwnStake } from '../../core/market-state.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { Side } from '../../core/side.ts';

/** Where an order rests. */
export interface OwnPlace {
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: Side;
  readonly tick: number;
}

/** A state of an order: what of it rested since `at`, by the exchange's clock, and when that was first known, ms on ours. */
export interface OwnState {
  readonly stake: Money;
  readonly at: Instant;
  readonly knownAt: number;
}

interface OwnOrder {
  readonly strategy: number;
  /** In the order in which they became known. */
  readonly states: OwnState[];
}

/**
 * An order's report and the book that shows it come by two ways, and either may come first. So the last states of each order are kept, and a
 * level is asked which of them it shows: the newest of those counts, and those before it are forgotten.
 */
export class OwnStakes {
  readonly #places = new Map<string, Map<number, OwnOrder>>();
  readonly #placeOf = new Map<number, string>();

  /** An order, by the exchange's id, is in a new state. */
  note(order: { readonly id: number; readonly strategy: number; readonly place: OwnPlace }, state: OwnState): void {
    const { id, strategy } = order;
    const key = keyOf(order.place);
    const orders = this.#places.get(key) ?? new Map<number, OwnOrder>();
    const known = orders.get(id);
    if (known !== undefined) known.states.push(state);
    // What never rested is in no book.
    else if (state.stake > 0) orders.set(id, { strategy, states: [state] });
    else return;
    this.#places.set(key, orders);
    this.#placeOf.set(id, key);
  }

  /** The orders of a level whose book is known; `shows` says whether that is new enough to show a state. */
  at(place: OwnPlace, shows: (state: OwnState) => boolean): readonly OwnStake[] {
    const orders = this.#placeOf.size === 0 ? undefined : this.#places.get(keyOf(place));
    if (orders === undefined) return NO_OWN_STAKE;
    const stakes: OwnStake[] = [];
    for (const [id, { strategy, states }] of orders) {
      states.splice(0, states.findLastIndex(shows));
      const [shown, ...later] = states;
      if (shown === undefined || !shows(shown)) continue;
      if (shown.stake > 0) stakes.push({ strategy, stake: shown.stake });
      else if (later.length === 0) this.forget(id);
    }
    return stakes;
  }

  forget(order: number): void {
    const key = this.#placeOf.get(order);
    if (key === undefined) return;
    this.#placeOf.delete(order);
    const orders = this.#places.get(key);
    orders?.delete(order);
    if (orders?.size === 0) this.#places.delete(key);
  }
}

function keyOf({ marketId, outcomeId, side, tick }: OwnPlace): string {
  return `${marketId} ${outcomeId} ${side} ${tick}`;
}
