/** Builds the answers of operations: documents under a plain `_meta`, a page of a list, a page of a historical list. */

import type { PrimaryDocument } from '../../../betdex/wire/basics/enums.ts';
import { type KeysetQuery, keysetMeta, keysetPage, type RowKey } from './keyset.ts';
import { type PageQuery, page, pagedMeta, plainMeta, type Sortable } from './paging.ts';

/** An answer with all its documents; `count` is the number of primary ones. */
export function plainAnswer<Documents extends object>(primary: PrimaryDocument, count: number, documents: Documents) {
  return { kind: 'answer' as const, answer: { _meta: plainMeta(primary, count), ...documents } };
}

/** A list that is answered by page number. */
export interface PagedList<Row, Documents extends object> {
  readonly primary: PrimaryDocument;
  /** The rows that pass the query's filters, in any order. */
  readonly rows: Iterable<Row>;
  readonly query: PageQuery;
  readonly sortable: Sortable<Row>;
  /** The documents of the rows of one page, and those beside them. */
  readonly documents: (rows: readonly Row[]) => Documents;
}

/** One page of a list; a problem where `page` refuses the query. */
export function pagedAnswer<Row, Documents extends object>(list: PagedList<Row, Documents>) {
  const paged = page(list.rows, list.query, list.sortable);
  if (paged.kind === 'problem') return paged;
  return {
    kind: 'answer' as const,
    answer: { _meta: pagedMeta(list.primary, paged), ...list.documents(paged.items) },
  };
}

/** A historical list that is answered by cursor. */
export interface HistoricalList<Row, Documents> {
  readonly primary: PrimaryDocument;
  /** The rows that pass the query's filters, in any order. */
  readonly rows: Iterable<Row>;
  readonly query: KeysetQuery;
  readonly key: RowKey<Row>;
  /** The documents of the rows of one page, and those beside them. */
  readonly documents: (rows: readonly Row[]) => Documents;
}

/** One page of a historical list; a problem where `keysetPage` refuses the query. */
export function historicalAnswer<Row, Documents>(list: HistoricalList<Row, Documents>) {
  const rows = keysetPage(list.rows, list.query, list.key);
  if (rows.kind === 'problem') return rows;
  return {
    kind: 'answer' as const,
    answer: { _meta: keysetMeta(list.primary, rows), documents: list.documents(rows.items) },
  };
}
