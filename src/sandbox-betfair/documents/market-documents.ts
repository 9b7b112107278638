/** Markets, events and runners as the catalogue describes them. */

import type { Event } from '../../betfair/wire/documents/filter.ts';
import type { Result } from '../../betfair/wire/operations.ts';
import type { Written } from '../../codec/notation.ts';
import { amountOf, momentOf } from '../names/amounts.ts';
import type { MarketFacts } from '../state/market-facts.ts';

type MarketCatalogue = Result<'listMarketCatalogue'>[number];
type Runners = NonNullable<MarketCatalogue['runners']>;

export function eventDocument({
  event,
  eventId,
  eventName,
  countryCode,
  timezone,
  venue,
}: MarketFacts): Written<typeof Event> {
  return {
    id: eventId,
    name: eventName,
    countryCode,
    timezone,
    ...(venue === undefined ? {} : { venue }),
    openDate: momentOf(event.expectedStartTime),
  };
}

/** What was matched in the market, in both halves of each match, as Betfair counts it. */
export function totalMatchedOf({ view }: MarketFacts): number {
  return amountOf(view.traded.reduce((sum, stake) => sum + 2 * stake, 0));
}

/** A market with the projections that were asked for. Its id, name and volume are always there. */
export function catalogueDocument(facts: MarketFacts, projections: ReadonlySet<string>): MarketCatalogue {
  const { id, marketType, eventType, competition } = facts;
  const hasRunners = projections.has('RUNNER_DESCRIPTION') || projections.has('RUNNER_METADATA');
  return {
    marketId: id,
    marketName: marketType.name,
    ...(projections.has('MARKET_START_TIME') ? { marketStartTime: momentOf(facts.startsAt) } : {}),
    ...(projections.has('MARKET_DESCRIPTION') ? { description: descriptionOf(facts) } : {}),
    totalMatched: totalMatchedOf(facts),
    ...(hasRunners ? { runners: runnersOf(facts, projections.has('RUNNER_METADATA')) } : {}),
    ...(projections.has('EVENT_TYPE') ? { eventType } : {}),
    ...(projections.has('COMPETITION') ? { competition } : {}),
    ...(projections.has('EVENT') ? { event: eventDocument(facts) } : {}),
  };
}

function descriptionOf(facts: MarketFacts): NonNullable<MarketCatalogue['description']> {
  const { marketType, turnsInPlay, record } = facts;
  const startsAt = momentOf(facts.startsAt);
  return {
    persistenceEnabled: facts.persists,
    bspMarket: facts.bspMarket,
    marketTime: startsAt,
    suspendTime: startsAt,
    bettingType: bettingTypeOf(facts),
    turnInPlayEnabled: turnsInPlay,
    marketType: marketType.id,
    regulator: REGULATOR,
    marketBaseRate: facts.basePpm / PPM_PER_PERCENT,
    discountAllowed: record.recorded?.discountAllowed ?? true,
    wallet: WALLET,
    rules: 'A market of a sandbox.',
    rulesHasDate: false,
    ...(record.recorded?.raceType === undefined ? {} : { raceType: record.recorded.raceType }),
    priceLadderDescription: { type: 'CLASSIC' },
  };
}

export const PPM_PER_PERCENT = 10_000;

/** Only markets of odds on the classic ladder are played. */
function bettingTypeOf({ bettingType }: MarketFacts): 'ODDS' | 'ASIAN_HANDICAP_DOUBLE_LINE' {
  return bettingType === 'ASIAN_HANDICAP_DOUBLE_LINE' ? bettingType : 'ODDS';
}

export const REGULATOR = 'MALTA LOTTERIES AND GAMBLING AUTHORITY';
export const WALLET = 'UK wallet';

function runnersOf({ runners }: MarketFacts, hasMetadata: boolean): Runners {
  return runners.map(({ selectionId, name, handicap, sortPriority }) => ({
    selectionId,
    runnerName: name,
    handicap,
    sortPriority,
    ...(hasMetadata ? { metadata: { runnerId: String(selectionId) } } : {}),
  }));
}
