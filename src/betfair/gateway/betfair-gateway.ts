/** The gateway to Betfair: the port over its API. */

import { map, merge, type Observable, Subject, share } from 'rxjs';
import { assert } from '../../core/checks/assert.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { FeedMessage } from '../../exchange/gateway.ts';
import type { ExchangeGateway } from '../../exchange-live/adapter/exchange.ts';
import type { MarketMessage } from '../../exchange-live/markets/market-context.ts';
import { MarketTable } from '../../exchange-live/markets/market-table.ts';
import type { GatewayNotice } from '../../exchange-live/notice.ts';
import { Cancelling } from '../../exchange-live/orders/cancelling.ts';
import type { KnownOrders } from '../../exchange-live/orders/known-orders.ts';
import type { OrderFacts, TermsOf } from '../../exchange-live/orders/order-facts.ts';
import { orderParts } from '../../exchange-live/orders/order-parts.ts';
import type { OrdersRead } from '../../exchange-live/orders/order-source.ts';
import { resume } from '../../exchange-live/orders/resume.ts';
import { PollBudget } from '../../exchange-live/polling/poll-budget.ts';
import { checkTradingSettings } from '../../exchange-live/settings.ts';
import type { Clock } from '../../time/clock.ts';
import type { BetfairCaller } from '../client/call.ts';
import type { BetfairStream } from '../stream/betfair-stream.ts';
import { countedCalls } from './base/counted-calls.ts';
import type { GatewayContext, WatchContext } from './base/gateway-context.ts';
import { Heartbeats } from './base/heartbeats.ts';
import { BookReading } from './markets/book-reading.ts';
import { FollowedBooks } from './markets/followed-books.ts';
import { MarketsFeed } from './markets/markets-feed.ts';
import { priceTask } from './markets/price-task.ts';
import { streamedBooks } from './markets/streamed-books.ts';
import { readSnapshot } from './money/account-snapshots.ts';
import { SettlementsFeed } from './money/settlements-feed.ts';
import { walletFeed } from './money/wallet-feed.ts';
import { cancelCall } from './orders/cancel-calls.ts';
import { EndReasons } from './orders/end-reasons.ts';
import { OrderMarkets } from './orders/order-markets.ts';
import { OrderReading } from './orders/order-reading.ts';
import { orderStream } from './orders/order-stream.ts';
import { Placing } from './orders/placing.ts';

export interface BetfairGatewayParts {
  readonly clock: Clock;
  readonly calls: BetfairCaller;
  readonly settings: GatewayContext['settings'];
  /** Our clock is ahead of the exchange's by at least this many ms, as far as is known; negative if it is behind. */
  readonly skewMs: () => number | undefined;
  /** Absent where no feed is streamed. */
  readonly stream?: BetfairStream | undefined;
  /** The state that an earlier process of the run left. */
  readonly resume?: RunState | undefined;
}

/** Characters of the longest customerOrderRef (profile section 5). */
const REFERENCE_MAX = 32;
const TRUST = { endsAreCertain: true, voidsMatched: true } as const;

/**
 * `feed$` does all the reading while it is subscribed to. A market is listed before its orders are reported, its orders are
 * reported before its result, and its result before it is closed. Throws an AssertionFailure for settings that make no sense.
 */
export function betfairGateway(parts: BetfairGatewayParts): ExchangeGateway {
  const { clock, settings } = parts;
  checkTradingSettings(settings);
  assert(settings.wallets.length === 1, 'an account at Betfair has one wallet');
  const messages$ = new Subject<FeedMessage>();
  const marketUpdates$ = new Subject<MarketMessage>();
  const notices$ = new Subject<GatewayNotice>();
  const budget = settings.pollsPerSecond === undefined ? undefined : new PollBudget(clock, settings.pollsPerSecond);
  const shared = {
    ...{ clock, settings, calls: budget === undefined ? parts.calls : countedCalls(parts.calls, budget) },
    note: (notice: GatewayNotice): void => notices$.next(notice),
  };
  const context: GatewayContext = { ...shared, emit: (message) => messages$.next(message) };
  const watching: WatchContext = {
    ...{ ...shared, skewMs: parts.skewMs },
    emit: (message) => {
      messages$.next(message);
      if (message.kind === 'market') marketUpdates$.next(message);
    },
  };
  const gateway = assemble(parts, { context, watching, budget });
  return {
    notices$,
    marketUpdates$,
    feed$: merge(messages$, ...gateway.feeds.map(({ run$ }) => run$)).pipe(share()),
    ...gateway.port,
  };
}

interface Assembled {
  readonly port: Omit<ExchangeGateway, 'notices$' | 'marketUpdates$' | 'feed$'>;
  readonly feeds: readonly { readonly run$: Observable<never> }[];
}

/** The run's live orders, without those of others. */
function liveOf(reading: OrderReading, known: KnownOrders): Observable<OrdersRead> {
  const isOwn = (facts: OrderFacts) => known.clientOf(facts) !== undefined;
  return reading
    .live()
    .pipe(map((read) => (read.kind === 'failed' ? read : { ...read, orders: read.orders.filter(isOwn) })));
}

/** Creates the parts of the gateway and connects them to each other. */
function assemble(
  parts: BetfairGatewayParts,
  shared: {
    readonly context: GatewayContext;
    readonly watching: WatchContext;
    readonly budget: PollBudget | undefined;
  },
): Assembled {
  const { context, watching, budget } = shared;
  const table = new MarketTable(watching, { closesAtOnce: false });
  const termsOf: TermsOf = (order) => own.known.termsOf(order);
  const markets = new OrderMarkets();
  const reasons: EndReasons = new EndReasons(context, () => heartbeats.mayHaveLapsed());
  const reading: OrderReading = new OrderReading({ context, termsOf, markets, reasons });
  const heartbeats: Heartbeats = new Heartbeats({ context, live: () => liveOf(reading, own.known) });
  const cancelParts = { context, markets, reading, reasons };
  const access = {
    ...{ reading, cancel: cancelCall(cancelParts), referenceMax: REFERENCE_MAX, trust: TRUST },
    stream: orderStream(context.settings.feeds.orders, parts.stream, reading),
  };
  const own = orderParts(context, table, access);
  const { known, cancelling, placements, updates, orders, unknown } = own;
  const placing = new Placing({ context, table, known, unknown, placements, markets });
  const books = new FollowedBooks(watching, table);
  const streamed = streamedBooks({ context: watching, table, books }, parts.stream);
  const prices = priceTask({
    ...{ context: watching, table, budget, reading: new BookReading(watching, table, books, streamed.tellsPrices) },
    isBusy: (id) => known.isLiveIn(id) || unknown.seeksIn(id) || placements.isUnderWayIn(id),
  });
  if (parts.resume !== undefined) resume(parts.resume, { table, known, unknown, updates });
  return {
    // The order matters: subscribers to the market table must start before MarketsFeed, which fills it.
    feeds: [
      updates,
      new SettlementsFeed({ context, table, known, unknown, reading, markets, reasons }, parts.resume?.results ?? []),
      prices,
      streamed,
      orders,
      walletFeed(context, () => placing.answered),
      unknown,
      new MarketsFeed(watching, table, books),
    ],
    port: {
      place: (batch, mayLeave) => placing.place(batch, mayLeave),
      cancel: (ids) => cancelling.cancel(ids),
      reduce: (order, stake) =>
        new Cancelling({ context, known, reading, cancel: cancelCall(cancelParts, stake), feed: orders }).cancel([
          order,
        ]),
      heartbeat: (timeoutMs) => heartbeats.arm(timeoutMs),
      clearHeartbeat: (leavesOrders = false) => heartbeats.clear(leavesOrders),
      accountSnapshot: () => readSnapshot({ context, known, reading }),
      adopt: (order, client) => {
        known.adopt(order, client);
        orders.wake();
      },
      follow: (ids) => table.follow(ids),
    },
  };
}
