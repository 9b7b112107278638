/** Shows where the profit comes from: matched orders by two of price, time to the off, market type and side, as a table of both. */

import { useMemo, useState } from 'preact/hooks';
import { amount, count, signed, tone } from '../../words/numbers.ts';
import { sideWord } from '../../words/side-words.ts';
import { Choice } from '../parts/choices.tsx';
import type { Order, RunData } from './data/run-data.ts';

type Dimension = (typeof DIMENSIONS)[number][0];
type Measure = (typeof MEASURES)[number][0];

const DIMENSIONS = [
  ['price', 'price'],
  ['time', 'time to the off'],
  ['type', 'market type'],
  ['side', 'side'],
  ['strategy', 'strategy'],
] as const;

const MEASURES = [
  ['profit', 'gross profit'],
  ['yield', 'profit per stake'],
  ['stake', 'stake matched'],
  ['orders', 'orders matched'],
] as const;

interface Cell {
  profit: number;
  stake: number;
  orders: number;
}

export function Origins({ data }: { readonly data: RunData }) {
  const [rows, setRows] = useState<Dimension>('price');
  const [columns, setColumns] = useState<Dimension>('time');
  const [measure, setMeasure] = useState<Measure>('profit');
  const table = useMemo(() => tableOf(data, rows, columns), [data, rows, columns]);
  const isCut = data.facts.counted.orders > data.orders.length;
  return (
    <>
      <div class="bar">
        <Choice label="Rows" of={DIMENSIONS} chosen={rows} onChoose={setRows} />
        <Choice label="Columns" of={DIMENSIONS} chosen={columns} onChoose={setColumns} />
        <Choice label="Cells" of={MEASURES} chosen={measure} onChoose={setMeasure} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is wider than the page. */}
      <div class="sideways" tabIndex={0}>
        <table class="plain" id="origins">
          <thead>
            <tr>
              <th scope="col">{labelOf(rows)}</th>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
              <th scope="col">all</th>
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row}>
                <td>{row}</td>
                {[...table.columns, ALL].map((column) => (
                  <Figure key={column} cell={table.cells.get(`${row}\n${column}`)} measure={measure} />
                ))}
              </tr>
            ))}
            <tr class="sum">
              <td>all</td>
              {[...table.columns, ALL].map((column) => (
                <Figure key={column} cell={table.cells.get(`${ALL}\n${column}`)} measure={measure} />
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      <p class="soft small">
        Orders of settled markets{data.facts.kind === 'backtest' && ', with central fills'}, by their average price and
        by when they were decided; profit before commission.
        {isCut && ' Of the markets with the largest results, which this page holds.'}
      </p>
    </>
  );
}

function Figure({ cell, measure }: { readonly cell: Cell | undefined; readonly measure: Measure }) {
  if (cell === undefined) return <td class="soft">·</td>;
  switch (measure) {
    case 'profit':
      return <td class={tone(cell.profit)}>{signed(cell.profit)}</td>;
    case 'yield':
      return (
        <td class={tone(cell.profit)}>{cell.stake === 0 ? '–' : `${signed((cell.profit / cell.stake) * 100, 1)} %`}</td>
      );
    case 'stake':
      return <td>{amount(cell.stake)}</td>;
    case 'orders':
      return <td>{count(cell.orders)}</td>;
  }
}

const ALL = '\n';

function labelOf(dimension: Dimension): string {
  return DIMENSIONS.find(([key]) => key === dimension)?.[1] ?? '';
}

interface OriginTable {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: ReadonlyMap<string, Cell>;
}

function tableOf(data: RunData, rows: Dimension, columns: Dimension): OriginTable {
  const cells = new Map<string, Cell>();
  const found = { rows: new Map<string, number>(), columns: new Map<string, number>() };
  for (const order of data.orders) {
    if (order.matched === 0 || order.profit === undefined) continue;
    const [row, column] = [bandOf(rows, order, data), bandOf(columns, order, data)];
    found.rows.set(row.label, row.place);
    found.columns.set(column.label, column.place);
    for (const key of [
      `${row.label}\n${column.label}`,
      `${row.label}\n${ALL}`,
      `${ALL}\n${column.label}`,
      `${ALL}\n${ALL}`,
    ]) {
      const cell = cells.get(key) ?? { profit: 0, stake: 0, orders: 0 };
      cells.set(key, cell);
      cell.profit += order.profit;
      cell.stake += order.matched;
      cell.orders += 1;
    }
  }
  return { rows: inPlace(found.rows), columns: inPlace(found.columns), cells };
}

function inPlace(found: ReadonlyMap<string, number>): readonly string[] {
  return [...found].toSorted(([a, atA], [b, atB]) => atA - atB || a.localeCompare(b)).map(([label]) => label);
}

const PRICES = [1, 1.5, 2, 3, 5, 10, 20, 1000];
const MINUTES = [1, 5, 10, 30, 60];

function bandOf(dimension: Dimension, order: Order, { markets }: RunData): Readonly<{ label: string; place: number }> {
  const market = markets.get(order.market);
  switch (dimension) {
    case 'price': {
      const price = order.averagePrice ?? order.price;
      const place = PRICES.findIndex((_, at) => price < (PRICES[at + 1] ?? Number.POSITIVE_INFINITY));
      const to = PRICES[place + 1];
      return { place, label: to === undefined ? `${PRICES[place]} and more` : `${PRICES[place]} to ${to}` };
    }
    case 'time': {
      const { inPlayAt, startsAt } = market ?? {};
      if (inPlayAt !== undefined && order.decidedAt >= inPlayAt) return { place: 100, label: 'in play' };
      const off = inPlayAt ?? startsAt;
      if (off === undefined) return { place: 101, label: 'no off known' };
      const minutes = (off - order.decidedAt) / 60_000;
      const place = MINUTES.findIndex((edge) => minutes < edge);
      if (minutes < 0) return { place: 99, label: 'after the start' };
      if (place < 0) return { place: 0, label: 'over 60 min' };
      return { place: MINUTES.length - place, label: `${MINUTES[place - 1] ?? 0} to ${MINUTES[place]} min` };
    }
    case 'type':
      return { place: 0, label: market?.marketTypeId ?? '' };
    case 'side':
      return { place: 0, label: sideWord(order.side) };
    case 'strategy':
      return { place: 0, label: order.strategy };
  }
}
