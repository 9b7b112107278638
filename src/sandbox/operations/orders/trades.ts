/** Reads of trades: one, those of an order, pages of them, and the history by cursor. */

import type { BESIDE_TRADES } from '../../../betdex/wire/answers.ts';
import type { Written } from '../../../betdex/wire/codec/notation.ts';
import { present } from '../../../core/checks/assert.ts';
import { instant } from '../../../core/number/units.ts';
import { NONE } from '../../../matching/records/orders.ts';
import type { State } from '../../../matching/state/state.ts';
import { type OrderView, orderView, type TradeView, tradeView } from '../../../matching/state/views.ts';
import { type BesideMarkets, besideMarkets } from '../../documents/markets/market-summary.ts';
import { orderSummary } from '../../documents/orders/order.ts';
import { settledTrade, tradeDocument } from '../../documents/orders/trade.ts';
import { countOfId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { upToDate } from '../shared/advance-then-read.ts';
import { keysetMeta, keysetPage } from '../shared/keyset.ts';
import type { Call, Caller, Operate } from '../shared/operation.ts';
import { page, pagedMeta, plainMeta } from '../shared/paging.ts';
import { isWithin, period } from '../shared/period.ts';
import { forbidden, isProblem, mayUse, unknown, userWalletsNamed } from '../shared/scope.ts';
import { anyOf } from '../shared/selection.ts';
import { type Slot, slotOfOrder, slotsOfWallets, sortableTrades, tradeSlots, walletOfSlot } from './order-scan.ts';
import { historyDate, settledOrders } from './orders-over.ts';
import { ownOrder } from './orders-read.ts';

/** A trade with the order that it is a piece of. */
interface Piece {
  readonly trade: TradeView;
  readonly order: OrderView;
}

export const getTrade: Operate<'getTrade'> = ({ context, caller, path }) => {
  const world = upToDate(context);
  const state = world.exchange.inspect();
  const count = countOfId(path.id);
  const trade = count === undefined ? NONE : state.trades.slotById.get(count);
  if (trade === NONE) return unknown(`trade ${path.id}`);
  const wallet = walletOfSlot(state, orderOf(state, trade));
  if (world.holders.wallets.get(wallet)?.app !== caller.app) return unknown(`trade ${path.id}`);
  if (!mayUse(world, caller, wallet)) return forbidden("the trade is not of this key's wallet");
  const pieces = piecesOf(state, [trade]);
  return { kind: 'answer', answer: { _meta: plainMeta('trades', 1), ...inFull(world, pieces) } };
};

/** Its plain `_meta` tells the page too (wire-shapes, A). */
export const listOrderTrades: Operate<'listOrderTrades'> = ({ context, caller, path, query }) => {
  const world = upToDate(context);
  const order = ownOrder(world, caller, path.id);
  if (typeof order !== 'number') return order;
  const state = world.exchange.inspect();
  const slot = present(slotOfOrder(state, order), 'the order is known');
  const paged = page(tradeSlots(state, [slot]), query, sortableTrades(state));
  if (paged.kind === 'problem') return paged;
  const beside = inFull(world, piecesOf(state, paged.items), [orderView(state, slot)]);
  return { kind: 'answer', answer: { _meta: pagedMeta('trades', paged), ...beside } };
};

export const listTrades: Operate<'listTrades'> = ({ context, caller, query }) => {
  const world = upToDate(context);
  const paged = pageOfTrades(world, caller, query);
  if (paged.kind === 'problem') return paged;
  const pieces = piecesOf(world.exchange.inspect(), paged.items);
  return { kind: 'answer', answer: { _meta: pagedMeta('trades', paged), ...inFull(world, pieces) } };
};

export const listHistoricalTrades: Operate<'listHistoricalTrades'> = ({ context, caller, query }) => {
  const world = upToDate(context);
  const { from, to, queryType = 'SettledDate' } = query;
  const orders = settledOrders(world, caller, { ...query, from, to, names: ['from', 'to'] }, queryType);
  if (isProblem(orders)) return orders;
  const state = world.exchange.inspect();
  const dateOfOrder = historyDate(world, state, queryType);
  const key = {
    at: (trade: Slot) => dateOfOrder(orderOf(state, trade)),
    id: (trade: Slot) => state.trades.id(trade) + 1,
  };
  const rows = keysetPage(tradeSlots(state, orders), query, key);
  if (rows.kind === 'problem') return rows;
  const pieces = piecesOf(state, rows.items);
  const trades = pieces.map(({ trade, order }) => settledTrade(world, trade, order));
  const documents = { trades, ...besideTrades(world, ordersOf(pieces)) };
  return { kind: 'answer', answer: { _meta: keysetMeta('trades', rows), documents } };
};

function pageOfTrades(world: World, caller: Caller, query: Call<'listTrades'>['query']) {
  const created = period(query.fromCreatedAt, query.toCreatedAt, ['fromCreatedAt', 'toCreatedAt']);
  if (created.kind === 'problem') return created;
  const state = world.exchange.inspect();
  const { trades } = state;
  const found: Slot[] = [];
  for (const trade of tradeSlots(state, ordersAsked(world, caller, query))) {
    if (isWithin(instant(trades.createdAt(trade)), created)) found.push(trade);
  }
  return page(found, query, sortableTrades(state));
}

/** Slots of the caller's orders whose trades are asked for. */
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

/** Each order is looked at once, though many of its trades follow one another. */
function piecesOf(state: State, trades: readonly Slot[]): readonly Piece[] {
  const views = new Map<Slot, OrderView>();
  return trades.map((trade) => {
    const slot = orderOf(state, trade);
    const order = views.get(slot) ?? orderView(state, slot);
    views.set(slot, order);
    return { trade: tradeView(state, trade), order };
  });
}

function ordersOf(pieces: readonly Piece[]): readonly OrderView[] {
  return [...new Set(pieces.map(({ order }) => order))];
}

function inFull(world: World, pieces: readonly Piece[], orders = ordersOf(pieces)) {
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
