/** Draws own orders, fills, refused intents and the states of a market over its prices. */

import type uPlot from 'uplot';
import { colour } from '../../parts/colour.ts';
import type { Fill, Order, Refused } from '../data/run-data.ts';
import type { StateSpan } from './market-series.ts';

/** Suspended stretches are grey, those in play have a colour of their own. */
export function drawStates(chart: uPlot, states: readonly StateSpan[]): void {
  const { ctx, bbox } = chart;
  const place = (at: number): number =>
    Math.max(bbox.left, Math.min(bbox.left + bbox.width, chart.valToPos(at, 'x', true)));
  ctx.save();
  for (const { from, to, suspended, inPlay } of states) {
    if (!suspended && !inPlay) continue;
    ctx.fillStyle = colour(suspended ? '--still' : '--running');
    const left = place(from);
    ctx.fillRect(left, bbox.top, Math.max(1, place(to) - left), bbox.height);
  }
  ctx.restore();
}

export interface Marks {
  /** The orders of one outcome, as they were decided. */
  readonly orders: readonly Order[];
  /** The fills of one outcome, as they happened. */
  readonly fills: readonly Fill[];
  readonly refused: readonly Refused[];
  readonly chosen: Order | undefined;
  readonly bySide: Readonly<Record<Side, FillColumns>>;
}

type Side = 'For' | 'Against';

/** The fills of one side, for thousands of which an object each would be too slow. */
interface FillColumns {
  /** Seconds UTC. */
  readonly at: Float64Array;
  readonly price: Float64Array;
}

export function marksOf({ fills, ...others }: Omit<Marks, 'bySide'>): Marks {
  // Fills of several pieces of a run follow each other.
  const inTime = fills.toSorted((a, b) => a.at - b.at);
  const columns = (side: Side): FillColumns => {
    const own = inTime.filter(({ order }) => order.side === side);
    return { at: Float64Array.from(own, ({ at }) => at / 1000), price: Float64Array.from(own, ({ price }) => price) };
  };
  return { ...others, fills: inTime, bySide: { For: columns('For'), Against: columns('Against') } };
}

/** This many are drawn one by one; of more, those of each column of pixels are drawn as one. */
const APART = 1500;

export function drawMarks(chart: uPlot, { orders, refused, chosen, bySide }: Marks): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const colours = { For: colour('--back'), Against: colour('--lay'), card: colour('--card'), ink: colour('--ink') };
  const { min = 0, max = 0 } = chart.scales['x'] ?? {};
  const shownOrders = orders.length > LOOKED_AT ? [] : restingWithin(chart, orders);
  for (const side of ['For', 'Against'] as const) {
    const { at } = bySide[side];
    const shown = { from: firstFrom(at, min), to: firstFrom(at, max + 1e-3) };
    ctx.strokeStyle = colours[side];
    ctx.fillStyle = colours[side];
    if (shownOrders.length <= APART)
      restingLines(
        chart,
        shownOrders.filter((each) => each.side === side),
      );
    if (shown.to - shown.from <= APART) dots(chart, bySide[side], shown, colours.card);
    else columnsOfFills(chart, bySide[side], shown);
  }
  crosses(chart, refused);
  if (chosen !== undefined) chosenOrder(chart, chosen, colours.ink);
  ctx.restore();
}

/** Among this many orders, those that rest in the shown span are looked for one by one. */
const LOOKED_AT = 5000;

function restingWithin(chart: uPlot, orders: readonly Order[]): readonly Order[] {
  const { min = 0, max = 0 } = chart.scales['x'] ?? {};
  return orders.filter(({ decidedAt, endedAt }) => decidedAt / 1000 <= max && (endedAt ?? decidedAt) / 1000 >= min);
}

interface Shown {
  readonly from: number;
  readonly to: number;
}

/** The first place whose time is not before `from`. */
function firstFrom(at: Float64Array, from: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An order from its arrival to its end, at its price. */
function restingLines(chart: uPlot, orders: readonly Order[]): void {
  const { ctx } = chart;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.globalAlpha = 0.75;
  ctx.beginPath();
  for (const order of orders) {
    const from = pixelOf(chart, order.arrivedAt ?? order.decidedAt, order.price);
    const to = pixelOf(chart, order.endedAt ?? order.arrivedAt ?? order.decidedAt, order.price);
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(Math.max(to.x, from.x + 3 * devicePixelRatio), from.y);
    ctx.moveTo(from.x, from.y - 3 * devicePixelRatio);
    ctx.lineTo(from.x, from.y + 3 * devicePixelRatio);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

function dots(chart: uPlot, { at, price }: FillColumns, { from, to }: Shown, edge: string): void {
  const { ctx } = chart;
  const radius = 3.5 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = edge;
  ctx.lineWidth = devicePixelRatio;
  for (let row = from; row < to; row += 1) {
    const { x, y } = pixelOf(chart, (at[row] ?? 0) * 1000, price[row] ?? 0);
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

/** One line for each column of pixels, from the lowest fill in it to the highest. */
function columnsOfFills(chart: uPlot, { at, price }: FillColumns, { from, to }: Shown): void {
  const { ctx, bbox } = chart;
  const { min = 0, max = 1 } = chart.scales['x'] ?? {};
  const lows = new Float64Array(Math.ceil(bbox.width) + 1).fill(Number.POSITIVE_INFINITY);
  const highs = new Float64Array(lows.length).fill(Number.NEGATIVE_INFINITY);
  const scale = bbox.width / (max - min);
  for (let row = from; row < to; row += 1) {
    const column = Math.floor(((at[row] ?? 0) - min) * scale);
    const own = price[row] ?? 0;
    if (own < (lows[column] ?? 0)) lows[column] = own;
    if (own > (highs[column] ?? Number.POSITIVE_INFINITY)) highs[column] = own;
  }
  ctx.beginPath();
  for (let column = 0; column < lows.length; column += 1) {
    const high = highs[column] ?? 0;
    if (high === Number.NEGATIVE_INFINITY) continue;
    const top = chart.valToPos(high, 'y', true) - 1.5 * devicePixelRatio;
    const bottom = chart.valToPos(lows[column] ?? 0, 'y', true) + 1.5 * devicePixelRatio;
    ctx.rect(bbox.left + column, top, 1, bottom - top);
  }
  ctx.fill();
}

/** Draws where an order would have been, and until when it was asked for. */
function crosses(chart: uPlot, refused: readonly Refused[]): void {
  const { ctx } = chart;
  const arm = 3.5 * devicePixelRatio;
  ctx.strokeStyle = colour('--warn');
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.beginPath();
  for (const { at, lastAt, price } of refused) {
    if (price === undefined) continue;
    const { x, y } = pixelOf(chart, at, price);
    for (const slope of [arm, -arm]) {
      ctx.moveTo(x - arm, y - slope);
      ctx.lineTo(x + arm, y + slope);
    }
    for (let dot = x + 2 * arm; dot < pixelOf(chart, lastAt, price).x; dot += 3 * arm) {
      ctx.moveTo(dot, y);
      ctx.lineTo(dot + arm / 2, y);
    }
  }
  ctx.stroke();
}

function chosenOrder(chart: uPlot, order: Order, ink: string): void {
  const { ctx } = chart;
  const { x, y } = pixelOf(chart, order.arrivedAt ?? order.decidedAt, order.price);
  ctx.strokeStyle = ink;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.arc(x, y, 8 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.stroke();
}

function pixelOf(chart: uPlot, at: number, price: number): { readonly x: number; readonly y: number } {
  return { x: chart.valToPos(at / 1000, 'x', true), y: chart.valToPos(price, 'y', true) };
}

/** How far from an order may be clicked, in pixels of the page. */
const REACH = 14;

/** The order whose line or fill is nearest to the cursor. */
export function orderAt(chart: uPlot, { orders, fills }: Marks): Order | undefined {
  const { left = -1, top = -1 } = chart.cursor;
  let best: { readonly order: Order; readonly distance: number } | undefined;
  const consider = (order: Order, from: number, to: number, price: number): void => {
    const [first, last] = [chart.valToPos(from / 1000, 'x'), chart.valToPos(to / 1000, 'x')];
    const dx = left < first ? first - left : left > last ? left - last : 0;
    const distance = Math.hypot(dx, chart.valToPos(price, 'y') - top);
    if (distance <= REACH && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { order, distance };
  };
  for (const { at, price, order } of fills) consider(order, at, at, price);
  for (const order of restingWithin(chart, orders))
    consider(order, order.arrivedAt ?? order.decidedAt, order.endedAt ?? order.decidedAt, order.price);
  return best?.order;
}
