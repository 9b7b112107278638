/** Own orders at an instant: those on the way and resting, those that ended lately, and all so far. */

import { useMemo } from 'preact/hooks';
import type { ViewMarket } from '../../../pages/view-data.ts';
import { amount, count, plural, utcMs } from '../../../words/numbers.ts';
import { sideWord } from '../../../words/side-words.ts';
import { amountColumn, Grid, type GridColumn } from '../../parts/grid.tsx';
import { stateAt } from '../play/moment.ts';
import { endOf, type OwnAt, orderName, stateText } from '../play/own.ts';

const LATELY_MS = 60_000;
const SHOWN_MAX = 100;

export function OwnOrders({ market, own, at }: Readonly<{ market: ViewMarket; own: readonly OwnAt[]; at: number }>) {
  const second = Math.floor(at / 1000);
  const lately = useMemo(
    () => own.filter((each) => isLately(each, at)).map(({ order }) => orderName(order)),
    [own, second],
  );
  const status = stateAt(market.states, at)?.status;
  const isSettled = status === 'Settled' || status === 'Voided';
  return useMemo(
    () => <Shown market={market} own={own} lately={new Set(lately)} isSettled={isSettled} />,
    [market, own, lately.join(), isSettled],
  );
}

function isLately({ where, order }: OwnAt, at: number): boolean {
  const end = endOf(order);
  return where === 'ended' && end !== undefined && at - end <= LATELY_MS;
}

interface ShownParts {
  readonly market: ViewMarket;
  readonly own: readonly OwnAt[];
  readonly lately: ReadonlySet<string>;
  /** Whether it is known by then who won. */
  readonly isSettled: boolean;
}

function Shown({ market, own, lately, isSettled }: ShownParts) {
  const now = own.filter(({ where }) => where !== 'ended');
  const fills = own.reduce((sum, { matched }) => sum + (matched > 0 ? 1 : 0), 0);
  return (
    <section class="card" id="own">
      <div class="head">
        <h3>Own orders</h3>
        <span class="soft small-print">
          {market.orders.length === 0
            ? ''
            : `${count(own.length)} of ${plural(market.orders.length, 'order')} so far, ${count(fills)} with fills`}
        </span>
      </div>
      {market.orders.length === 0 && <p class="soft">The run placed none in this market.</p>}
      {market.orders.length > 0 && now.length === 0 && <p class="soft">None is on the way or rests.</p>}
      <Orders market={market} isSettled={isSettled} orders={now} />
      {lately.size > 0 && (
        <>
          <h4>Ended in the last minute</h4>
          <Orders
            market={market}
            isSettled={isSettled}
            orders={own.filter(({ order }) => lately.has(orderName(order))).toReversed()}
          />
        </>
      )}
      {own.length > 0 && (
        <details>
          <summary>
            All so far <span class="soft">{count(own.length)}, the latest first</span>
          </summary>
          <Orders market={market} isSettled={isSettled} orders={own.toReversed()} />
        </details>
      )}
      <Fills market={market} own={own} />
    </section>
  );
}

interface OrdersParts {
  readonly market: ViewMarket;
  readonly orders: readonly OwnAt[];
  readonly isSettled: boolean;
}

function Orders({ market, orders, isSettled }: OrdersParts) {
  if (orders.length === 0) return null;
  const columns: readonly GridColumn<OwnAt>[] = [
    { label: 'order', cell: (own) => <Order own={own} title={market.outcomes[own.order.outcome]?.title ?? ''} /> },
    { label: 'price', cell: ({ order }) => order.price.toFixed(2) },
    amountColumn('stake', ({ order }) => order.stake),
    {
      label: 'matched',
      cell: ({ matched, averagePrice }) => (
        <>
          {matched === 0 ? '' : amount(matched)}
          {averagePrice !== undefined && <small>at {averagePrice.toFixed(2)}</small>}
        </>
      ),
    },
    {
      label: 'state',
      look: 'text',
      cell: (own) => (
        <>
          {stateText(own, isSettled)}
          {own.resting > 0 && own.order.queueAhead !== undefined && (
            <small title="Stake that stood before it at its price when it arrived">
              {amount(own.order.queueAhead)} before it
            </small>
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <Grid look="orders" columns={columns} rows={orders.slice(0, SHOWN_MAX)} keyOf={({ order }) => orderName(order)} />
      {orders.length > SHOWN_MAX && <p class="soft small-print">and {count(orders.length - SHOWN_MAX)} earlier ones</p>}
    </>
  );
}

function Order({ own, title }: Readonly<{ own: OwnAt; title: string }>) {
  const { number, run, side, note } = own.order;
  return (
    <>
      <span class={`side ${side === 'For' ? 'back' : 'lay'}`}>
        {side === 'For' ? '▲' : '▼'} {sideWord(side)}
      </span>{' '}
      {title}
      <small>
        {number}
        {run !== undefined && ` of run ${run}`}
        {note !== undefined && ` · ${note}`}
      </small>
    </>
  );
}

const FILLS_SHOWN = 12;

function Fills({ market, own }: { readonly market: ViewMarket; readonly own: readonly OwnAt[] }) {
  const fills = own
    .flatMap(({ order, matched }) => (matched === 0 ? [] : filled(order, matched)))
    .sort((a, b) => b.at - a.at);
  if (fills.length === 0) return null;
  return (
    <details>
      <summary>
        Fills so far <span class="soft">{count(fills.length)}, the latest first</span>
      </summary>
      <ol class="lines">
        {fills.slice(0, FILLS_SHOWN).map(({ key, at, price, stake, order }) => (
          <li key={key}>
            <time title={`${utcMs(at)} UTC`}>{utcMs(at).slice(11, 23)}</time>
            <span>
              {order.side === 'For' ? '▲' : '▼'} {market.outcomes[order.outcome]?.title} {amount(stake)} at{' '}
              {price.toFixed(2)}, {orderName(order)}
            </span>
          </li>
        ))}
      </ol>
      {fills.length > FILLS_SHOWN && (
        <p class="soft small-print">and {count(fills.length - FILLS_SHOWN)} earlier ones</p>
      )}
    </details>
  );
}

/** The fills that make up what was matched so far: the first ones of the order. */
function filled(order: OwnAt['order'], matched: number) {
  let sum = 0;
  return order.fills.flatMap((fill, place) => {
    if (sum >= matched - 1e-9) return [];
    sum += fill.stake;
    return [{ ...fill, order, key: `${orderName(order)} ${place}` }];
  });
}
