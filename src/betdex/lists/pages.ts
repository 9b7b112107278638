/** Reads a list to its end, page by page, whether its pages are numbered or named by a cursor. */

import { EMPTY, expand, map, type Observable } from 'rxjs';
import { isObject } from '../../codec/schema-node.ts';
import { assert } from '../../core/checks/assert.ts';
import type { CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import type { AnswerOf, CallInput, LenientAnswerOf, LenientCaller } from '../client/call.ts';
import type { AnyInput } from '../client/call-text.ts';
import { PAGE_SIZE_MAX } from '../wire/basics/queries.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';

type Endpoints = typeof ENDPOINTS;

/** The operations whose query takes `page` or `offset`. */
export type ListOperation = {
  [O in Operation]: Endpoints[O] extends { readonly query: { readonly properties: infer Q } }
    ? Q extends { readonly page: unknown } | { readonly offset: unknown }
      ? O
      : never
    : never;
}[Operation];

/** The part of the REST client that readings need. */
export interface Caller {
  /** One outcome for each subscription, as `RestClient.call`. */
  call<O extends Operation>(operation: O, input: CallInput<O>): Observable<CallOutcome<AnswerOf<O>>>;
}

/**
 * A list may grow while it is read: to twice the pages that it had at first, and a few more. One that grows faster is taken for
 * one that never ends, and so is one that does not say how many pages it has.
 */
const GROWTH_FACTOR = 2;
const GROWTH_PAGES = 10;
const UNTOLD_PAGES_MAX = 10_000;

/** The query of the call for one page. */
type Query = Readonly<Record<string, unknown>>;

interface Page {
  readonly outcome: CallOutcome<unknown>;
  readonly number: number;
  /** The query for the next page; absent after the last one. */
  readonly next?: Query;
  /** The first ids of all pages so far. */
  readonly firstIds?: ReadonlySet<string | undefined>;
  readonly lastId?: string | undefined;
  /** The most pages that the list may have. */
  readonly pagesMax?: number;
}

/**
 * Reads all pages of a list. Emits one outcome for each page, in order; a page that failed is the last. Pages by cursor begin
 * with the last row of the page before, which is dropped. A list that never moves on, never ends, or is empty where it says that more comes, ends in
 * `BAD_ANSWER`. If a list with numbered pages changes while it is read, it may show a row twice or skip one.
 *
 * @throws AssertionFailure for a `limit` of 1, with which no page by cursor moves on
 *
 * @example
 * pages(client, 'listMarkets', { query: { statuses: ['Open'], size: 100 } }).subscribe((page) => {
 *   if (page.kind === 'answered') console.log(page.answer.markets.length);
 * });
 */
export function pages<O extends ListOperation>(
  client: LenientCaller,
  operation: O,
  input: CallInput<O>,
): Observable<CallOutcome<LenientAnswerOf<O>>>;
export function pages<O extends ListOperation>(
  client: Caller,
  operation: O,
  input: CallInput<O>,
): Observable<CallOutcome<AnswerOf<O>>>;
export function pages<O extends ListOperation>(
  client: Caller | LenientCaller,
  operation: O,
  input: CallInput<O>,
): Observable<CallOutcome<unknown>> {
  const given: AnyInput = input;
  const { limit } = given.query ?? {};
  assert(limit === undefined || Number(limit) >= 2, 'a page by cursor repeats a row: limit is 2 at least');
  const read = (query: Query, before?: Page): Observable<Page> =>
    callFor(client, operation, { ...input, query } as CallInput<O>).pipe(
      map((outcome) => pageOf(ENDPOINTS[operation], outcome, query, before)),
    );
  return read(given.query ?? {}).pipe(
    expand((page) => (page.next === undefined ? EMPTY : read({ ...given.query, ...page.next }, page))),
    map(({ outcome }) => outcome),
  );
}

function callFor<O extends ListOperation>(client: Caller | LenientCaller, operation: O, input: CallInput<O>) {
  const outcome$: Observable<CallOutcome<unknown>> = client.call(operation, input);
  return outcome$;
}

function pageOf(endpoint: Endpoint, outcome: CallOutcome<unknown>, asked: Query, before: Page | undefined): Page {
  const number = before === undefined ? 0 : before.number + 1;
  if (outcome.kind !== 'answered' || !isObject(outcome.answer)) return { outcome, number };
  const pagesMax = before?.pagesMax ?? UNTOLD_PAGES_MAX;
  if (number >= pagesMax) return endless(`the list has more than ${pagesMax} pages`, number);
  const step = { primary: endpoint.answer.primary, answer: outcome.answer, asked, number, before };
  return endpoint.answer.meta === 'keyset' ? pageByCursor(step) : pageByNumber(step);
}

type Document = Readonly<Record<string, unknown>>;

interface Step {
  readonly primary: string;
  readonly answer: Document;
  readonly asked: Query;
  readonly number: number;
  readonly before: Page | undefined;
}

/** Without `_page`, which only some lists have (specification, Endpoints), a page that is not full is the last. */
function pageByNumber({ primary, answer, asked, number, before }: Step): Page {
  const outcome = { kind: 'answered', answer } as const;
  const meta = documentIn(answer, '_meta');
  const { _totalPages: total, _pageNumber: given } = documentIn(meta, '_page');
  const at = Number(given ?? asked['page'] ?? 0);
  const rows = rowsIn(answer, primary);
  const count = Number(meta['_count'] ?? rows.length);
  const isTold = typeof total === 'number';
  if (isTold ? at + 1 >= total : isLastUntold(count, asked)) return { outcome, number };
  if (count === 0) return endless('a page is empty, and the list says that more follow', number);
  const firstId = idOf(rows[0]);
  const isRepeated = firstId !== undefined && before?.firstIds?.has(firstId) === true;
  if (isRepeated || at !== Number(asked['page'] ?? 0)) return endless('the page stands still', number);
  const firstIds = new Set(before?.firstIds).add(firstId);
  const pagesMax = before?.pagesMax ?? (isTold ? total * GROWTH_FACTOR + GROWTH_PAGES : UNTOLD_PAGES_MAX);
  return { outcome, number, next: { page: at + 1 }, firstIds, pagesMax };
}

/** More rows than were asked for are no page but the whole list. */
function isLastUntold(count: number, { size }: Query): boolean {
  if (size === undefined) return count === 0;
  return count !== Math.min(Number(size), PAGE_SIZE_MAX);
}

/** The cursor is inclusive: the next page repeats the last row of this one (profile section 2). */
function pageByCursor({ primary, answer, asked, number, before }: Step): Page {
  const documents = documentIn(answer, 'documents');
  const rows = rowsIn(documents, primary);
  const lastId = idOf(rows.at(-1)) ?? before?.lastId;
  const isRepeated = before?.lastId !== undefined && idOf(rows[0]) === before.lastId;
  const kept = isRepeated ? { ...answer, documents: { ...documents, [primary]: rows.slice(1) } } : answer;
  const outcome = { kind: 'answered', answer: kept } as const;
  const meta = documentIn(answer, '_meta');
  const { offset, secondaryOffset } = documentIn(meta, 'nextOffset');
  if (meta['_count'] === 0 || (offset === undefined && secondaryOffset === undefined)) return { outcome, number };
  if (offset === asked['offset'] && secondaryOffset === asked['secondaryOffset'])
    return endless('the cursor stands still', number);
  return { outcome, number, next: { offset, secondaryOffset }, lastId };
}

function endless(details: string, number: number): Page {
  return { outcome: { kind: 'failed', code: 'BAD_ANSWER', details, mayHaveActed: false }, number };
}

function documentIn(parent: Document, key: string): Document {
  const child = parent[key];
  return isObject(child) ? child : {};
}

function rowsIn(parent: Document, key: string): readonly unknown[] {
  const rows = parent[key];
  return Array.isArray(rows) ? rows : [];
}

function idOf(row: unknown): string | undefined {
  return isObject(row) && typeof row['id'] === 'string' ? row['id'] : undefined;
}
