/** Reads lists that come in pages, and lists by ids of which one call names few: whole, or the reason why not. */

import { concatMap, EMPTY, expand, from, map, type Observable, of, reduce, takeWhile } from 'rxjs';
import type { ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';

export type Reading<Row> = { readonly kind: 'read'; readonly rows: readonly Row[] } | ReadFailure;

export interface Page<Row> {
  readonly kind: 'read';
  readonly rows: readonly Row[];
  readonly moreAvailable: boolean;
}

/** `ask` calls for the page that begins at a record. */
export function readPages<Row>(
  ask: (fromRecord: number) => Observable<Page<Row> | ReadFailure>,
): Observable<Reading<Row>> {
  const pageAt = (fromRecord: number) => ask(fromRecord).pipe(map((page) => ({ page, fromRecord })));
  return pageAt(0).pipe(
    expand(({ page, fromRecord }) =>
      page.kind === 'read' && page.moreAvailable && page.rows.length > 0
        ? pageAt(fromRecord + page.rows.length)
        : EMPTY,
    ),
    reduce((all: Reading<Row>, { page }) => joined(all, page), NOTHING),
  );
}

const NOTHING = { kind: 'read', rows: [] } as const;

function joined<Row>(all: Reading<Row>, part: Reading<Row>): Reading<Row> {
  if (all.kind === 'failed') return all;
  return part.kind === 'failed' ? part : { kind: 'read', rows: [...all.rows, ...part.rows] };
}

/** Reads some ids at a time, one call after the other; the first failure ends it. */
export function readInParts<Id, Row>(
  ids: readonly Id[],
  idsMax: number,
  read: (some: readonly Id[]) => Observable<Reading<Row>>,
): Observable<Reading<Row>> {
  if (ids.length === 0) return of(NOTHING);
  return from(partsOf(ids, idsMax)).pipe(
    concatMap(read),
    takeWhile(({ kind }) => kind === 'read', true),
    reduce((all: Reading<Row>, part) => joined(all, part), NOTHING),
  );
}

export function partsOf<T>(items: readonly T[], max: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / max) }, (_, part) => items.slice(part * max, (part + 1) * max));
}
