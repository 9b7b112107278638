/** Operations that read categories, subcategories, event groups, participants and reference sources. */

import type { EVENT_ENDPOINTS } from '../../../betdex/wire/endpoints.ts';
import { participantDocument } from '../../documents/accounts/participant-documents.ts';
import {
  categoryDocument,
  categorySummary,
  eventGroupDocument,
  subcategoryDocument,
  subcategorySummary,
} from '../../documents/markets/catalogue-documents.ts';
import { categoriesOf, subcategoriesOf } from '../../documents/markets/tree.ts';
import { externalReferencesOf } from '../../documents/text/external-references.ts';
import type { Catalogue } from '../../world/catalogue.ts';
import type { CategoryRecord, EventGroupRecord, ParticipantRecord, SubcategoryRecord } from '../../world/records.ts';
import { plainAnswer } from '../shared/answers.ts';
import { type Operations, type Problem, problem } from '../shared/operation.ts';
import { allOf, oneOf } from '../shared/selection.ts';

type OfEvents = 'listEvents' | 'getEvent' | 'findEvents' | 'listEventParticipants';

export const CATALOGUE_OPERATIONS: Operations<Exclude<keyof typeof EVENT_ENDPOINTS, OfEvents>> = {
  listCategories: ({ world }) => categories([...world.catalogue.categories.values()]),
  getCategory({ world, path }) {
    const found = world.catalogue.categories.get(path.id);
    return found === undefined ? unknown('category', path.id) : categories([found]);
  },
  listSubcategories({ world: { catalogue }, query }) {
    const isWanted = allOf(oneOf(query.categoryIds, ({ categoryId }: SubcategoryRecord) => categoryId));
    return subcategories(catalogue, [...catalogue.subcategories.values()].filter(isWanted));
  },
  getSubcategory({ world: { catalogue }, path }) {
    const found = catalogue.subcategories.get(path.id);
    return found === undefined ? unknown('subcategory', path.id) : subcategories(catalogue, [found]);
  },
  findSubcategories({ world: { catalogue }, path }) {
    const ids = catalogue.idsByReference('subcategory', path.source, path.reference);
    return subcategories(catalogue, recordsOf(catalogue.subcategories, ids));
  },
  listSubcategoryParticipants({ world: { catalogue }, path }) {
    if (!catalogue.subcategories.has(path.id)) return unknown('subcategory', path.id);
    const found = [...catalogue.participants.values()].filter(({ subcategoryId }) => subcategoryId === path.id);
    return participants(catalogue, found);
  },
  listEventGroups({ world: { catalogue }, query }) {
    const isWanted = allOf(oneOf(query.subcategoryIds, ({ subcategoryId }: EventGroupRecord) => subcategoryId));
    return eventGroups(catalogue, [...catalogue.eventGroups.values()].filter(isWanted));
  },
  getEventGroup({ world: { catalogue }, path }) {
    const found = catalogue.eventGroups.get(path.id);
    return found === undefined ? unknown('event group', path.id) : eventGroups(catalogue, [found]);
  },
  findEventGroups({ world: { catalogue }, path }) {
    const ids = catalogue.idsByReference('eventGroup', path.source, path.reference);
    return eventGroups(catalogue, recordsOf(catalogue.eventGroups, ids));
  },
  findParticipants({ world: { catalogue }, path }) {
    const ids = catalogue.idsByReference('participant', path.source, path.reference);
    return participants(catalogue, recordsOf(catalogue.participants, ids));
  },
  listExternalReferenceSources({ world }) {
    const sources = [...world.catalogue.sources.values()];
    return plainAnswer('externalReferenceSources', sources.length, { externalReferenceSources: sources });
  },
};

function categories(records: readonly CategoryRecord[]) {
  return plainAnswer('categories', records.length, { categories: records.map(categoryDocument) });
}

function subcategories(catalogue: Catalogue, records: readonly SubcategoryRecord[]) {
  return plainAnswer('subcategories', records.length, {
    subcategories: records.map((record) => subcategoryDocument(catalogue, record)),
    externalReferences: externalReferencesOf(catalogue, 'subcategory', idsOf(records)),
    categories: categoriesOf(catalogue, records).map(categorySummary),
  });
}

function eventGroups(catalogue: Catalogue, records: readonly EventGroupRecord[]) {
  const above = subcategoriesOf(catalogue, records);
  return plainAnswer('eventGroups', records.length, {
    eventGroups: records.map((record) => eventGroupDocument(catalogue, record)),
    externalReferences: externalReferencesOf(catalogue, 'eventGroup', idsOf(records)),
    subcategories: above.map(subcategorySummary),
    categories: categoriesOf(catalogue, above).map(categorySummary),
  });
}

function participants(catalogue: Catalogue, records: readonly ParticipantRecord[]) {
  return plainAnswer('participants', records.length, {
    participants: records.map((record) => participantDocument(catalogue, record)),
    externalReferences: externalReferencesOf(catalogue, 'participant', idsOf(records)),
  });
}

/** The records of the ids, each once: several records of another system may name the same document. */
function recordsOf<R>(byId: ReadonlyMap<string, R>, ids: readonly string[]): R[] {
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id);
}

function unknown(what: string, id: string): Problem {
  return problem(404, `Unknown ${what}`, `no ${what} ${id}`);
}
