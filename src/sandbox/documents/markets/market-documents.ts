/** Markets in full, settled markets in the historical form, and the documents beside them in an answer. */

import type { MARKETS } from '../../../betdex/wire/answers.ts';
import type {
  Market,
  MarketOutcome,
  MarketSettled,
  MarketType,
  MarketTypeSummary,
} from '../../../betdex/wire/shapes/markets.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import { instantToWire } from '../../../codec/instants.ts';
import type { Written } from '../../../codec/notation.ts';
import { defined } from '../../../core/checks/assert.ts';
import { numericId } from '../../world/ids.ts';
import type { MarketRecord, MarketTypeRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { participantSummary, participantsOf } from '../accounts/participant-documents.ts';
import { byVersion } from '../text/by-version.ts';
import { externalReferencesOf, refersToExternal } from '../text/external-references.ts';
import { marketFacts } from './market-facts.ts';
import { lockText } from './market-summary.ts';
import { eventRecord, treeOfEvents } from './tree.ts';

const SECOND_MS = 1000;

export type MarketArrays = { readonly [Name in keyof typeof MARKETS]: Written<(typeof MARKETS)[Name]> };

export function marketArrays(world: World, records: readonly MarketRecord[]): MarketArrays {
  const { catalogue } = world;
  const typeIds = new Set(records.map((record) => record.marketTypeId));
  const types = [...typeIds].map((id) => defined(catalogue.marketTypes.get(id), 'a market has a known type'));
  const participantIds = records.flatMap(({ outcomes }) => outcomes.flatMap(({ participantId: id }) => id ?? []));
  const ids = records.map(idOf);
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

function marketTypeSummary({ id, outcomes, winners }: MarketTypeRecord): Written<typeof MarketTypeSummary> {
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
    lockAt: lockText(world, record),
    externalReferences: refersToExternal(world.catalogue, 'market', record.id),
  };
}

/** A row of the historical list; the market must be settled or voided. */
export function marketSettled(world: World, record: MarketRecord): Written<typeof MarketSettled> {
  const { settledAt, ...fields } = marketFields(world, record);
  return {
    ...fields,
    lockAt: lockText(world, record),
    settledAt: defined(settledAt, 'a row of the history was settled'),
    eventExpectedStartTime: instantToWire(eventRecord(world.catalogue, record.event).expectedStartTime),
  };
}

/** The part of a market's document that depends on the market alone. */
const marketFields = byVersion((world, record) => {
  const { id, name, currencyId, marketValue, marketDiscriminator, marketLockAction, eventStartAction } = record;
  const facts = marketFacts(world, record);
  const { status, inPlayStatus, published, suspended, crossMatching, inPlayDelayMs, settledAt } = facts;
  return {
    id,
    ownerAppId: world.registry.app(record.app).id,
    event: referTo('events', [numericId(record.event)]),
    name,
    marketType: referTo('marketTypes', [record.marketTypeId]),
    ...(marketValue === undefined ? {} : { marketValue }),
    ...(marketDiscriminator === undefined ? {} : { marketDiscriminator }),
    currencyId,
    inPlayStatus,
    // Whole seconds on the wire, rounded up since clients wait at least that long.
    ...(inPlayStatus === 'NotApplicable' ? {} : { inPlayDelay: Math.ceil(inPlayDelayMs / SECOND_MS) }),
    crossMatchingEnabled: crossMatching,
    published,
    suspended,
    marketLockAction,
    eventStartAction,
    status,
    marketOutcomes: referTo('marketOutcomes', record.outcomes.map(idOf)),
    createdAt: instantToWire(facts.createdAt),
    modifiedAt: instantToWire(facts.modifiedAt),
    ...(settledAt === undefined ? {} : { settledAt: instantToWire(settledAt) }),
  };
});

const idOf = ({ id }: { readonly id: string }) => id;

/** Outcomes of a market; `winner` is present once the market has winners, which a void market never has. */
const marketOutcomes = byVersion((world, record): readonly Written<typeof MarketOutcome>[] => {
  const { winners } = marketFacts(world, record);
  return record.outcomes.map(({ id, title, ordering, participantId }, index) => ({
    id,
    title,
    ordering,
    ...(winners.length === 0 ? {} : { winner: winners.includes(index) }),
    participant: referTo('participants', participantId === undefined ? [] : [participantId]),
  }));
});
