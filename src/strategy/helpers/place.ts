/** Makes intents: back, lay, cancel, cancelAll, reduce and replace. */

import type { CancelAllIntent, CancelIntent, PlaceIntent, ReduceIntent, ReplaceIntent } from '../../core/intent.ts';
import type { MatchBehavior } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';
import { checkOptions } from '../decision/known-keys.ts';
import { roundStakeDown } from '../stake-step.ts';
import type { MarketView, OrderView, OutcomeView } from '../views/views.ts';
import { roundToLadder } from './ladder-steps.ts';

/** What `back` and `lay` may be told; all orders are limit orders. */
export interface PlaceOptions {
  /** Backer's stake; rounded down to the outcome's `stakeStep`. */
  readonly stake: number;
  /**
   * Limit price. Left out: the best price to take. Given as undefined: there is no price, and the intent is refused.
   */
  readonly price?: number | undefined;
  /** Keeps the order at the in-play switch. */
  readonly keepWhenInPlay?: boolean;
  /** RetainUnmatched (default): stake that does not match at once rests. CancelUnmatched: it is cancelled. */
  readonly matchBehavior?: MatchBehavior;
  /** Why, in your own words, at most 200 characters: it stays with the order and stands in the result, and the exchange never sees it. */
  readonly note?: string | undefined;
}

const PLACE_OPTIONS: ReadonlySet<string> = new Set(['stake', 'price', 'keepWhenInPlay', 'matchBehavior', 'note']);
const REPLACE_OPTIONS: ReadonlySet<string> = new Set(['price', 'stake', 'note']);

/**
 * A For order: wins when the outcome wins. Without a price it takes the best price on offer; a price off the ladder is
 * rounded up, so the order never gets a worse price than asked. Where there is nothing to take, the intent is refused
 * with PRICE_OFF_LADDER. There are limit orders only.
 *
 * @throws TypeError for an option that there is not, here and in all helpers
 *
 * @example
 * decide: ({ market }) => market.outcomes.map((outcome) => back(outcome, { stake: 2 }))
 */
export function back(outcome: OutcomeView, options: PlaceOptions): PlaceIntent {
  checkOutcome('back', outcome);
  checkOptions('back', options, PLACE_OPTIONS);
  const asked = 'price' in options ? options.price : outcome.bestPrice('Against');
  return place(outcome, 'For', limitOf(asked, 'up'), options);
}

/**
 * An Against order: wins when the outcome does not; it risks stake × (price − 1). Without a price it takes the best
 * price on offer; a price off the ladder is rounded down, so the order never gets a worse price than asked.
 *
 * @example
 * decide: ({ market }) => market.outcomes.map((outcome) => lay(outcome, { stake: 2, price: 1.5, note: 'too short' }))
 */
export function lay(outcome: OutcomeView, options: PlaceOptions): PlaceIntent {
  checkOutcome('lay', outcome);
  checkOptions('lay', options, PLACE_OPTIONS);
  const asked = 'price' in options ? options.price : outcome.bestPrice('For');
  return place(outcome, 'Against', limitOf(asked, 'down'), options);
}

/**
 * Cancels the unmatched stake of one order.
 *
 * @example
 * decide: ({ orders }) => orders.map(cancel)
 */
export function cancel(order: OrderView | number): CancelIntent {
  return { kind: 'cancel', order: idOf(order) };
}

/**
 * Cancels all unmatched orders of this strategy: on one outcome, in one market, or everywhere.
 *
 * @example
 * decide: ({ market }) => (market.inPlay ? [cancelAll(market)] : [])
 */
export function cancelAll(where?: MarketView | OutcomeView): CancelAllIntent {
  if (where === undefined) return { kind: 'cancelAll' };
  if ('marketId' in where) return { kind: 'cancelAll', market: where.marketId, outcome: where.id };
  return { kind: 'cancelAll', market: where.id };
}

/**
 * Cancels a part of an order, and leaves the rest its place in the queue, where the exchange can do that (Betfair). The stake is
 * rounded down to three decimals; more than is unmatched cancels all of it.
 *
 * @example
 * decide: ({ orders }) => orders.filter((order) => order.stakeUnmatched > 50).map((order) => reduce(order, order.stakeUnmatched - 50))
 */
export function reduce(order: OrderView | number, stake: number): ReduceIntent {
  return { kind: 'reduce', order: idOf(order), stake: roundStakeDown(stake) };
}

/**
 * Moves the unmatched stake of an order to another price. The order is cancelled, and only the stake that was really
 * cancelled is placed again, so a match in between is never doubled: at most `stake` of it, at `price` (decimal odds on the ladder). Without a
 * `note` of its own, what is placed again has that of the order.
 *
 * @example
 * decide: ({ orders }) => orders.map((order) => replace(order, { price: ticksAway(order.price, 1) }))
 */
export function replace(
  order: OrderView | number,
  to: { readonly price: number; readonly stake?: number; readonly note?: string | undefined },
): ReplaceIntent {
  checkOptions('replace', to, REPLACE_OPTIONS);
  const intent: { -readonly [Key in keyof ReplaceIntent]: ReplaceIntent[Key] } = {
    kind: 'replace',
    order: idOf(order),
    price: to.price,
  };
  if (to.stake !== undefined) intent.stake = roundStakeDown(to.stake);
  if (to.note !== undefined) intent.note = to.note;
  return intent;
}

/** An id, a market, or what `find` gave where it found nothing. @throws TypeError, inside the strategy's call */
function checkOutcome(helper: string, outcome: unknown): void {
  if (typeof outcome === 'object' && outcome !== null && 'marketId' in outcome) return;
  const given =
    typeof outcome === 'object' ? 'something else' : typeof outcome === 'string' ? `'${outcome}'` : String(outcome);
  throw new TypeError(
    `${helper}: its first argument must be an outcome of a market, such as market.outcome(id) or favourites(market)[0], and it is ${given.slice(0, 100)}`,
  );
}

function place(outcome: OutcomeView, side: Side, price: number, options: PlaceOptions): PlaceIntent {
  const intent: { -readonly [Key in keyof PlaceIntent]: PlaceIntent[Key] } = {
    kind: 'place',
    market: outcome.marketId,
    outcome: outcome.id,
    side,
    price,
    stake: roundStakeDown(options.stake, outcome.stakeStep),
  };
  if (options.keepWhenInPlay !== undefined) intent.keepWhenInPlay = options.keepWhenInPlay;
  if (options.matchBehavior !== undefined) intent.matchBehavior = options.matchBehavior;
  if (options.note !== undefined) intent.note = options.note;
  return intent;
}

/**
 * `price: outcome.bestFor?.price` on an empty side must not turn into "take any price": it becomes NaN, which is
 * refused.
 */
function limitOf(asked: number | undefined, rounding: 'up' | 'down'): number {
  return asked === undefined ? Number.NaN : roundToLadder(asked, rounding);
}

function idOf(order: OrderView | number): number {
  return typeof order === 'number' ? order : order.id;
}
