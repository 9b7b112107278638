/** Operations that read trades: one, those of an order, pages of them, and the history by cursor. */

import type { BESIDE_TRADES } from '../../../betdex/wire/answers.ts';
import type { Written } from '../../../codec/notation.ts';
import { defined } from '../../../core/checks/assert.ts';
import { instant } from '../../../core/number/units.ts';
import { NONE } from '../../../matching/records/order-columns.ts';
import type { State } from '../../../matching/state/state.ts';
import { type OrderView, orderView, type TradeView, tradeView } from '../../../matching/state/views.ts';
import { type BesideMarkets, besideMarkets } from '../../documents/markets/market-summary.ts';
import { orderSummary } from '../../documents/orders/order.ts';
import { settledTrade, tradeDocument } from '../../documents/orders/trade.ts';
import { countOfId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { historicalAnswer, pagedAnswer, plainAnswer } from '../shared/answers.ts';
import type { Call, Caller, Operate } from '../shared/operation.ts';
import { isWithin, type Period, period } from '../shared/period.ts';
import { forbidden, isProblem, mayUse, unknown, userWalletsNamed } from '../shared/scope.ts';
import { anyOf } from '../shared/selection.ts';
import { type Slot, slotOfOrder, slotsOfWallets, sortableTrades, tradeSlots, walletOfSlot } from './order-scan.ts';
import { historyDate, settledOrders } from './orders-over.ts';
import { ownOrder } from './orders-read.ts';

/** A trade with its order. */
interface TradeWithOrder {
  readonly trade: TradeView;
  readonly order: OrderView;
}

export const getTrade: Operate<'getTrade'> = ({ world, caller, path }) => {
  const state = world.exchange.inspect();
  const count = countOfId(path.id);
  const trade = count === undefined ? NONE : state.trades.slotById.get(count);
  if (trade === NONE) return unknown(`trade ${path.id}`);
  const wallet = walletOfSlot(state, orderOf(state, trade));
  if (world.registry.wallets.get(wallet)?.app !== caller.app) return unknown(`trade ${path.id}`);
  if (!mayUse(world, caller, wallet)) return forbidden("the trade is not of this key's wallet");
  const pieces = tradesWithOrders(state, [trade]);
  return plainAnswer('trades', 1, inFull(world, pieces));
};

/** The `_meta` of this answer includes the page (wire-shapes, A). */
export const listOrderTrades: Operate<'listOrderTrades'> = ({ world, caller, path, query }) => {
  const order = ownOrder(world, caller, path.id);
  if (typeof order !== 'number') return order;
  const state = world.exchange.inspect();
  const slot = defined(slotOfOrder(state, order), 'the order is known');
  return pagedAnswer({
    primary: 'trades',
    rows: tradeSlots(state, [slot]),
    query,
    sortable: sortableTrades(state),
    documents: (trades) => inFull(world, tradesWithOrders(state, trades), [orderView(state, slot)]),
  });
};

export const listTrades: Operate<'listTrades'> = ({ world, caller, query }) => {
  const created = period(query.fromCreatedAt, query.toCreatedAt, ['fromCreatedAt', 'toCreatedAt']);
  if (created.kind === 'problem') return created;
  const state = world.exchange.inspect();
  return pagedAnswer({
    primary: 'trades',
    rows: tradesAsked(world, caller, query, created),
    query,
    sortable: sortableTrades(state),
    documents: (trades) => inFull(world, tradesWithOrders(state, trades)),
  });
};

export const listHistoricalTrades: Operate<'listHistoricalTrades'> = ({ world, caller, query }) => {
  const { from, to, queryType = 'SettledDate' } = query;
  const orders = settledOrders(world, caller, { ...query, from, to, names: ['from', 'to'] }, queryType);
  if (isProblem(orders)) return orders;
  const state = world.exchange.inspect();
  const dateOfOrder = historyDate(world, state, queryType);
  return historicalAnswer({
    primary: 'trades',
    rows: tradeSlots(state, orders),
    query,
    key: { at: (trade) => dateOfOrder(orderOf(state, trade)), id: (trade) => state.trades.id(trade) + 1 },
    documents(rows) {
      const pieces = tradesWithOrders(state, rows);
      const trades = pieces.map(({ trade, order }) => settledTrade(world, trade, order));
      return { trades, ...besideTrades(world, ordersOf(pieces)) };
    },
  });
};

/** Slots of the trades that the query asks for. */
function tradesAsked(world: World, caller: Caller, query: Call<'listTrades'>['query'], created: Period): Slot[] {
  const state = world.exchange.inspect();
  const found: Slot[] = [];
  for (const trade of tradeSlots(state, ordersAsked(world, caller, query))) {
    if (isWithin(instant(state.trades.createdAt(trade)), created)) found.push(trade);
  }
  return found;
}

/** Slots of the caller's orders whose trades the query asks for. */
function ordersAsked(world: World, caller: Caller, query: Call<'listTrades'>['query']): Iterable<Slot> {
  const state = world.exchange.inspect();
  const wallets = userWalletsNamed(world, caller, query.walletIds);
  const isMarket = anyOf(query.marketIds?.map(countOfId));
  if (query.orderIds === undefined)
    return slotsOfWallets(state, { wallets, isAsked: ({ id }) => isMarket(id), liveOnly: false });
  const isWallet = anyOf(wallets);
  const slots = new Set<Slot>();
  for (const id of query.orderIds) {
    const order = countOfId(id);
    const slot = order === undefined ? undefined : slotOfOrder(state, order);
    if (slot === undefined || !isWallet(walletOfSlot(state, slot))) continue;
    if (isMarket(orderView(state, slot).market)) slots.add(slot);
  }
  return slots;
}

function orderOf(state: State, trade: Slot): Slot {
  return state.trades.order(trade);
}

/** The trades with their orders. Each order's view is made once, though many of its trades may follow one another. */
function tradesWithOrders(state: State, trades: readonly Slot[]): readonly TradeWithOrder[] {
  const views = new Map<Slot, OrderView>();
  return trades.map((trade) => {
    const slot = orderOf(state, trade);
    const order = views.get(slot) ?? orderView(state, slot);
    views.set(slot, order);
    return { trade: tradeView(state, trade), order };
  });
}

function ordersOf(pieces: readonly TradeWithOrder[]): readonly OrderView[] {
  return [...new Set(pieces.map(({ order }) => order))];
}

function inFull(world: World, pieces: readonly TradeWithOrder[], orders = ordersOf(pieces)) {
  const trades = pieces.map(({ trade, order }) => tradeDocument(world, trade, order));
  return { trades, ...besideTrades(world, orders) };
}

interface BesideTrades extends BesideMarkets {
  readonly orders: Written<(typeof BESIDE_TRADES)['orders']>;
}

function besideTrades(world: World, orders: readonly OrderView[]): BesideTrades {
  const markets = orders.map(({ market }) => market);
  return { orders: orders.map((order) => orderSummary(world, order)), ...besideMarkets(world, markets) };
}
