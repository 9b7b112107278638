/**
 * Control endpoints for currencies, categories, subcategories, event groups, participants, market types and external
 * references.
 */

import { type Static, type TObject, Type } from '@sinclair/typebox';
import { ParticipantTypeWord } from '../../betdex/wire/basics/enums.ts';
import { id, text, words } from '../../codec/notation.ts';
import { type CatalogueChange, REFERENCED_KINDS } from '../world/change.ts';
import { answered, change, controlEndpoint } from './control-endpoint.ts';
import { Created, Done, range } from './control-shapes.ts';

/** Declares an endpoint that creates a record of the catalogue by the id in its body and answers with that id. */
function creates<B extends TObject>(
  path: string,
  summary: string,
  body: B,
  changeOf: (body: Static<B>) => CatalogueChange & { readonly id: string },
) {
  return controlEndpoint({
    method: 'POST',
    path,
    summary,
    body,
    answer: Created,
    operate: ({ context, body: given }) => {
      const made = changeOf(given);
      return change(context, made) ?? answered({ id: made.id });
    },
  });
}

const createSource = controlEndpoint({
  method: 'POST',
  path: '/external-reference-sources',
  summary: 'Names another system that records have ids in.',
  body: Type.Object({ code: id, description: text }),
  answer: Created,
  operate: ({ context, body }) =>
    change(context, { kind: 'createReferenceSource', ...body }) ?? answered({ id: body.code }),
});

const addReference = controlEndpoint({
  method: 'POST',
  path: '/external-references',
  summary: 'Gives a record its id in another system.',
  body: Type.Object({ source: id, reference: text, target: words('ReferencedKind', REFERENCED_KINDS), id }),
  answer: Done,
  operate: ({ context, body }) => change(context, { kind: 'addReference', ...body }) ?? answered({}),
});

export const CATALOGUE_CONTROL = [
  creates('/currencies', 'Creates a currency.', Type.Object({ id }), (body) => ({ kind: 'createCurrency', ...body })),
  creates('/categories', 'Creates a category.', Type.Object({ id, name: text }), (body) => ({
    kind: 'createCategory',
    ...body,
  })),
  creates('/subcategories', 'Creates a subcategory.', Type.Object({ id, name: text, categoryId: id }), (body) => ({
    kind: 'createSubcategory',
    ...body,
  })),
  creates('/event-groups', 'Creates an event group.', Type.Object({ id, name: text, subcategoryId: id }), (body) => ({
    kind: 'createEventGroup',
    ...body,
  })),
  creates(
    '/participants',
    'Creates a participant of a subcategory.',
    Type.Object({ id, code: text, name: text, type: ParticipantTypeWord, subcategoryId: id }),
    (body) => ({ kind: 'createParticipant', ...body }),
  ),
  creates(
    '/market-types',
    'Creates a market type.',
    Type.Object({ id, outcomesRange: range, winnersRange: range }),
    ({ id: made, outcomesRange: outcomes, winnersRange: winners }) => ({
      kind: 'createMarketType',
      id: made,
      outcomes,
      winners,
    }),
  ),
  createSource,
  addReference,
];
