/** Rows of a table of columns, with the headings and figures that CSV files have. */

import { useMemo } from 'preact/hooks';
import type { ColumnTable } from '../../../pages/report/columns.ts';
import type { ShownColumn } from '../../../pages/report/report-facts.ts';
import { type Column, shownCell } from '../../../result/columns/column.ts';
import { tone } from '../../../words/numbers.ts';
import { sideWord } from '../../../words/side-words.ts';
import { Table, type TableColumn } from '../../parts/table.tsx';
import { numberAt, textAt } from './run-data.ts';

interface RowsParts<Row> {
  readonly id: string;
  readonly columns: readonly ShownColumn[];
  readonly table: ColumnTable;
  readonly rows: readonly Row[];
  /** What stands in place of the cell of a column, such as a name in place of an id. */
  readonly shown?: Readonly<Record<string, (row: Row) => string>>;
  readonly onOpen?: (row: Row) => void;
}

/** Columns without a value, and those that are the same in all rows and said elsewhere, are left out. */
export function Rows<Row extends { readonly row: number }>({
  id,
  columns,
  table,
  rows,
  shown,
  onOpen,
}: RowsParts<Row>) {
  const drawn = useMemo(
    () =>
      columns.flatMap((column) => {
        const { name, label = name, about, kind, inReport } = column;
        if (inReport === 'never') return [];
        const of = (row: Row): string | number | undefined =>
          shown?.[name]?.(row) ?? numberAt(table, name, row.row) ?? textOf(textAt(table, name, row.row));
        const textOf = (text: string | undefined) => (name === 'side' && text !== undefined ? sideWord(text) : text);
        if (!isWanted(rows, of, inReport === 'if-rows-differ')) return [];
        const said = name === 'side' ? `${sideWord('For')} or ${sideWord('Against')}` : about;
        return [columnOf<Row>({ label, about: said, kind, of })];
      }),
    [columns, table, rows, shown],
  );
  const plan = { id, columns: drawn, rows, keyOf: ({ row }: Row) => row };
  return <Table plan={onOpen === undefined ? plan : { ...plan, onOpen }} />;
}

function isWanted<Row>(rows: readonly Row[], of: (row: Row) => unknown, mustDiffer: boolean): boolean {
  const [first] = rows;
  if (first === undefined) return false;
  const value = of(first);
  return mustDiffer
    ? rows.some((row) => of(row) !== value)
    : value !== undefined || rows.some((row) => of(row) !== undefined);
}

interface Drawn<Row> {
  readonly label: string;
  readonly about: string;
  readonly kind: Column<never>['kind'];
  readonly of: (row: Row) => string | number | undefined;
}

function columnOf<Row>({ label, about, kind, of }: Drawn<Row>): TableColumn<Row> {
  const value = of;
  return {
    label,
    about,
    kind: kind === 'text' ? 'text' : 'number',
    value,
    cell: (row) => shownCell(kind, of(row)),
    ...(kind === 'profit' ? { tone: (row: Row) => tone(Number(of(row) ?? 0)) } : {}),
  };
}
