/** The gateway of live runs: the port over the REST client and, for streamed feeds, the stream. */

import { EMPTY, filter, ignoreElements, merge, type Observable, Subject, share, tap } from 'rxjs';
import type { RunState } from '../../core/run/run-state.ts';
import type { FeedMessage } from '../../exchange/gateway.ts';
import type { LiveGateway } from '../../exchange/live-gateway.ts';
import type { MarketMessage } from '../../exchange-live/markets/market-context.ts';
import { MarketTable } from '../../exchange-live/markets/market-table.ts';
import type { GatewayNotice } from '../../exchange-live/notice.ts';
import type { TermsOf } from '../../exchange-live/orders/order-facts.ts';
import { orderParts } from '../../exchange-live/orders/order-parts.ts';
import type { CancelCall } from '../../exchange-live/orders/order-source.ts';
import { resume } from '../../exchange-live/orders/resume.ts';
import { PollBudget } from '../../exchange-live/polling/poll-budget.ts';
import type { Clock } from '../../time/clock.ts';
import type { LenientCaller } from '../client/call.ts';
import { REFERENCE_MAX } from '../wire/basics/requests.ts';
import { countedCalls } from './base/counted-calls.ts';
import type { GatewayContext, StreamLink, WatchContext } from './base/gateway-context.ts';
import { checkSettings, type GatewaySettings } from './base/gateway-settings.ts';
import { Heartbeats } from './base/heartbeats.ts';
import { streamFor } from './base/stream-feed.ts';
import { MarketsFeed } from './markets/markets-feed.ts';
import { AccountSnapshots } from './money/account-snapshots.ts';
import { SettlementsFeed } from './money/settlements-feed.ts';
import { WalletsFeed } from './money/wallets-feed.ts';
import { OrderReading } from './orders/order-reading.ts';
import { orderStream } from './orders/order-stream.ts';
import { Placing } from './orders/placing.ts';
import { priceTask } from './prices/price-task.ts';

/** What a live gateway is made from. */
export interface RestGatewayParts {
  /** The clock of all polling and waiting: `wallClock`, but in tests. */
  readonly clock: Clock;
  /** The REST client, reading each document by itself (`RestClient.lenient`); the gateway neither opens nor closes it. */
  readonly client: LenientCaller;
  /** Required if a feed is to be streamed. Its owner starts and closes it. */
  readonly stream?: StreamLink;
  /** What is followed, how often, and under which names orders are placed. */
  readonly settings: GatewaySettings;
  /** Our clock is ahead of the exchange's by at least this many ms, as far as is known; negative if it is behind. */
  readonly skewMs?: () => number | undefined;
  /**
   * The state that an earlier process of the run left. Its wallets are named like those of the settings: by the exchange's ids.
   */
  readonly resume?: RunState;
}

/** The live gateway, with outputs for its owner besides the port. */
export interface RestGateway extends LiveGateway {
  /** Failed readings, unreadable data and foreign orders, as they occur. Hot; it never ends. */
  readonly notices$: Observable<GatewayNotice>;
  /** The messages of `feed$` of the kind `market`, while that is subscribed to: for a recorder beside the bot. Hot; it never ends. */
  readonly marketUpdates$: Observable<MarketMessage>;
}

/**
 * The live gateway: the port over the REST client and, for streamed feeds, the stream. `feed$` does all the reading while it is subscribed to, and its subscribers share it; subscribe to it before the first order
 * is placed. It never ends, and fails only if this program has a bug. A market is listed before its orders are reported, its
 * orders are reported before its result, and its result before it is closed.
 *
 * @throws AssertionFailure for settings that make no sense
 *
 * @example
 * const poll = (everyMs: number) => ({ kind: 'poll', everyMs }) as const;
 * const gateway = restGateway({
 *   clock: wallClock,
 *   client: client.lenient,
 *   settings: {
 *     appId: 'my-app',
 *     wallets: ['my-wallet'],
 *     currency: 'USDC',
 *     watch: { marketTypeIds: ['WIN'] },
 *     referencePrefix: 'my-run',
 *     strategies: ['my-strategy'],
 *     feeds: { markets: poll(5_000), prices: poll(500), orders: poll(500), wallets: poll(2_000) },
 *     timeouts: TIMEOUTS,
 *   },
 * });
 * gateway.feed$.subscribe((message) => {
 *   if (message.kind === 'market') console.log(message.market.facts.name, message.cause);
 * });
 */
export function restGateway(parts: RestGatewayParts): RestGateway {
  const { clock, client, settings } = parts;
  checkSettings(settings);
  const messages$ = new Subject<FeedMessage>();
  const marketUpdates$ = new Subject<MarketMessage>();
  const notices$ = new Subject<GatewayNotice>();
  const budget = settings.pollsPerSecond === undefined ? undefined : new PollBudget(clock, settings.pollsPerSecond);
  const calls = budget === undefined ? client : countedCalls(client, budget);
  const note = (notice: GatewayNotice): void => notices$.next(notice);
  const context: GatewayContext = { clock, calls, settings, note, emit: (message) => messages$.next(message) };
  const watching: WatchContext = {
    clock,
    calls,
    settings,
    note,
    skewMs: parts.skewMs,
    emit: (message) => {
      messages$.next(message);
      if (message.kind === 'market') marketUpdates$.next(message);
    },
  };
  const { table, known, unknown, updates, orders, wallets, placing, cancelling, snapshots, feeds } = assembleParts(
    parts,
    {
      context,
      watching,
      budget,
    },
  );
  const heartbeats = new Heartbeats(calls, settings.appId);
  const touched$ = messages$.pipe(
    filter(({ kind }) => kind === 'order'),
    tap(() => wallets.touch()),
    ignoreElements(),
  );
  if (parts.resume !== undefined) resume(parts.resume, { table, known, unknown, updates });
  return {
    notices$,
    marketUpdates$,
    feed$: merge(messages$, touched$, notStreamed(parts, notices$), ...feeds.map(({ run$ }) => run$)).pipe(share()),
    place: (batch, mayLeave) => placing.place(batch, mayLeave).pipe(tap(() => wallets.touch())),
    cancel: (ids) => cancelling.cancel(ids).pipe(tap(() => wallets.touch())),
    heartbeat: (timeoutMs) => heartbeats.arm(timeoutMs),
    clearHeartbeat: (leavesOrders = false) => heartbeats.clear(leavesOrders),
    accountSnapshot: () => snapshots.read(),
    adopt: (order, client) => {
      known.adopt(order, client);
      orders.wake();
    },
    follow: (markets) => table.follow(markets),
  };
}

/** Creates the parts of the gateway and connects them to each other. */
function assembleParts(
  parts: RestGatewayParts,
  shared: {
    readonly context: GatewayContext;
    readonly watching: WatchContext;
    readonly budget: PollBudget | undefined;
  },
) {
  const { context, watching, budget } = shared;
  const { settings } = parts;
  const streamOf = streamFor(parts.stream, parts.clock);
  const table = new MarketTable(watching, { closesAtOnce: false });
  const termsOf: TermsOf = (order) => own.known.termsOf(order);
  const reading = new OrderReading(context, termsOf);
  const cancel: CancelCall = (ids) => context.calls.call('cancelOrders', { body: { orderIds: ids.map(String) } });
  const ordersStream = streamOf(settings.feeds.orders);
  const stream = ordersStream === undefined ? undefined : orderStream(ordersStream, context, termsOf);
  const access = { reading, cancel, stream, referenceMax: REFERENCE_MAX };
  const own = orderParts(context, table, access);
  const { known, cancelling, placements, updates, orders, unknown } = own;
  const wallets = new WalletsFeed(context, streamOf(settings.feeds.wallets));
  const placing = new Placing({ context, table, known, unknown, placements });
  const snapshots = new AccountSnapshots({ context, known, reading });
  const prices = priceTask(settings.feeds.prices, {
    context: watching,
    table,
    budget,
    stream: streamOf(settings.feeds.prices),
    isBusy: (id) => known.isLiveIn(id) || unknown.seeksIn(id) || placements.isUnderWayIn(id),
  });
  // The order matters: subscribers to the market table must start before MarketsFeed, which fills it.
  const feeds: readonly { readonly run$: Observable<never> }[] = [
    updates,
    new SettlementsFeed({ context, table, known, unknown, reading }, parts.resume?.results ?? []),
    prices,
    orders,
    wallets,
    unknown,
    new MarketsFeed(watching, table, streamOf(settings.feeds.markets)),
  ];
  return { table, known, unknown, updates, orders, wallets, placing, cancelling, snapshots, feeds };
}

/** Reports ids beyond the stream's limits: their feeds rely on what is read over REST. */
function notStreamed({ stream }: RestGatewayParts, notices$: Subject<GatewayNotice>): Observable<never> {
  if (stream === undefined) return EMPTY;
  return stream.events$.pipe(
    tap((event) => {
      if (event.kind === 'refused') notices$.next({ kind: 'notStreamed', what: event.type, ids: event.ids });
    }),
    ignoreElements(),
  );
}
