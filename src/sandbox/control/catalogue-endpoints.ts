/** Control of what there is to bet on, above the events: currencies, categories down to groups, and names elsewhere. */

import { Type } from '@sinclair/typebox';
import { ParticipantTypeWord } from '../../betdex/wire/basics/enums.ts';
import { id, text, words } from '../../betdex/wire/codec/notation.ts';
import { REFERENCED_KINDS } from '../world/change.ts';
import { answered, change, controlEndpoint } from './control-endpoint.ts';
import { Created, Done, range } from './control-shapes.ts';

const POST = 'POST';

const createCurrency = controlEndpoint({
  ...{ method: POST, path: '/currencies', summary: 'Creates a currency.' },
  body: Type.Object({ id }),
  answer: Created,
  operate: ({ context, body }) => change(context, { kind: 'createCurrency', ...body }) ?? answered({ id: body.id }),
});

const createCategory = controlEndpoint({
  ...{ method: POST, path: '/categories', summary: 'Creates a category.' },
  body: Type.Object({ id, name: text }),
  answer: Created,
  operate: ({ context, body }) => change(context, { kind: 'createCategory', ...body }) ?? answered({ id: body.id }),
});

const createSubcategory = controlEndpoint({
  ...{ method: POST, path: '/subcategories', summary: 'Creates a subcategory.' },
  body: Type.Object({ id, name: text, categoryId: id }),
  answer: Created,
  operate: ({ context, body }) => change(context, { kind: 'createSubcategory', ...body }) ?? answered({ id: body.id }),
});

const createEventGroup = controlEndpoint({
  ...{ method: POST, path: '/event-groups', summary: 'Creates an event group.' },
  body: Type.Object({ id, name: text, subcategoryId: id }),
  answer: Created,
  operate: ({ context, body }) => change(context, { kind: 'createEventGroup', ...body }) ?? answered({ id: body.id }),
});

const createParticipant = controlEndpoint({
  ...{ method: POST, path: '/participants', summary: 'Creates a participant of a subcategory.' },
  body: Type.Object({ id, code: text, name: text, type: ParticipantTypeWord, subcategoryId: id }),
  answer: Created,
  operate: ({ context, body }) => change(context, { kind: 'createParticipant', ...body }) ?? answered({ id: body.id }),
});

const createMarketType = controlEndpoint({
  ...{ method: POST, path: '/market-types', summary: 'Creates a market type.' },
  body: Type.Object({ id, outcomesRange: range, winnersRange: range }),
  answer: Created,
  operate: ({ context, body: { id: made, outcomesRange: outcomes, winnersRange: winners } }) =>
    change(context, { kind: 'createMarketType', id: made, outcomes, winners }) ?? answered({ id: made }),
});

const createSource = controlEndpoint({
  ...{ method: POST, path: '/external-reference-sources', summary: 'Names another system that records have ids in.' },
  body: Type.Object({ code: id, description: text }),
  answer: Created,
  operate: ({ context, body }) =>
    change(context, { kind: 'createReferenceSource', ...body }) ?? answered({ id: body.code }),
});

const addReference = controlEndpoint({
  ...{ method: POST, path: '/external-references', summary: 'Gives a record its id in another system.' },
  body: Type.Object({ source: id, reference: text, target: words('ReferencedKind', REFERENCED_KINDS), id }),
  answer: Done,
  operate: ({ context, body }) => change(context, { kind: 'addReference', ...body }) ?? answered({}),
});

export const CATALOGUE_ENDPOINTS = [
  ...[createCurrency, createCategory, createSubcategory, createEventGroup, createParticipant],
  ...[createMarketType, createSource, addReference],
];
