/** What an order needs to be placed in one of the answers, and what became of it there. */

import type { Tick } from '../core/ladder.ts';
import type { OrderErrorCode } from '../core/order.ts';
import { ZERO } from '../core/units.ts';
import type { OrderRequest } from '../exchange/gateway.ts';
import type { PlaceRequest } from '../matching/command.ts';
import type { OrderTrack } from './order-track.ts';

/** The market of an order as the exchange knows it. */
export interface OrderMarket {
  readonly exchangeId: number;
  /** What the recorded market, or the run, says of its commission. */
  readonly commissionPpm: number;
}

export type PlacedItem =
  | { readonly kind: 'accepted'; readonly track: OrderTrack }
  | { readonly kind: 'refused'; readonly code: OrderErrorCode };

/** What the exchange calls the things that an order of ours names. */
export interface RequestIds {
  readonly wallet: number;
  readonly market: number;
  readonly commissionRate: number;
}

/** Requests as the exchange reads them. Most batches are of one order, and theirs is written over by the next: the exchange keeps none. */
export class RequestSlip {
  readonly #request: { -readonly [Field in keyof RequestIds | AskedField]: Required<PlaceRequest>[Field] } = {
    wallet: 0,
    market: 0,
    side: 'For',
    outcome: 0,
    tick: 0 as Tick,
    stake: ZERO,
    keepWhenInPlay: false,
    matchBehavior: 'RetainUnmatched',
    commissionRate: 0,
  };
  readonly #requests: readonly PlaceRequest[] = [this.#request];

  write(asked: OrderRequest, { wallet, market, commissionRate }: RequestIds): readonly PlaceRequest[] {
    const request = this.#request;
    request.wallet = wallet;
    request.market = market;
    request.side = asked.side;
    request.outcome = asked.outcome;
    request.tick = asked.tick;
    request.stake = asked.stake;
    request.keepWhenInPlay = asked.keepWhenInPlay;
    request.matchBehavior = asked.matchBehavior;
    request.commissionRate = commissionRate;
    return this.#requests;
  }
}

type AskedField = 'side' | 'outcome' | 'tick' | 'stake' | 'keepWhenInPlay' | 'matchBehavior';
