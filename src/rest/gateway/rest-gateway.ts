/** The gateway of live and paper runs: the port over the REST client and, where a feed is to be streamed, the stream. */

import { EMPTY, filter, ignoreElements, merge, type Observable, Subject, share, tap } from 'rxjs';
import { present } from '../../core/assert.ts';
import type { FeedMessage, Gateway } from '../../exchange/gateway.ts';
import type { Clock } from '../../time/clock.ts';
import type { Caller } from '../pages.ts';
import { Cancelling } from './cancelling.ts';
import { clearHeartbeat, heartbeat } from './heartbeats.ts';
import { KnownOrders } from './known-orders.ts';
import { MarketTable } from './market-table.ts';
import { MarketsFeed } from './markets-feed.ts';
import type { GatewayNotice } from './notice.ts';
import { OrderReading } from './order-reading.ts';
import { OrdersFeed } from './orders-feed.ts';
import { Placing } from './placing.ts';
import { PricesFeed } from './prices-feed.ts';
import { References } from './references.ts';
import { checkSettings, type FeedChoice, type GatewaySettings } from './settings.ts';
import { SettlementsFeed } from './settlements-feed.ts';
import { streamFeed } from './stream-feed.ts';
import { UnknownOrders } from './unknown-orders.ts';
import { WalletsFeed } from './wallets-feed.ts';
import type { StreamLink, Wiring } from './wiring.ts';

export interface RestGatewayParts {
  readonly clock: Clock;
  readonly client: Caller;
  /** Needed where a feed is to be streamed. Its owner starts and closes it. */
  readonly stream?: StreamLink;
  readonly settings: GatewaySettings;
}

export interface RestGateway extends Gateway {
  /** Faults at the edge and orders of others, as they are met. Hot; ends never. */
  readonly notices$: Observable<GatewayNotice>;
}

/**
 * `feed$` does all the reading while it is subscribed to, for however many listeners; subscribe to it before the first
 * order is placed. It never ends, and fails only by a bug of ours.
 */
export function restGateway(parts: RestGatewayParts): RestGateway {
  const { clock, client: calls, settings } = parts;
  checkSettings(settings);
  const messages$ = new Subject<FeedMessage>();
  const notices$ = new Subject<GatewayNotice>();
  const wiring: Wiring = {
    clock,
    calls,
    settings,
    tell: (message) => messages$.next(message),
    note: (notice) => notices$.next(notice),
  };
  const streamOf = streams(parts);
  const references = new References(settings.referencePrefix);
  const table = new MarketTable(wiring);
  const reading = new OrderReading(wiring);
  const known = new KnownOrders(wiring, references);
  const unknown = new UnknownOrders({ wiring, table, references, known, reading });
  const orders = new OrdersFeed({ wiring, known, reading }, streamOf(settings.feeds.orders));
  const wallets = new WalletsFeed(wiring, streamOf(settings.feeds.wallets));
  const placing = new Placing({ wiring, table, references, known, unknown });
  const cancelling = new Cancelling({ wiring, known, reading, feed: orders });
  // Whoever hears of markets listens before they are looked for.
  const feeds = [
    new SettlementsFeed({ wiring, table, known, reading }),
    new PricesFeed(wiring, table, streamOf(settings.feeds.prices)),
    orders,
    wallets,
    unknown,
    new MarketsFeed(wiring, table, streamOf(settings.feeds.markets)),
  ];
  const touched$ = messages$.pipe(
    filter(({ kind }) => kind === 'order'),
    tap(() => wallets.touch()),
    ignoreElements(),
  );
  return {
    notices$,
    feed$: merge(messages$, touched$, notStreamed(parts, notices$), ...feeds.map(({ run$ }) => run$)).pipe(share()),
    place: (batch) => placing.place(batch).pipe(tap(() => wallets.touch())),
    cancel: (ids) => cancelling.cancel(ids).pipe(tap(() => wallets.touch())),
    heartbeat: (timeoutMs) => heartbeat(calls, timeoutMs),
    clearHeartbeat: () => clearHeartbeat(calls),
  };
}

/** The stream for those feeds that are to be streamed. */
function streams({ stream, clock }: RestGatewayParts) {
  const feed = stream === undefined ? undefined : streamFeed(stream, clock);
  return (choice: FeedChoice) => {
    if (choice.kind === 'poll') return undefined;
    return present(feed, 'a feed that is to be streamed needs a stream');
  };
}

/** Ids beyond the stream's limits: their feeds fall back on what is read over REST. */
function notStreamed({ stream }: RestGatewayParts, notices$: Subject<GatewayNotice>): Observable<never> {
  if (stream === undefined) return EMPTY;
  return stream.news$.pipe(
    tap((event) => {
      if (event.kind === 'refused') notices$.next({ kind: 'notStreamed', what: event.type, ids: event.ids });
    }),
    ignoreElements(),
  );
}
