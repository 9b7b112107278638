/** A table that is sorted by its headings and filtered by a text; of many rows a part is shown, and more when asked for. */

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { count } from '../../words/numbers.ts';
import './table.css';

export interface TableColumn<Row> {
  readonly label: string;
  /** What a cell holds, for the reader who points at the heading. */
  readonly about: string;
  /** Numbers are sorted by size, the largest first; texts by letters. */
  readonly value: (row: Row) => number | string | undefined;
  readonly cell: (row: Row) => ComponentChildren;
  readonly kind: 'text' | 'number';
  /** Class of a cell, such as `gain`. */
  readonly tone?: (row: Row) => string;
}

export interface TablePlan<Row> {
  readonly id: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Makes the first cell of each row a button; a click anywhere in the row opens it too, but not one that selected text. */
  readonly onOpen?: (row: Row) => void;
  /** Cells below all rows, by the label of their column. */
  readonly foot?: Readonly<Record<string, string>> | undefined;
}

interface Order {
  readonly column: number;
  readonly falling: boolean;
}

const PAGE_ROWS = 200;

/** The button of a row is for keys, whose clicks have no `detail`. */
export function Table<Row>({ plan }: { readonly plan: TablePlan<Row> }) {
  const { id, columns, rows, keyOf, onOpen, foot } = plan;
  const [order, setOrder] = useState<Order>();
  const [shown, setShown] = useState(PAGE_ROWS);
  const sorted = useMemo(() => sortedRows(rows, columns, order), [rows, columns, order]);
  const left = sorted.length - shown;
  const sortBy = (column: number): void => {
    const isText = columns[column]?.kind === 'text';
    setOrder({ column, falling: order?.column === column ? !order.falling : !isText });
  };
  return (
    <div class="scroll">
      <table id={id}>
        <Head columns={columns} order={order} onSort={sortBy} />
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <tr
              key={keyOf(row)}
              onClick={({ detail }) => (detail === 0 || getSelection()?.isCollapsed) && onOpen?.(row)}
            >
              {columns.map((column, at) => (
                <td key={column.label} class={[column.kind, column.tone?.(row)].filter(Boolean).join(' ')}>
                  {at === 0 && onOpen !== undefined ? (
                    <button type="button" class="open">
                      {column.cell(row)}
                    </button>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {foot !== undefined && (
          <tfoot>
            <tr>
              {columns.map(({ label, kind }) => (
                <td key={label} class={kind}>
                  {foot[label]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {left > 0 && (
        <p class="more">
          <button type="button" class="quiet" onClick={() => setShown(shown + Math.max(PAGE_ROWS, shown))}>
            Show {count(Math.min(left, Math.max(PAGE_ROWS, shown)))} more of {count(left)}
          </button>
        </p>
      )}
    </div>
  );
}

interface HeadParts<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly order: Order | undefined;
  readonly onSort: (column: number) => void;
}

function Head<Row>({ columns, order, onSort }: HeadParts<Row>) {
  return (
    <thead>
      <tr>
        {columns.map(({ label, about, kind }, at) => (
          <th
            key={label}
            scope="col"
            title={about}
            data-kind={kind}
            aria-sort={order?.column !== at ? undefined : order.falling ? 'descending' : 'ascending'}
          >
            <button type="button" onClick={() => onSort(at)}>
              {label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Rows without a value come last, whichever way it is sorted. */
function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const column = order === undefined ? undefined : columns[order.column];
  if (column === undefined || order === undefined) return rows;
  const sign = order.falling ? -1 : 1;
  const valued = rows.map((row) => ({ row, value: column.value(row) }));
  valued.sort((a, b) => {
    if (a.value === undefined || b.value === undefined)
      return Number(a.value === undefined) - Number(b.value === undefined);
    if (typeof a.value === 'number' && typeof b.value === 'number') return sign * (a.value - b.value);
    return sign * LETTERS.compare(String(a.value), String(b.value));
  });
  return valued.map(({ row }) => row);
}

/** Made once: comparing with locales anew for each pair takes most of the time of sorting. */
const LETTERS = new Intl.Collator('en', { numeric: true });
