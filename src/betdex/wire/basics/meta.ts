/** The three forms of `_meta`, which the documents around it name: plain, paged and keyset. */

import { document, integer, maybe, moment } from '../../../codec/notation.ts';
import { CursorSortWord, PrimaryDocumentWord } from './enums.ts';

const PageMeta = document('PageMeta', {
  _pageNumber: integer,
  _pageSize: integer,
  _totalElements: integer,
  _totalPages: integer,
});

export const PlainMeta = document('Meta', {
  _primary_document: PrimaryDocumentWord,
  _count: integer,
  _page: maybe(PageMeta),
});

/** The specification's seed does not page every list. The sandbox pages all of these. */
export const PagedMeta = document('PagedMeta', {
  _primary_document: PrimaryDocumentWord,
  _count: integer,
  _page: maybe(PageMeta),
});

/** The position in a keyset list. The cursor is inclusive: the next page repeats the last row (profile section 2). */
export const Cursor = document('Cursor', {
  offset: maybe(moment),
  secondaryOffset: maybe(integer),
  limit: integer,
  sort: CursorSortWord,
});

/** `nextOffset` is absent on the last page. */
export const KeysetMeta = document('KeysetMeta', {
  _primary_document: PrimaryDocumentWord,
  _count: integer,
  offset: Cursor,
  nextOffset: maybe(Cursor),
});
