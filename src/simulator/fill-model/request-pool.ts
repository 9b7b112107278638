/** The requests with which orders are placed under one fill model, and what became of each. */

import { leastFillOf, type MinimumStake } from '../../core/minimum-stake.ts';
import type { Tick } from '../../core/number/ladder.ts';
import { ZERO } from '../../core/number/units.ts';
import type { OrderErrorCode } from '../../core/order.ts';
import type { OrderRequest } from '../../exchange/gateway.ts';
import type { PlaceRequest } from '../../matching/messages/command.ts';
import type { OrderTrack } from './order-track.ts';

/** What the exchange needs to know about the market of an order. */
export interface OrderMarket {
  readonly exchangeId: number;
  /** The commission rate of the recorded market, or of the run, in parts per million. */
  readonly commissionPpm: number;
  readonly minimumStake?: MinimumStake | undefined;
}

/** What became of one order of a batch. */
export type PlacedItem =
  | { readonly kind: 'accepted'; readonly track: OrderTrack }
  | { readonly kind: 'refused'; readonly code: OrderErrorCode };

/** Whose order it is, and on which market. */
export interface RequestOrigin {
  readonly wallet: number;
  readonly market: OrderMarket;
  readonly commissionRate: number;
}

type PooledField = 'wallet' | 'market' | 'commissionRate' | 'minFill' | AskedField;
type PooledRequest = { -readonly [Field in PooledField]: Required<PlaceRequest>[Field] };

/** Makes the exchange's requests. The next batch overwrites those of the last: the exchange keeps none of them. */
export class RequestPool {
  /** Grows with the largest batch so far. */
  readonly #pooled: PooledRequest[] = [];
  /** The requests of the last batch, one for each of its orders. */
  #requests: PlaceRequest[] = [];

  write(batch: readonly OrderRequest[], originOf: (asked: OrderRequest) => RequestOrigin): readonly PlaceRequest[] {
    const { length } = batch;
    if (this.#requests.length !== length) this.#requests = Array.from({ length }, (_, item) => this.#pooledAt(item));
    for (let item = 0; item < length; item += 1) {
      const asked = batch[item];
      if (asked !== undefined) fill(this.#pooledAt(item), asked, originOf(asked));
    }
    return this.#requests;
  }

  #pooledAt(item: number): PooledRequest {
    const known = this.#pooled[item];
    if (known !== undefined) return known;
    const request = emptyRequest();
    this.#pooled[item] = request;
    return request;
  }
}

function emptyRequest(): PooledRequest {
  return {
    wallet: 0,
    market: 0,
    side: 'For',
    outcome: 0,
    tick: 0 as Tick,
    stake: ZERO,
    keepWhenInPlay: false,
    matchBehavior: 'RetainUnmatched',
    commissionRate: 0,
    minFill: undefined,
  };
}

function fill(request: PooledRequest, asked: OrderRequest, { wallet, market, commissionRate }: RequestOrigin): void {
  request.wallet = wallet;
  request.market = market.exchangeId;
  request.side = asked.side;
  request.outcome = asked.outcome;
  request.tick = asked.tick;
  request.stake = asked.stake;
  request.keepWhenInPlay = asked.keepWhenInPlay;
  request.matchBehavior = asked.matchBehavior;
  request.commissionRate = commissionRate;
  const minimum = asked.matchBehavior === 'CancelUnmatched' ? market.minimumStake : undefined;
  request.minFill = minimum === undefined ? undefined : leastFillOf(minimum, asked.stake);
}

type AskedField = 'side' | 'outcome' | 'tick' | 'stake' | 'keepWhenInPlay' | 'matchBehavior';
