/** What the parts that follow markets share: the clock, the settings, and the outputs for messages and notices. */

import type { FeedMessage } from '../../exchange/gateway.ts';
import type { Clock } from '../../time/clock.ts';
import type { GatewayNotice } from '../notice.ts';
import type { WatchSettings } from '../settings.ts';
import type { LiveMarket } from './live-market.ts';

export type MarketMessage = Extract<FeedMessage, { readonly kind: 'market' }> & { readonly market: LiveMarket };

/** The messages of the feed that come of following markets. */
export type WatchMessage = MarketMessage | Extract<FeedMessage, { readonly kind: 'read' }>;

/** It needs no wallets and no orders. */
export interface MarketContext {
  readonly clock: Clock;
  readonly settings: WatchSettings;
  emit(message: WatchMessage): void;
  note(notice: GatewayNotice): void;
}
