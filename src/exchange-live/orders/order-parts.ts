/** Puts together the parts that follow a run's orders, for the gateway to any exchange. */

import type { MarketTable } from '../markets/market-table.ts';
import { Cancelling } from './cancelling.ts';
import { KnownOrders } from './known-orders.ts';
import type { CancelCall, OrderReader, OrderStream, OrderTrust } from './order-source.ts';
import { OrderUpdates } from './order-updates.ts';
import { OrdersFeed } from './orders-feed.ts';
import { Placements } from './placements.ts';
import { References } from './references.ts';
import type { TradingContext } from './trading-context.ts';
import { UnknownOrders } from './unknown-orders.ts';

/** What following orders needs of an exchange. */
export interface OrderAccess {
  readonly reading: OrderReader;
  readonly cancel: CancelCall;
  /** Undefined if the orders are only polled. */
  readonly stream: OrderStream | undefined;
  /** Characters of the longest reference that the exchange accepts. */
  readonly referenceMax: number;
  /** What may be believed of its reports; absent: as little as possible. */
  readonly trust?: OrderTrust;
}

export interface OrderParts {
  readonly references: References;
  readonly known: KnownOrders;
  readonly cancelling: Cancelling;
  readonly placements: Placements;
  /** These three do their work in `run$`, which the gateway subscribes to before the feed that fills the market table. */
  readonly updates: OrderUpdates;
  readonly orders: OrdersFeed;
  readonly unknown: UnknownOrders;
}

export function orderParts(context: TradingContext, table: MarketTable, access: OrderAccess): OrderParts {
  const { reading, cancel, stream, referenceMax, trust = {} } = access;
  const { referencePrefix, strategies } = context.settings;
  const references = new References({ prefix: referencePrefix, strategies, lengthMax: referenceMax });
  const updates = new OrderUpdates(context, table);
  const known = new KnownOrders({ context, references, updates, own: table.own, trust });
  const orders = new OrdersFeed({ context, known, reading, cancel }, stream);
  const unknown = new UnknownOrders({ context, table, references, known, reading, feed: orders });
  const cancelling = new Cancelling({ context, known, reading, cancel, feed: orders });
  const placements = new Placements({ context, table, references, known, unknown });
  return { references, known, cancelling, placements, updates, orders, unknown };
}
