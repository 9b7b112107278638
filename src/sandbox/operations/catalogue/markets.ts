/** Operations that read markets and market types. */

import type { MARKET_ENDPOINTS } from '../../../betdex/wire/endpoints.ts';
import type { Instant } from '../../../core/number/units.ts';
import type { MarketView } from '../../../matching/state/views.ts';
import { eventsOf, marketArrays, marketSettled, marketTypeDocument } from '../../documents/markets/market-documents.ts';
import { marketFacts } from '../../documents/markets/market-facts.ts';
import { shownLockAt } from '../../documents/markets/market-summary.ts';
import { eventRecord, treeOfEvents } from '../../documents/markets/tree.ts';
import { countOfId, numericId } from '../../world/ids.ts';
import type { MarketRecord, MarketTypeRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { historicalAnswer, pagedAnswer, plainAnswer } from '../shared/answers.ts';
import { type Call, type Caller, type Operations, problem } from '../shared/operation.ts';
import type { PageQuery, Sortable } from '../shared/paging.ts';
import { isWithin, type Period, period, within } from '../shared/period.ts';
import { allOf, equalTo, oneOf } from '../shared/selection.ts';
import { PRICE_OPERATIONS } from './prices.ts';
import { isVisible, unknownMarkets, visibleMarket } from './visible-market.ts';

type MarketsQuery = Call<'listMarkets'>['query'];

/** All market operations except those on a market's orders and positions. */
export const MARKET_OPERATIONS: Operations<
  Exclude<keyof typeof MARKET_ENDPOINTS, 'listMarketOrders' | 'listMarketPositions'>
> = {
  ...PRICE_OPERATIONS,
  listMarketTypes: ({ world }) => marketTypes([...world.catalogue.marketTypes.values()]),
  getMarketType({ world, path }) {
    const found = world.catalogue.marketTypes.get(path.id);
    return found === undefined
      ? problem(404, 'Unknown market type', `no market type ${path.id}`)
      : marketTypes([found]);
  },
  listMarkets({ world, caller, query }) {
    const starts = period(query.fromDateTime, query.toDateTime, ['fromDateTime', 'toDateTime']);
    if (starts.kind === 'problem') return starts;
    const isWanted = marketFilter(world, caller, query, starts);
    return pageOfMarkets(world, [...candidates(world, query)].filter(isWanted), query);
  },
  getMarket({ world, caller, path }) {
    const found = visibleMarket(world, caller, path.id);
    if (found === undefined) return unknownMarkets(path.id);
    return plainAnswer('markets', 1, marketArrays(world, [found]));
  },
  findMarkets({ world, caller, path, query }) {
    const ids = world.catalogue.idsByReference('market', path.source, path.reference);
    const found = new Set(ids.flatMap((id) => visibleMarket(world, caller, id) ?? []));
    return pageOfMarkets(world, found, query);
  },
  listHistoricalMarkets,
};

function listHistoricalMarkets({ world, caller, query }: Call<'listHistoricalMarkets'>) {
  const bounds = period(query.from, query.to, ['from', 'to']);
  if (bounds.kind === 'problem') return bounds;
  const { queryType = 'SettledDate' } = query;
  const rows: HistoryRow[] = [];
  for (const record of candidates(world, query.eventId === undefined ? {} : { eventIds: [query.eventId] })) {
    const facts = marketFacts(world, record);
    const { settledAt } = facts;
    if (settledAt === undefined || !isVisible(facts, caller)) continue;
    const at = queryType === 'SettledDate' ? settledAt : startOf(world, record);
    if (isWithin(at, bounds)) rows.push({ record, at });
  }
  return historicalAnswer({
    primary: 'markets',
    rows,
    query,
    key: { at: ({ at }) => at, id: ({ record }) => Number(record.id) },
    documents(found) {
      const records = found.map(({ record }) => record);
      const markets = records.map((record) => marketSettled(world, record));
      return { markets, ...treeOfEvents(world, eventsOf(records)) };
    },
  });
}

/** A settled or voided market, and the date by which the history is sorted. */
interface HistoryRow {
  readonly record: MarketRecord;
  readonly at: Instant;
}

function marketTypes(records: readonly MarketTypeRecord[]) {
  return plainAnswer('marketTypes', records.length, { marketTypes: records.map(marketTypeDocument) });
}

function pageOfMarkets(world: World, rows: Iterable<MarketRecord>, query: PageQuery) {
  const documents = (records: readonly MarketRecord[]) => marketArrays(world, records);
  return pagedAnswer({ primary: 'markets', rows, query, sortable: sortableOf(world), documents });
}

function sortableOf(world: World): Sortable<MarketRecord> {
  return {
    id: ({ market }) => market,
    createdAt: (record) => marketFacts(world, record).createdAt,
    modifiedAt: (record) => marketFacts(world, record).modifiedAt,
    lockAt: (record) => shownLockAt(world, record),
    settledAt: (record) => marketFacts(world, record).settledAt,
    name: ({ name }) => name,
  };
}

/** The smallest set of markets that the query's lists of ids leave to be filtered, each once. */
function candidates(
  { catalogue, exchange }: World,
  query: Pick<MarketsQuery, 'ids' | 'eventIds'>,
): Iterable<MarketRecord> {
  const { ids, eventIds } = query;
  if (ids === undefined && eventIds === undefined) return catalogue.markets.values();
  const counts = ids === undefined ? marketsOfEvents(exchange, eventIds ?? []) : ids.map(countOfId);
  return new Set(counts.flatMap((market) => (market === undefined ? [] : (catalogue.markets.get(market) ?? []))));
}

function marketsOfEvents(exchange: World['exchange'], eventIds: readonly string[]): readonly number[] {
  const events = eventIds.map(countOfId);
  return events.flatMap((event) => (event === undefined ? [] : (exchange.event(event)?.markets ?? [])));
}

/**
 * The filter of a query. For markets the API does not say what the dates bound. For events the same two parameters
 * bound the expected start, so here they bound the expected start of the market's event.
 */
function marketFilter(
  world: World,
  caller: Caller,
  query: MarketsQuery,
  starts: Period,
): (record: MarketRecord) => boolean {
  const isShown = allOf<MarketView>(
    (facts) => isVisible(facts, caller),
    equalTo(query.published, ({ published }) => published),
    oneOf(query.statuses, ({ status }) => status),
    oneOf(query.inPlayStatuses, ({ inPlayStatus }) => inPlayStatus),
  );
  return allOf<MarketRecord>(
    (record) => isShown(marketFacts(world, record)),
    oneOf(query.eventIds, ({ event }) => numericId(event)),
    oneOf(query.marketTypeIds, ({ marketTypeId }) => marketTypeId),
    oneOf(query.currencyIds, ({ currencyId }) => currencyId),
    oneOf(query.ownerAppIds, ({ app }) => world.registry.app(app).id),
    within(starts, (record) => startOf(world, record)),
  );
}

function startOf(world: World, record: MarketRecord): Instant {
  return eventRecord(world.catalogue, record.event).expectedStartTime;
}
