/** The table of markets: sorted, filtered, those with orders first. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { GRADE_MEANINGS } from '../../core/market.ts';
import { type MarketAddress, marketAddress, readAddress } from '../../pages/market-address.ts';
import type { ReportFacts } from '../../pages/report/report-facts.ts';
import type { MarketResult } from '../../result/result.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count, plural, signed, tone, utc } from '../../words/numbers.ts';
import { Switch } from '../parts/choices.tsx';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { RunData } from './data/run-data.ts';
import { MarketPage } from './market/market-page.tsx';

const FILTERED_FROM = 6;

export function Markets({ data }: { readonly data: RunData }) {
  const [opened, setOpened] = useState(fromAddress);
  useEffect(() => {
    const changed = (): void => setOpened(fromAddress());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const market = opened === undefined ? undefined : data.byAddress(opened.market);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (market !== undefined) place.current?.scrollIntoView({ block: 'start' });
  }, [opened]);
  const close = (): void => {
    location.hash = 'markets-place';
  };
  return (
    <>
      <div ref={place} class="opened">
        {market !== undefined && (
          <MarketPage
            key={`${market.id} ${opened?.order}`}
            data={data}
            market={market}
            first={opened?.order}
            onClose={close}
          />
        )}
      </div>
      <MarketList data={data} />
    </>
  );
}

function fromAddress(): MarketAddress | undefined {
  return readAddress(location.hash);
}

function open({ id }: MarketResult): void {
  location.hash = marketAddress(id);
}

function MarketList({ data: { facts } }: { readonly data: RunData }) {
  const all = useMemo(() => facts.result.byMarket.toSorted(withOrdersFirst), [facts]);
  const traded = all.filter(({ orders }) => orders > 0).length;
  const [isAll, setAll] = useState(traded === 0);
  const [wanted, setWanted] = useState('');
  const found = useMemo(() => {
    const words = wanted.trim().toLowerCase();
    const isWanted = (market: MarketResult): boolean => words === '' || nameOf(market).toLowerCase().includes(words);
    return all.filter((market) => (isAll || market.orders > 0) && isWanted(market));
  }, [all, wanted, isAll]);
  const isBacktest = facts.kind === 'backtest';
  const columns = isBacktest ? COLUMNS : COLUMNS.filter(({ label }) => !OF_BACKTEST.has(label));
  const foot = found.length === facts.markets || (!isAll && wanted === '') ? totals(facts) : undefined;
  return (
    <section class="card">
      <div class="head">
        <h2>
          Markets <span class="soft">{count(all.length)}</span>
          {all.length < facts.markets && (
            <span class="soft"> of {count(facts.markets)}, those with the largest results</span>
          )}
        </h2>
        {traded > 0 && traded < all.length && (
          <Switch
            label="Which markets"
            of={[
              ['orders', `with orders, ${count(traded)}`],
              ['all', `all ${count(all.length)}`],
            ]}
            chosen={isAll ? 'all' : 'orders'}
            onChoose={(which) => setAll(which === 'all')}
          />
        )}
        {all.length >= FILTERED_FROM && (
          <input
            id="search"
            type="search"
            placeholder="Find a market"
            aria-label="Find a market"
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        )}
      </div>
      <p class="soft small">
        Net of commission.{' '}
        {isBacktest &&
          'Each bound is a world in which the strategies answer to their own fills: the profits need not be in order. '}
        A market opens with a click.
      </p>
      <Table plan={{ id: 'markets', columns, rows: found, keyOf: ({ id }) => id, onOpen: open, foot }} />
    </section>
  );
}

/** Those with bets, then those with orders; their order is kept otherwise: it is that of the tape. */
function withOrdersFirst(a: MarketResult, b: MarketResult): number {
  const rank = ({ orders, profit }: MarketResult): number =>
    Number(orders > 0) + Number(profit.central.stakeMatched > 0);
  return rank(b) - rank(a);
}

/** The headline's own figures, below the columns that add up to them. */
function totals({ result: { total, orders }, markets }: ReportFacts): Readonly<Record<string, string>> {
  const { central } = total;
  const close = central.markToMarket;
  return {
    Market: `All ${plural(markets, 'market')}`,
    'Net profit': signed(central.profitNet),
    'Net, pessimistic': signed(total.pessimistic.profitNet),
    'Net, optimistic': signed(total.optimistic.profitNet),
    'Greened up': close === undefined ? '–' : signed(close),
    Commission: amount(central.commission),
    Matched: amount(central.stakeMatched),
    Orders: count(orders.accepted),
  };
}

/** A live or paper run has one result, and its markets no grade where it did not record. */
const OF_BACKTEST: ReadonlySet<string> = new Set(['Net, pessimistic', 'Net, optimistic', 'Greened up', 'Grade']);

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
  netColumn('Net profit', 'After commission, with central fills', 'central'),
  netColumn('Net, pessimistic', 'Net profit with pessimistic fills: cancellations behind your orders', 'pessimistic'),
  netColumn('Net, optimistic', 'Net profit with optimistic fills: cancellations ahead of your orders', 'optimistic'),
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

/** A market that is not settled has no profit yet. */
function netColumn(label: string, about: string, bound: 'pessimistic' | 'central' | 'optimistic') {
  return profitColumn(label, about, ({ profit, settledAt }) =>
    settledAt === undefined ? undefined : profit[bound].profitNet,
  );
}

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
