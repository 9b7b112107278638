/** Draws the whole time line: prices above, plotted values below them, the time beneath both. */

import type { ViewMarket } from '../../../pages/view-data.ts';
import { drawPlots, PLOTS_DRAWN, plotPane } from './draw-plots.ts';
import { drawPrices, drawStates, pricePane } from './draw-prices.ts';
import { drawTimes, type Frame, GUTTER, TIMES_HEIGHT } from './pane.ts';
import type { Span } from './span.ts';

export interface Drawn {
  readonly market: ViewMarket;
  readonly outcome: number;
  readonly span: Span;
  readonly width: number;
}

const TOP = 6;
const PRICES_HEIGHT = 138;
const PLOTS_HEIGHT = 58;
const GAP = 10;

export function heightOf({ plots }: ViewMarket): number {
  return TOP + PRICES_HEIGHT + (plots.length > 0 ? GAP + PLOTS_HEIGHT : 0) + TIMES_HEIGHT;
}

export function drawTimeLine(canvas: HTMLCanvasElement, { market, outcome, span, width }: Drawn): void {
  const height = heightOf(market);
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  const ctx = canvas.getContext('2d');
  if (ctx === null) return;
  ctx.scale(devicePixelRatio, devicePixelRatio);
  const frame: Frame = { ctx, span, left: GUTTER.left, width: Math.max(1, width - GUTTER.left - GUTTER.right) };
  const prices = pricePane(frame, { top: TOP, height: PRICES_HEIGHT }, market, outcome);
  const plots = market.plots.slice(0, PLOTS_DRAWN);
  const values =
    plots.length === 0 ? undefined : plotPane(frame, { top: TOP + PRICES_HEIGHT + GAP, height: PLOTS_HEIGHT }, plots);
  const panes = values === undefined ? [prices] : [prices, values];
  drawTimes(frame, panes);
  for (const pane of panes) drawStates(pane, market);
  drawPrices(prices, market, outcome);
  if (values !== undefined) drawPlots(values, plots, market.lastAt);
}
