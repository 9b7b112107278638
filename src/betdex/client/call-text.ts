/** Writes a call as text: its path with query, and its body. */

import { pathWithValues, queryToWire } from '../../codec/request-address.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';

/** The input of a call of any operation, with its types erased. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export interface CallText {
  readonly method: Endpoint['method'];
  readonly path: string;
  readonly body?: string;
}

/** `prefix` is the path of the base URL. Unset keys of a body are left out (wire-shapes, encoding). */
export function callText(operation: Operation, input: AnyInput, prefix: string): CallText {
  const endpoint: Endpoint = ENDPOINTS[operation];
  const path = `${prefix}${pathOf(endpoint, input)}`;
  if (endpoint.body === undefined) return { method: endpoint.method, path };
  return { method: endpoint.method, path, body: JSON.stringify(input.body ?? {}) };
}

function pathOf(endpoint: Endpoint, input: AnyInput): string {
  const path = input.path === undefined ? endpoint.path : pathWithValues(endpoint.path, input.path);
  if (endpoint.query === undefined || input.query === undefined) return path;
  const query = queryToWire(endpoint.query, input.query);
  return query === '' ? path : `${path}?${query}`;
}
