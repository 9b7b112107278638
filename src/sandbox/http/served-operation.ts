/** One operation of the exchange made ready to serve: everything that depends only on its endpoint is computed once. */

import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import { Problem } from '../../betdex/wire/answers.ts';
import type { Endpoint } from '../../betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../betdex/wire/endpoints.ts';
import { responsesOf } from '../../betdex/wire/responses.ts';
import { writer } from '../../codec/codec-write.ts';
import { fail } from '../../core/checks/assert.ts';
import { OWN_SCHEMAS } from '../../core/own-schemas.ts';
import type { HttpAnswer } from '../context/http-answer.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import { currentWorld } from '../operations/shared/current-world.ts';
import type { Call, Caller, Operate } from '../operations/shared/operation.ts';
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

/** @throws AssertionFailure for an answer that the document does not describe */
type CheckAnswer = (status: number, text: string) => void;

const AJV_OPTIONS = {
  ...OWN_SCHEMAS,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
};

/**
 * Statuses of refused bodies. The document does not list them for operations without a body, whose requests may have
 * one.
 */
const OF_BODIES: ReadonlySet<number> = new Set([413, 415]);

/**
 * Validates an answer against the schema of its status before it is sent, as a client with a generated model would. Each schema is compiled
 * at its first use.
 */
function answerCheck(operation: string, endpoint: Endpoint): CheckAnswer {
  const schemas: ReadonlyMap<number, TSchema> = responsesOf(endpoint);
  const validators = new Map<number, ValidateFunction>();
  return (status, text) => {
    const schema = schemas.get(status) ?? (OF_BODIES.has(status) ? Problem : undefined);
    if (schema === undefined) fail(`${operation} answered ${status}, which its document does not name`);
    const validate = validators.get(status) ?? new Ajv(AJV_OPTIONS).compile(schema);
    validators.set(status, validate);
    if (validate(JSON.parse(text))) return;
    const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ');
    fail(`${operation} answered ${status} in another shape: ${faults} in ${text}`);
  };
}
