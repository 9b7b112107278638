/** Control endpoints for injected faults: of requests, of orders, and cuts of the stream. */

import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { OrderErrorCodeWord } from '../../betdex/wire/basics/enums.ts';
import { ENDPOINTS } from '../../betdex/wire/endpoints.ts';
import { SERVER_MESSAGES } from '../../betdex/wire/messages/stream.ts';
import { document, id, integer, maybe, number, text, words } from '../../codec/notation.ts';
import type { ActiveFault, Fault, FaultAction, OddDocument } from '../context/injected-faults.ts';
import { answered, type ControlProblem, controlEndpoint, refused, unknownId } from './control-endpoint.ts';
import { Created, Done } from './control-shapes.ts';
import { findApp, isControlProblem } from './find-records.ts';

const FAULT_KINDS = [
  'latency',
  'status',
  'dropBefore',
  'dropAfter',
  'orderError',
  'stalePrices',
  'oddDocument',
] as const;
const PRICE_OPERATIONS = ['listPrices', 'getMarketPriceBook', 'listMarketPriceRows'];
const DELAY_MAX_MS = 600_000;

const FaultBody = Type.Object({
  kind: words('FaultKind', FAULT_KINDS),
  operations: maybe(Type.Array(words('Operation', Object.keys(ENDPOINTS)), { minItems: 1 })),
  path: maybe(Type.String({ description: 'What the address begins with.' })),
  appId: maybe(id),
  probability: Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1 }),
  seed: Type.Integer({ default: 1, description: 'Of the draws of the probability and of random delays.' }),
  count: maybe(Type.Integer({ minimum: 1, description: 'How often it strikes; of orderError, how many orders.' })),
  forMs: maybe(Type.Integer({ minimum: 1, description: 'How long it may strike.' })),
  delayMs: maybe(
    Type.Integer({ minimum: 0, maximum: DELAY_MAX_MS, description: 'Of latency; with delayMsMax the least.' }),
  ),
  delayMsMax: maybe(Type.Integer({ minimum: 0, maximum: DELAY_MAX_MS })),
  status: maybe(Type.Integer({ minimum: 400, maximum: 599, description: 'Of status.' })),
  retryAfter: maybe(Type.Integer({ minimum: 0, maximum: 3_600, description: 'Of status, in seconds.' })),
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
});
type FaultBody = Static<typeof FaultBody>;

const addFault = controlEndpoint({
  method: 'POST',
  path: '/faults',
  summary:
    'Injects a fault. latency delays answers, status replaces them, dropBefore and dropAfter cut the connection before or after the request is carried out, orderError fails orders (INTERRUPTED without a code), stalePrices freezes price answers at the first one given under it, oddDocument makes a field of one document, or of messages of the stream, what the API does not allow.',
  body: FaultBody,
  answer: Created,
  operate: ({ context, faults, body }) => {
    const action = actionOf(body);
    if (isControlProblem(action)) return action;
    const app = body.appId === undefined ? undefined : findApp(context, body.appId);
    if (app !== undefined && isControlProblem(app)) return app;
    const { path, probability, seed, count, forMs } = body;
    const fault: Fault = {
      action,
      probability,
      seed,
      count,
      match: {
        operations: body.operations ?? operationsOf(action),
        path,
        app: app?.app,
      },
      until: forMs === undefined ? undefined : context.now() + forMs,
    };
    return answered({ id: String(faults.add(fault)) });
  },
});

/** Which operations a fault strikes that names none; undefined: all. */
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

function actionOf(body: FaultBody): FaultAction | ControlProblem {
  const { kind, delayMs, delayMsMax = delayMs, status, retryAfter, operations = [] } = body;
  switch (kind) {
    case 'stalePrices':
      // Freezing other operations would repeat answers that claim that a request was executed.
      return operations.every((name) => PRICE_OPERATIONS.includes(name))
        ? { kind }
        : refused(400, `operations: prices are those of ${PRICE_OPERATIONS.join(', ')}`);
    case 'latency':
      if (delayMs === undefined || delayMsMax === undefined) return refused(400, 'delayMs: a latency needs it');
      if (delayMsMax < delayMs) return refused(400, 'delayMsMax: it is less than delayMs');
      return { kind, delayMsMin: delayMs, delayMsMax };
    case 'status':
      if (status === undefined) return refused(400, 'status: a status needs it');
      return { kind, status, retryAfterS: retryAfter };
    case 'orderError':
      return { kind, code: body.code ?? 'INTERRUPTED' };
    case 'oddDocument':
      return oddDocumentOf(body);
    default:
      return { kind };
  }
}

function oddDocumentOf({ documents, documentId, field, json }: FaultBody): FaultAction | ControlProblem {
  if (documents === undefined) return refused(400, 'documents: an odd document needs it');
  if (field === undefined) return refused(400, 'field: an odd document needs it');
  const fault: FaultAction = { kind: 'oddDocument', documents, documentId, field, json };
  if (!Object.hasOwn(SERVER_MESSAGES, documents) && operationsOf(fault)?.length === 0)
    return refused(400, `documents: no answer holds ${documents}, and no message of the stream is one`);
  return json !== undefined && !isJson(json) ? refused(400, 'json: it is no JSON') : fault;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const ControlFault = document('ControlFault', {
  id,
  kind: words('FaultKind', FAULT_KINDS),
  operations: maybe(Type.Array(text)),
  path: maybe(text),
  appId: maybe(id),
  probability: number,
  seed: integer,
  count: maybe(integer),
  struck: integer,
  delayMs: maybe(integer),
  delayMsMax: maybe(integer),
  status: maybe(integer),
  retryAfter: maybe(integer),
  code: maybe(text),
  documents: maybe(text),
  documentId: maybe(text),
  field: maybe(text),
  json: maybe(text),
});

const listFaults = controlEndpoint({
  method: 'GET',
  path: '/faults',
  summary: 'The faults that may still strike.',
  answer: Type.Object({ faults: Type.Array(ControlFault) }, { additionalProperties: false }),
  operate: ({ context, faults }) => {
    const { registry } = context.world;
    const appIdOf = (app: number | undefined) => (app === undefined ? undefined : registry.app(app).id);
    return answered({
      faults: faults.active(context.now()).map((fault) => faultDocument(fault, appIdOf(fault.match.app))),
    });
  },
});

function faultDocument(fault: ActiveFault, appId: string | undefined) {
  const { action, match, probability, seed, count, struck } = fault;
  return {
    id: String(fault.id),
    kind: action.kind,
    probability,
    seed,
    struck,
    ...(match.operations === undefined ? {} : { operations: match.operations }),
    ...(match.path === undefined ? {} : { path: match.path }),
    ...(appId === undefined ? {} : { appId }),
    ...(count === undefined ? {} : { count }),
    ...(action.kind === 'latency' ? { delayMs: action.delayMsMin, delayMsMax: action.delayMsMax } : {}),
    ...(action.kind === 'status' ? { status: action.status } : {}),
    ...(action.kind === 'status' && action.retryAfterS !== undefined ? { retryAfter: action.retryAfterS } : {}),
    ...(action.kind === 'orderError' ? { code: action.code } : {}),
    ...(action.kind === 'oddDocument' ? oddFields(action) : {}),
  };
}

function oddFields({ documents, documentId, field, json }: OddDocument) {
  return {
    documents,
    field,
    ...(documentId === undefined ? {} : { documentId }),
    ...(json === undefined ? {} : { json }),
  };
}

const clearFaults = controlEndpoint({
  method: 'DELETE',
  path: '/faults',
  summary: 'Lifts all faults.',
  answer: Done,
  operate: ({ faults }) => {
    faults.clearAll();
    return answered({});
  },
});

const clearFault = controlEndpoint({
  method: 'DELETE',
  path: '/faults/{id}',
  summary: 'Lifts one fault.',
  answer: Done,
  operate: ({ faults, path: { id: fault } }) =>
    /^\d{1,15}$/.test(fault) && faults.clear(Number(fault)) ? answered({}) : unknownId(`fault ${fault}`),
});

const listConnections = controlEndpoint({
  method: 'GET',
  path: '/stream/connections',
  summary: "The stream's open connections.",
  answer: Type.Object(
    { connections: Type.Array(document('StreamConnection', { id, appId: maybe(id) })) },
    { additionalProperties: false },
  ),
  operate: ({ context, stream }) => {
    const connections = stream.connections.map(({ id: connection, app }) => ({
      id: connection,
      ...(app === undefined ? {} : { appId: context.world.registry.app(app).id }),
    }));
    return answered({ connections });
  },
});

const cutStream = controlEndpoint({
  method: 'POST',
  path: '/stream/cut',
  summary: 'Drops one connection of the stream, or all.',
  body: Type.Object({ connectionId: maybe(id) }),
  answer: Type.Object({ cut: integer }, { additionalProperties: false }),
  operate: ({ stream, body: { connectionId } }) => {
    const cut = stream.cut(({ id: connection }) => connection === (connectionId ?? connection));
    return connectionId !== undefined && cut === 0 ? unknownId(`connection ${connectionId}`) : answered({ cut });
  },
});

export const FAULT_CONTROL = [addFault, listFaults, clearFaults, clearFault, listConnections, cutStream];
