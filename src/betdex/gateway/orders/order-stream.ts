/** The orders of the run's wallets as the stream reports them. */

import { filter, map } from 'rxjs';
import type { OrderStream } from '../../../exchange-live/orders/order-source.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { messagesOf, type StreamFeed } from '../base/stream-feed.ts';
import { factsOfUpdate } from './order-documents.ts';

/** The changes of the run's orders; subscribing covers the app's orders in the run's wallets. */
export function orderStream(stream: StreamFeed, { settings, note }: GatewayContext): OrderStream {
  return {
    changed$: messagesOf(stream, 'OrderUpdate').pipe(
      map((update) => factsOfUpdate(update, note)),
      filter((facts) => facts !== undefined),
    ),
    resync$: stream.resync$,
    subscribe: () => {
      const ids = settings.wallets.map((wallet) => `${settings.appId}:${wallet}`);
      stream.subscribe('OrderUpdate', ids);
    },
  };
}
