/** External references (ids in other systems): the reference from a document to them, and the records themselves. */

import { type ExternalReference, type Reference, referTo } from '../../../betdex/wire/shapes/references.ts';
import type { Written } from '../../../codec/notation.ts';
import type { Catalogue } from '../../world/catalogue.ts';
import type { ReferencedKind } from '../../world/change.ts';

/** The reference field of a document. Always present, and empty where no other system names it (wire-shapes, F). */
export function refersToExternal(catalogue: Catalogue, target: ReferencedKind, id: string): Written<typeof Reference> {
  const ids = catalogue.referencesOf(target, id).map((record) => String(record.id));
  return referTo('externalReferences', ids);
}

/** The sibling array with the records of these documents; a record names one document, so none is repeated. */
export function externalReferencesOf(
  catalogue: Catalogue,
  target: ReferencedKind,
  ids: Iterable<string>,
): Written<typeof ExternalReference>[] {
  const documents = [];
  for (const id of ids)
    for (const { id: record, source, reference } of catalogue.referencesOf(target, id))
      documents.push({ id: record, source, externalReference: reference });
  return documents;
}
