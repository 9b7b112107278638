/** Own orders as a table. */

import type { OrderRow } from '../../../pages/panels.ts';
import { amount } from '../../../words/numbers.ts';
import { sideWord } from '../../../words/side-words.ts';
import { amountColumn, Grid, type GridColumn } from '../../parts/grid.tsx';
import { Profit } from './profit.tsx';
import { addressOf } from './route.ts';
import { Age } from './shown.tsx';

interface OrderTableParts {
  readonly rows: readonly OrderRow[];
  /** Whether each row says of which market it is. */
  readonly isPlaced: boolean;
}

export function OrderTable({ rows, isPlaced }: OrderTableParts) {
  if (rows.length === 0) return <p class="soft">There is none.</p>;
  const columns: readonly GridColumn<OrderRow>[] = [
    { label: 'order', cell: (row) => <Order row={row} isPlaced={isPlaced} /> },
    {
      label: 'side',
      look: 'text',
      cell: ({ side }) => sideWord(side),
      tone: ({ side }) => (side === 'For' ? 'back' : 'lay'),
    },
    { label: 'price', cell: ({ price }) => price.toFixed(2) },
    amountColumn('stake', ({ stake }) => stake),
    amountColumn('matched', ({ matched }) => matched || undefined, { look: 'less' }),
    {
      label: 'profit',
      about: 'Before commission: won or lost, or what closing it would bring now',
      cell: ({ profit }) => profit !== undefined && <Profit {...profitParts(profit)} />,
    },
    { label: 'at', look: 'less', cell: ({ averagePrice }) => averagePrice?.toFixed(3), about: 'Average price matched' },
    amountColumn('unmatched', ({ unmatched }) => unmatched || undefined, { look: 'less' }),
    { label: 'state', look: 'less text', cell: ({ state }) => state, tone: ({ tone }) => `word-${tone}` },
    { label: 'age', look: 'less', cell: ({ placedAt }) => <Age at={placedAt} /> },
    {
      label: 'by',
      look: 'less text',
      cell: ({ owner, wallet }) => (
        <>
          {owner}
          {wallet !== '' && <small>{wallet}</small>}
        </>
      ),
    },
  ];
  return <Grid look="orders" columns={columns} rows={rows} keyOf={({ number }) => number} />;
}

function Order({ row, isPlaced }: { readonly row: OrderRow; readonly isPlaced: boolean }) {
  const { number, exchangeId, market, place, outcome, stake, matched, note, tone, state, placedAt } = row;
  return (
    <>
      {isPlaced ? <a href={addressOf({ page: 'market', id: market })}>{outcome}</a> : outcome}
      <small>
        {isPlaced ? `${place} · ` : ''}
        {number}
        {exchangeId === undefined || exchangeId === String(number) ? '' : ` (${exchangeId})`}
        {note === undefined ? '' : ` · ${note}`}
      </small>
      <small class="phone">
        <span class={`word-${tone}`}>{state}</span>, {matched > 0 && matched < stake && `${amount(matched)} of it, `}
        <Age at={placedAt} /> old
      </small>
    </>
  );
}

function profitParts({ value, isSettled }: NonNullable<OrderRow['profit']>) {
  return isSettled ? { settled: value, open: undefined } : { settled: undefined, open: { value } };
}
