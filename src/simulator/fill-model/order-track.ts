/** What the simulator remembers of orders, and the report it makes of each. */

import { assert } from '../../core/checks/assert.ts';
import type { ListLink } from '../../core/collections/linked-list.ts';
import type { SequenceMap } from '../../core/collections/sequence-map.ts';
import { type Instant, type Money, type Price, profitAt, ZERO } from '../../core/number/units.ts';
import { type CancellationReason, ORDER_MOVES, type OrderStatus } from '../../core/order.ts';
import type { OrderReport, OrderRequest } from '../../exchange/gateway.ts';
import { grownInts } from '../../matching/columns/columns.ts';
import type { OrderView } from '../../matching/state/views.ts';

/** Updated as the exchange's events come; `report` makes the message that the bot gets. Amounts in 10⁻⁶. */
export class OrderTrack {
  readonly request: OrderRequest;
  /** The exchange's id of the order's market; `request.market` is the gateway's index. */
  readonly market: number;
  /** The exchange's id of the order. */
  readonly order: number;
  readonly acceptedAt: Instant;
  status: OrderStatus;
  matched: Money = ZERO;
  winnings: Money = ZERO;
  /** Stake that may still match: current also while a fill is being reported. */
  unmatched: Money;
  voided: Money = ZERO;
  reason: CancellationReason | undefined;
  changedAt: Instant;
  /** When it was first not live any more: matched whole, cancelled or voided. Settlement changes it later. */
  endedAt: Instant | undefined;
  /** The stake before it at its price when it began to rest. */
  queueAhead: Money | undefined;
  /** The order's place among the orders of its market. */
  link: ListLink<OrderTrack> | undefined;
  /** Whether the order is in the list of changes that was not drained yet. */
  isChanged = false;
  /** Gross profit or loss of its trades, in 10⁻⁶; undefined before settlement. */
  profit: Money | undefined;

  constructor(request: OrderRequest, market: number, order: number, status: OrderStatus, at: Instant) {
    this.request = request;
    this.market = market;
    this.order = order;
    this.status = status;
    this.acceptedAt = at;
    this.changedAt = at;
    this.unmatched = request.stake;
  }

  /** Whether the order ended without a match: no further report of it will come. */
  get isReleasable(): boolean {
    return this.matched === 0 && ORDER_MOVES[this.status].length === 0;
  }

  /**
   * Moves a fill's stake from `unmatched` to `matched`, so that a fill listener reads both as they are after the fill. The exchange's
   * own `orderChanged` comes after the fill, with the same figure.
   */
  match(price: Price, stake: Money): void {
    this.matched = (this.matched + stake) as Money;
    this.unmatched = (this.unmatched - stake) as Money;
    this.winnings = (this.winnings + profitAt(stake, price)) as Money;
  }

  /** Books that a removal changed the price of one of the order's trades. */
  reprice(stake: Money, from: Price, to: Price): void {
    this.winnings = (this.winnings - profitAt(stake, from) + profitAt(stake, to)) as Money;
  }

  /** Books what a trade brought, or how much more than before a resettlement says it did. */
  settle(profit: Money): void {
    this.profit = ((this.profit ?? 0) + profit) as Money;
  }

  report(): OrderReport {
    const isVoided = this.status === 'Voided';
    const { order, status, unmatched: stakeUnmatched, changedAt: at, reason } = this;
    const { client, stake } = this.request;
    const stakeMatched = isVoided ? ZERO : this.matched;
    const winningsMatched = isVoided ? ZERO : this.winnings;
    const stakeVoided = isVoided ? stake : this.voided;
    return reason === undefined
      ? { client, order, status, stakeMatched, winningsMatched, stakeUnmatched, stakeVoided, at }
      : { client, order, status, stakeMatched, winningsMatched, stakeUnmatched, stakeVoided, at, reason };
  }
}

/** Makes a track again for an order that ended without a match and was released. */
export function trackOfEnded(view: OrderView, client: number, wallet: number): OrderTrack {
  const { id: order, market, outcome, side, tick, stake, keepWhenInPlay, matchBehavior, status, createdAt } = view;
  const request = { client, strategy: 0, wallet, market, outcome, side, tick, stake, keepWhenInPlay, matchBehavior };
  const track = new OrderTrack(request, market, order, status, createdAt);
  track.unmatched = view.stakeUnmatched;
  track.voided = view.stakeVoided;
  track.reason = view.reason;
  track.changedAt = view.modifiedAt;
  return track;
}

/** Keeps where orders came into the queue, from the moment at which they rest until their events are read and their tracks exist. */
export class QueueArrivals {
  /** The exchange's id of an order, then the stake ahead of it, and so on. */
  readonly #waiting: number[] = [];

  rests(order: number, stakeAhead: Money): void {
    this.#waiting.push(order, stakeAhead);
  }

  /** Writes them into the tracks. What an order found first counts: a non-runner may move it to another price later. */
  writeTo(tracks: SequenceMap<OrderTrack>): void {
    for (let i = 0; i < this.#waiting.length; i += 2) {
      const track = tracks.get(this.#waiting[i] ?? -1);
      if (track !== undefined) track.queueAhead ??= (this.#waiting[i + 1] ?? 0) as Money;
    }
    if (this.#waiting.length > 0) this.#waiting.length = 0;
  }
}

const IDS_AT_FIRST = 256;
const NO_ORDER_YET = -1;

/**
 * Maps the exchange's order numbers to our client order ids, for the whole run: all that is kept of an order that ended without a match.
 * The exchange numbers the orders it accepts one by one, so that an index in the column finds them.
 */
export class ClientOrderIds {
  #first = NO_ORDER_YET;
  #count = 0;
  #clientOrderIds = new Int32Array(IDS_AT_FIRST);

  add(order: number, clientOrderId: number): void {
    if (this.#first === NO_ORDER_YET) this.#first = order;
    assert(order === this.#first + this.#count, 'accepted orders are numbered one by one');
    if (this.#count === this.#clientOrderIds.length)
      this.#clientOrderIds = grownInts(this.#clientOrderIds, 2 * this.#count);
    this.#clientOrderIds[this.#count] = clientOrderId;
    this.#count += 1;
  }

  /** The client order id of one of the exchange's orders; undefined for an order that was never accepted here. */
  of(order: number): number | undefined {
    const at = order - this.#first;
    return at >= 0 && at < this.#count ? this.#clientOrderIds[at] : undefined;
  }
}
