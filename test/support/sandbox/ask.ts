/** Calls an operation as the server would: query read by its schema, the answer written and checked by hand-written shapes. */

import { expect } from 'vitest';
import type { Endpoint } from '../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import { responsesOf } from '../../../src/betdex/wire/responses.ts';
import { writer } from '../../../src/codec/codec-write.ts';
import type { Written } from '../../../src/codec/notation.ts';
import { queryReader } from '../../../src/codec/request-address.ts';
import type { SandboxContext } from '../../../src/sandbox/context/sandbox-context.ts';
import { currentWorld } from '../../../src/sandbox/operations/shared/current-world.ts';
import type { Call, Caller, Operate, Operations, Problem } from '../../../src/sandbox/operations/shared/operation.ts';
import { envelopeFaults } from '../envelope.ts';
import { CALLED_ANSWERS, OTHER_ANSWERS, strictFaults } from '../wire-strict.ts';

export interface Asked<O extends Operation> {
  readonly path?: Call<O>['path'];
  /** As in an address: `page=1&sort=name%2Cdesc`. */
  readonly query?: string;
  readonly body?: Call<O>['body'];
}

type Answer<O extends Operation> = Written<(typeof ENDPOINTS)[O]['answer']['schema']>;

interface From {
  readonly context: SandboxContext;
  readonly caller: Caller;
}

/** Operations as one caller asks them, by name. */
export function asker<O extends Operation>(operations: Operations<O>, from: From) {
  return {
    ask: <N extends O>(name: N, asked?: Asked<N>) => ask<N>(name, operations[name], from, asked),
    askInVain: <N extends O>(name: N, asked?: Asked<N>) => askInVain<N>(name, operations[name], from, asked),
  };
}

/** The answer as a client reads it from JSON; fails where it is a problem or not of the shape that clients insist on. */
export function ask<O extends Operation>(name: O, operate: Operate<O>, from: From, asked: Asked<O> = {}): Answer<O> {
  const endpoint: Endpoint = ENDPOINTS[name];
  const reply = operate(callOf(name, from, asked));
  if (reply.kind === 'problem') throw new Error(`${name}: ${reply.status} ${reply.title}: ${reply.details.join('; ')}`);
  const text = reply.kind === 'text' ? reply.text : JSON.stringify(writerOf(endpoint)(reply.answer));
  const answer = JSON.parse(text);
  const at = `${endpoint.method} ${endpoint.path}`;
  const shape = CALLED_ANSWERS.get(at) ?? OTHER_ANSWERS.get(at);
  expect(shape, at).toBeDefined();
  if (shape !== undefined) expect(strictFaults(shape, answer, at)).toEqual([]);
  expect(envelopeFaults(answer), at).toEqual([]);
  expect(JSON.stringify(writerOf(endpoint)(answer)), 'the writer has nothing to drop').toBe(text);
  return answer;
}

const writers = new Map<Endpoint, (answer: never) => unknown>();

/** Made once for each endpoint. */
function writerOf(endpoint: Endpoint): (answer: unknown) => unknown {
  const kept = writers.get(endpoint) ?? writer(endpoint.answer.schema);
  writers.set(endpoint, kept);
  return (answer) => kept(answer as never);
}

/** The problem that the call meets, of a status that the endpoint names; fails where it is answered. */
export function askInVain<O extends Operation>(
  name: O,
  operate: Operate<O>,
  from: From,
  asked: Asked<O> = {},
): Problem {
  const reply = operate(callOf(name, from, asked));
  if (reply.kind !== 'problem') throw new Error(`${name} answered`);
  expect([...responsesOf(ENDPOINTS[name]).keys()]).toContain(reply.status);
  expect(reply.details.length).toBeGreaterThan(0);
  return reply;
}

export function callOf<O extends Operation>(
  name: O,
  { context, caller }: From,
  { path, query = '', body }: Asked<O>,
): Call<O> {
  const endpoint: Endpoint = ENDPOINTS[name];
  const read = endpoint.query === undefined ? undefined : queryReader(endpoint.query)(new URLSearchParams(query));
  if (read?.kind === 'faults') throw new Error(`${name}?${query}: ${JSON.stringify(read.faults)}`);
  const world = currentWorld(context);
  return { context, world, caller, path: path ?? {}, query: read?.value, body } as Call<O>;
}
