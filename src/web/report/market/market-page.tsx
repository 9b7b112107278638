/** One market of a run: its prices over time with own orders and fills, the position, and its orders. */

import { useMemo, useState } from 'preact/hooks';
import type { MarketResult } from '../../../result/result.ts';
import { marketLabel } from '../../../words/market-label.ts';
import { amount, count, plural, signed, tone, utc } from '../../../words/numbers.ts';
import { Chart, type ChartPlan } from '../../parts/chart.tsx';
import { chartOf, moveBy, showAll } from '../../parts/chart-group.ts';
import { STEPS } from '../../parts/chart-keys.ts';
import { Choice } from '../../parts/choices.tsx';
import { OrderList } from '../data/order-list.tsx';
import { Rows } from '../data/rows.tsx';
import type { Fill, Order, Refused, RunData } from '../data/run-data.ts';
import { plotPlan, positionPlan, pricePlan } from './market-plans.ts';
import { type MarketStory, marketStory, positionLines, priceLines } from './market-series.ts';
import { type ShownSpan, spanOf, type UsualSpan, usualSpans } from './market-spans.ts';
import { OrderLife } from './order-life.tsx';
import './market.css';
import { offerWord, sideWord } from '../../../words/side-words.ts';
import { Legend } from '../../parts/legend.tsx';

/** Charts of the market are zoomed and moved together. */
const LINKED = 'market';

interface MarketParts {
  readonly data: RunData;
  readonly market: MarketResult;
  /** Row of the order whose life is shown first. */
  readonly first: number | undefined;
  readonly onClose: () => void;
}

export function MarketPage({ data, market, first, onClose }: MarketParts) {
  const story = useMemo(() => marketStory(data, market), [data, market]);
  const [chosen, setChosen] = useState(first === undefined ? undefined : data.orders[first]);
  const [outcome, setOutcome] = useState(chosen?.outcome ?? story.outcomes[0]?.id ?? '');
  const spans = useMemo(() => usualSpans(story), [story]);
  const [shown, setShown] = useState(chosen === undefined ? spans[0]?.span : spanOf(chosen, story));
  const choose = (order: Order): void => {
    setChosen(order);
    setOutcome(order.outcome);
    setShown(spanOf(order, story));
  };
  const { at, prices, position, plans } = useMarketCharts({ data, story, outcome, chosen, shown, onChoose: choose });
  const isBacktest = data.facts.kind === 'backtest';
  const fills = chosen === undefined ? [] : story.fills.filter(({ order }) => order === chosen);
  return (
    <section class="card" id="market" aria-label={marketLabel(market)}>
      <MarketHead market={market} isBacktest={isBacktest} onClose={onClose} />
      {story.orders.length === 0 ? (
        <NoOrders orders={market.orders} />
      ) : (
        <>
          <div class="bar">
            <Choice
              label="Outcome"
              of={story.outcomes.map(({ id, title }) => [id, title])}
              chosen={outcome}
              onChoose={setOutcome}
            />
            <Steering spans={spans} />
          </div>
          <Readout at={at} prices={prices} position={position} />
          <Chart plan={plans.prices} height="tall" />
          <Key story={story} />
          <BelowPrices position={plans.position} plots={plans.plots} />
          {chosen !== undefined && (
            <OrderLife
              order={chosen}
              fills={fills}
              market={market}
              isBacktest={isBacktest}
              onClose={() => setChosen(undefined)}
            />
          )}
          <MarketRows data={data} orders={story.orders} fills={story.fills} onOpen={choose} />
        </>
      )}
      <RefusedRows data={data} market={market} refused={story.refused} />
    </section>
  );
}

interface ChartsParts {
  readonly data: RunData;
  readonly story: MarketStory;
  readonly outcome: string;
  readonly chosen: Order | undefined;
  readonly shown: ShownSpan | undefined;
  readonly onChoose: (order: Order) => void;
}

/** The place of the cursor, the lines below it, and the plans of the charts. */
function useMarketCharts({ data, story, outcome, chosen, shown, onChoose }: ChartsParts) {
  const [at, setAt] = useState<{ readonly of: 'price' | 'position'; readonly index: number }>();
  const cursorOf = (of: 'price' | 'position') => (index: number | undefined) =>
    setAt(index === undefined ? undefined : { of, index });
  const look = { linked: LINKED, shown };
  const prices = useMemo(() => priceLines(data, story, outcome), [data, story, outcome]);
  const position = useMemo(() => positionLines(story), [story]);
  const pricesDrawn = useMemo(
    () => pricePlan({ story, prices, outcome, chosen, onChoose, onCursor: cursorOf('price'), ...look }),
    [story, prices, outcome, chosen, shown],
  );
  const positionDrawn = useMemo(
    () => positionPlan({ story, position, onCursor: cursorOf('position'), ...look }),
    [story, position, shown],
  );
  const plots = useMemo(() => plotPlan(data, story, look), [data, story, shown]);
  return { at, prices, position, plans: { prices: pricesDrawn, position: positionDrawn, plots } };
}

function BelowPrices({ position, plots }: { readonly position: ChartPlan; readonly plots: ChartPlan | undefined }) {
  return (
    <>
      <h3>
        What the market would bring if one outcome alone won, before commission and reductions for removed outcomes
      </h3>
      <Legend lines={position.series.map((line) => ({ ...line, label: `if ${line.label} wins` }))} />
      <Chart plan={position} height="middle" />
      {plots !== undefined && (
        <>
          <h3>Values that the strategy plotted</h3>
          <Legend lines={plots.series} />
          <Chart plan={plots} height="middle" />
        </>
      )}
    </>
  );
}

function NoOrders({ orders }: { readonly orders: number }) {
  return (
    <p class="empty">
      {orders > 0
        ? 'The orders of this market are not in this page, since the run has more than a page holds: see orders.csv.'
        : 'No order was sent in this market.'}
    </p>
  );
}

interface RefusedParts {
  readonly data: RunData;
  readonly market: MarketResult;
  readonly refused: readonly Refused[];
}

function RefusedRows({ data: { facts, table }, market, refused }: RefusedParts) {
  const all = facts.refusedIn[market.id] ?? 0;
  const shown = refused.reduce((sum, { times }) => sum + times, 0);
  if (all === 0) return null;
  return (
    <details class="under">
      <summary>
        {plural(all, 'refused intent')} one by one{shown < all && `, the first ${count(shown)}`}
      </summary>
      <Rows id="refused" columns={facts.columns.refusals} table={table('refusals')} rows={refused} />
    </details>
  );
}

interface MarketRowsParts {
  readonly data: RunData;
  readonly orders: readonly Order[];
  readonly fills: readonly Fill[];
  readonly onOpen: (order: Order) => void;
}

/** An outcome is named by its title. */
const TITLE_OF_FILL = { outcomeId: ({ order }: Fill) => order.title };

function MarketRows({ data, orders, fills, onOpen }: MarketRowsParts) {
  const [isOpen, setOpen] = useState(false);
  const { columns } = data.facts;
  return (
    <>
      <OrderList id="orders" data={data} orders={orders} ofMarkets={false} onOpen={onOpen} />
      {fills.length > 0 && (
        <details class="under" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{plural(fills.length, 'fill')} one by one</summary>
          {isOpen && (
            <Rows id="fills" columns={columns.fills} table={data.table('fills')} rows={fills} shown={TITLE_OF_FILL} />
          )}
        </details>
      )}
    </>
  );
}

interface HeadParts extends Pick<MarketParts, 'market' | 'onClose'> {
  readonly isBacktest: boolean;
}

function MarketHead({ market, isBacktest, onClose }: HeadParts) {
  const { profit, id, grade, status, startsAt, inPlayAt, settledAt, orders, outcomes } = market;
  const winners = outcomes.filter(({ result }) => result === 'Winner').map(({ title }) => title);
  const net = profit.central.profitNet;
  return (
    <>
      <div class="head">
        <h2>{marketLabel(market)}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          All markets
        </button>
      </div>
      <p class="facts">
        {settledAt !== undefined && (
          <b class={tone(net)}>
            {signed(net)} net{isBacktest && ', central'}
          </b>
        )}
        {isBacktest && settledAt !== undefined && (
          <span>
            {signed(profit.pessimistic.profitNet)} with pessimistic, {signed(profit.optimistic.profitNet)} with
            optimistic fills
          </span>
        )}
        <span>{amount(profit.central.stakeMatched)} matched</span>
        <span>{count(orders)} orders</span>
        {isBacktest && <span>grade {grade}</span>}
        {startsAt !== undefined && <span>start {utc(startsAt)}</span>}
        {inPlayAt !== undefined && <span>in play {utc(inPlayAt)}</span>}
        <span>
          {status}
          {settledAt !== undefined && ` ${utc(settledAt)} UTC`}
        </span>
        {winners.length > 0 && <span>won: {winners.join(', ')}</span>}
        <code>{id}</code>
      </p>
    </>
  );
}

/** Buttons for those who have no keyboard and no mouse. */
function Steering({ spans }: { readonly spans: readonly UsualSpan[] }) {
  const by = (key: string) => () => {
    const [chart, step] = [chartOf(LINKED), STEPS[key]];
    if (chart !== undefined && step !== undefined) moveBy(chart, step);
  };
  const all = (): void => {
    const chart = chartOf(LINKED);
    if (chart !== undefined) showAll(chart);
  };
  return (
    <span class="steering">
      {[
        ['ArrowLeft', '←', 'Earlier'],
        ['ArrowRight', '→', 'Later'],
        ['+', '+', 'Zoom in'],
        ['-', '−', 'Zoom out'],
      ].map(([key = '', sign, label]) => (
        <button key={key} type="button" class="quiet" aria-label={label} title={label} onClick={by(key)}>
          {sign}
        </button>
      ))}
      {spans.map(({ label, span: { from, to } }) => (
        <button
          key={label}
          type="button"
          class="quiet"
          onClick={() => chartOf(LINKED)?.setScale('x', { min: from, max: to })}
        >
          {label}
        </button>
      ))}
      <button type="button" class="quiet" onClick={all}>
        All
      </button>
    </span>
  );
}

interface ReadoutParts {
  readonly at: { readonly of: 'price' | 'position'; readonly index: number } | undefined;
  readonly prices: ReturnType<typeof priceLines>;
  readonly position: ReturnType<typeof positionLines>;
}

function Readout({ at, prices, position }: ReadoutParts) {
  if (at === undefined)
    return <div class="legend soft">Drag to zoom, with Shift to move; click an order to see its life.</div>;
  const when = (at.of === 'price' ? prices.at : position.at)[at.index] ?? 0;
  const place = placeBefore(prices.at, when);
  const [backLow, backHigh, layLow, layHigh] = prices.lines.map((line) => line[place]);
  const after = placeBefore(position.at, when);
  return (
    <div class="legend">
      <span>{utc(when * 1000)} UTC</span>
      <span class="back">
        {sideWord('For')} {span(backLow, backHigh)}
      </span>
      <span class="lay">
        {sideWord('Against')} {span(layLow, layHigh)}
      </span>
      {position.lines.map(({ label, values }) => (
        <span key={label}>
          if {label} wins <b>{signed(values[after] ?? 0)}</b>
        </span>
      ))}
    </div>
  );
}

function span(low: number | null | undefined, high: number | null | undefined): string {
  if (low === null || low === undefined) return '–';
  return high === low || high === null || high === undefined ? String(low) : `${low} to ${high}`;
}

/** The last place whose time is not after `when`. */
function placeBefore(at: readonly number[], when: number): number {
  const after = at.findIndex((each) => each > when);
  return Math.max(0, (after < 0 ? at.length : after) - 1);
}

function Key({ story: { states, refused } }: { readonly story: MarketStory }) {
  return (
    <div class="legend key">
      <span>
        <i class="swatch back" /> {offerWord('For')}, lowest to highest
      </span>
      <span>
        <i class="swatch lay" /> {offerWord('Against')}, lowest to highest
      </span>
      <span>
        <i class="dot back" /> <i class="dot lay" /> own fills: {sideWord('For')}, {sideWord('Against')}
      </span>
      <span>
        <i class="rest" /> own order from its arrival to its end
      </span>
      {refused.length > 0 && (
        <span>
          <b class="cross">✕</b> refused, to the last one alike
        </span>
      )}
      {states.some(({ suspended, inPlay }) => suspended || inPlay) && (
        <span>
          <i class="swatch still" /> suspended <i class="swatch running" /> in play
        </span>
      )}
    </div>
  );
}
