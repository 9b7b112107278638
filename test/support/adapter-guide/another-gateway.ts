/** The gateway to another exchange, as docs/exchange-adapter.md shows it: what is ready-made, put together in its order. */

import { merge, type Observable, Subject, share } from 'rxjs';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import type { LiveGateway } from '../../../src/exchange/live-gateway.ts';
import { MarketTable } from '../../../src/exchange-live/markets/market-table.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import { type OrderAccess, type OrderParts, orderParts } from '../../../src/exchange-live/orders/order-parts.ts';
import type { TradingContext } from '../../../src/exchange-live/orders/trading-context.ts';
import { checkTradingSettings, type TradingSettings } from '../../../src/exchange-live/settings.ts';
import type { Clock } from '../../../src/time/clock.ts';

/** What is written for this exchange. A feed does its reading in `run$`, which emits nothing itself. */
export interface OwnParts extends Pick<LiveGateway, 'heartbeat' | 'clearHeartbeat'> {
  readonly access: OrderAccess;
  /** Fills the market table: documents first, then each market's book. */
  marketsFeed(table: MarketTable): { readonly run$: Observable<never> };
  /** Reports what each market with a result paid, then closes it. */
  settlementsFeed(parts: TableAndOrders): { readonly run$: Observable<never> };
  walletsFeed(): { readonly run$: Observable<never> };
  placing(parts: TableAndOrders): Pick<LiveGateway, 'place'>;
  snapshots(parts: TableAndOrders): Pick<LiveGateway, 'accountSnapshot'>;
}

export interface TableAndOrders extends OrderParts {
  readonly table: MarketTable;
}

export interface AnotherGatewayParts {
  readonly clock: Clock;
  readonly settings: TradingSettings;
  readonly own: (context: TradingContext) => OwnParts;
}

export function anotherGateway({ clock, settings, own }: AnotherGatewayParts) {
  checkTradingSettings(settings);
  const messages$ = new Subject<FeedMessage>();
  const notices$ = new Subject<GatewayNotice>();
  const context: TradingContext = {
    ...{ clock, settings },
    emit: (message) => messages$.next(message),
    note: (notice) => notices$.next(notice),
  };
  const written = own(context);
  const table = new MarketTable(context, { closesAtOnce: false });
  const parts = { table, ...orderParts(context, table, written.access) };
  const { known, cancelling, updates, orders, unknown } = parts;
  const placing = written.placing(parts);
  const snapshots = written.snapshots(parts);
  // In this order, because the feed that fills the market table must find all its subscribers.
  const feeds = [
    updates,
    written.settlementsFeed(parts),
    orders,
    written.walletsFeed(),
    unknown,
    written.marketsFeed(table),
  ];
  const gateway: LiveGateway = {
    feed$: merge(messages$, ...feeds.map(({ run$ }) => run$)).pipe(share()),
    place: (batch, mayLeave) => placing.place(batch, mayLeave),
    cancel: (ids) => cancelling.cancel(ids),
    heartbeat: (timeoutMs) => written.heartbeat(timeoutMs),
    clearHeartbeat: (leavesOrders) => written.clearHeartbeat(leavesOrders),
    accountSnapshot: () => snapshots.accountSnapshot(),
    adopt: (order, client) => {
      known.adopt(order, client);
      orders.wake();
    },
    follow: (markets) => table.follow(markets),
  };
  return { gateway, notices$ };
}
