/** Adds the routes of all operations of the exchange, made from the table of endpoints. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { ENDPOINTS, type Operation } from '../../betdex/wire/endpoints.ts';
import type { HttpAnswer } from '../context/http-answer.ts';
import { oddAnswer } from '../context/odd-answer.ts';
import type { Operate, Operations } from '../operations/shared/operation.ts';
import { type Admission, admission, cutOff } from './admission.ts';
import { type Route, type RouteRequest, send } from './route-shape.ts';
import { type ServedOperation, servedOperation } from './served-operation.ts';

export interface OperationRoutes extends Admission {
  readonly operations: Operations;
  /** Whether each answer is validated against the OpenAPI document before it is sent. */
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
  const outcomeOf = (request: RouteRequest): HttpAnswer => {
    const { caller, params: path, body } = request;
    return carryOut({ caller, path, queryText: request.query.text, body });
  };
  return (request, reply) => {
    const { strike } = request;
    if (strike === undefined) return send(reply, outcomeOf(request));
    const plain = strike.frozen === undefined ? outcomeOf(request) : frozenOutcome(strike.frozen, request, outcomeOf);
    const outcome = strike.odd.length === 0 ? plain : oddAnswer(plain, strike.odd);
    if (strike.drop === 'after') cutOff(request, reply);
    else send(reply, outcome);
  };
}

/** The most answers that one fault keeps; beyond it current answers are sent, so that memory stays bounded. */
const FROZEN_MAX = 10_000;

/**
 * The frozen answer, or the current one, which is then kept. The key holds caller and address, so that callers see only
 * their own answers.
 */
function frozenOutcome(
  frozen: Map<string, HttpAnswer>,
  request: RouteRequest,
  outcomeOf: (request: RouteRequest) => HttpAnswer,
): HttpAnswer {
  const key = `${request.caller?.app} ${request.caller?.wallet} ${request.raw.url}`;
  const known = frozen.get(key);
  if (known !== undefined) return known;
  const outcome = outcomeOf(request);
  if (outcome.status === 200 && frozen.size < FROZEN_MAX) frozen.set(key, outcome);
  return outcome;
}
