/** What the parts that follow orders share: the clock, the settings, and the outputs for messages and notices. */

import type { FeedMessage } from '../../exchange/gateway.ts';
import type { Clock } from '../../time/clock.ts';
import type { GatewayNotice } from '../notice.ts';
import type { TradingSettings } from '../settings.ts';

/** `emit` sends a message to the port's feed, `note` a notice to the gateway's owner. */
export interface TradingContext {
  readonly clock: Clock;
  readonly settings: TradingSettings;
  emit(message: FeedMessage): void;
  note(notice: GatewayNotice): void;
}
