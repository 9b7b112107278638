/** The answers of an endpoint: a schema for each status. */

import { type TSchema, Type } from '@sinclair/typebox';
import { Problem } from './answers.ts';
import { type Endpoint, pathParametersOf } from './endpoint.ts';

/** Statuses and their meaning (specification, Errors; profile sections 1 and 3). */
export const STATUS_MEANINGS = {
  200: 'OK',
  400: 'the request is malformed',
  401: 'no valid session',
  403: 'known but not allowed',
  404: 'unknown, or of another owner',
  413: 'the body is over 1 MiB',
  414: 'the address is over 7,000 characters',
  415: 'the body is not JSON',
  429: 'more requests than the configured rate; Retry-After says when to come back',
  431: 'the headers are too large',
  503: 'temporarily unavailable',
} as const;

export type Status = keyof typeof STATUS_MEANINGS;

/** The schemas by status, with the only success first. */
export function responsesOf(endpoint: Endpoint): ReadonlyMap<Status, TSchema> {
  const { answer } = endpoint;
  const fault = endpoint.failsInShape
    ? Type.Object(
        { ...answer.schema.properties, ...Problem.properties },
        { title: 'BatchOrderProblem', additionalProperties: false },
      )
    : Problem;
  const faults = faultStatuses(endpoint).map((status) => [status, fault] as const);
  return new Map<Status, TSchema>([[200, answer.schema], ...faults]);
}

function faultStatuses(endpoint: Endpoint): readonly Status[] {
  const parameters = pathParametersOf(endpoint.path);
  // An unknown reference in another system gives an empty list, not a 404 (profile section 2).
  const names = parameters.length > 0 && !parameters.includes('source');
  const mayBeAbsent = names || endpoint.mayBeAbsent === true;
  return [
    400,
    401,
    403,
    ...(mayBeAbsent ? [404 as const] : []),
    ...(endpoint.body === undefined ? [414 as const] : [413 as const, 414 as const, 415 as const]),
    429,
    431,
    503,
  ];
}
