/** A list of orders that is filtered by how much was matched, side, strategy and market; the rest is in the life of each order. */

import { useMemo, useState } from 'preact/hooks';
import { marketLabel } from '../../../words/market-label.ts';
import { count } from '../../../words/numbers.ts';
import { sideWord } from '../../../words/side-words.ts';
import { Choice } from '../../parts/choices.tsx';
import { Rows } from './rows.tsx';
import type { Order, RunData } from './run-data.ts';

interface OrderListParts {
  readonly id: string;
  readonly data: RunData;
  readonly orders: readonly Order[];
  /** Whether they are of several markets, which the list names then. */
  readonly ofMarkets: boolean;
  readonly onOpen: (order: Order) => void;
}

const MATCHED: Readonly<Record<string, (order: Order) => boolean>> = {
  'all orders': () => true,
  'matched in full': ({ matched, stake }) => matched > 0 && matched >= stake,
  'matched in part': ({ matched, stake }) => matched > 0 && matched < stake,
  'not matched': ({ matched, status }) => matched === 0 && status !== undefined,
  rejected: ({ status }) => status === undefined,
};
const SIDES = ['', 'For', 'Against'];
const ANY = 'all strategies';
const MARKET = { name: 'market', label: 'Market', about: 'Event and market', kind: 'text' } as const;

export function OrderList({ id, data, orders, ofMarkets, onOpen }: OrderListParts) {
  const [matched, setMatched] = useState('all orders');
  const [side, setSide] = useState('');
  const [strategy, setStrategy] = useState(ANY);
  const [market, setMarket] = useState('');
  const strategies = useMemo(() => [ANY, ...new Set(orders.map((order) => order.strategy))], [orders]);
  const nameOf = useMemo(() => marketNames(data), [data]);
  const found = useMemo(() => {
    const [isMatched, words] = [MATCHED[matched], market.trim().toLowerCase()];
    return orders.filter(
      (order) =>
        isMatched?.(order) !== false &&
        (side === '' || order.side === side) &&
        (strategy === ANY || order.strategy === strategy) &&
        (words === '' || nameOf(order).toLowerCase().includes(words)),
    );
  }, [orders, matched, side, strategy, market, nameOf]);
  const columns = useMemo(
    () => (ofMarkets ? [MARKET, ...data.facts.columns.orders] : data.facts.columns.orders),
    [data, ofMarkets],
  );
  const shown = useMemo(() => ({ market: nameOf }), [nameOf]);
  return (
    <>
      <div class="bar" id={`${id}-filter`}>
        <Choice label="Matched" of={same(Object.keys(MATCHED))} chosen={matched} onChoose={setMatched} />
        <Choice
          label="Side"
          of={SIDES.map((of) => [of, of === '' ? 'both sides' : sideWord(of)])}
          chosen={side}
          onChoose={setSide}
        />
        {strategies.length > 2 && (
          <Choice label="Strategy" of={same(strategies)} chosen={strategy} onChoose={setStrategy} />
        )}
        {ofMarkets && (
          <input
            type="search"
            placeholder="Find a market"
            aria-label="Orders of a market"
            onInput={(event) => setMarket(event.currentTarget.value)}
          />
        )}
        {found.length < orders.length && (
          <span class="soft">
            {count(found.length)} of {count(orders.length)}
          </span>
        )}
      </div>
      {found.length === 0 ? (
        <p class="empty">No order is like that.</p>
      ) : (
        <Rows id={id} columns={columns} table={data.table('orders')} rows={found} shown={shown} onOpen={onOpen} />
      )}
    </>
  );
}

function marketNames({ markets }: RunData): (order: Order) => string {
  const names = new Map([...markets].map(([id, market]) => [id, marketLabel(market)]));
  return ({ market }) => names.get(market) ?? market;
}

function same(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [name, name]);
}
