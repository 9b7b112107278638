/**
 * Reads query and body of a request by the endpoint's schemas; each fault becomes one line of the problem's details.
 */

import type { TObject, TSchema } from '@sinclair/typebox';
import { requestReader } from '../../codec/codec-read.ts';
import { faultText, type WireResult } from '../../codec/fault.ts';
import { queryReader } from '../../codec/request-address.ts';
import type { ProblemStatus } from './problem-text.ts';
import { BODY_BYTES_MAX, type RequestBody } from './request-body.ts';

export interface CallSchemas {
  readonly query?: TObject;
  readonly body?: TSchema;
}

/** The unread parts of a request. `body` is undefined where none was sent. */
export interface RawCall {
  readonly queryText: string;
  readonly body: RequestBody | undefined;
}

/** `query` and `body` are undefined where the endpoint has none. */
export type ReadCall =
  | { readonly kind: 'call'; readonly query: unknown; readonly body: unknown }
  | { readonly kind: 'refused'; readonly status: ProblemStatus; readonly details: readonly string[] };

type Part = { readonly kind: 'read'; readonly value: unknown } | Extract<ReadCall, { kind: 'refused' }>;

export function callReader({ query, body }: CallSchemas): (raw: RawCall) => ReadCall {
  const readQuery = query === undefined ? refuseNoQuery : queryPart(queryReader(query));
  const readBody = body === undefined ? refuseBody : bodyPart(requestReader(body));
  return (raw) => {
    const bodyRead = readBody(raw.body);
    if (bodyRead.kind === 'refused') return bodyRead;
    const queryRead = readQuery(raw.queryText);
    if (queryRead.kind === 'refused') return queryRead;
    return { kind: 'call', query: queryRead.value, body: bodyRead.value };
  };
}

const NO_VALUE: Part = { kind: 'read', value: undefined };
const BAD_ESCAPE: Part = {
  kind: 'refused',
  status: 400,
  details: ['the query holds a percent sign that escapes nothing'],
};

/** Unknown parameters are ignored, as at endpoints that have some; only a bad escape is refused. */
function refuseNoQuery(text: string): Part {
  return text.includes('%') && queryPairs(text) === undefined ? BAD_ESCAPE : NO_VALUE;
}

function queryPart(
  read: (pairs: Iterable<readonly [string, string]>) => WireResult<unknown>,
): (queryText: string) => Part {
  return (queryText) => {
    const pairs = queryPairs(queryText);
    return pairs === undefined ? BAD_ESCAPE : partOf(read(pairs));
  };
}

function bodyPart(read: (value: unknown) => WireResult<unknown>): (body: RequestBody | undefined) => Part {
  return (body) => {
    if (body === undefined || body.kind === 'empty')
      return { kind: 'refused', status: 400, details: ['the body is missing'] };
    return body.kind === 'json' ? partOf(read(body.value)) : refusedBody(body.kind);
  };
}

/** An operation without a body accepts no body or an empty object. */
function refuseBody(body: RequestBody | undefined): Part {
  if (body === undefined || body.kind === 'empty') return NO_VALUE;
  if (body.kind !== 'json') return refusedBody(body.kind);
  const { value } = body;
  const isEmpty =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
  return isEmpty ? NO_VALUE : { kind: 'refused', status: 400, details: ['this operation takes no body'] };
}

function refusedBody(kind: 'malformed' | 'tooLarge' | 'notJson'): Part {
  switch (kind) {
    case 'malformed':
      return { kind: 'refused', status: 400, details: ['the body is no JSON in UTF-8'] };
    case 'tooLarge':
      return { kind: 'refused', status: 413, details: [`a body has at most ${BODY_BYTES_MAX} bytes`] };
    case 'notJson':
      return { kind: 'refused', status: 415, details: ['the Content-Type is not application/json'] };
  }
}

function partOf(result: WireResult<unknown>): Part {
  return result.kind === 'read' ? result : { kind: 'refused', status: 400, details: result.faults.map(faultText) };
}

/**
 * The decoded names and values of a query, in their order. Undefined for a percent sign that starts no escape, or bytes that are no UTF-8.
 * `text` is what follows the `?`.
 */
function queryPairs(text: string): readonly (readonly [string, string])[] | undefined {
  if (text === '') return [];
  const pairs: (readonly [string, string])[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}

function decoded(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
