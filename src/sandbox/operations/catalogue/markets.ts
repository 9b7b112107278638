/** Reads of markets and their types. */

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
import { keysetMeta, keysetPage } from '../shared/keyset.ts';
import { type Call, type Caller, type Operations, problem } from '../shared/operation.ts';
import { type PageQuery, page, pagedMeta, plainMeta, type Sortable } from '../shared/paging.ts';
import { isWithin, type Period, period, within } from '../shared/period.ts';
import { all, equalTo, oneOf } from '../shared/selection.ts';
import { PRICE_OPERATIONS } from './prices.ts';
import { isVisible, unknownMarkets, visibleMarket } from './visible-market.ts';

type MarketsQuery = Call<'listMarkets'>['query'];

/** All but the orders and positions of a market. */
export const MARKET_OPERATIONS: Operations<
  Exclude<keyof typeof MARKET_ENDPOINTS, 'listMarketOrders' | 'listMarketPositions'>
> = {
  ...PRICE_OPERATIONS,
  listMarketTypes: ({ context }) => marketTypes([...context.world.catalogue.marketTypes.values()]),
  getMarketType({ context, path }) {
    const found = context.world.catalogue.marketTypes.get(path.id);
    return found === undefined
      ? problem(404, 'Unknown market type', `no market type ${path.id}`)
      : marketTypes([found]);
  },
  listMarkets({ context: { world }, caller, query }) {
    const starts = period(query.fromDateTime, query.toDateTime, ['fromDateTime', 'toDateTime']);
    if (starts.kind === 'problem') return starts;
    const isWanted = marketFilter(world, caller, query, starts);
    return pageOfMarkets(world, [...candidates(world, query)].filter(isWanted), query);
  },
  getMarket({ context: { world }, caller, path }) {
    const found = visibleMarket(world, caller, path.id);
    if (found === undefined) return unknownMarkets(path.id);
    return { kind: 'answer', answer: { _meta: plainMeta('markets', 1), ...marketArrays(world, [found]) } };
  },
  findMarkets({ context: { world }, caller, path, query }) {
    const ids = world.catalogue.idsByReference('market', path.source, path.reference);
    const found = new Set(ids.flatMap((id) => visibleMarket(world, caller, id) ?? []));
    return pageOfMarkets(world, found, query);
  },
  listHistoricalMarkets,
};

function listHistoricalMarkets({ context: { world }, caller, query }: Call<'listHistoricalMarkets'>) {
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
  const found = keysetPage(rows, query, { at: ({ at }) => at, id: ({ record }) => Number(record.id) });
  if (found.kind === 'problem') return found;
  const records = found.items.map(({ record }) => record);
  const markets = records.map((record) => marketSettled(world, record));
  const documents = { markets, ...treeOfEvents(world, eventsOf(records)) };
  return { kind: 'answer', answer: { _meta: keysetMeta('markets', found), documents } } as const;
}

/** A market that was settled or voided, and the date that the history is sorted by. */
interface HistoryRow {
  readonly record: MarketRecord;
  readonly at: Instant;
}

function marketTypes(records: readonly MarketTypeRecord[]) {
  const _meta = plainMeta('marketTypes', records.length);
  return { kind: 'answer', answer: { _meta, marketTypes: records.map(marketTypeDocument) } } as const;
}

function pageOfMarkets(world: World, records: Iterable<MarketRecord>, query: PageQuery) {
  const found = page(records, query, sortableOf(world));
  if (found.kind === 'problem') return found;
  const answer = { _meta: pagedMeta('markets', found), ...marketArrays(world, found.items) };
  return { kind: 'answer', answer } as const;
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

/** The fewest markets that a query's lists of ids leave to look at, each once. */
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
 * What the dates bound is not said for markets. Of events the same two parameters bound the expected start, so here
 * they bound that of the market's event.
 */
function marketFilter(
  world: World,
  caller: Caller,
  query: MarketsQuery,
  starts: Period,
): (record: MarketRecord) => boolean {
  const isShown = all<MarketView>(
    (facts) => isVisible(facts, caller),
    equalTo(query.published, ({ published }) => published),
    oneOf(query.statuses, ({ status }) => status),
    oneOf(query.inPlayStatuses, ({ inPlayStatus }) => inPlayStatus),
  );
  return all<MarketRecord>(
    (record) => isShown(marketFacts(world, record)),
    oneOf(query.eventIds, ({ event }) => numericId(event)),
    oneOf(query.marketTypeIds, ({ marketTypeId }) => marketTypeId),
    oneOf(query.currencyIds, ({ currencyId }) => currencyId),
    oneOf(query.ownerAppIds, ({ app }) => world.holders.app(app).id),
    within(starts, (record) => startOf(world, record)),
  );
}

function startOf(world: World, record: MarketRecord): Instant {
  return eventRecord(world.catalogue, record.event).expectedStartTime;
}
