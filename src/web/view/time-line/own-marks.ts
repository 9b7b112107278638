/** Own orders and fills in the time line: a line from arrival to end, a triangle for each fill, up for backing and down for laying. */

import type { ViewOrder } from '../../../pages/view-data.ts';
import { colour } from '../../parts/colour.ts';
import { endOf } from '../play/own.ts';
import type { Pane } from './pane.ts';

export function drawOwn(pane: Pane, orders: readonly ViewOrder[]): void {
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
