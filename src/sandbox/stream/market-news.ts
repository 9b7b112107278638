/** Events and markets as the stream tells them. */

import { instantToWire } from '../../betdex/wire/codec/instants.ts';
import type { Written } from '../../betdex/wire/codec/notation.ts';
import type { EventUpdate, MarketStatusUpdate, MarketUpdate } from '../../betdex/wire/messages/stream.ts';
import { present } from '../../core/checks/assert.ts';
import { marketFacts } from '../documents/markets/market-facts.ts';
import { shownLockAt } from '../documents/markets/market-summary.ts';
import { eventRecord, isActive } from '../documents/markets/tree.ts';
import { numericId } from '../world/ids.ts';
import type { MarketRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { MarketChanged } from './fold.ts';

const SECOND_MS = 1000;

/** Where a market stands: the ids above it. */
export interface Place {
  readonly eventId: string;
  readonly eventGroupId: string;
  readonly categoryId: string;
  readonly subCategoryId: string;
}

export function placeOf(world: World, { event }: MarketRecord): Place {
  const { group, subcategory } = branchOf(world, event);
  return {
    eventId: numericId(event),
    eventGroupId: group.id,
    categoryId: subcategory.categoryId,
    subCategoryId: subcategory.id,
  };
}

export function eventUpdate(world: World, event: number): Written<typeof EventUpdate> {
  const record = eventRecord(world.catalogue, event);
  const { group, subcategory } = branchOf(world, event);
  const category = present(world.catalogue.categories.get(subcategory.categoryId), 'a subcategory has its category');
  return {
    type: 'EventUpdate',
    eventId: record.id,
    ...{ eventGroupId: group.id, eventGroupName: group.name },
    ...{ subcategoryId: subcategory.id, subcategoryName: subcategory.name },
    ...{ categoryId: category.id, categoryName: category.name },
    appId: world.holders.app(record.app).id,
    ...{ name: record.name, code: record.code, active: isActive(world, record) },
    expectedStartTime: instantToWire(record.expectedStartTime),
    createdAt: instantToWire(record.createdAt),
    modifiedAt: instantToWire(record.modifiedAt),
  };
}

/** One step of a market's state, which may have been followed by another already. */
export function statusUpdate(
  world: World,
  record: MarketRecord,
  step: MarketChanged,
): Written<typeof MarketStatusUpdate> {
  const { status, published, suspended, inPlayStatus } = step;
  return {
    type: 'MarketStatusUpdate',
    marketId: record.id,
    ...placeOf(world, record),
    ...{ status, published, suspended, inPlayStatus },
  };
}

/** The market as it is now. */
export function marketUpdate(world: World, record: MarketRecord): Written<typeof MarketUpdate> {
  const { name, marketTypeId, marketValue, marketDiscriminator, currencyId } = record;
  const { marketLockAction, eventStartAction } = record;
  const facts = marketFacts(world, record);
  const { status, published, suspended, inPlayStatus, inPlayDelayMs, settledAt } = facts;
  return {
    type: 'MarketUpdate',
    marketId: record.id,
    ...placeOf(world, record),
    ...{ status, published, suspended, inPlayStatus, name, marketTypeId, currencyId },
    appId: world.holders.app(record.app).id,
    ...(marketValue === undefined ? {} : { marketValue }),
    ...(marketDiscriminator === undefined ? {} : { marketDiscriminator }),
    escrowWalletId: world.holders.wallet(facts.escrowWallet).id,
    marketOutcomes: outcomes(world, record),
    crossMatchingEnabled: facts.crossMatching,
    lockAt: instantToWire(shownLockAt(world, record)),
    ...(settledAt === undefined ? {} : { settledAt: instantToWire(settledAt) }),
    ...{ marketLockAction, eventStartAction },
    // Whole seconds, rounded up as in GET /markets.
    ...(inPlayStatus === 'NotApplicable' ? {} : { inPlayDelay: Math.ceil(inPlayDelayMs / SECOND_MS) }),
    createdAt: instantToWire(facts.createdAt),
    modifiedAt: instantToWire(facts.modifiedAt),
  };
}

/** Outcomes have no dates of their own: they come and change with their market. */
function outcomes(world: World, record: MarketRecord): Written<typeof MarketUpdate>['marketOutcomes'] {
  const { winners, createdAt, modifiedAt } = marketFacts(world, record);
  return record.outcomes.map(({ id, title, ordering, participantId }, index) => ({
    ...{ outcomeId: id, title, ordering },
    ...(winners.length === 0 ? {} : { winner: winners.includes(index) }),
    ...(participantId === undefined ? {} : { participantId }),
    createdAt: instantToWire(createdAt),
    modifiedAt: instantToWire(modifiedAt),
  }));
}

function branchOf({ catalogue }: World, event: number) {
  const { eventGroupId } = eventRecord(catalogue, event);
  const group = present(catalogue.eventGroups.get(eventGroupId), 'an event has its group');
  const subcategory = present(catalogue.subcategories.get(group.subcategoryId), 'a group has its subcategory');
  return { group, subcategory };
}
