/** Draws what happened in a market: its states, how busy it was, the best prices of an outcome. */

import type { ViewMarket, ViewOrder } from '../../../pages/view-data.ts';
import { colour } from '../../parts/colour.ts';
import { endOf } from '../play/own.ts';
import { axisPrices } from '../play/price-places.ts';
import { drawValueAxis, type Frame, inside, type Pane, paneOf } from './pane.ts';
import type { Span } from './span.ts';

/** Equal ratios of prices are equally far apart: a favourite at 1.20 and what goes to 1000 in play are read in one chart. */
export function pricePane(
  frame: Frame,
  place: Pick<Pane, 'top' | 'height'>,
  market: ViewMarket,
  outcome: number,
): Pane {
  const [low, high] = shownPrices(market, outcome, frame.span);
  const pane = paneOf(frame, { ...place, low: Math.log(low), high: Math.log(high) });
  const most = Math.floor(place.height / 24);
  drawValueAxis(
    pane,
    axisPrices(low, high, most).map((price) => ({ value: Math.log(price), text: priceText(price) })),
  );
  return pane;
}

export function drawPrices(pane: Pane, market: ViewMarket, outcome: number): void {
  inside(pane, () => {
    drawActivity(pane, market);
    drawSide(pane, market, outcome, 'back');
    drawSide(pane, market, outcome, 'lay');
    drawOwn(
      pane,
      market.orders.filter((order) => order.outcome === outcome),
    );
  });
}

/** Suspended stretches are grey, those in play have a colour of their own. */
export function drawStates(pane: Pane, { states, lastAt }: ViewMarket): void {
  const { ctx, top, height } = pane;
  inside(pane, () => {
    for (const [index, { at, suspended, inPlay, status }] of states.entries()) {
      if (status !== 'Open' || (!suspended && inPlay !== 'InPlay')) continue;
      const left = pane.x(at);
      ctx.fillStyle = colour(suspended ? '--still' : '--running');
      ctx.fillRect(left, top, Math.max(1, pane.x(states[index + 1]?.at ?? lastAt) - left), height);
    }
  });
}

/** How much of the height the busiest stretch takes. */
const ACTIVITY_HEIGHT = 0.17;

/** How many updates each stretch had: by its square root, so that a burst leaves the rest to be seen. */
function drawActivity(pane: Pane, { prices: { startAt, stretchMs, updates } }: ViewMarket): void {
  const { ctx, top, height } = pane;
  const most = updates.reduce((a, b) => Math.max(a, b), 1);
  ctx.fillStyle = colour('--soft');
  ctx.globalAlpha = 0.28;
  for (const [place, count] of updates.entries()) {
    if (count === 0) continue;
    const left = pane.x(startAt + place * stretchMs);
    const right = pane.x(startAt + (place + 1) * stretchMs);
    const tall = Math.max(1, Math.sqrt(count / most) * ACTIVITY_HEIGHT * height);
    ctx.fillRect(left, top + height - tall, Math.max(1, right - left - 0.5), tall);
  }
  ctx.globalAlpha = 1;
}

/** Draws each stretch from its least to its greatest best price, joined to the one before. */
function drawSide(pane: Pane, market: ViewMarket, outcome: number, side: 'back' | 'lay'): void {
  const { ctx, span } = pane;
  const { startAt, stretchMs, outcomes } = market.prices;
  const columns = outcomes[outcome];
  if (columns === undefined) return;
  const [lows, highs] = [columns[`${side}Low`], columns[`${side}High`]];
  ctx.fillStyle = colour(`--${side}`);
  const [first, last] = stretchesIn(market, span);
  let before: { readonly top: number; readonly bottom: number } | undefined;
  for (let place = first; place <= last; place += 1) {
    const [low, high] = [lows[place] ?? null, highs[place] ?? null];
    if (low === null || high === null) {
      before = undefined;
      continue;
    }
    const left = pane.x(startAt + place * stretchMs);
    const right = pane.x(Math.min(market.lastAt, startAt + (place + 1) * stretchMs));
    const [top, bottom] = [pane.y(Math.log(high)) - 0.7, pane.y(Math.log(low)) + 0.7];
    ctx.globalAlpha = bottom - top > 3 ? 0.5 : 0.95;
    ctx.fillRect(left, top, Math.max(0.75, right - left), bottom - top);
    if (before !== undefined && (top > before.bottom || bottom < before.top)) {
      const [from, to] = top > before.bottom ? [before.bottom, top] : [bottom, before.top];
      ctx.globalAlpha = 0.7;
      ctx.fillRect(left, from, 1, to - from);
    }
    before = { top, bottom };
  }
  ctx.globalAlpha = 1;
}

function stretchesIn({ prices: { startAt, stretchMs, updates } }: ViewMarket, { from, to }: Span): [number, number] {
  const place = (at: number): number =>
    Math.max(0, Math.min(updates.length - 1, Math.floor((at - startAt) / stretchMs)));
  return [place(from), place(to)];
}

/** The least and greatest price in sight; of an outcome without one, something that can be drawn. */
function shownPrices(market: ViewMarket, outcome: number, span: Span): readonly [number, number] {
  const [first, last] = stretchesIn(market, span);
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  const add = (price: number | null | undefined): void => {
    if (price === null || price === undefined) return;
    low = Math.min(low, price);
    high = Math.max(high, price);
  };
  const columns = market.prices.outcomes[outcome];
  for (const column of columns === undefined ? [] : Object.values(columns))
    for (let place = first; place <= last; place += 1) add(column[place]);
  for (const order of market.orders)
    if (order.outcome === outcome)
      for (const { at, price } of order.fills) if (at >= span.from && at <= span.to) add(price);
  return high === 0 ? [1.5, 3] : [low, high];
}

function priceText(price: number): string {
  return price.toFixed(price >= 100 ? 0 : 2);
}

/** Own orders and fills in the time line: a line from arrival to end, a triangle for each fill, up for backing and down for laying. */
function drawOwn(pane: Pane, orders: readonly ViewOrder[]): void {
  const { ctx } = pane;
  ctx.save();
  for (const side of ['For', 'Against'] as const) {
    const own = orders.filter((order) => order.side === side);
    const line = colour(side === 'For' ? '--back' : '--lay');
    ctx.strokeStyle = line;
    drawResting(pane, own, side);
    ctx.fillStyle = line;
    drawFills(pane, own, side);
  }
  ctx.restore();
}

/** Whole lines for what we back, broken ones for what we lay. */
function drawResting({ ctx, span, x, y }: Pane, orders: readonly ViewOrder[], side: ViewOrder['side']): void {
  ctx.lineWidth = 1.5;
  ctx.setLineDash(side === 'For' ? [] : [4, 3]);
  ctx.beginPath();
  for (const order of orders) {
    const { arrivedAt, price } = order;
    // What is not known to have ended goes on.
    const end = endOf(order) ?? span.to;
    if (arrivedAt === undefined || end < span.from || arrivedAt > span.to) continue;
    const [from, to, level] = [x(arrivedAt), x(end), y(Math.log(price))];
    ctx.moveTo(from, level);
    ctx.lineTo(Math.max(to, from + 3), level);
    ctx.moveTo(from, level - 3);
    ctx.lineTo(from, level + 3);
  }
  ctx.stroke();
  ctx.setLineDash([]);
}

/** The marks are smaller where this many fills are in sight. */
const MANY = 300;

function drawFills({ ctx, span, x, y }: Pane, orders: readonly ViewOrder[], side: ViewOrder['side']): void {
  const fills = orders.flatMap((order) => order.fills).filter(({ at }) => at >= span.from && at <= span.to);
  const size = fills.length > MANY ? 3 : 5;
  const up = side === 'For' ? size : -size;
  ctx.beginPath();
  for (const { at, price } of fills) {
    const [place, level] = [x(at), y(Math.log(price))];
    ctx.moveTo(place, level - up);
    ctx.lineTo(place + size, level + up * 0.8);
    ctx.lineTo(place - size, level + up * 0.8);
    ctx.closePath();
  }
  ctx.fill();
  ctx.lineWidth = 1;
  ctx.strokeStyle = colour('--card');
  ctx.stroke();
}
