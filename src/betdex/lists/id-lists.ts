/** Cuts lists into pieces that one request can hold: batches of 50 orders, and ids as far as the URL reaches. */

import { assert } from '../../core/checks/assert.ts';
import { packIds } from '../../exchange-live/connection/pack-ids.ts';
import type { CallInput } from '../client/call.ts';
import { callText } from '../client/call-text.ts';
import { BATCH_MAX } from '../wire/basics/requests.ts';
import type { Operation } from '../wire/endpoints.ts';

/**
 * The exchange refuses URLs above about 7,000 characters (profile section 2); scheme, host and the base URL's path must fit
 * too.
 */
export const URL_MAX = 7_000;
/** Characters kept free in the URL for scheme, host and the path of the base URL. */
export const ORIGIN_ROOM = 300;

/**
 * Cuts a list into pieces of at most 50 requests, the most that one call may hold (the specification's limit), in order; an empty list gives no
 * pieces.
 *
 * @example
 * for (const batch of batchesOf(requests)) gateway.place(batch).subscribe((reply) => console.log(reply.kind));
 */
export function batchesOf<T>(requests: readonly T[]): readonly (readonly T[])[] {
  const batches: (readonly T[])[] = [];
  for (let from = 0; from < requests.length; from += BATCH_MAX) batches.push(requests.slice(from, from + BATCH_MAX));
  return batches;
}

/**
 * Cuts an id list into pieces, in order, each of which fits the URL beside the rest of the call's input. An empty list gives no
 * pieces, since a call with an empty list would ask for everything. An id that is too long by itself gets a piece of its own,
 * which the exchange refuses.
 *
 * @example
 * for (const marketIds of idListsFor('listPrices', {}, ids)) client.call('listPrices', { query: { marketIds } }).subscribe();
 */
export function idListsFor<O extends Operation>(
  operation: O,
  input: CallInput<O>,
  ids: readonly string[],
): readonly (readonly string[])[] {
  const base = callText(operation, input, '').path.length;
  // Room for `&`, the longest name of a list and `=`.
  const room = URL_MAX - ORIGIN_ROOM - base - '&inPlayStatuses='.length;
  assert(room > 0, `the other parameters of ${operation} fill the URL`);
  return packIds(ids, { idsMax: Number.POSITIVE_INFINITY, room });
}
