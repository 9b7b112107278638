/** The bodies of answers that are no success: `{title, details}`, and for batches the answer's own shape around it. */

import type { Endpoint } from '../../betdex/wire/endpoint.ts';

/** What every refusal is called; the details say why. */
export const PROBLEM_TITLES = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Body too large',
  414: 'Address too long',
  415: 'Body is not JSON',
  417: 'Expectation failed',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Temporarily unavailable',
} as const;

export type ProblemStatus = keyof typeof PROBLEM_TITLES;

export type WriteProblem = (title: string, details: readonly string[]) => string;

export function problemText(title: string, details: readonly string[]): string {
  return JSON.stringify({ title, details });
}

/** The status's own title with one detail. */
export function statusProblemText(status: ProblemStatus, detail: string): string {
  return problemText(PROBLEM_TITLES[status], [detail]);
}

/** A batch that fails carries its answer's shape with nothing in it (specification, Errors; profile section 1). */
export function problemWriter({ answer, failsInShape }: Endpoint): WriteProblem {
  if (!failsInShape) return problemText;
  const empty = Object.keys(answer.schema.properties)
    .filter((key) => key !== '_meta')
    .map((key) => [key, []] as const);
  const shape = { _meta: { _primary_document: answer.primary, _count: 0 }, ...Object.fromEntries(empty) };
  return (title, details) => JSON.stringify({ ...shape, title, details });
}
