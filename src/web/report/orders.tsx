/** All orders of the run one by one, each of which opens its market. */

import { useState } from 'preact/hooks';
import { marketAddress } from '../../pages/market-address.ts';
import { count } from '../../words/numbers.ts';
import { OrderList } from './data/order-list.tsx';
import type { Order, RunData } from './data/run-data.ts';

/** Drawn when it is unfolded: of a long run it has a hundred thousand rows. */
export function Orders({ data }: { readonly data: RunData }) {
  const [isOpen, setOpen] = useState(false);
  const { counted, kind } = data.facts;
  if (data.orders.length === 0) return null;
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
      {isOpen && <OrderList id="all-orders" data={data} orders={data.orders} ofMarkets onOpen={openOrder} />}
    </details>
  );
}

function openOrder({ market, row }: Order): void {
  location.hash = marketAddress(market, row);
}
