/** Rows whose fields are the columns of a list, which says what each of them holds. */

import type { Column } from '../../src/result/columns/column.ts';
import { FILL_COLUMNS } from '../../src/result/columns/fill-columns.ts';
import { MARKET_COLUMNS } from '../../src/result/columns/market-columns.ts';
import { ORDER_COLUMNS } from '../../src/result/columns/order-columns.ts';
import { OUTCOME_COLUMNS } from '../../src/result/columns/outcome-columns.ts';
import { PLOT_COLUMNS } from '../../src/result/columns/plot-columns.ts';

type About = Pick<Column<never>, 'name' | 'kind' | 'about'>;

const ROWS: Readonly<Record<string, readonly About[]>> = {
  OrderTableRow: ORDER_COLUMNS,
  FillTableRow: FILL_COLUMNS,
  MarketTableRow: MARKET_COLUMNS,
  OutcomeTableRow: OUTCOME_COLUMNS,
  PlotTableRow: PLOT_COLUMNS,
};

/** Lines of a table. Columns that are there once for each bound of the fills are one line. */
export function columnsOf(type: string): readonly (readonly string[])[] {
  return (ROWS[type] ?? []).flatMap(({ name, kind, about }) => {
    const [, figure, bound] = /^(\w+)\.(lowest|pessimistic|central|optimistic|highest|refilled)$/.exec(name) ?? [];
    if (bound !== undefined && bound !== 'central') return [];
    const each = about.replace(/,? in the central bound$/, ', once for each `BOUND` of `BOUNDS` that was computed');
    const shown = kind === 'text' ? '`string`' : '`number`';
    return [figure === undefined ? [`\`${name}?\``, shown, about] : [`\`${figure}.BOUND?\``, shown, each]];
  });
}
