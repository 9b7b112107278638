/** Reads markets and their prices alone, for programs that follow an exchange without trading on it. */

import { ignoreElements, merge, Subject, share } from 'rxjs';
import type { MarketFeed } from '../../exchange-live/adapter/exchange.ts';
import type { WatchMessage } from '../../exchange-live/markets/market-context.ts';
import { MarketTable } from '../../exchange-live/markets/market-table.ts';
import type { GatewayNotice } from '../../exchange-live/notice.ts';
import { PollBudget } from '../../exchange-live/polling/poll-budget.ts';
import { checkWatch, type WatchSettings } from '../../exchange-live/settings.ts';
import type { Clock } from '../../time/clock.ts';
import type { LenientCaller } from '../client/call.ts';
import { countedCalls } from './base/counted-calls.ts';
import type { StreamLink, WatchContext } from './base/gateway-context.ts';
import { streamFor } from './base/stream-feed.ts';
import { MarketsFeed } from './markets/markets-feed.ts';
import { priceTask } from './prices/price-task.ts';

export interface MarketFeedParts {
  readonly clock: Clock;
  readonly client: LenientCaller;
  /** Required if a feed is to be streamed. Its owner starts and closes it. */
  readonly stream?: StreamLink;
  readonly settings: WatchSettings;
  /** Our clock is ahead of the exchange's by at least this many ms, as far as is known; negative if it is behind. */
  readonly skewMs?: () => number | undefined;
}

/** Makes the feed. Throws an AssertionFailure if the settings make no sense. */
export function marketFeed({ clock, client, stream, settings, skewMs }: MarketFeedParts): MarketFeed {
  checkWatch(settings);
  const messages$ = new Subject<WatchMessage>();
  const notices$ = new Subject<GatewayNotice>();
  const budget = settings.pollsPerSecond === undefined ? undefined : new PollBudget(clock, settings.pollsPerSecond);
  const context: WatchContext = {
    clock,
    calls: budget === undefined ? client : countedCalls(client, budget),
    settings,
    skewMs,
    emit: (message) => messages$.next(message),
    note: (notice) => notices$.next(notice),
  };
  const streamOf = streamFor(stream, clock);
  const table = new MarketTable(context, { closesAtOnce: true });
  const { feeds } = settings;
  const prices = priceTask(feeds.prices, {
    context,
    table,
    budget,
    stream: streamOf(feeds.prices),
    isBusy: () => false,
  });
  const markets = new MarketsFeed(context, table, streamOf(feeds.markets));
  const work$ = merge(prices.run$, markets.run$).pipe(ignoreElements());
  return { notices$, updates$: merge(messages$, work$).pipe(share()) };
}
