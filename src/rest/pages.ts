/** Reads a list to its end, page after page, whether it is paged by number or by cursor. */

import { EMPTY, expand, map, type Observable } from 'rxjs';
import { assert } from '../core/assert.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';
import { isObject } from '../wire/schema-node.ts';
import type { AnswerOf, CallInput, CallOutcome } from './call.ts';
import type { AnyInput } from './call-text.ts';

type Endpoints = typeof ENDPOINTS;

/** The operations whose query takes `page` or `offset`. */
export type ListOperation = {
  [O in Operation]: Endpoints[O] extends { readonly query: { readonly properties: infer Q } }
    ? Q extends { readonly page: unknown } | { readonly offset: unknown }
      ? O
      : never
    : never;
}[Operation];

export interface Caller {
  call<O extends Operation>(operation: O, input: CallInput<O>): Observable<CallOutcome<AnswerOf<O>>>;
}

/** A list that is longer than so many pages is taken for one that never ends. */
export const PAGES_MAX = 10_000;

/** What the next page is asked with; absent after the last one. */
type Next = Readonly<Record<string, unknown>>;

interface Page {
  readonly outcome: CallOutcome<unknown>;
  readonly number: number;
  readonly next?: Next | undefined;
  readonly lastId?: string | undefined;
}

/**
 * One outcome for each page, in order; a page that is not answered is the last. Pages by cursor begin with the last row
 * of the page before, which is dropped; a cursor that stands still ends in `BAD_ANSWER`. A list that changes meanwhile
 * may show a row twice or skip one where it is paged by number.
 */
export function pages<O extends ListOperation>(
  client: Caller,
  operation: O,
  input: CallInput<O>,
): Observable<CallOutcome<AnswerOf<O>>> {
  const given: AnyInput = input;
  const query = given.query ?? {};
  assert(
    query['limit'] === undefined || Number(query['limit']) >= 2,
    'a page by cursor repeats a row: limit is 2 at least',
  );
  const read = (next: Next, before?: Page) =>
    client
      .call(operation, { ...input, query: { ...query, ...next } } as CallInput<O>)
      .pipe(map((outcome) => pageOf(operation, outcome, next, before)));
  return read({}).pipe(
    expand((page) => (page.next === undefined ? EMPTY : read(page.next, page))),
    // Rows may have been dropped; the shape is the one that came.
    map(({ outcome }) => outcome as CallOutcome<AnswerOf<O>>),
  );
}

function pageOf(operation: Operation, outcome: CallOutcome<unknown>, asked: Next, before: Page | undefined): Page {
  const number = before === undefined ? 0 : before.number + 1;
  if (outcome.kind !== 'answered' || !isObject(outcome.answer)) return { outcome, number };
  if (number >= PAGES_MAX) return { outcome: endless(`the list has more than ${PAGES_MAX} pages`), number };
  const endpoint: Endpoint = ENDPOINTS[operation];
  return endpoint.answer.meta === 'keyset'
    ? pageByCursor(endpoint, outcome.answer, { asked, number, lastId: before?.lastId })
    : pageByNumber(outcome.answer, asked, number);
}

type Document = Readonly<Record<string, unknown>>;

function pageByNumber(answer: Document, asked: Next, number: number): Page {
  const outcome = { kind: 'answered', answer } as const;
  const meta = documentIn(answer, '_meta');
  const page = documentIn(meta, '_page');
  const at = typeof page['_pageNumber'] === 'number' ? page['_pageNumber'] : Number(asked['page'] ?? 0);
  const isLast = meta['_count'] === 0 || typeof page['_totalPages'] !== 'number' || at + 1 >= page['_totalPages'];
  if (isLast) return { outcome, number };
  if (asked['page'] !== undefined && at !== asked['page']) return { outcome: endless('the page stands still'), number };
  return { outcome, number, next: { page: at + 1 } };
}

interface CursorStep {
  readonly asked: Next;
  readonly number: number;
  readonly lastId: string | undefined;
}

function pageByCursor(endpoint: Endpoint, answer: Document, { asked, number, lastId }: CursorStep): Page {
  const documents = documentIn(answer, 'documents');
  const rows = documents[endpoint.answer.primary];
  const given: readonly unknown[] = Array.isArray(rows) ? rows : [];
  const isRepeated = lastId !== undefined && idOf(given[0]) === lastId;
  const kept = isRepeated ? given.slice(1) : given;
  const outcome = {
    kind: 'answered',
    answer: isRepeated ? { ...answer, documents: { ...documents, [endpoint.answer.primary]: kept } } : answer,
  } as const;
  const meta = documentIn(answer, '_meta');
  const { offset, secondaryOffset } = documentIn(meta, 'nextOffset');
  if (meta['_count'] === 0 || (offset === undefined && secondaryOffset === undefined)) return { outcome, number };
  if (offset === asked['offset'] && secondaryOffset === asked['secondaryOffset'])
    return { outcome: endless('the cursor stands still'), number };
  return { outcome, number, next: { offset, secondaryOffset }, lastId: idOf(given.at(-1)) ?? lastId };
}

function endless(details: string): CallOutcome<unknown> {
  return { kind: 'failed', code: 'BAD_ANSWER', details, mayHaveActed: false };
}

function documentIn(parent: Document, key: string): Document {
  const child = parent[key];
  return isObject(child) ? child : {};
}

function idOf(row: unknown): string | undefined {
  return isObject(row) && typeof row['id'] === 'string' ? row['id'] : undefined;
}
