/** Historical lists by cursor: rows by date and id, each page beginning with the last row of the one before. */

import type { PrimaryDocument } from '../../../betdex/wire/basics/enums.ts';
import type { Cursor, KeysetMeta } from '../../../betdex/wire/basics/meta.ts';
import { PAGE_SIZE_MAX } from '../../../betdex/wire/basics/queries.ts';
import { instantToWire } from '../../../betdex/wire/codec/instants.ts';
import type { Written } from '../../../betdex/wire/codec/notation.ts';
import type { Instant } from '../../../core/number/units.ts';
import { type Problem, problem } from './operation.ts';
import { momentOf } from './period.ts';

export interface KeysetQuery {
  readonly offset?: string;
  readonly secondaryOffset?: number;
  readonly limit: number;
  readonly sort: 'ASC' | 'DESC';
}

/** What the rows are sorted by: a date, and among rows of one date the number that their id spells. */
export interface RowKey<T> {
  readonly at: (row: T) => Instant;
  readonly id: (row: T) => number;
}

export interface KeysetPage<T> {
  readonly kind: 'keyset';
  readonly items: readonly T[];
  readonly offset: Written<typeof Cursor>;
  /** Undefined on the last page. */
  readonly nextOffset: Written<typeof Cursor> | undefined;
}

/**
 * The rows from the cursor on, that row included: rows of one date are told apart by `secondaryOffset`, without which
 * all of the date belong to the page. The next cursor is the last row's. With a limit of 1 that would stand still, so
 * there it is the next row's. A secondaryOffset alone is a problem (400).
 */
export function keysetPage<T>(rows: Iterable<T>, query: KeysetQuery, key: RowKey<T>): KeysetPage<T> | Problem {
  const from = cursorOf(query);
  if ('kind' in from) return from;
  const { sort } = query;
  const limit = Math.min(query.limit, PAGE_SIZE_MAX);
  const direction = sort === 'ASC' ? 1 : -1;
  const ahead = [...rows].filter((row) => isAhead(row, from, key, direction));
  ahead.sort((left, right) => direction * (key.at(left) - key.at(right) || key.id(left) - key.id(right)));
  const items = ahead.slice(0, limit);
  const next = ahead.length > limit ? ahead[limit === 1 ? 1 : limit - 1] : undefined;
  const offset = { ...wireCursor(from.at, from.id), limit, sort };
  const nextOffset = next === undefined ? undefined : { ...wireCursor(key.at(next), key.id(next)), limit, sort };
  return { kind: 'keyset', items, offset, nextOffset };
}

export function keysetMeta<T>(
  primary: PrimaryDocument,
  { items, offset, nextOffset }: KeysetPage<T>,
): Written<typeof KeysetMeta> {
  const next = nextOffset === undefined ? {} : { nextOffset };
  return { _primary_document: primary, _count: items.length, offset, ...next };
}

interface From {
  readonly at: Instant | undefined;
  readonly id: number | undefined;
}

function cursorOf({ offset, secondaryOffset: id }: KeysetQuery): From | Problem {
  if (offset === undefined) {
    if (id === undefined) return { at: undefined, id };
    return problem(400, 'Bad cursor', 'secondaryOffset: goes with an offset');
  }
  if (id !== undefined && !Number.isSafeInteger(id)) return problem(400, 'Bad cursor', 'secondaryOffset: no id');
  const at = momentOf(offset, 'offset');
  return typeof at === 'number' ? { at, id } : at;
}

function isAhead<T>(row: T, from: From, key: RowKey<T>, direction: number): boolean {
  if (from.at === undefined) return true;
  const distance = direction * (key.at(row) - from.at);
  if (distance !== 0 || from.id === undefined) return distance >= 0;
  return direction * (key.id(row) - from.id) >= 0;
}

function wireCursor(at: Instant | undefined, id: number | undefined) {
  return {
    ...(at === undefined ? {} : { offset: instantToWire(at) }),
    ...(id === undefined ? {} : { secondaryOffset: id }),
  };
}
