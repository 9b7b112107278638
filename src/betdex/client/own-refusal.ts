/** Decides whether a refusal is the exchange's own: only such a refusal proves that nothing was done. */

import { isObject } from '../../codec/schema-node.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';
import { responsesOf, type Status } from '../wire/responses.ts';

export interface RefusalSeen {
  readonly status: number;
  /** The Content-Type header; empty if the server sent none, undefined if the transport has no headers. */
  readonly contentType: string | undefined;
  /** The parsed body, or undefined if it was not JSON. */
  readonly value: unknown;
}

/**
 * A proxy on the way may answer 404, 403 or 429 with a page of its own, even after the exchange has acted. So a refusal counts
 * as the exchange's only if its status is one that the endpoint is known to answer with, its Content-Type says JSON, and its
 * body has the API's shape: `{title, details}` (profile section 1), or for a batch the shape of its answer without any row
 * (specification, Errors). A refused batch that names orders proves nothing.
 */
export function isOwnRefusal(operation: Operation, { status, contentType, value }: RefusalSeen): boolean {
  const endpoint: Endpoint = ENDPOINTS[operation];
  if (status < 400 || !responsesOf(endpoint).has(status as Status)) return false;
  if (contentType !== undefined && !JSON_TYPE.test(contentType)) return false;
  if (!isObject(value) || hasRows(value[endpoint.answer.primary])) return false;
  return isProblem(value) || (endpoint.failsInShape === true && isEmptyAnswer(value, endpoint.answer.primary));
}

const JSON_TYPE = /^\s*application\/json\s*(;|$)/i;

type Document = Readonly<Record<string, unknown>>;

function isProblem({ title, details }: Document): boolean {
  return typeof title === 'string' && isListOfTexts(details);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isEmptyAnswer({ _meta: meta, ...rest }: Document, primary: string): boolean {
  return isObject(meta) && meta['_primary_document'] === primary && Array.isArray(rest[primary]);
}

/** Whether the value is there and is not an empty list. */
function hasRows(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
