/** The routes of all operations of the exchange, made from the table of endpoints. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { ENDPOINTS, type Operation } from '../../betdex/wire/endpoints.ts';
import type { Outcome } from '../context/outcome.ts';
import type { Operate, Operations } from '../operations/shared/operation.ts';
import { type Admission, admission, cutOff } from './admission.ts';
import { type Route, type RouteRequest, send } from './route-shape.ts';
import { type ServedOperation, servedOperation } from './served-operation.ts';

export interface OperationRoutes extends Admission {
  readonly operations: Operations;
  /** Whether each answer is validated before it leaves. */
  readonly checksAnswers: boolean;
}

export function addOperationRoutes(app: FastifyInstance, options: OperationRoutes): void {
  for (const served of servedOperations(options)) {
    const { method, url } = served;
    app.route<Route>({ method, url, onRequest: admission(served, options), handler: handler(served) });
  }
}

function servedOperations(options: OperationRoutes): readonly ServedOperation[] {
  const serve = <O extends Operation>(name: O, operate: Operate<O>) => servedOperation(name, operate, options);
  return operationNames().map((name) => serve(name, options.operations[name]));
}

function operationNames(): readonly Operation[] {
  return Object.keys(ENDPOINTS).filter((name): name is Operation => Object.hasOwn(ENDPOINTS, name));
}

function handler({ carryOut }: ServedOperation): (request: RouteRequest, reply: FastifyReply) => void {
  const outcomeOf = (request: RouteRequest): Outcome => {
    const { caller, params: path, body } = request;
    return carryOut({ caller, path, queryText: request.query.text, body });
  };
  return (request, reply) => {
    const { strike } = request;
    if (strike === undefined) return send(reply, outcomeOf(request));
    const outcome = strike.frozen === undefined ? outcomeOf(request) : frozenOutcome(strike.frozen, request, outcomeOf);
    if (strike.drop === 'after') cutOff(request, reply);
    else send(reply, outcome);
  };
}

/** Answers that one fault keeps; asked for anything more, it lets the truth through rather than fill the memory. */
const FROZEN_MAX = 10_000;

/** Callers see their own answers only: the key holds both. */
function frozenOutcome(
  frozen: Map<string, Outcome>,
  request: RouteRequest,
  outcomeOf: (request: RouteRequest) => Outcome,
): Outcome {
  const key = `${request.caller?.app} ${request.caller?.wallet} ${request.raw.url}`;
  const known = frozen.get(key);
  if (known !== undefined) return known;
  const outcome = outcomeOf(request);
  if (outcome.status === 200 && frozen.size < FROZEN_MAX) frozen.set(key, outcome);
  return outcome;
}
