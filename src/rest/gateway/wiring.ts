/** What all parts of the live gateway share: the clock, the calls, and where they tell what they learn. */

import type { Observable } from 'rxjs';
import type { FeedMessage } from '../../exchange/gateway.ts';
import type { Clock } from '../../time/clock.ts';
import type { SubscriptionType } from '../../wire/enums.ts';
import type { Caller } from '../pages.ts';
import type { StreamEvent } from '../stream/stream-event.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { LiveMarket } from './live-market.ts';
import type { GatewayNotice } from './notice.ts';
import type { WatchSettings } from './settings.ts';

/** What the gateway needs of the stream's client, which its owner starts and closes. */
export interface StreamLink {
  readonly news$: Observable<StreamEvent>;
  subscribe(type: SubscriptionType, ids: readonly string[]): void;
  /** Ids that are not subscribed to change nothing. */
  unsubscribe(type: SubscriptionType, ids: readonly string[]): void;
}

/** What following markets takes: no wallet, no order. */
export interface WatchWiring {
  readonly clock: Clock;
  readonly calls: Caller;
  readonly settings: WatchSettings;
  /** By how much our clock is ahead of the exchange's at least, as far as known; negative: behind. */
  readonly skewMs?: (() => number | undefined) | undefined;
  tell(message: WatchMessage): void;
  note(notice: GatewayNotice): void;
}

export type MarketMessage = Extract<FeedMessage, { readonly kind: 'market' }> & { readonly market: LiveMarket };

export type WatchMessage = MarketMessage | Extract<FeedMessage, { readonly kind: 'read' }>;

export interface Wiring {
  readonly clock: Clock;
  readonly calls: Caller;
  readonly settings: GatewaySettings;
  tell(message: FeedMessage): void;
  note(notice: GatewayNotice): void;
}
