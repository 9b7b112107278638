/** The summaries of events and of the tree above them, each document once. */

import type { TREE } from '../../../betdex/wire/answers.ts';
import type { EventSummary } from '../../../betdex/wire/shapes/events.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import { instantToWire } from '../../../codec/instants.ts';
import type { Written } from '../../../codec/notation.ts';
import { defined } from '../../../core/checks/assert.ts';
import type { Catalogue } from '../../world/catalogue.ts';
import type { CategoryRecord, EventGroupRecord, EventRecord, SubcategoryRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { categorySummary, eventGroupSummary, subcategorySummary } from './catalogue-documents.ts';

export type Tree = { readonly [Name in keyof typeof TREE]: Written<(typeof TREE)[Name]> };

/**
 * The summaries of some events, given by the exchange machine's numbers, and of the tree above them, in the order of
 * first mention.
 */
export function treeOfEvents(world: World, events: Iterable<number>): Tree {
  const { catalogue } = world;
  const records = [...new Set(events)].map((event) => eventRecord(catalogue, event));
  const { eventGroups, subcategories, categories } = branchesOf(catalogue, records);
  return {
    events: records.map((record) => eventSummary(world, record)),
    eventGroups: eventGroups.map(eventGroupSummary),
    subcategories: subcategories.map(subcategorySummary),
    categories: categories.map(categorySummary),
  };
}

function eventSummary(world: World, record: EventRecord): Written<typeof EventSummary> {
  const { id, name, code, eventGroupId, expectedStartTime } = record;
  return {
    id,
    name,
    code,
    eventGroup: referTo('eventGroups', [eventGroupId]),
    expectedStartTime: instantToWire(expectedStartTime),
    active: isActive(world, record),
  };
}

export function isActive(world: World, { event }: EventRecord): boolean {
  return defined(world.exchange.event(event), 'the machine knows every event of the catalogue').active;
}

export interface Branches {
  readonly eventGroups: readonly EventGroupRecord[];
  readonly subcategories: readonly SubcategoryRecord[];
  readonly categories: readonly CategoryRecord[];
}

/** The records above some events, each once. */
export function branchesOf(catalogue: Catalogue, events: readonly EventRecord[]): Branches {
  const eventGroups = parentsOf(events, (event) => event.eventGroupId, catalogue.eventGroups);
  const subcategories = subcategoriesOf(catalogue, eventGroups);
  return { eventGroups, subcategories, categories: categoriesOf(catalogue, subcategories) };
}

export function branchOf(catalogue: Catalogue, { eventGroupId }: EventRecord) {
  const group = defined(catalogue.eventGroups.get(eventGroupId), 'what the catalogue names it knows');
  const subcategory = defined(catalogue.subcategories.get(group.subcategoryId), 'what the catalogue names it knows');
  return { group, subcategory };
}

export function categoriesOf(catalogue: Catalogue, subcategories: readonly SubcategoryRecord[]): CategoryRecord[] {
  return parentsOf(subcategories, (subcategory) => subcategory.categoryId, catalogue.categories);
}

export function subcategoriesOf(catalogue: Catalogue, groups: readonly EventGroupRecord[]): SubcategoryRecord[] {
  return parentsOf(groups, (group) => group.subcategoryId, catalogue.subcategories);
}

export function eventRecord(catalogue: Catalogue, event: number): EventRecord {
  return defined(catalogue.events.get(event), 'an event of the machine has a record');
}

function parentsOf<C, P>(children: readonly C[], parentId: (child: C) => string, parents: ReadonlyMap<string, P>): P[] {
  const ids = new Set(children.map(parentId));
  return [...ids].map((id) => defined(parents.get(id), 'what the catalogue names it knows'));
}
