/** Reads markets and their prices alone, for programs that follow Betfair without trading on it. */

import { ignoreElements, merge, Subject, share } from 'rxjs';
import type { MarketFeed } from '../../exchange-live/adapter/exchange.ts';
import type { WatchMessage } from '../../exchange-live/markets/market-context.ts';
import { MarketTable } from '../../exchange-live/markets/market-table.ts';
import type { GatewayNotice } from '../../exchange-live/notice.ts';
import { PollBudget } from '../../exchange-live/polling/poll-budget.ts';
import { checkWatch } from '../../exchange-live/settings.ts';
import type { Clock } from '../../time/clock.ts';
import type { BetfairCaller } from '../client/call.ts';
import type { BetfairStream } from '../stream/betfair-stream.ts';
import { countedCalls } from './base/counted-calls.ts';
import type { WatchContext } from './base/gateway-context.ts';
import { BookReading } from './markets/book-reading.ts';
import { FollowedBooks } from './markets/followed-books.ts';
import { MarketsFeed } from './markets/markets-feed.ts';
import { priceTask } from './markets/price-task.ts';
import { streamedBooks } from './markets/streamed-books.ts';

export interface MarketFeedParts {
  readonly clock: Clock;
  readonly calls: BetfairCaller;
  readonly settings: WatchContext['settings'];
  readonly skewMs: () => number | undefined;
  /** Absent where no feed is streamed. */
  readonly stream?: BetfairStream | undefined;
  readonly onDescribed?: WatchContext['onDescribed'];
}

/** Throws an AssertionFailure if the settings make no sense. */
export function marketFeed({ clock, calls, settings, skewMs, stream, onDescribed }: MarketFeedParts): MarketFeed {
  checkWatch(settings);
  const messages$ = new Subject<WatchMessage>();
  const notices$ = new Subject<GatewayNotice>();
  const budget = settings.pollsPerSecond === undefined ? undefined : new PollBudget(clock, settings.pollsPerSecond);
  const context: WatchContext = {
    ...{ clock, settings, skewMs, onDescribed, calls: budget === undefined ? calls : countedCalls(calls, budget) },
    emit: (message) => messages$.next(message),
    note: (notice) => notices$.next(notice),
  };
  const table = new MarketTable(context, { closesAtOnce: true });
  const books = new FollowedBooks(context, table);
  const streamed = streamedBooks({ context, table, books }, stream);
  const reading = new BookReading(context, table, books, streamed.tellsPrices);
  const prices = priceTask({ context, table, budget, reading, isBusy: () => false });
  const markets = new MarketsFeed(context, table, books);
  const work$ = merge(streamed.run$, prices.run$, markets.run$).pipe(ignoreElements());
  return { notices$, updates$: merge(messages$, work$).pipe(share()) };
}
