/** The bounds of the fills: under each of them a result has figures of its own. */

/**
 * The fill models by which orders can be filled (docs/backtest.md), from the fewest fills to the most; last the central one with
 * refilled stake: others put back what our orders took.
 */
export const BOUNDS = ['lowest', 'pessimistic', 'central', 'optimistic', 'highest', 'refilled'] as const;
/** A name of `BOUNDS`. */
export type Bound = (typeof BOUNDS)[number];
/** The interval: every result has figures for these bounds. */
export const INTERVAL = ['pessimistic', 'central', 'optimistic'] as const;
/** A figure of money, once for each bound that was computed. */
export type ByBound<T> = Readonly<Record<'pessimistic' | 'central' | 'optimistic', T> & Partial<Record<Bound, T>>>;

/** Applies `to` to each figure; bounds that were not computed stay absent. */
export function mapBounds<T, U>(by: ByBound<T>, to: (value: T, bound: Bound) => U): ByBound<U> {
  const made: { -readonly [Key in keyof ByBound<U>]: ByBound<U>[Key] } = {
    pessimistic: to(by.pessimistic, 'pessimistic'),
    central: to(by.central, 'central'),
    optimistic: to(by.optimistic, 'optimistic'),
  };
  for (const bound of ['lowest', 'highest', 'refilled'] as const) {
    const value = by[bound];
    if (value !== undefined) made[bound] = to(value, bound);
  }
  return made;
}

/** The bounds that were computed, from the fewest fills to the most, without `refilled`: the columns of a table. */
export function columnsOf(by: ByBound<unknown>): readonly Bound[] {
  return BOUNDS.filter((bound) => bound !== 'refilled' && by[bound] !== undefined);
}
