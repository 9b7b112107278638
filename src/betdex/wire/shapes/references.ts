/** How a document points at others: into a sibling array, or to a record of another system. */

import { document, id, integer, list, text } from '../codec/notation.ts';

/** `_ref` names the sibling array and its key, such as `markets.id`; `_ids` are that key's values. */
export const Reference = document('DocumentReference', { _ref: text, _ids: list(id) });

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

/** Points at documents of a sibling array by their ids; an empty list points at nothing. */
export function referTo(target: ReferenceTarget, ids: readonly string[]) {
  return { _ref: `${target}.id`, _ids: [...ids] };
}
