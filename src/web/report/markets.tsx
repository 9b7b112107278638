/** The table of markets: sorted, filtered, those with orders first. */

import { useMemo, useState } from 'preact/hooks';
import { GRADE_MEANINGS } from '../../core/market.ts';
import { amount, count, signed, tone, utc } from '../../report/numbers.ts';
import type { ReportFacts } from '../../report/page/report-facts.ts';
import type { MarketResult } from '../../report/result.ts';
import { marketLabel } from '../../report/text/market-label.ts';
import { Table, type TableColumn } from '../parts/table.tsx';

const FILTERED_FROM = 6;

export function Markets({ facts }: { readonly facts: ReportFacts }) {
  const all = facts.result.byMarket;
  const [wanted, setWanted] = useState('');
  const found = useMemo(() => {
    const words = wanted.trim().toLowerCase();
    return all.filter((market) => words === '' || nameOf(market).toLowerCase().includes(words));
  }, [all, wanted]);
  return (
    <>
      {all.length >= FILTERED_FROM && (
        <div class="head">
          <input
            id="search"
            type="search"
            placeholder="Find a market"
            aria-label="Find a market"
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </div>
      )}
      <Table plan={{ id: 'markets', columns: COLUMNS, rows: found, keyOf: ({ id }) => id }} />
    </>
  );
}

function nameOf(market: MarketResult): string {
  return `${marketLabel(market)} ${market.id}`;
}

const COLUMNS: readonly TableColumn<MarketResult>[] = [
  {
    label: 'Market',
    kind: 'text',
    about: 'Event, market and id',
    value: nameOf,
    cell: (market) => (
      <>
        {marketLabel(market)}
        <small>{market.id}</small>
      </>
    ),
  },
  {
    ...profitColumn('Net profit', 'After commission, with central fills', ({ profit }) => profit.central.profitNet),
    cell: ({ profit }) => <b>{signed(profit.central.profitNet)}</b>,
  },
  profitColumn(
    'Pessimistic',
    'Net profit, with cancellations behind your orders',
    ({ profit }) => profit.pessimistic.profitNet,
  ),
  profitColumn(
    'Optimistic',
    'Net profit, with cancellations ahead of your orders',
    ({ profit }) => profit.optimistic.profitNet,
  ),
  profitColumn(
    'Greened up',
    'Gross profit had each position been closed evenly at the last prices before the result.',
    ({ profit }) => profit.central.markToMarket,
  ),
  {
    label: 'Commission',
    kind: 'number',
    about: "On the market's net winnings, central",
    value: ({ profit }) => profit.central.commission,
    cell: ({ profit }) => amount(profit.central.commission),
  },
  {
    label: 'Matched',
    kind: 'number',
    about: "Backer's stake matched, central",
    value: ({ profit }) => profit.central.stakeMatched,
    cell: ({ profit }) => amount(profit.central.stakeMatched),
  },
  {
    label: 'Orders',
    kind: 'number',
    about: 'Orders the exchange accepted',
    value: ({ orders }) => orders,
    cell: ({ orders }) => count(orders),
  },
  {
    label: 'Grade',
    kind: 'text',
    about: 'What the recording can bear',
    value: ({ grade }) => grade,
    cell: ({ grade }) => <span title={GRADE_MEANINGS[grade]}>{grade}</span>,
  },
  {
    label: 'Settled, UTC',
    kind: 'number',
    about: 'When the market was settled',
    value: ({ settledAt }) => settledAt,
    cell: ({ settledAt, status }) =>
      settledAt === undefined ? (
        status
      ) : (
        <>
          {utc(settledAt).slice(0, 16)}
          {status === 'Voided' && <small>Voided</small>}
        </>
      ),
  },
];

function profitColumn(
  label: string,
  about: string,
  of: (market: MarketResult) => number | undefined,
): TableColumn<MarketResult> {
  return {
    label,
    about,
    kind: 'number',
    value: of,
    cell: (market) => {
      const value = of(market);
      return value === undefined ? '–' : signed(value);
    },
    tone: (market) => tone(of(market) ?? 0),
  };
}
