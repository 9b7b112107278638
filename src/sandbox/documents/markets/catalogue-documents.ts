/** Categories, subcategories and event groups as documents: one function for each form that the answers use. */

import type {
  Category,
  CategorySummary,
  EventGroup,
  EventGroupDated,
  EventGroupSummary,
  Subcategory,
  SubcategoryDated,
  SubcategorySummary,
} from '../../../betdex/wire/shapes/catalogue.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import { instantToWire } from '../../../codec/instants.ts';
import type { Written } from '../../../codec/notation.ts';
import type { Catalogue } from '../../world/catalogue.ts';
import type { CategoryRecord, EventGroupRecord, SubcategoryRecord } from '../../world/records.ts';
import { refersToExternal } from '../text/external-references.ts';

export function categorySummary({ id, name }: CategoryRecord): Written<typeof CategorySummary> {
  return { id, name };
}

export function subcategorySummary({ id, name, categoryId }: SubcategoryRecord): Written<typeof SubcategorySummary> {
  return { id, name, category: referTo('categories', [categoryId]) };
}

export function eventGroupSummary({ id, name, subcategoryId }: EventGroupRecord): Written<typeof EventGroupSummary> {
  return { id, name, subcategory: referTo('subcategories', [subcategoryId]) };
}

/** The full form, which is also used beside events. */
export function categoryDocument(record: CategoryRecord): Written<typeof Category> {
  return { ...categorySummary(record), ...datesOf(record) };
}

export function subcategoryDated(record: SubcategoryRecord): Written<typeof SubcategoryDated> {
  return { ...subcategorySummary(record), ...datesOf(record) };
}

export function eventGroupDated(record: EventGroupRecord): Written<typeof EventGroupDated> {
  return { ...eventGroupSummary(record), ...datesOf(record) };
}

export function subcategoryDocument(catalogue: Catalogue, record: SubcategoryRecord): Written<typeof Subcategory> {
  return { ...subcategoryDated(record), externalReferences: refersToExternal(catalogue, 'subcategory', record.id) };
}

export function eventGroupDocument(catalogue: Catalogue, record: EventGroupRecord): Written<typeof EventGroup> {
  return { ...eventGroupDated(record), externalReferences: refersToExternal(catalogue, 'eventGroup', record.id) };
}

function datesOf({ createdAt, modifiedAt }: CategoryRecord) {
  return { createdAt: instantToWire(createdAt), modifiedAt: instantToWire(modifiedAt) };
}
