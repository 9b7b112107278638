/** References from one document to others: into an array of the same answer, or to a record of another system. */

import { document, id, integer, list, text } from '../../../codec/notation.ts';

/** `_ref` names the array and its key, such as `markets.id`; `_ids` holds values of that key. */
export const Reference = document('DocumentReference', { _ref: text, _ids: list(id) }, { needs: ['_ids'] });

export const ExternalReference = document('ExternalReference', { id: integer, source: text, externalReference: text });

export const ExternalReferenceSource = document('ExternalReferenceSource', { code: text, description: text });

export type ReferenceTarget =
  | 'categories'
  | 'eventGroups'
  | 'events'
  | 'externalReferences'
  | 'marketOutcomes'
  | 'markets'
  | 'marketTypes'
  | 'orders'
  | 'participants'
  | 'subcategories';

/** A reference to documents of an array by their ids; an empty list refers to none. */
export function referTo(target: ReferenceTarget, ids: readonly string[]) {
  return { _ref: `${target}.id`, _ids: [...ids] };
}
