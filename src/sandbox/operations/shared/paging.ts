/** Pages of lists by page number: sorting, cutting, and their `_meta`. */

import type { PrimaryDocument } from '../../../betdex/wire/basics/enums.ts';
import type { PagedMeta, PlainMeta } from '../../../betdex/wire/basics/meta.ts';
import { PAGE_SIZE_MAX } from '../../../betdex/wire/basics/queries.ts';
import type { Written } from '../../../codec/notation.ts';
import { type Problem, problem } from './operation.ts';

export interface PageQuery {
  readonly page: number;
  readonly size: number;
  /** Each is `property`, `property,asc` or `property,desc`; earlier ones take precedence. */
  readonly sort: readonly string[];
}

/** The sort keys of a list by the property's name on the wire. An absent value comes last in either direction. */
export interface Sortable<T> {
  /** The numeric id; newer items have higher ones. */
  readonly id: (item: T) => number;
  readonly [property: string]: (item: T) => number | string | undefined;
}

export interface Page<T> {
  readonly kind: 'page';
  readonly items: readonly T[];
  readonly meta: NonNullable<Written<typeof PagedMeta>['_page']>;
}

/** The largest page number, since `_pageNumber` is an int32. */
const PAGE_MAX = 2 ** 31 - 1;

type Order<T> = (left: T, right: T) => number;

/**
 * One page of the items. They are sorted newest first where no sort is given (wire-shapes, F), and so are items that a
 * sort leaves equal. An unknown sort property is a problem (400); a page beyond the last is empty.
 */
export function page<T>(items: Iterable<T>, query: PageQuery, sortable: Sortable<T>): Page<T> | Problem {
  const { page: number, size: asked, sort } = query;
  if (number > PAGE_MAX) return problem(400, 'Bad page', `page: at most ${PAGE_MAX}`);
  const size = Math.min(asked, PAGE_SIZE_MAX);
  const orders: Order<T>[] = [];
  for (const criterion of sort) {
    const order = orderOf(criterion, sortable);
    if (typeof order !== 'function') return order;
    orders.push(order);
  }
  const sorted = [...items].sort(inTurn([...orders, (left, right) => sortable.id(right) - sortable.id(left)]));
  const meta = {
    _pageNumber: number,
    _pageSize: size,
    _totalElements: sorted.length,
    _totalPages: Math.ceil(sorted.length / size),
  };
  return { kind: 'page', items: sorted.slice(number * size, (number + 1) * size), meta };
}

export function plainMeta(primary: PrimaryDocument, count: number): Written<typeof PlainMeta> {
  return { _primary_document: primary, _count: count };
}

export function pagedMeta<T>(primary: PrimaryDocument, { items, meta }: Page<T>): Written<typeof PagedMeta> {
  return { _primary_document: primary, _count: items.length, _page: meta };
}

function orderOf<T>(criterion: string, sortable: Sortable<T>): Order<T> | Problem {
  const [property = '', direction = 'asc'] = criterion.split(',');
  const keyOf = Object.hasOwn(sortable, property) ? sortable[property] : undefined;
  if (keyOf === undefined || (direction !== 'asc' && direction !== 'desc'))
    return problem(
      400,
      'Bad sort',
      `sort: ${criterion} is none of ${Object.keys(sortable).join(', ')} and asc or desc`,
    );
  return (left, right) => compare(keyOf(left), keyOf(right), direction === 'desc');
}

function compare(left: number | string | undefined, right: number | string | undefined, descends: boolean): number {
  if (left === right) return 0;
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return left < right === descends ? 1 : -1;
}

function inTurn<T>(orders: readonly Order<T>[]): Order<T> {
  return (left, right) => {
    for (const order of orders) {
      const result = order(left, right);
      if (result !== 0) return result;
    }
    return 0;
  };
}
