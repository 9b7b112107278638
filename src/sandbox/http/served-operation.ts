/** One operation of the exchange made ready to serve: everything that depends only on its endpoint is computed once. */

import { writer } from '../../betdex/wire/codec/codec-write.ts';
import type { Endpoint } from '../../betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../betdex/wire/endpoints.ts';
import type { HttpAnswer } from '../context/http-answer.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import { currentWorld } from '../operations/shared/current-world.ts';
import type { Call, Caller, Operate } from '../operations/shared/operation.ts';
import { answerCheck } from './answer-check.ts';
import { callReader, type RawCall } from './call-reader.ts';
import { PROBLEM_TITLES, problemWriter, type WriteProblem } from './problem-text.ts';
import { routerPath } from './route-shape.ts';

export interface ServedOperation {
  readonly operation: Operation;
  readonly method: Endpoint['method'];
  /** Path in the notation of Fastify's router. */
  readonly url: string;
  readonly isOpen: boolean;
  readonly writeProblem: WriteProblem;
  readonly carryOut: (raw: OperationCall) => HttpAnswer;
}

export interface OperationCall extends RawCall {
  readonly caller: Caller | undefined;
  readonly path: Readonly<Record<string, string>>;
}

export function servedOperation<O extends Operation>(
  operation: O,
  operate: Operate<O>,
  { context, checksAnswers }: { readonly context: SandboxContext; readonly checksAnswers: boolean },
): ServedOperation {
  const endpoint: Endpoint = ENDPOINTS[operation];
  const read = callReader(endpoint);
  const write = writer(endpoint.answer.schema);
  const writeProblem = problemWriter(endpoint);
  const check = checksAnswers ? answerCheck(operation, endpoint) : undefined;
  const outcomeOf = (raw: OperationCall): HttpAnswer => {
    const { caller, path } = raw;
    const call = read(raw);
    if (call.kind === 'refused')
      return { status: call.status, text: writeProblem(PROBLEM_TITLES[call.status], call.details) };
    const world = currentWorld(context);
    // Safe cast: query and body were read by the schemas that give the call's type.
    const reply = operate({ context, world, caller, path, query: call.query, body: call.body } as Call<O>);
    if (reply.kind === 'problem') return { status: reply.status, text: writeProblem(reply.title, reply.details) };
    return { status: 200, text: reply.kind === 'text' ? reply.text : JSON.stringify(write(reply.answer)) };
  };
  return {
    operation,
    method: endpoint.method,
    url: routerPath(endpoint.path),
    isOpen: endpoint.open === true,
    writeProblem,
    carryOut:
      check === undefined
        ? outcomeOf
        : (raw) => {
            const outcome = outcomeOf(raw);
            check(outcome.status, outcome.text);
            return outcome;
          },
  };
}
