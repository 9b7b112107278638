/** The query parameters of requests, with their limits and defaults. */

import { Type } from '@sinclair/typebox';
import { defaulting, flag, id, maybe, moment, number, text } from '../../../codec/notation.ts';
import {
  CursorSortWord,
  EventStartingWord,
  HistoryQueryTypeWord,
  InPlayStatusWord,
  MarketStatusWord,
  MatchBehaviorWord,
  OrderStatusWord,
  SettlementFilterWord,
  WalletTypeWord,
} from './enums.ts';

export const PAGE_SIZE_DEFAULT = 25;
/** Larger sizes are refused by order lists and reduced to the maximum by other lists (profile section 2). */
export const ORDER_PAGE_SIZE_MAX = 500;
export const PAGE_SIZE_MAX = 2000;

const ids = maybe(Type.Array(id));
const date = maybe(moment);
const yes = maybe(flag);

const page = Type.Integer({ minimum: 0, default: 0, description: 'Zero-based.' });
const sort = Type.Array(Type.String({ pattern: '^[A-Za-z]+(,(asc|desc))?$' }), {
  default: [],
  'x-repeats': true,
  description: 'property or property,(asc|desc); ascending where it does not say. May be given several times.',
});

const refusedAbove = Type.Integer({ minimum: 1, maximum: ORDER_PAGE_SIZE_MAX, default: PAGE_SIZE_DEFAULT });
const clampedAbove = Type.Integer({
  minimum: 1,
  default: PAGE_SIZE_DEFAULT,
  'x-clamp': PAGE_SIZE_MAX,
  description: `At most ${PAGE_SIZE_MAX}: a larger size is read as that.`,
});

const paging = { page, size: clampedAbove, sort };
const orderPaging = { page, size: refusedAbove, sort };

/** Both offsets are those of the last row of the page before; the next page begins with that row again. */
const cursor = { offset: date, secondaryOffset: maybe(Type.Integer()), sort: defaulting(CursorSortWord, 'ASC') };
const orderKeyset = { ...cursor, limit: refusedAbove };
const keyset = { ...cursor, limit: clampedAbove };

export const PagingQuery = Type.Object(paging);

export const MarketsQuery = Type.Object({
  ids,
  ownerAppIds: ids,
  eventIds: ids,
  marketTypeIds: ids,
  currencyIds: ids,
  statuses: maybe(Type.Array(MarketStatusWord)),
  inPlayStatuses: maybe(Type.Array(InPlayStatusWord)),
  fromDateTime: date,
  toDateTime: date,
  published: yes,
  ...paging,
});

export const EventsQuery = Type.Object({
  ids,
  ownerAppIds: ids,
  categoryIds: ids,
  subcategoryIds: ids,
  eventGroupIds: ids,
  starting: maybe(EventStartingWord),
  fromDateTime: date,
  toDateTime: date,
  active: yes,
  ...paging,
});

export const SubcategoriesQuery = Type.Object({ categoryIds: ids });
export const EventGroupsQuery = Type.Object({ subcategoryIds: ids });

export const MarketPriceRowsQuery = Type.Object({ includeEmpty: yes, directOnly: yes });
export const MarketPriceBookQuery = Type.Object({ directOnly: yes, includeEmpty: yes });
export const PricesQuery = Type.Object({ marketIds: Type.Array(id), directOnly: yes, includeEmpty: yes });

/** At least one list of ids or `references` is required; `references` requires `appIds` too (profile section 2). */
export const OrdersQuery = Type.Object({
  ids,
  appIds: ids,
  eventIds: ids,
  marketIds: ids,
  walletIds: ids,
  references: ids,
  statuses: maybe(Type.Array(OrderStatusWord)),
  fromStake: maybe(number),
  toStake: maybe(number),
  fromCreatedAt: date,
  toCreatedAt: date,
  matchBehavior: maybe(MatchBehaviorWord),
  ...orderPaging,
});

export const MarketOrdersQuery = Type.Object({ walletIds: ids, ...orderPaging });
export const SettledOrdersQuery = Type.Object({
  fromSettledAt: date,
  toSettledAt: date,
  walletId: maybe(id),
  ...orderPaging,
});

const history = { walletId: maybe(id), queryType: maybe(HistoryQueryTypeWord), from: date, to: date };

export const HistoricalOrdersQuery = Type.Object({ ...history, marketId: maybe(id), ...orderKeyset });
export const CancelledOrdersQuery = Type.Object({
  walletId: maybe(id),
  fromCreatedAt: date,
  toCreatedAt: date,
  marketId: maybe(id),
  ...orderKeyset,
});
export const HistoricalTradesQuery = Type.Object({ ...history, marketId: maybe(id), ...keyset });
export const HistoricalMarketsQuery = Type.Object({
  queryType: maybe(HistoryQueryTypeWord),
  from: date,
  to: date,
  eventId: maybe(id),
  ...keyset,
});

export const TradesQuery = Type.Object({
  marketIds: ids,
  walletIds: ids,
  orderIds: ids,
  fromCreatedAt: date,
  toCreatedAt: date,
  ...paging,
});

export const WalletsQuery = Type.Object({ walletIds: ids, types: maybe(Type.Array(WalletTypeWord)), ...paging });
export const TransactionsQuery = Type.Object({ fromCreatedAt: date, toCreatedAt: date, ...paging });
export const WalletPositionsQuery = Type.Object({ marketIds: ids, ...paging });
export const MarketPositionsQuery = Type.Object({ walletIds: ids, ...paging });
export const AllPositionsQuery = Type.Object({ filter: defaulting(SettlementFilterWord, 'Active'), ...paging });

/** A bound of a period: a date or a date-time, both of which are read (wire-shapes, F). */
const dateOrMoment = maybe(Type.String({ format: 'date-or-date-time' }));
export const MetricsQuery = Type.Object({
  currencyId: maybe(text),
  fromDateTime: dateOrMoment,
  toDateTime: dateOrMoment,
});

export const DepositAddressQuery = Type.Object({ currencyId: id });
export const FaucetQuery = Type.Object({ walletId: id, currencyId: id });
