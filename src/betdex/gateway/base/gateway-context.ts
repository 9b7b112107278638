/** What the parts that make calls share besides: the calls, and the stream. */

import type { Observable } from 'rxjs';
import type { MarketContext } from '../../../exchange-live/markets/market-context.ts';
import type { TradingContext } from '../../../exchange-live/orders/trading-context.ts';
import type { Caller } from '../../lists/pages.ts';
import type { StreamEvent } from '../../stream/stream-event.ts';
import type { SubscriptionType } from '../../wire/basics/enums.ts';
import type { GatewaySettings } from './gateway-settings.ts';

/** What the gateway needs of the stream's client, which its owner starts and closes. */
export interface StreamLink {
  readonly events$: Observable<StreamEvent>;
  subscribe(type: SubscriptionType, ids: readonly string[]): void;
  /** Ids that are not subscribed to change nothing. */
  unsubscribe(type: SubscriptionType, ids: readonly string[]): void;
}

/** What following markets takes. */
export interface WatchContext extends MarketContext {
  readonly calls: Caller;
  /** By how much our clock is ahead of the exchange's at least, as far as known; negative: behind. */
  readonly skewMs?: (() => number | undefined) | undefined;
}

export interface GatewayContext extends TradingContext {
  readonly calls: Caller;
  readonly settings: GatewaySettings;
}
