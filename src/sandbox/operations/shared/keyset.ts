/**
 * Pages of historical lists by cursor: rows sorted by date and id; each page begins with the last row of the page
 * before.
 */

import type { PrimaryDocument } from '../../../betdex/wire/basics/enums.ts';
import type { Cursor, KeysetMeta } from '../../../betdex/wire/basics/meta.ts';
import { PAGE_SIZE_MAX } from '../../../betdex/wire/basics/queries.ts';
import { instantToWire } from '../../../codec/instants.ts';
import type { Written } from '../../../codec/notation.ts';
import type { Instant } from '../../../core/number/units.ts';
import { type Problem, problem } from './operation.ts';
import { timestampOf } from './period.ts';

export interface KeysetQuery {
  readonly offset?: string;
  readonly secondaryOffset?: number;
  readonly limit: number;
  readonly sort: 'ASC' | 'DESC';
}

/** The sort key of rows: a date, and the numeric id among rows of one date. */
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
 * The rows from the cursor on, including its row. Rows of one date are told apart by `secondaryOffset`; without it the
 * page starts with all rows of the date. The next cursor is the last row of the page, or, with a limit of 1, the row
 * after it, since the page would otherwise repeat for ever. A secondaryOffset without an offset is a problem (400).
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

interface CursorPosition {
  readonly at: Instant | undefined;
  readonly id: number | undefined;
}

function cursorOf({ offset, secondaryOffset: id }: KeysetQuery): CursorPosition | Problem {
  if (offset === undefined) {
    if (id === undefined) return { at: undefined, id };
    return problem(400, 'Bad cursor', 'secondaryOffset: goes with an offset');
  }
  if (id !== undefined && !Number.isSafeInteger(id)) return problem(400, 'Bad cursor', 'secondaryOffset: no id');
  const at = timestampOf(offset, 'offset');
  return typeof at === 'number' ? { at, id } : at;
}

function isAhead<T>(row: T, from: CursorPosition, key: RowKey<T>, direction: number): boolean {
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
