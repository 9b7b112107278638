/** The markets that are followed: state, prices of the favourite, own orders, what each brought or would bring. */

import type { MarketRow } from '../../pages/market-row.ts';
import type { MarketsPanel } from '../../pages/panels.ts';
import { marketLabel } from '../../words/market-label.ts';
import { sideWord } from '../../words/side-words.ts';
import { amountColumn, countColumn, Grid, type GridColumn } from '../parts/grid.tsx';
import { Filter } from './shown/filter.tsx';
import { Profit } from './shown/profit.tsx';
import { addressOf, type Route } from './shown/route.ts';
import { Age, Begins, Card, Pages } from './shown/shown.tsx';

const CHOICES = [
  ['all', 'All'],
  ['own', 'With own orders'],
] as const;

export function MarketsPage({ panel: { part }, route }: { readonly panel: MarketsPanel; readonly route: Route }) {
  return (
    <Card title="Markets" more={<Pages part={part} route={route} noun="market" />}>
      <Filter route={route} choices={CHOICES} />
      <Markets rows={part.rows} />
    </Card>
  );
}

/** Columns of which no row has anything are left out: a sandbox has no positions of its own, a run no traded volume. */
export function Markets({ rows }: { readonly rows: readonly MarketRow[] }) {
  const has = (of: (row: MarketRow) => unknown): boolean => rows.some((row) => of(row) !== undefined);
  const columns: readonly (GridColumn<MarketRow> | false)[] = [
    { label: 'market', cell: Name },
    { label: 'state', look: 'less text', cell: ({ state }) => state, tone: ({ tone }) => `word-${tone}` },
    { label: 'begins', cell: ({ startAt }) => startAt !== undefined && <Begins at={startAt} /> },
    { label: 'favourite', look: 'less text', cell: ({ favourite }) => favourite?.title },
    { label: sideWord('For'), look: 'less', cell: ({ favourite }) => favourite?.back?.toFixed(2) },
    { label: sideWord('Against'), look: 'less', cell: ({ favourite }) => favourite?.lay?.toFixed(2) },
    has(({ freshAt }) => freshAt) && {
      label: 'prices',
      look: 'less',
      about: 'How old they are',
      cell: ({ freshAt }) => freshAt !== undefined && <Age at={freshAt} />,
    },
    has(({ traded }) => traded) &&
      amountColumn('traded', ({ traded }) => traded || undefined, { about: 'Backer’s stake so far' }),
    countColumn('live', ({ liveOrders }) => liveOrders || undefined, { about: 'Live orders' }),
    has(({ worstLoss }) => worstLoss || undefined) &&
      amountColumn('can lose', ({ worstLoss }) => worstLoss || undefined, { look: 'less' }),
    (has(({ settled }) => settled) || has(({ open }) => open)) && {
      label: 'profit',
      about: 'What its result brought, net of commission; before it what closing would bring now',
      cell: ({ settled, open }) => <Profit settled={settled} open={open} />,
    },
  ];
  return <Grid id="markets" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

function Name({ id, name, event, state, tone, off }: MarketRow) {
  return (
    <>
      <a href={addressOf({ page: 'market', id })}>{marketLabel({ eventName: event, name })}</a>
      <small class={`phone word-${tone}`}>{state}</small>
      {off !== undefined && <small class="word-warn">no new orders: {off}</small>}
    </>
  );
}
