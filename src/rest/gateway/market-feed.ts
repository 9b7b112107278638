/** Markets and their prices alone, for whoever follows an exchange without trading on it. */

import { ignoreElements, merge, type Observable, Subject, share } from 'rxjs';
import { present } from '../../core/assert.ts';
import type { Clock } from '../../time/clock.ts';
import type { Caller } from '../pages.ts';
import { MarketTable } from './market-table.ts';
import { MarketsFeed } from './markets-feed.ts';
import type { GatewayNotice } from './notice.ts';
import { PricesFeed } from './prices-feed.ts';
import { checkWatch, type FeedChoice, type WatchSettings } from './settings.ts';
import { streamFeed } from './stream-feed.ts';
import type { MarketMessage, StreamLink, WatchWiring } from './wiring.ts';

export interface MarketFeedParts {
  readonly clock: Clock;
  readonly client: Caller;
  /** Needed where a feed is to be streamed. Its owner starts and closes it. */
  readonly stream?: StreamLink;
  readonly settings: WatchSettings;
}

export interface MarketFeed {
  /** Does all the reading while it is subscribed to. It never ends, and fails only by a bug of ours. */
  readonly news$: Observable<MarketMessage>;
  /** Faults at the edge. Hot; ends never. */
  readonly notices$: Observable<GatewayNotice>;
}

export function marketFeed({ clock, client, stream, settings }: MarketFeedParts): MarketFeed {
  checkWatch(settings.watch);
  const messages$ = new Subject<MarketMessage>();
  const notices$ = new Subject<GatewayNotice>();
  const wiring: WatchWiring = {
    clock,
    calls: client,
    settings,
    tell: (message) => messages$.next(message),
    note: (notice) => notices$.next(notice),
  };
  const link = stream === undefined ? undefined : streamFeed(stream, clock);
  const streamOf = (choice: FeedChoice) =>
    choice.kind === 'poll' ? undefined : present(link, 'a feed that is to be streamed needs a stream');
  const table = new MarketTable(wiring);
  const prices = new PricesFeed(wiring, table, streamOf(settings.feeds.prices));
  const markets = new MarketsFeed(wiring, table, streamOf(settings.feeds.markets));
  const work$ = merge(prices.run$, markets.run$).pipe(ignoreElements());
  return { notices$, news$: merge(messages$, work$).pipe(share()) };
}
