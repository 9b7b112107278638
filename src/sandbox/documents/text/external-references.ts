/** What other systems call a document: the reference to those records, and the records themselves. */

import type { Written } from '../../../betdex/wire/codec/notation.ts';
import { type ExternalReference, type Reference, referTo } from '../../../betdex/wire/shapes/references.ts';
import type { Catalogue } from '../../world/catalogue.ts';
import type { ReferencedKind } from '../../world/change.ts';

/** Always there, and empty where no other system names the document (wire-shapes, F). */
export function refersToExternal(catalogue: Catalogue, target: ReferencedKind, id: string): Written<typeof Reference> {
  const ids = catalogue.referencesOf(target, id).map((record) => String(record.id));
  return referTo('externalReferences', ids);
}

/** The sibling array of documents of one kind; a record names one document, so none comes twice. */
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
