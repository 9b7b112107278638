/** Reads of what stands above the events: categories, subcategories, event groups, participants, reference sources. */

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
import { type Operations, type Problem, problem } from '../shared/operation.ts';
import { plainMeta } from '../shared/paging.ts';
import { all, oneOf } from '../shared/selection.ts';

type OfEvents = 'listEvents' | 'getEvent' | 'findEvents' | 'listEventParticipants';

export const CATALOGUE_OPERATIONS: Operations<Exclude<keyof typeof EVENT_ENDPOINTS, OfEvents>> = {
  listCategories: ({ context }) => categories([...context.world.catalogue.categories.values()]),
  getCategory({ context, path }) {
    const found = context.world.catalogue.categories.get(path.id);
    return found === undefined ? unknown('category', path.id) : categories([found]);
  },
  listSubcategories({ context, query }) {
    const { catalogue } = context.world;
    const isWanted = all(oneOf(query.categoryIds, ({ categoryId }: SubcategoryRecord) => categoryId));
    return subcategories(catalogue, [...catalogue.subcategories.values()].filter(isWanted));
  },
  getSubcategory({ context, path }) {
    const { catalogue } = context.world;
    const found = catalogue.subcategories.get(path.id);
    return found === undefined ? unknown('subcategory', path.id) : subcategories(catalogue, [found]);
  },
  findSubcategories({ context, path }) {
    const { catalogue } = context.world;
    const ids = catalogue.idsByReference('subcategory', path.source, path.reference);
    return subcategories(catalogue, recordsOf(catalogue.subcategories, ids));
  },
  listSubcategoryParticipants({ context, path }) {
    const { catalogue } = context.world;
    if (!catalogue.subcategories.has(path.id)) return unknown('subcategory', path.id);
    const found = [...catalogue.participants.values()].filter(({ subcategoryId }) => subcategoryId === path.id);
    return participants(catalogue, found);
  },
  listEventGroups({ context, query }) {
    const { catalogue } = context.world;
    const isWanted = all(oneOf(query.subcategoryIds, ({ subcategoryId }: EventGroupRecord) => subcategoryId));
    return eventGroups(catalogue, [...catalogue.eventGroups.values()].filter(isWanted));
  },
  getEventGroup({ context, path }) {
    const { catalogue } = context.world;
    const found = catalogue.eventGroups.get(path.id);
    return found === undefined ? unknown('event group', path.id) : eventGroups(catalogue, [found]);
  },
  findEventGroups({ context, path }) {
    const { catalogue } = context.world;
    const ids = catalogue.idsByReference('eventGroup', path.source, path.reference);
    return eventGroups(catalogue, recordsOf(catalogue.eventGroups, ids));
  },
  findParticipants({ context, path }) {
    const { catalogue } = context.world;
    const ids = catalogue.idsByReference('participant', path.source, path.reference);
    return participants(catalogue, recordsOf(catalogue.participants, ids));
  },
  listExternalReferenceSources({ context }) {
    const sources = [...context.world.catalogue.sources.values()];
    const _meta = plainMeta('externalReferenceSources', sources.length);
    return { kind: 'answer', answer: { _meta, externalReferenceSources: sources } };
  },
};

function categories(records: readonly CategoryRecord[]) {
  const _meta = plainMeta('categories', records.length);
  return { kind: 'answer', answer: { _meta, categories: records.map(categoryDocument) } } as const;
}

function subcategories(catalogue: Catalogue, records: readonly SubcategoryRecord[]) {
  const answer = {
    _meta: plainMeta('subcategories', records.length),
    subcategories: records.map((record) => subcategoryDocument(catalogue, record)),
    externalReferences: externalReferencesOf(catalogue, 'subcategory', idsOf(records)),
    categories: categoriesOf(catalogue, records).map(categorySummary),
  };
  return { kind: 'answer', answer } as const;
}

function eventGroups(catalogue: Catalogue, records: readonly EventGroupRecord[]) {
  const above = subcategoriesOf(catalogue, records);
  const answer = {
    _meta: plainMeta('eventGroups', records.length),
    eventGroups: records.map((record) => eventGroupDocument(catalogue, record)),
    externalReferences: externalReferencesOf(catalogue, 'eventGroup', idsOf(records)),
    subcategories: above.map(subcategorySummary),
    categories: categoriesOf(catalogue, above).map(categorySummary),
  };
  return { kind: 'answer', answer } as const;
}

function participants(catalogue: Catalogue, records: readonly ParticipantRecord[]) {
  const answer = {
    _meta: plainMeta('participants', records.length),
    participants: records.map((record) => participantDocument(catalogue, record)),
    externalReferences: externalReferencesOf(catalogue, 'participant', idsOf(records)),
  };
  return { kind: 'answer', answer } as const;
}

/** Each once: several records of another system may name the same thing. */
function recordsOf<R>(byId: ReadonlyMap<string, R>, ids: readonly string[]): R[] {
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id);
}

function unknown(what: string, id: string): Problem {
  return problem(404, `Unknown ${what}`, `no ${what} ${id}`);
}
