/** Converts orders from the core's types to the API's documents. */

import { writer } from '../../../codec/codec-write.ts';
import { instantToWire } from '../../../codec/instants.ts';
import type { OtherWord, Written } from '../../../codec/notation.ts';
import type { Tick } from '../../../core/number/ladder.ts';
import type { Instant, Money } from '../../../core/number/units.ts';
import type { MatchBehavior, OrderStatus } from '../../../core/order.ts';
import type { Side } from '../../../core/side.ts';
import { amountToWire, tickToWire } from '../codec/decimals.ts';
import { idToWire } from '../codec/ids.ts';
import { Order } from '../shapes/orders.ts';
import { referTo } from '../shapes/references.ts';

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
