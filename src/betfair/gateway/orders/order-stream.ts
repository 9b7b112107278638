/** The orders of the account as the stream tells them. */

import { filter, map, share } from 'rxjs';
import { defined } from '../../../core/checks/assert.ts';
import type { OrderStream } from '../../../exchange-live/orders/order-source.ts';
import type { FeedChoice } from '../../../exchange-live/settings.ts';
import type { BetfairStream } from '../../stream/betfair-stream.ts';
import type { OrderReading } from './order-reading.ts';

/**
 * Undefined where orders are polled. An order is told whole, and its end once: what vanished, cannot be read, or ended without a reason is
 * read by its id, and after an image all orders are read.
 */
export function orderStream(
  choice: FeedChoice,
  given: BetfairStream | undefined,
  reading: OrderReading,
): OrderStream | undefined {
  if (choice.kind !== 'stream') return undefined;
  const stream = defined(given, 'a feed that is to be streamed needs a stream');
  const told$ = stream.orders$.pipe(
    filter(({ kind }) => kind !== 'closed'),
    map((news) => (news.kind === 'order' ? reading.told(news.order, news.receivedAt) : undefined)),
    share(),
  );
  return {
    changed$: told$.pipe(filter((facts) => facts !== undefined)),
    resync$: told$.pipe(filter((facts) => facts === undefined)),
    proven$: stream.proven$.pipe(
      filter(({ feed }) => feed === 'orders'),
      map(({ at }) => at),
    ),
    subscribe: () => stream.orders({}),
  };
}
