/** Converts orders between the core's types and the API's documents. */

import type { Tick } from '../../../core/number/ladder.ts';
import type { Instant, Money } from '../../../core/number/units.ts';
import type { MatchBehavior, OrderStatus } from '../../../core/order.ts';
import { SIDES, type Side } from '../../../core/side.ts';
import { writer } from '../codec/codec-write.ts';
import { amountToWire, partFromWire, tickFromWire, tickToWire } from '../codec/decimals.ts';
import { FaultList, type WireResult } from '../codec/fault.ts';
import { idFromWire, idToWire } from '../codec/ids.ts';
import { instantFromWire, instantToWire } from '../codec/instants.ts';
import type { OtherWord, Read, Written } from '../codec/notation.ts';
import { Order } from '../shapes/orders.ts';
import { referTo } from '../shapes/references.ts';

export type OrderDocument = Read<typeof Order>;

/** Everything that an order's document holds. Stakes are the backer's; words that this client does not know are kept. */
export interface WireOrder {
  readonly id: number;
  readonly appId?: string;
  readonly marketId: string;
  readonly walletId?: string;
  readonly side: Side;
  readonly outcomeId: string;
  readonly outcomeTitle: string;
  readonly tick: Tick;
  readonly stake: Money;
  readonly stakeUnmatched: Money;
  readonly stakeVoided: Money;
  readonly keepWhenInPlay: boolean;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly commissionRateId?: string;
  readonly reference?: string;
  readonly status: OrderStatus | OtherWord;
  readonly matchBehavior: MatchBehavior | OtherWord;
  readonly cancellationReason?: string;
}

const writeDocument = writer(Order);

/** The optional fields that have the same form in a document and in an order. */
function optionalFields(
  from: Pick<WireOrder, 'appId' | 'walletId' | 'commissionRateId' | 'reference' | 'cancellationReason'>,
) {
  const { appId, walletId, commissionRateId, reference, cancellationReason } = from;
  return {
    ...(appId === undefined ? {} : { appId }),
    ...(walletId === undefined ? {} : { walletId }),
    ...(commissionRateId === undefined ? {} : { commissionRateId }),
    ...(reference === undefined ? {} : { reference }),
    ...(cancellationReason === undefined ? {} : { cancellationReason }),
  };
}

/** Converts an order to the specification's document, for `JSON.stringify`. */
export function orderToWire(order: WireOrder): unknown {
  const { id, marketId, tick, stake, stakeUnmatched, stakeVoided, createdAt, modifiedAt, ...same } = order;
  return writeDocument({
    ...same,
    id: idToWire(id),
    market: referTo('markets', [marketId]),
    price: tickToWire(tick),
    stake: amountToWire(stake),
    stakeUnmatched: amountToWire(stakeUnmatched),
    stakeVoided: amountToWire(stakeVoided),
    createdAt: instantToWire(createdAt),
    modifiedAt: instantToWire(modifiedAt),
  } as Written<typeof Order>);
}

/** Converts an order document that a reader has already checked, alone or as part of an answer. */
export function orderOfDocument(document: OrderDocument): WireResult<WireOrder> {
  const faults = new FaultList();
  const [marketId, ...others] = document.market._ids;
  if (marketId === undefined) faults.add('MISSING', 'market._ids[0]');
  if (others.length > 0) faults.add('OUT_OF_RANGE', 'market._ids');
  const fields = {
    id: faults.take(idFromWire(document.id), 'id'),
    ...optionalFields(document),
    marketId,
    side: SIDES.find((side) => side === document.side) ?? faults.add('UNKNOWN_WORD', 'side'),
    outcomeId: document.outcomeId,
    outcomeTitle: document.outcomeTitle,
    tick: faults.take(tickFromWire(document.price), 'price'),
    stake: faults.take(partFromWire(document.stake), 'stake'),
    stakeUnmatched: faults.take(partFromWire(document.stakeUnmatched), 'stakeUnmatched'),
    stakeVoided: faults.take(partFromWire(document.stakeVoided), 'stakeVoided'),
    keepWhenInPlay: document.keepWhenInPlay,
    createdAt: faults.take(instantFromWire(document.createdAt), 'createdAt'),
    modifiedAt: faults.take(instantFromWire(document.modifiedAt), 'modifiedAt'),
    status: document.status,
    matchBehavior: document.matchBehavior,
  };
  // Each field is defined unless it left a fault, and then the value is not returned.
  return faults.result(fields as WireOrder);
}
