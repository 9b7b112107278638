/** Whether a refusal is the API's own: only then does it prove that nothing was done. */

import { isObject } from '../wire/codec/schema-node.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';
import { responsesOf, type Status } from '../wire/responses.ts';

export interface RefusalSeen {
  readonly status: number;
  /** As the server named it, empty where it named none; undefined where the transport has no headers. */
  readonly contentType: string | undefined;
  /** The body, if it was JSON. */
  readonly value: unknown;
}

/**
 * Anybody on the way may answer 404, 403 or 429 with a page of his own, also after the exchange has acted. So a refusal
 * counts as the exchange's only where its status is one that the endpoint is known to answer with, its body is JSON by
 * its Content-Type, and it has the API's shape: `{title, details}` (profile section 1), or of a batch the shape of its
 * answer with nothing in it (specification, Errors). A refused batch that names orders proves nothing.
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

/** Anything but an empty list, or none. */
function hasRows(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
