/** All orders of the run one by one, each of which opens its market. */

import { useMemo, useState } from 'preact/hooks';
import { marketAddress } from '../../pages/market-address.ts';
import { marketLabel } from '../../words/market-label.ts';
import { count } from '../../words/numbers.ts';
import { Rows } from './data/rows.tsx';
import type { Order, RunData } from './data/run-data.ts';

const MARKET = { name: 'market', label: 'Market', about: 'Event and market', kind: 'text' } as const;

/** Drawn when it is unfolded: of a long run it has a hundred thousand rows. */
export function Orders({ data }: { readonly data: RunData }) {
  const [isOpen, setOpen] = useState(false);
  const { counted, columns, kind } = data.facts;
  const shownColumns = useMemo(() => [MARKET, ...columns.orders], [columns]);
  if (data.orders.length === 0) return null;
  const shown = {
    market: ({ market }: Order) => {
      const found = data.markets.get(market);
      return found === undefined ? market : marketLabel(found);
    },
  };
  return (
    <details class="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>
          Orders one by one <span class="soft">{count(data.orders.length)}</span>
        </h2>
      </summary>
      <p class="soft small">
        {counted.orders > data.orders.length && `Of ${count(counted.orders)}. `}
        {kind === 'backtest' && 'All of them are in orders.csv.'}
      </p>
      {isOpen && (
        <Rows
          id="all-orders"
          columns={shownColumns}
          table={data.table('orders')}
          rows={data.orders}
          shown={shown}
          onOpen={openOrder}
        />
      )}
    </details>
  );
}

function openOrder({ market, row }: Order): void {
  location.hash = marketAddress(market, row);
}
