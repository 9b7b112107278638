/** Finds markets by Betfair's filter. */

import type { Static } from '@sinclair/typebox';
import type { TimeRange } from '../../../betfair/wire/basics/shapes.ts';
import type { MarketFilter } from '../../../betfair/wire/documents/filter.ts';
import { allFacts, factsById, type MarketFacts } from '../../state/market-facts.ts';
import type { Asker } from '../shared/operation.ts';
import { within } from '../shared/time-range.ts';

type Filter = Static<typeof MarketFilter>;
type Question = (facts: MarketFacts) => boolean;

/** The markets that a filter finds: those that are over are in no list. */
export function* marketsFound(asker: Asker, filter: Filter): IterableIterator<MarketFacts> {
  const questions = questionsOf(asker, filter);
  for (const facts of candidates(asker, filter)) {
    if (facts.status !== 'CLOSED' && questions.every((question) => question(facts))) yield facts;
  }
}

/** The markets that are looked at: of a filter by ids only those. */
function candidates({ world }: Asker, { marketIds }: Filter): Iterable<MarketFacts> {
  if (marketIds === undefined || marketIds.length === 0) return allFacts(world);
  return [...new Set(marketIds)].flatMap((id) => factsById(world, id) ?? []);
}

function questionsOf(asker: Asker, filter: Filter): readonly Question[] {
  const { textQuery, bspOnly, turnInPlayEnabled, inPlayOnly, marketStartTime, withOrders } = filter;
  const questions: (Question | undefined)[] = [
    oneOf(filter.exchangeIds, () => '1'),
    oneOf(filter.eventTypeIds, ({ eventType }) => eventType.id),
    oneOf(filter.eventIds, ({ eventId }) => eventId),
    oneOf(filter.competitionIds, ({ competition }) => competition.id),
    oneOf(filter.venues, ({ venue }) => venue),
    oneOf(filter.marketBettingTypes, ({ bettingType }) => bettingType),
    oneOf(filter.marketCountries, ({ countryCode }) => countryCode),
    oneOf(filter.marketTypeCodes, ({ marketType }) => marketType.id),
    oneOf(filter.raceTypes, ({ record }) => record.recorded?.raceType),
    bspOnly === undefined ? undefined : ({ bspMarket }) => bspMarket === bspOnly,
    turnInPlayEnabled === undefined ? undefined : ({ turnsInPlay }) => turnsInPlay === turnInPlayEnabled,
    inPlayOnly === undefined ? undefined : ({ isInPlay }) => isInPlay === inPlayOnly,
    textQuery === undefined ? undefined : ({ eventName }) => eventName.toLowerCase().includes(textQuery.toLowerCase()),
    marketStartTime === undefined ? undefined : startsWithin(marketStartTime),
    withOrders === undefined || withOrders.length === 0 ? undefined : hasOrders(asker, withOrders),
  ];
  return questions.filter((question) => question !== undefined);
}

/** An empty list asks for nothing, as an absent one. */
function oneOf(wanted: readonly string[] | undefined, of: (facts: MarketFacts) => string | undefined) {
  if (wanted === undefined || wanted.length === 0) return undefined;
  return (facts: MarketFacts) => wanted.includes(of(facts) ?? '');
}

function startsWithin(range: Static<typeof TimeRange>): Question {
  const isWithin = within(range);
  return ({ startsAt }) => isWithin(startsAt);
}

function hasOrders({ face, account }: Asker, statuses: readonly string[]): Question {
  const markets = new Set<number>();
  for (const { order } of face.bets.ofWallet(account.wallet)) {
    if (statuses.includes(order.stakeUnmatched > 0 ? 'EXECUTABLE' : 'EXECUTION_COMPLETE')) markets.add(order.market);
  }
  return ({ record }) => markets.has(record.market);
}
