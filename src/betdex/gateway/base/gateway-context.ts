/** What the parts of the gateway share: REST calls, stream, clock, settings and the outputs for messages and notices. */

import type { Observable } from 'rxjs';
import type { MarketContext } from '../../../exchange-live/markets/market-context.ts';
import type { TradingContext } from '../../../exchange-live/orders/trading-context.ts';
import type { LenientCaller } from '../../client/call.ts';
import type { StreamEvent } from '../../stream/stream-event.ts';
import type { SubscriptionType } from '../../wire/basics/enums.ts';
import type { GatewaySettings } from './gateway-settings.ts';

/** What the gateway needs of the stream's client. The owner of the client starts and closes it. */
export interface StreamLink {
  /** The events of a `StreamClient`. */
  readonly events$: Observable<StreamEvent>;
  /** Asks for the updates of these ids. Ids that are subscribed to are ignored. */
  subscribe(type: SubscriptionType, ids: readonly string[]): void;
  /** Ids that are not subscribed to are ignored. */
  unsubscribe(type: SubscriptionType, ids: readonly string[]): void;
}

/** What the parts that follow markets need. */
export interface WatchContext extends MarketContext {
  readonly calls: LenientCaller;
  /** Our clock is ahead of the exchange's by at least this many ms, as far as is known; negative if it is behind. */
  readonly skewMs?: (() => number | undefined) | undefined;
}

/** What the parts that place and follow orders need. */
export interface GatewayContext extends TradingContext {
  readonly calls: LenientCaller;
  readonly settings: GatewaySettings;
}
