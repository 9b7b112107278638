/** Requests for new orders, converted to the core's types: a batch is checked as a whole before any order of it is placed. */

import type { Static } from '@sinclair/typebox';
import { writer } from '../../../codec/codec-write.ts';
import { FaultList, type WireResult } from '../../../codec/fault.ts';
import type { Tick } from '../../../core/number/ladder.ts';
import type { Money } from '../../../core/number/units.ts';
import type { MatchBehavior } from '../../../core/order.ts';
import type { Side } from '../../../core/side.ts';
import { BatchBody, type CreateOrderRequest } from '../basics/requests.ts';
import { amountToWire, stakeFromWire, tickFromWire, tickToWire } from '../codec/decimals.ts';

/** `stake` is positive and a multiple of 10⁻³. */
export interface NewOrder {
  readonly walletId: string;
  readonly marketId: string;
  readonly side: Side;
  readonly outcomeId: string;
  readonly tick: Tick;
  readonly stake: Money;
  readonly keepWhenInPlay: boolean;
  readonly matchBehavior: MatchBehavior;
  readonly reference?: string;
  readonly commissionRateId?: string;
}

const writeBatch = writer(BatchBody);

/** The body of POST /orders/batch, for 1 to 50 orders. */
export function newOrdersToWire(orders: readonly NewOrder[]): unknown {
  return writeBatch({ requests: orders.map(requestOf) });
}

/**
 * Converts the orders in a body that a reader has already checked. If any is faulty, returns every fault of every item, each
 * with its index, as in `requests[3].price` (profile section 3).
 */
export function newOrdersOfBatch({ requests }: Static<typeof BatchBody>): WireResult<readonly NewOrder[]> {
  const faults = new FaultList();
  const orders: NewOrder[] = [];
  for (const [index, request] of requests.entries()) {
    const order = newOrderOf(request);
    if (order.kind === 'read') orders.push(order.value);
    else faults.take(order, `requests[${index}]`);
  }
  return faults.result(orders);
}

/** Converts an order to the API's request. */
export function requestOf(order: NewOrder): Static<typeof CreateOrderRequest> {
  const { tick, stake, ...same } = order;
  return { ...same, price: tickToWire(tick), stake: amountToWire(stake) };
}

/** Converts one order of a body that a reader has already checked. */
export function newOrderOf(request: Static<typeof CreateOrderRequest>): WireResult<NewOrder> {
  const faults = new FaultList();
  const { walletId, marketId, side, outcomeId, keepWhenInPlay, matchBehavior, reference, commissionRateId } = request;
  const tick = faults.take(tickFromWire(request.price), 'price');
  const stake = faults.take(stakeFromWire(request.stake), 'stake');
  const order: { -readonly [K in keyof NewOrder]?: NewOrder[K] | undefined } = {
    walletId,
    marketId,
    side,
    outcomeId,
    tick,
    stake,
    keepWhenInPlay,
    matchBehavior,
  };
  if (reference !== undefined) order.reference = reference;
  if (commissionRateId !== undefined) order.commissionRateId = commissionRateId;
  // Tick and stake are defined unless they left a fault, and then the value is not returned.
  return faults.result(order as NewOrder);
}
