/** The control surface's view of BetDEX's face: its ids are the world's own, and its faults are of its operations and messages. */

import { type TProperties, Type } from '@sinclair/typebox';
import { OrderErrorCodeWord } from '../../betdex/wire/basics/enums.ts';
import { ENDPOINTS } from '../../betdex/wire/endpoints.ts';
import { SERVER_MESSAGES } from '../../betdex/wire/messages/stream.ts';
import { maybe, text } from '../../codec/notation.ts';
import type { FaceNames } from '../context/face-names.ts';
import type { FaultAction, OddDocument } from '../context/injected-faults.ts';
import { countOfId } from '../world/ids.ts';
import { type ControlProblem, refused } from './control-endpoint.ts';
import { type FaceControl, faultTerms } from './face-control.ts';

const PRICE_OPERATIONS = ['listPrices', 'getMarketPriceBook', 'listMarketPriceRows'];

const NAMES: FaceNames = {
  appId: ({ id }) => id,
  app: (id, { registry }) => registry.appById(id),
  marketId: ({ id }) => id,
  market: (id, { catalogue }) => {
    const market = countOfId(id);
    return market === undefined ? undefined : catalogue.markets.get(market);
  },
  outcomeId: ({ outcomes }, outcome) => outcomes[outcome]?.id ?? '',
  outcome: ({ market }, id, { catalogue }) => {
    const found = catalogue.outcomes.get(id);
    return found?.market === market ? found.outcome : undefined;
  },
};

const FAULTS = faultTerms({
  operations: Object.keys(ENDPOINTS),
  kinds: ['orderError', 'stalePrices', 'oddDocument'],
  summary:
    'orderError fails orders (INTERRUPTED without a code), stalePrices freezes price answers at the first one given under it, oddDocument makes a field of one document, or of messages of the stream, what the API does not allow.',
  fields: {
    code: maybe(OrderErrorCodeWord),
    documents: maybe(
      Type.String({
        minLength: 1,
        description:
          'Of oddDocument: the list in the answer, such as markets, or a message of the stream, such as MarketUpdate.',
      }),
    ),
    documentId: maybe(
      Type.String({ description: 'Of oddDocument: whose; without it the first of the list, or each such message.' }),
    ),
    field: maybe(Type.String({ minLength: 1, description: 'Of oddDocument: such as lockAt or prices.0.amount.' })),
    json: maybe(Type.String({ description: 'Of oddDocument: the value as JSON; the field is left out without it.' })),
  },
  shown: {
    code: maybe(text),
    documents: maybe(text),
    documentId: maybe(text),
    field: maybe(text),
    json: maybe(text),
  },
  actionOf: (body) => {
    const { kind } = body;
    if (kind === 'oddDocument') return oddDocumentOf(body);
    return kind === 'orderError' ? { kind, code: body.code ?? 'INTERRUPTED' } : { kind: 'stalePrices' };
  },
  operationsOf,
  // Freezing other operations would repeat answers that claim that a request was executed.
  refusalOf: ({ kind }, operations = []) =>
    kind !== 'stalePrices' || operations.every((name) => PRICE_OPERATIONS.includes(name))
      ? undefined
      : refused(400, `operations: prices are those of ${PRICE_OPERATIONS.join(', ')}`),
  fieldsOf: (action) => {
    if (action.kind === 'orderError') return { code: action.code };
    return action.kind === 'oddDocument' ? oddFields(action) : {};
  },
});

export const BETDEX_CONTROL: FaceControl = { names: NAMES, faults: FAULTS, endpoints: [] };

function operationsOf(action: FaultAction): readonly string[] | undefined {
  if (action.kind === 'stalePrices') return PRICE_OPERATIONS;
  if (action.kind !== 'oddDocument') return undefined;
  const answers = Object.entries(ENDPOINTS).map(([name, { answer }]) => [name, answer.schema.properties] as const);
  return answers.flatMap(([name, properties]) => (listsOf(properties).includes(action.documents) ? [name] : []));
}

/** The names of the lists in an answer, whose documents may stand in an object of their own. */
function listsOf({ documents, ...others }: TProperties): readonly string[] {
  return [...Object.keys(others), ...Object.keys(documents?.['properties'] ?? {})];
}

function oddDocumentOf(
  given: Partial<Record<'documents' | 'documentId' | 'field' | 'json', string>>,
): FaultAction | ControlProblem {
  const { documents, documentId, field, json } = given;
  if (documents === undefined) return refused(400, 'documents: an odd document needs it');
  if (field === undefined) return refused(400, 'field: an odd document needs it');
  const fault: FaultAction = { kind: 'oddDocument', documents, documentId, field, json };
  if (!Object.hasOwn(SERVER_MESSAGES, documents) && operationsOf(fault)?.length === 0)
    return refused(400, `documents: no answer holds ${documents}, and no message of the stream is one`);
  return json !== undefined && !isJson(json) ? refused(400, 'json: it is no JSON') : fault;
}

function isJson(given: string): boolean {
  try {
    JSON.parse(given);
    return true;
  } catch {
    return false;
  }
}

function oddFields({ documents, documentId, field, json }: OddDocument) {
  return {
    documents,
    field,
    ...(documentId === undefined ? {} : { documentId }),
    ...(json === undefined ? {} : { json }),
  };
}
