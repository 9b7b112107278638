/** The stream's messages about events and markets. */

import type { EventUpdate, MarketStatusUpdate, MarketUpdate } from '../../betdex/wire/messages/stream.ts';
import { instantToWire } from '../../codec/instants.ts';
import type { Written } from '../../codec/notation.ts';
import { defined } from '../../core/checks/assert.ts';
import { marketFacts } from '../documents/markets/market-facts.ts';
import { shownLockAt } from '../documents/markets/market-summary.ts';
import { branchOf, eventRecord, isActive } from '../documents/markets/tree.ts';
import { numericId } from '../world/ids.ts';
import type { MarketRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { MarketChanged } from './change-summary.ts';

const SECOND_MS = 1000;

/** Ids of the event and the tree above a market. */
export interface MarketPath {
  readonly eventId: string;
  readonly eventGroupId: string;
  readonly categoryId: string;
  readonly subCategoryId: string;
}

export function marketPathOf({ catalogue }: World, { event }: MarketRecord): MarketPath {
  const { group, subcategory } = branchOf(catalogue, eventRecord(catalogue, event));
  return {
    eventId: numericId(event),
    eventGroupId: group.id,
    categoryId: subcategory.categoryId,
    subCategoryId: subcategory.id,
  };
}

export function eventUpdate(world: World, event: number): Written<typeof EventUpdate> {
  const record = eventRecord(world.catalogue, event);
  const { group, subcategory } = branchOf(world.catalogue, record);
  const category = defined(world.catalogue.categories.get(subcategory.categoryId), 'a subcategory has its category');
  return {
    type: 'EventUpdate',
    eventId: record.id,
    eventGroupId: group.id,
    eventGroupName: group.name,
    subcategoryId: subcategory.id,
    subcategoryName: subcategory.name,
    categoryId: category.id,
    categoryName: category.name,
    appId: world.registry.app(record.app).id,
    name: record.name,
    code: record.code,
    active: isActive(world, record),
    expectedStartTime: instantToWire(record.expectedStartTime),
    createdAt: instantToWire(record.createdAt),
    modifiedAt: instantToWire(record.modifiedAt),
  };
}

/** The message of one step of a market's status; later steps may have followed already. */
export function statusUpdate(
  world: World,
  record: MarketRecord,
  step: MarketChanged,
): Written<typeof MarketStatusUpdate> {
  const { status, published, suspended, inPlayStatus } = step;
  return {
    type: 'MarketStatusUpdate',
    marketId: record.id,
    ...marketPathOf(world, record),
    status,
    published,
    suspended,
    inPlayStatus,
  };
}

/** The message with the present state of a market. */
export function marketUpdate(world: World, record: MarketRecord): Written<typeof MarketUpdate> {
  const { name, marketTypeId, marketValue, marketDiscriminator, currencyId } = record;
  const { marketLockAction, eventStartAction } = record;
  const facts = marketFacts(world, record);
  const { status, published, suspended, inPlayStatus, inPlayDelayMs, settledAt } = facts;
  return {
    type: 'MarketUpdate',
    marketId: record.id,
    ...marketPathOf(world, record),
    status,
    published,
    suspended,
    inPlayStatus,
    name,
    marketTypeId,
    currencyId,
    appId: world.registry.app(record.app).id,
    ...(marketValue === undefined ? {} : { marketValue }),
    ...(marketDiscriminator === undefined ? {} : { marketDiscriminator }),
    escrowWalletId: world.registry.wallet(facts.escrowWallet).id,
    marketOutcomes: outcomes(world, record),
    crossMatchingEnabled: facts.crossMatching,
    lockAt: instantToWire(shownLockAt(world, record)),
    ...(settledAt === undefined ? {} : { settledAt: instantToWire(settledAt) }),
    marketLockAction,
    eventStartAction,
    // Whole seconds, rounded up as in GET /markets.
    ...(inPlayStatus === 'NotApplicable' ? {} : { inPlayDelay: Math.ceil(inPlayDelayMs / SECOND_MS) }),
    createdAt: instantToWire(facts.createdAt),
    modifiedAt: instantToWire(facts.modifiedAt),
  };
}

/** Outcomes have no dates of their own and show those of their market. */
function outcomes(world: World, record: MarketRecord): Written<typeof MarketUpdate>['marketOutcomes'] {
  const { winners, createdAt, modifiedAt } = marketFacts(world, record);
  return record.outcomes.map(({ id, title, ordering, participantId }, index) => ({
    outcomeId: id,
    title,
    ordering,
    ...(winners.length === 0 ? {} : { winner: winners.includes(index) }),
    ...(participantId === undefined ? {} : { participantId }),
    createdAt: instantToWire(createdAt),
    modifiedAt: instantToWire(modifiedAt),
  }));
}
