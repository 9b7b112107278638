/** How orders fared in their queues: what stood ahead of them, what of them was matched, and how long that took. */

import { useMemo } from 'preact/hooks';
import { amount, count, plural } from '../../report/numbers.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { Order, RunData } from './data/run-data.ts';

interface Band {
  readonly label: string;
  readonly orders: readonly Order[];
}

export function Fills({ data }: { readonly data: RunData }) {
  const bands = useMemo(() => bandsOf(data.orders), [data]);
  const { counted } = data.facts;
  return (
    <>
      {counted.orders > data.orders.length && (
        <p class="soft small">
          Of {plural(data.orders.length, 'order')} of the {count(counted.orders)}: the page leaves out{' '}
          {plural(counted.marketsLeftOut, 'market')} with the smallest results.
        </p>
      )}
      <Table plan={{ id: 'queues', columns: COLUMNS, rows: bands, keyOf: ({ label }) => label }} />
    </>
  );
}

/** By how many times its own stake stood ahead of an order. */
const EDGES = [0, 1, 5, 20, 100];

function bandsOf(orders: readonly Order[]): readonly Band[] {
  const accepted = orders.filter(({ status }) => status !== undefined);
  const rested = accepted.filter(({ queueAhead }) => queueAhead !== undefined);
  const times = ({ queueAhead = 0, stake }: Order): number => (stake > 0 ? queueAhead / stake : 0);
  const bands = EDGES.map((from, at) => {
    const to = EDGES[at + 1] ?? Number.POSITIVE_INFINITY;
    const label =
      at === 0
        ? 'less than its own stake'
        : to === Number.POSITIVE_INFINITY
          ? `${from} times its stake and more`
          : `${from} to ${to} times its stake`;
    return { label, orders: rested.filter((order) => times(order) >= from && times(order) < to) };
  });
  const took = {
    label: 'took at once, never rested',
    orders: accepted.filter((order) => order.queueAhead === undefined),
  };
  return [took, ...bands].filter((band) => band.orders.length > 0);
}

const COLUMNS: readonly TableColumn<Band>[] = [
  {
    label: 'Ahead in the queue',
    about: 'Stake before the order at its price when it began to rest',
    kind: 'text',
    value: ({ label }) => label,
    cell: ({ label }) => label,
  },
  number('Orders', 'Orders that the exchange accepted', ({ orders }) => orders.length, count),
  number(
    'Matched whole',
    'Of them, central fills',
    ({ orders }) => share(orders, ({ matched, stake }) => matched >= stake),
    percent,
  ),
  number(
    'In part',
    'Of them, central fills',
    ({ orders }) => share(orders, ({ matched, stake }) => matched > 0 && matched < stake),
    percent,
  ),
  number(
    'Of the stake',
    'Matched stake of all stake',
    ({ orders }) => sum(orders, 'matched') / Math.max(1e-9, sum(orders, 'stake')),
    percent,
  ),
  number(
    'Half within',
    'Median time from arrival to the end, of those matched whole',
    ({ orders }) => medianWait(orders),
    seconds,
  ),
];

function number(
  label: string,
  about: string,
  of: (band: Band) => number,
  written: (value: number) => string,
): TableColumn<Band> {
  return {
    label,
    about,
    kind: 'number',
    value: of,
    cell: (band) => (Number.isNaN(of(band)) ? '–' : written(of(band))),
  };
}

function share(orders: readonly Order[], is: (order: Order) => boolean): number {
  return orders.filter(is).length / orders.length;
}

function percent(value: number): string {
  return `${amount(value * 100, 1)} %`;
}

function seconds(value: number): string {
  return value < 120 ? `${amount(value, 1)} s` : `${amount(value / 60, 1)} min`;
}

function sum(orders: readonly Order[], of: 'matched' | 'stake'): number {
  return orders.reduce((total, order) => total + order[of], 0);
}

function medianWait(orders: readonly Order[]): number {
  const waits = orders
    .filter(({ matched, stake }) => matched >= stake)
    .flatMap(({ arrivedAt, endedAt }) =>
      arrivedAt === undefined || endedAt === undefined ? [] : (endedAt - arrivedAt) / 1000,
    )
    .toSorted((a, b) => a - b);
  return waits[Math.floor(waits.length / 2)] ?? Number.NaN;
}
