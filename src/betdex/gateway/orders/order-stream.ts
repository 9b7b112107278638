/** The orders of the run's wallets as the stream reports them. */

import { filter, map, merge, share } from 'rxjs';
import { instant } from '../../../core/number/units.ts';
import type { TermsOf } from '../../../exchange-live/orders/order-facts.ts';
import type { OrderStream } from '../../../exchange-live/orders/order-source.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { messagesOf, type StreamFeed } from '../base/stream-feed.ts';
import { factsOfUpdate } from './order-documents.ts';

/** The changes of the run's orders; subscribing covers the app's orders in the run's wallets. An update that cannot be read is a missed one. */
export function orderStream(
  stream: StreamFeed,
  { settings, note, clock }: GatewayContext,
  termsOf: TermsOf,
): OrderStream {
  const updates$ = messagesOf(stream, 'OrderUpdate').pipe(
    map((update) => factsOfUpdate(update, { termsOf, readAt: instant(Math.floor(clock.now())) }, note)),
    share(),
  );
  return {
    changed$: updates$.pipe(filter((facts) => facts !== undefined)),
    resync$: merge(stream.resync$, updates$.pipe(filter((facts) => facts === undefined))),
    subscribe: () => {
      const ids = settings.wallets.map((wallet) => `${settings.appId}:${wallet}`);
      stream.subscribe('OrderUpdate', ids);
    },
  };
}
