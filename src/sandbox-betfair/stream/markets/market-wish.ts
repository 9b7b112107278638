/** Which markets a subscription wants. */

import type { MarketSubscription } from '../../../betfair/wire/stream/requests.ts';
import type { World } from '../../../sandbox/world/world.ts';
import { allFacts, factsById, type MarketFacts } from '../../state/market-facts.ts';

export type MarketWish = NonNullable<MarketSubscription['marketFilter']>;

/** Whether the filter names the market. Nothing of a filter is validated, and an empty list asks for everything. */
export function wants(wish: MarketWish, facts: MarketFacts): boolean {
  const { bspMarket, turnInPlayEnabled } = wish;
  return (
    has(wish.marketIds, facts.id) &&
    has(wish.eventTypeIds, facts.eventType.id) &&
    has(wish.eventIds, facts.eventId) &&
    has(wish.marketTypes, facts.marketType.id) &&
    has(wish.countryCodes, facts.countryCode) &&
    has(wish.venues, facts.venue) &&
    has(wish.bettingTypes, facts.bettingType) &&
    has(wish.raceTypes, facts.record.recorded?.raceType) &&
    (bspMarket === undefined || bspMarket === facts.bspMarket) &&
    (turnInPlayEnabled === undefined || turnInPlayEnabled === facts.turnsInPlay)
  );
}

/** A market that is over is given to those alone who name it. */
export function isOffered(wish: MarketWish, { status }: MarketFacts): boolean {
  return status !== 'CLOSED' || (wish.marketIds ?? []).length > 0;
}

/** The markets that a filter names, over or not. Of a filter by ids only the named ones are looked at. */
export function* named(world: World, wish: MarketWish): IterableIterator<MarketFacts> {
  const { marketIds = [] } = wish;
  const candidates =
    marketIds.length === 0 ? allFacts(world) : [...new Set(marketIds)].flatMap((id) => factsById(world, id) ?? []);
  for (const facts of candidates) if (wants(wish, facts)) yield facts;
}

function has(list: readonly string[] | undefined, value: string | undefined): boolean {
  return list === undefined || list.length === 0 || (value !== undefined && list.includes(value));
}
