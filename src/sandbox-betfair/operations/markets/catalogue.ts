/** listMarketCatalogue: the markets that a filter finds, sorted and cut. */

import { catalogueWeight, WEIGHT_MAX } from '../../../betfair/wire/weights.ts';
import { catalogueDocument, totalMatchedOf } from '../../documents/market-documents.ts';
import type { MarketFacts } from '../../state/market-facts.ts';
import { type Asker, exception, type Operate, result } from '../shared/operation.ts';
import { marketsFound } from './filter.ts';

const RESULTS_MAX = 1_000;

export const listMarketCatalogue: Operate<'listMarketCatalogue'> = (call) => {
  const { filter, marketProjection = [], sort = 'MAXIMUM_TRADED', maxResults } = call.params;
  if (maxResults < 1 || maxResults > RESULTS_MAX)
    return exception('INVALID_INPUT_DATA', `maxResults is from 1 to ${RESULTS_MAX}`);
  const { marketIds = [] } = filter;
  const most = marketIds.length === 0 ? maxResults : Math.min(maxResults, marketIds.length);
  if (catalogueWeight(marketProjection) * most > WEIGHT_MAX)
    return exception('TOO_MUCH_DATA', 'ask for fewer markets, or less of each');
  const projections = new Set<string>(marketProjection);
  const found = [...marketsFound(call, filter)];
  const sorted = found
    .map((facts) => ({ facts, key: keyOf(call, facts, sort) }))
    .sort((left, right) => left.key - right.key)
    .slice(0, maxResults);
  return result(sorted.map(({ facts }) => catalogueDocument(facts, projections)));
};

/** The number by which markets are sorted, the lowest first. */
function keyOf({ world }: Asker, facts: MarketFacts, sort: string): number {
  const sign = sort.startsWith('MAXIMUM') || sort.startsWith('LAST') ? -1 : 1;
  if (sort.endsWith('TO_START')) return sign * facts.startsAt;
  return sign * (sort.endsWith('TRADED') ? totalMatchedOf(facts) : world.exchange.liquidityOf(facts.record.market));
}
