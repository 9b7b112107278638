/** The definition of a market as the stream sends it: always whole. */

import type { StreamMarketDefinition } from '../../../betfair/wire/stream/market-change.ts';
import { PRICE_SCALE } from '../../../core/number/units.ts';
import { PPM_PER_PERCENT } from '../../documents/market-documents.ts';
import { momentOf } from '../../names/amounts.ts';
import { type MarketFacts, runnerStatusOf } from '../../state/market-facts.ts';

const REGULATOR = 'MR_INT';

export function definitionOf(facts: MarketFacts): StreamMarketDefinition {
  const { record, view, event, isInPlay, status, runners, venue } = facts;
  const { recorded } = record;
  const startsAt = momentOf(event.expectedStartTime);
  return {
    bspMarket: facts.bspMarket,
    turnInPlayEnabled: facts.turnsInPlay,
    persistenceEnabled: facts.persists,
    marketBaseRate: facts.basePpm / PPM_PER_PERCENT,
    eventId: facts.eventId,
    eventTypeId: facts.eventType.id,
    numberOfWinners: record.winners.max,
    bettingType: bettingTypeOf(facts),
    marketType: facts.marketType.id,
    marketTime: startsAt,
    suspendTime: startsAt,
    bspReconciled: runners.some((_, outcome) => startingPriceOf(facts, outcome) !== undefined),
    complete: true,
    inPlay: isInPlay,
    crossMatching: view.crossMatching,
    runnersVoidable: false,
    numberOfActiveRunners: runners.filter((_, outcome) => runnerStatusOf(facts, outcome) === 'ACTIVE').length,
    betDelay: isInPlay ? Math.ceil(view.inPlayDelayMs / 1_000) : 0,
    ...(view.delaysTakersOnly ? { betDelayModels: ['PASSIVE'] } : {}),
    status,
    ...(view.settledAt === undefined ? {} : { settledTime: momentOf(view.settledAt) }),
    runners: runners.map((_, outcome) => runnerDefinition(facts, outcome)),
    regulators: [REGULATOR],
    ...(venue === undefined ? {} : { venue }),
    countryCode: facts.countryCode,
    discountAllowed: recorded?.discountAllowed ?? true,
    timezone: facts.timezone,
    openDate: startsAt,
    version: facts.version,
    ...(recorded?.raceType === undefined ? {} : { raceType: recorded.raceType }),
    priceLadderDefinition: { type: 'CLASSIC' },
  };
}

/** Without the fields that came since 2025. */
export function withoutNewFields({ betDelayModels: _, ...definition }: StreamMarketDefinition): StreamMarketDefinition {
  return definition;
}

/** Only markets of odds on the classic ladder are played. */
function bettingTypeOf({ bettingType }: MarketFacts): StreamMarketDefinition['bettingType'] {
  return bettingType === 'ASIAN_HANDICAP_DOUBLE_LINE' ? bettingType : 'ODDS';
}

type RunnerDefinition = StreamMarketDefinition['runners'][number];

function runnerDefinition(facts: MarketFacts, outcome: number): RunnerDefinition {
  const { selectionId = 0, handicap = 0, sortPriority = 0 } = facts.runners[outcome] ?? {};
  const { factorPpm, removedAt } = facts.record.shown?.outcomes[outcome] ?? {};
  const starting = startingPriceOf(facts, outcome);
  return {
    ...(factorPpm === undefined ? {} : { adjustmentFactor: factorPpm / PPM_PER_PERCENT }),
    status: runnerStatusOf(facts, outcome),
    sortPriority,
    ...(removedAt === undefined ? {} : { removalDate: momentOf(removedAt) }),
    id: selectionId,
    ...(handicap === 0 ? {} : { hc: handicap }),
    ...(starting === undefined ? {} : { bsp: starting }),
  };
}

function startingPriceOf({ record }: MarketFacts, outcome: number): number | undefined {
  const actual = record.shown?.outcomes[outcome]?.startingPrices?.actual;
  return actual === undefined ? undefined : actual / PRICE_SCALE;
}
