/** The operations that group the markets which a filter finds: event types, events, competitions and the like. */

import { instant } from '../../../core/number/units.ts';
import { eventDocument } from '../../documents/market-documents.ts';
import { momentOf } from '../../names/amounts.ts';
import type { MarketFacts } from '../../state/market-facts.ts';
import { type Operate, type Operations, result } from '../shared/operation.ts';
import { marketsFound } from './filter.ts';

interface Group {
  readonly facts: MarketFacts;
  count: number;
}

/** The markets by a key, in the order in which the keys were first met; those without a key are in no group. */
function grouped(
  markets: Iterable<MarketFacts>,
  keyOf: (facts: MarketFacts) => string | undefined,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const facts of markets) {
    const key = keyOf(facts);
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { facts, count: 1 });
    else known.count += 1;
  }
  return groups;
}

const listEventTypes: Operate<'listEventTypes'> = (call) => {
  const groups = grouped(marketsFound(call, call.params.filter), ({ eventType }) => eventType.id);
  return result([...groups.values()].map(({ facts, count }) => ({ eventType: facts.eventType, marketCount: count })));
};

const listCompetitions: Operate<'listCompetitions'> = (call) => {
  const groups = grouped(marketsFound(call, call.params.filter), ({ competition }) => competition.id);
  return result(
    [...groups.values()].map(({ facts, count }) => ({
      competition: facts.competition,
      marketCount: count,
      competitionRegion: REGION,
    })),
  );
};

/** Regions have three letters, countries two. */
const REGION = 'GBR';

const listEvents: Operate<'listEvents'> = (call) => {
  const groups = grouped(marketsFound(call, call.params.filter), ({ eventId }) => eventId);
  return result([...groups.values()].map(({ facts, count }) => ({ event: eventDocument(facts), marketCount: count })));
};

const listMarketTypes: Operate<'listMarketTypes'> = (call) => {
  const groups = grouped(marketsFound(call, call.params.filter), ({ marketType }) => marketType.id);
  return result([...groups].map(([marketType, { count }]) => ({ marketType, marketCount: count })));
};

const listCountries: Operate<'listCountries'> = (call) => {
  const groups = grouped(marketsFound(call, call.params.filter), ({ countryCode }) => countryCode);
  return result([...groups].map(([countryCode, { count }]) => ({ countryCode, marketCount: count })));
};

const listVenues: Operate<'listVenues'> = (call) => {
  const groups = grouped(marketsFound(call, call.params.filter), ({ venue }) => venue);
  return result([...groups].map(([venue, { count }]) => ({ venue, marketCount: count })));
};

const UNIT_MS = { DAYS: 86_400_000, HOURS: 3_600_000, MINUTES: 60_000 } as const;

const listTimeRanges: Operate<'listTimeRanges'> = (call) => {
  const unit = UNIT_MS[call.params.granularity];
  const startOf = ({ startsAt }: MarketFacts) => Math.floor(startsAt / unit) * unit;
  const groups = grouped(marketsFound(call, call.params.filter), (facts) => String(startOf(facts)));
  const sorted = [...groups.values()].sort((left, right) => startOf(left.facts) - startOf(right.facts));
  return result(
    sorted.map(({ facts, count }) => {
      const from = startOf(facts);
      const timeRange = { from: momentOf(instant(from)), to: momentOf(instant(from + unit)) };
      return { timeRange, marketCount: count };
    }),
  );
};

export const LISTS = {
  listEventTypes,
  listCompetitions,
  listEvents,
  listMarketTypes,
  listCountries,
  listVenues,
  listTimeRanges,
} satisfies Partial<Operations>;
