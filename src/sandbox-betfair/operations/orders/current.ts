/** listCurrentOrders: the caller's live bets, and matched ones of markets without a result. */

import type { Params } from '../../../betfair/wire/operations.ts';
import { defined } from '../../../core/checks/assert.ts';
import { currentOrder, statusOfOrder } from '../../documents/order-documents.ts';
import { marketIdOf } from '../../names/market-names.ts';
import type { Bet } from '../../state/bets.ts';
import { factsOfRecord, type MarketFacts } from '../../state/market-facts.ts';
import { type Asker, exception, type Operate, result } from '../shared/operation.ts';
import { isVisibleBet, ownBets } from '../shared/own-bets.ts';
import { within } from '../shared/time-range.ts';

const PAGE_MAX = 1_000;
const IDS_MAX = 250;

export const listCurrentOrders: Operate<'listCurrentOrders'> = (call) => {
  const { params } = call;
  const { betIds = [], marketIds = [], includeItemDescription = false } = params;
  if (betIds.length > IDS_MAX || marketIds.length > IDS_MAX)
    return exception('REQUEST_SIZE_EXCEEDS_LIMIT', `a request names at most ${IDS_MAX} ids`);
  const page = pageOf(sorted(found(call, params), params), params);
  const byMarket = new Map<number, MarketFacts>();
  const currentOrders = page.items.map((bet) => {
    const facts = byMarket.get(bet.order.market) ?? factsOfBet(call, bet);
    byMarket.set(bet.order.market, facts);
    return currentOrder(bet, facts, { hasDescription: includeItemDescription });
  });
  return result({ currentOrders, moreAvailable: page.moreAvailable });
};

/** One page of a list, by the place of its first record and how many are wanted; 0 is as many as a page holds. */
export function pageOf<T>(
  items: readonly T[],
  { fromRecord = 0, recordCount = 0 }: { readonly fromRecord?: number; readonly recordCount?: number },
): { readonly items: readonly T[]; readonly moreAvailable: boolean } {
  const from = Math.max(0, fromRecord);
  const count = recordCount <= 0 ? PAGE_MAX : Math.min(recordCount, PAGE_MAX);
  return { items: items.slice(from, from + count), moreAvailable: items.length > from + count };
}

function factsOfBet({ world }: Asker, { order }: Bet): MarketFacts {
  const record = defined(world.catalogue.markets.get(order.market), 'a market with a current order is there');
  return defined(factsOfRecord(world, record), 'a market with a current order is shown');
}

type Query = Params<'listCurrentOrders'>;

function found(asker: Asker, query: Query): readonly Bet[] {
  const { marketIds = [], orderProjection = 'ALL', dateRange, placedDateRange, orderBy } = query;
  const markets = new Set(marketIds);
  const inRange = within(dateRange ?? placedDateRange ?? {});
  const timeOf = timeBy(orderBy);
  return ownBets(asker, query).filter((bet) => {
    const { order } = bet;
    const market = asker.world.catalogue.markets.get(order.market);
    if (!isVisibleBet(bet) || market === undefined) return false;
    if (orderProjection !== 'ALL' && statusOfOrder(order) !== orderProjection) return false;
    return inRange(timeOf(bet)) && (markets.size === 0 || markets.has(marketIdOf(market)));
  });
}

/** The range is of the time by which the list is sorted: of the match, or else of the placing. */
function timeBy(orderBy: Query['orderBy']): (bet: Bet) => number {
  return orderBy === 'BY_MATCH_TIME' ? ({ matchedAt }) => matchedAt ?? 0 : ({ order }) => order.createdAt;
}

function sorted(bets: readonly Bet[], { orderBy = 'BY_BET', sortDir }: Query): readonly Bet[] {
  const sign = sortDir === 'LATEST_TO_EARLIEST' ? -1 : 1;
  const time = timeBy(orderBy);
  const key = (bet: Bet): number => {
    if (orderBy === 'BY_MARKET') return bet.order.market;
    return orderBy === 'BY_BET' ? bet.order.id : time(bet);
  };
  return [...bets].sort((left, right) => sign * (key(left) - key(right) || left.order.id - right.order.id));
}
