/** Control endpoints for injected faults: of requests, of orders, and cuts of the stream. */

import { type Static, Type } from '@sinclair/typebox';
import { document, id, integer, maybe, number, text, words } from '../../codec/notation.ts';
import type { ActiveFault, Fault, FaultAction } from '../context/injected-faults.ts';
import {
  type AnyControlEndpoint,
  answered,
  type ControlProblem,
  controlEndpoint,
  refused,
  unknownId,
} from './control-endpoint.ts';
import { Created, Done } from './control-shapes.ts';
import type { FaultTerms } from './face-control.ts';
import { findApp, isControlProblem } from './find-records.ts';

/** What a fault of any face can be. */
const FAULT_KINDS = ['latency', 'status', 'dropBefore', 'dropAfter'] as const;
const DELAY_MAX_MS = 600_000;

const FAULT_FIELDS = {
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
};

/** The endpoints by which faults of a face are made and lifted. */
export function faultControl(terms: FaultTerms): readonly AnyControlEndpoint[] {
  const kinds = [...FAULT_KINDS, ...terms.kinds];
  return [addFault(terms, kinds), listFaults(terms, kinds), clearFaults, clearFault];
}

function addFault(terms: FaultTerms, kinds: readonly string[]): AnyControlEndpoint {
  const FaultBody = Type.Object({
    kind: words('FaultKind', kinds),
    operations: maybe(Type.Array(words('Operation', terms.operations), { minItems: 1 })),
    ...FAULT_FIELDS,
    ...terms.fields,
  });
  return controlEndpoint({
    method: 'POST',
    path: '/faults',
    summary: `Injects a fault. latency delays answers, status replaces them, dropBefore and dropAfter cut the connection before or after the request is carried out, ${terms.summary}`,
    body: FaultBody,
    answer: Created,
    operate: (call) => {
      const { context, faults, body } = call;
      const action = commonAction(body) ?? terms.actionOf(body);
      if (isControlProblem(action)) return action;
      const operations = body.operations ?? terms.operationsOf(action);
      const refusal = terms.refusalOf(action, operations);
      if (refusal !== undefined) return refusal;
      const app = body.appId === undefined ? undefined : findApp(call, body.appId);
      if (app !== undefined && isControlProblem(app)) return app;
      const { path, probability, seed, count, forMs } = body;
      const fault: Fault = {
        action,
        probability,
        seed,
        count,
        match: { operations, path, app: app?.app },
        until: forMs === undefined ? undefined : context.now() + forMs,
      };
      return answered({ id: String(faults.add(fault)) });
    },
  });
}

type CommonFault = Pick<Static<typeof CommonBody>, 'delayMs' | 'delayMsMax' | 'status' | 'retryAfter'> & {
  readonly kind: string;
};
const CommonBody = Type.Object(FAULT_FIELDS);

/** Undefined for a kind that is the face's own. */
function commonAction(body: CommonFault): FaultAction | ControlProblem | undefined {
  const { kind, delayMs, delayMsMax = delayMs, status, retryAfter } = body;
  switch (kind) {
    case 'latency':
      if (delayMs === undefined || delayMsMax === undefined) return refused(400, 'delayMs: a latency needs it');
      if (delayMsMax < delayMs) return refused(400, 'delayMsMax: it is less than delayMs');
      return { kind, delayMsMin: delayMs, delayMsMax };
    case 'status':
      if (status === undefined) return refused(400, 'status: a status needs it');
      return { kind, status, retryAfterS: retryAfter };
    case 'dropBefore':
    case 'dropAfter':
      return { kind };
    default:
      return undefined;
  }
}

function listFaults(terms: FaultTerms, kinds: readonly string[]): AnyControlEndpoint {
  const ControlFault = document('ControlFault', {
    id,
    kind: words('FaultKind', kinds),
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
    ...terms.shown,
  });
  return controlEndpoint({
    method: 'GET',
    path: '/faults',
    summary: 'The faults that may still strike.',
    answer: Type.Object({ faults: Type.Array(ControlFault) }, { additionalProperties: false }),
    operate: ({ context, faults, names }) => {
      const { world } = context;
      const appIdOf = (app: number | undefined) =>
        app === undefined ? undefined : names.appId(world.registry.app(app), world);
      const shown = faults.active(context.now()).map((fault) => ({
        ...faultDocument(fault, appIdOf(fault.match.app)),
        ...terms.fieldsOf(fault.action),
      }));
      return answered({ faults: shown });
    },
  });
}

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
  operate: ({ context: { world }, stream, names }) => {
    const connections = stream.connections.map(({ id: connection, app }) => ({
      id: connection,
      ...(app === undefined ? {} : { appId: names.appId(world.registry.app(app), world) }),
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

export const STREAM_CONTROL = [listConnections, cutStream];
