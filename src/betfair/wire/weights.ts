/** How much data a request may ask for: the weight of what it asks of each market, times the markets (profile section 3). */

import type { Frozen } from '../../codec/notation.ts';
import type { Operation, Params } from './operations.ts';

export const WEIGHT_MAX = 200;

type Projection = NonNullable<Params<'listMarketCatalogue'>['marketProjection']>[number];
type PriceProjection = Frozen<Params<'listMarketBook'>['priceProjection']>;

const CATALOGUE: Readonly<Partial<Record<Projection, number>>> = { MARKET_DESCRIPTION: 1, RUNNER_METADATA: 1 };
const NO_PRICES = 2;
const SP_AVAILABLE = 3;
const SP_TRADED = 7;
const BEST = 5;
const BEST_AND_TRADED = 20;
const ALL = 17;
const ALL_AND_TRADED = 32;
const TRADED = 17;
/** The weight of best offers is that of so many prices on each side. */
const BEST_DEPTH = 3;
export const PROFIT_WEIGHT = 4;

export function catalogueWeight(projections: readonly Projection[]): number {
  return [...new Set(projections)].reduce((sum, each) => sum + (CATALOGUE[each] ?? 0), 0);
}

/** Some data weighs less together than alone, and best offers weigh by how many are wanted. */
export function bookWeight(projection: PriceProjection): number {
  const wanted = new Set(projection?.priceData);
  if (wanted.size === 0) return NO_PRICES;
  const starting = (wanted.has('SP_AVAILABLE') ? SP_AVAILABLE : 0) + (wanted.has('SP_TRADED') ? SP_TRADED : 0);
  const depth = projection?.exBestOffersOverrides?.bestPricesDepth ?? BEST_DEPTH;
  const isTraded = wanted.has('EX_TRADED');
  if (wanted.has('EX_ALL_OFFERS')) return starting + (isTraded ? ALL_AND_TRADED : ALL);
  if (wanted.has('EX_BEST_OFFERS')) return starting + ((isTraded ? BEST_AND_TRADED : BEST) * depth) / BEST_DEPTH;
  return starting + (isTraded ? TRADED : 0);
}

/** What requests of data have in common, as far as it weighs. */
interface Weighed {
  readonly marketIds?: readonly string[] | undefined;
  readonly marketProjection?: readonly Projection[] | undefined;
  readonly maxResults?: number | undefined;
  readonly priceProjection?: PriceProjection | undefined;
}

/** The weight of a request; 0 of what weighs nothing. */
export function weightOf(operation: Operation, params: unknown): number {
  // Safe cast: the three operations that weigh have these parameters.
  const { marketIds = [], marketProjection = [], maxResults = 0, priceProjection } = params as Weighed;
  if (operation === 'listMarketCatalogue') return catalogueWeight(marketProjection) * maxResults;
  if (operation === 'listMarketBook') return bookWeight(priceProjection) * marketIds.length;
  return operation === 'listMarketProfitAndLoss' ? PROFIT_WEIGHT * marketIds.length : 0;
}
