/** A table of a page that is served: each column is said once, for its heading, its cells and the row of totals. */

import type { ComponentChildren } from 'preact';
import { amount, count, signed, tone as signOf } from '../../words/numbers.ts';

export interface GridColumn<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly about?: string;
  /** Classes of heading and cells: `less` is left out on a phone, `text` stands to the left. */
  readonly look?: string;
  /** A further class of a cell, such as `gain`. */
  readonly tone?: (row: Row) => string;
}

interface GridParts<Row> {
  readonly id?: string;
  readonly look?: string;
  readonly columns: readonly (GridColumn<Row> | false)[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowLook?: (row: Row) => string;
  /** The totals, as a row like the others. */
  readonly foot?: Row;
}

export function Grid<Row>({ id, look, columns, rows, keyOf, rowLook, foot }: GridParts<Row>) {
  const drawn = columns.filter((column) => column !== false);
  const cells = (row: Row, isFoot = false) =>
    drawn.map((column, place) => {
      const { label, cell, tone } = column;
      const names = [column.look, tone?.(row)].filter(Boolean).join(' ');
      return isFoot && place === 0 ? (
        <th key={label} scope="row">
          {cell(row)}
        </th>
      ) : (
        <td key={label} class={names}>
          {cell(row)}
        </td>
      );
    });
  return (
    <div class="wide">
      <table id={id} class={look}>
        <thead>
          <tr>
            {drawn.map(({ label, about, look: of }) => (
              <th key={label} scope="col" class={of} title={about}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={rowLook?.(row)}>
              {cells(row)}
            </tr>
          ))}
        </tbody>
        {foot !== undefined && (
          <tfoot>
            <tr>{cells(foot, true)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

type Of<Row> = (row: Row) => number | undefined;
type More<Row> = Partial<Pick<GridColumn<Row>, 'about' | 'look'>>;

/** A profit, with its sign and colour. */
export function signedColumn<Row>(label: string, of: Of<Row>, more: More<Row> = {}): GridColumn<Row> {
  return { ...figureColumn(label, of, signed, more), tone: (row) => signOf(of(row) ?? 0) };
}

export function amountColumn<Row>(label: string, of: Of<Row>, more: More<Row> = {}): GridColumn<Row> {
  return figureColumn(label, of, amount, more);
}

export function countColumn<Row>(label: string, of: Of<Row>, more: More<Row> = {}): GridColumn<Row> {
  return figureColumn(label, of, count, more);
}

function figureColumn<Row>(label: string, of: Of<Row>, text: (value: number) => string, more: More<Row>) {
  const cell = (row: Row): string => {
    const value = of(row);
    return value === undefined ? '' : text(value);
  };
  return { label, cell, ...more };
}
