/** What the exchange says about one order, in the same form for documents and stream; and the report made from it. */

import { priceOfTick, type Tick } from '../../core/number/ladder.ts';
import { type Instant, type Money, money, type Price, profitAt, ZERO } from '../../core/number/units.ts';
import { CANCELLATION_REASONS, type CancellationReason, type OrderStatus } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';
import type { OrderReport } from '../../exchange/gateway.ts';

/** An order as the exchange shows it. Stakes are the backer's, on either side. */
export interface OrderFacts {
  readonly id: number;
  readonly reference: string | undefined;
  readonly walletId: string | undefined;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: Side;
  readonly tick: Tick;
  readonly stake: Money;
  readonly stakeUnmatched: Money;
  readonly stakeVoided: Money;
  /** Undefined if the exchange's word is newer than this client. */
  readonly status: OrderStatus | undefined;
  readonly reason: string | undefined;
  readonly modifiedAt: Instant;
  /** Its matched pieces, as far as they came with it. */
  readonly fills: readonly OrderFill[];
  /** What its matched stake may win, where the exchange tells that instead of fills. */
  readonly winnings?: Money;
  /** What a settled order brought, where the exchange tells it with the order. */
  readonly profit?: Money | undefined;
}

/** What this run asked for with an order of its own: it fills what the exchange's document leaves out. */
export type OrderTerms = Pick<OrderFacts, 'marketId' | 'outcomeId' | 'side' | 'tick' | 'stake'> & {
  readonly client: number;
  /** Index of its strategy in the settings' list; -1 where that has it no more. */
  readonly strategy: number;
  readonly walletId: string;
  readonly reference: string | undefined;
};

/** The terms of an order of ours, by the exchange's id or by its reference; undefined for a foreign order. */
export type TermsOf = (order: {
  readonly id: number | undefined;
  readonly reference: string | undefined;
}) => OrderTerms | undefined;

/** A matched piece of an order. */
export interface OrderFill {
  readonly price: Price;
  readonly stake: Money;
}

/** The port's report of the order under our number `client`. */
export function reportOf(facts: OrderFacts, client: number): OrderReport {
  const status = statusOf(facts);
  const reason = CANCELLATION_REASONS.find((each: CancellationReason) => each === facts.reason);
  // A void order counts as unmatched, whatever had matched of it.
  const isVoid = status === 'Voided';
  const stakeMatched = isVoid ? ZERO : matchedOf(facts);
  return {
    client,
    order: facts.id,
    status,
    stakeMatched,
    winningsMatched: isVoid ? ZERO : winningsOf(facts, stakeMatched),
    stakeUnmatched: facts.stakeUnmatched,
    stakeVoided: isVoid ? facts.stake : facts.stakeVoided,
    at: facts.modifiedAt,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The status. One that is newer than this client is derived from the stakes, which show how much may still match. */
function statusOf(facts: OrderFacts): OrderStatus {
  if (facts.status !== undefined) return facts.status;
  const matched = matchedOf(facts);
  if (facts.stakeUnmatched > 0) return matched > 0 ? 'PartiallyMatched' : 'Unmatched';
  return matched > 0 ? 'Matched' : 'Cancelled';
}

function matchedOf({ stake, stakeUnmatched, stakeVoided }: OrderFacts): Money {
  return money(Math.max(0, stake - stakeUnmatched - stakeVoided));
}

/**
 * The possible winnings of the matched stake, from its fills. Matched stake without a fill (because the list was cut short)
 * counts at the order's limit, which is the worst price that it can have got on either side.
 */
function winningsOf({ fills, tick, winnings: told }: OrderFacts, stakeMatched: Money): Money {
  if (told !== undefined) return told;
  let left: number = stakeMatched;
  let winnings = 0;
  for (const { price, stake } of fills) {
    const counted = money(Math.min(stake, left));
    winnings += profitAt(counted, price);
    left -= counted;
  }
  return money(winnings + profitAt(money(left), priceOfTick(tick)));
}
