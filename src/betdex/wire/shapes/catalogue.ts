/** Categories, subcategories and event groups: the tree above the events, in each form that answers use. */

import { document, id, moment, text } from '../../../codec/notation.ts';
import { Reference } from './references.ts';

const dates = { createdAt: moment, modifiedAt: moment };
const category = { id, name: text };
const subcategory = { id, name: text, category: Reference };
const eventGroup = { id, name: text, subcategory: Reference };

export const CategorySummary = document('CategorySummary', category);
export const SubcategorySummary = document('SubcategorySummary', subcategory);
export const EventGroupSummary = document('EventGroupSummary', eventGroup);

/** In answers about events the tree carries its dates, and a category has its full form. */
export const Category = document('Category', { ...category, ...dates });
export const SubcategoryDated = document('SubcategoryDated', { ...subcategory, ...dates });
export const EventGroupDated = document('EventGroupDated', { ...eventGroup, ...dates });

export const Subcategory = document('Subcategory', { ...subcategory, externalReferences: Reference, ...dates });
export const EventGroup = document('EventGroup', { ...eventGroup, externalReferences: Reference, ...dates });
