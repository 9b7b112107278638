/** Markets in full, settled ones in the historical form, and all that stands beside them. */

import { present } from '../../core/assert.ts';
import type { MARKETS } from '../../wire/answers.ts';
import { instantToWire } from '../../wire/instants.ts';
import type { Market, MarketOutcome, MarketSettled, MarketType, MarketTypeSummary } from '../../wire/markets.ts';
import type { Written } from '../../wire/notation.ts';
import { referTo } from '../../wire/references.ts';
import { numericId } from '../world/ids.ts';
import type { MarketRecord, MarketTypeRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { externalReferencesOf, refersToExternal } from './external-references.ts';
import { marketFacts } from './market-facts.ts';
import { marketDates } from './market-summary.ts';
import { participantSummary, participantsOf } from './participant-documents.ts';
import { eventRecord, treeOfEvents } from './tree.ts';

const SECOND_MS = 1000;

export type MarketArrays = { readonly [Name in keyof typeof MARKETS]: Written<(typeof MARKETS)[Name]> };

export function marketArrays(world: World, records: readonly MarketRecord[]): MarketArrays {
  const { catalogue } = world;
  const typeIds = new Set(records.map((record) => record.marketTypeId));
  const types = [...typeIds].map((id) => present(catalogue.marketTypes.get(id), 'a market has a known type'));
  const participantIds = records.flatMap(({ outcomes }) => outcomes.flatMap(({ participantId: id }) => id ?? []));
  const ids = records.map(({ id }) => id);
  return {
    markets: records.map((record) => marketDocument(world, record)),
    marketTypes: types.map(marketTypeSummary),
    marketOutcomes: records.flatMap((record) => marketOutcomes(world, record)),
    ...treeOfEvents(world, eventsOf(records)),
    externalReferences: externalReferencesOf(catalogue, 'market', ids),
    participants: participantsOf(catalogue, participantIds).map(participantSummary),
  };
}

export function eventsOf(records: readonly MarketRecord[]): readonly number[] {
  return records.map(({ event }) => event);
}

export function marketTypeSummary({ id, outcomes, winners }: MarketTypeRecord): Written<typeof MarketTypeSummary> {
  return { id, outcomesRange: outcomes, winnersRange: winners };
}

export function marketTypeDocument(record: MarketTypeRecord): Written<typeof MarketType> {
  const { createdAt, modifiedAt } = record;
  const dates = { createdAt: instantToWire(createdAt), modifiedAt: instantToWire(modifiedAt) };
  return { ...marketTypeSummary(record), ...dates };
}

function marketDocument(world: World, record: MarketRecord): Written<typeof Market> {
  return {
    ...marketFields(world, record),
    ...marketDates(world, record),
    externalReferences: refersToExternal(world.catalogue, 'market', record.id),
  };
}

/** A row of the historical list, of a market that has been settled or voided. */
export function marketSettled(world: World, record: MarketRecord): Written<typeof MarketSettled> {
  const { settledAt, ...dates } = marketDates(world, record);
  return {
    ...marketFields(world, record),
    ...dates,
    settledAt: present(settledAt, 'a row of the history was settled'),
    eventExpectedStartTime: instantToWire(eventRecord(world.catalogue, record.event).expectedStartTime),
  };
}

function marketFields(world: World, record: MarketRecord) {
  const { id, name, currencyId, marketValue, marketDiscriminator, marketLockAction, eventStartAction } = record;
  const facts = marketFacts(world, record);
  const { status, inPlayStatus, published, suspended, crossMatching, inPlayDelayMs } = facts;
  // Seconds are whole on the wire. Rounded up, because clients wait that long at least.
  const delay = inPlayStatus === 'NotApplicable' ? {} : { inPlayDelay: Math.ceil(inPlayDelayMs / SECOND_MS) };
  return {
    ...{ id, name, currencyId, marketLockAction, eventStartAction, status, inPlayStatus, published, suspended },
    ownerAppId: world.holders.app(record.app).id,
    event: referTo('events', [numericId(record.event)]),
    marketType: referTo('marketTypes', [record.marketTypeId]),
    ...(marketValue === undefined ? {} : { marketValue }),
    ...(marketDiscriminator === undefined ? {} : { marketDiscriminator }),
    ...delay,
    crossMatchingEnabled: crossMatching,
    marketOutcomes: referTo(
      'marketOutcomes',
      record.outcomes.map((outcome) => outcome.id),
    ),
    createdAt: instantToWire(facts.createdAt),
    modifiedAt: instantToWire(facts.modifiedAt),
  };
}

/** `winner` is told once the market has winners; a void market has none. */
function marketOutcomes(world: World, record: MarketRecord): Written<typeof MarketOutcome>[] {
  const { winners } = marketFacts(world, record);
  return record.outcomes.map(({ id, title, ordering, participantId }, index) => ({
    ...{ id, title, ordering },
    ...(winners.length === 0 ? {} : { winner: winners.includes(index) }),
    participant: referTo('participants', participantId === undefined ? [] : [participantId]),
  }));
}
