/** What all parts of the live gateway share: the clock, the calls, and where they tell what they learn. */

import type { Observable } from 'rxjs';
import type { FeedMessage } from '../../exchange/gateway.ts';
import type { Clock } from '../../time/clock.ts';
import type { SubscriptionType } from '../../wire/enums.ts';
import type { Caller } from '../pages.ts';
import type { StreamEvent } from '../stream/stream-event.ts';
import type { GatewayNotice } from './notice.ts';
import type { GatewaySettings } from './settings.ts';

/** What the gateway needs of the stream's client, which its owner starts and closes. */
export interface StreamLink {
  readonly news$: Observable<StreamEvent>;
  subscribe(type: SubscriptionType, ids: readonly string[]): void;
}

export interface Wiring {
  readonly clock: Clock;
  readonly calls: Caller;
  readonly settings: GatewaySettings;
  tell(message: FeedMessage): void;
  note(notice: GatewayNotice): void;
}
