/** A market from its first update to its last: to see what happened when, and to go there. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewMarket } from '../../../pages/view-data.ts';
import { utcMs } from '../../../words/numbers.ts';
import { onColours } from '../../parts/colour.ts';
import type { Player } from '../play/player.ts';
import { Legend, PlotLegend } from './legend.tsx';
import { drawTimes, type Frame, GUTTER, TIMES_HEIGHT } from './pane.ts';
import { following, type Span } from './span.ts';
import './time-line.css';
import { drawPlots, PLOTS_DRAWN, plotPane } from './draw-plots.ts';
import { drawPrices, drawStates, pricePane } from './draw-prices.ts';
import { usePointer } from './use-pointer.ts';
import { usualSpans } from './usual-spans.ts';

interface TimeLineParts {
  readonly market: ViewMarket;
  readonly player: Player;
  readonly act: (change: (player: Player) => void) => void;
  readonly outcome: number;
}

export function TimeLine({ market, player, act, outcome }: TimeLineParts) {
  const whole = useMemo(
    (): Span => ({ from: market.firstAt, to: Math.max(market.lastAt, market.firstAt + 1) }),
    [market],
  );
  const [span, setSpan] = useState(whole);
  const spans = useMemo(() => usualSpans(market), [market]);
  const place = useRef<HTMLDivElement>(null);
  const at = player.goal ?? player.at;
  const pointer = usePointer({ place, span, whole, at, onSpan: setSpan, onSeek: (to) => act((each) => each.seek(to)) });
  useEffect(() => {
    if (player.direction !== 0) setSpan((before) => following(before, whole, at));
  }, [at, player.direction, whole]);
  const width = useCanvas(place, market, outcome, span);
  const isZoomed = span.from > whole.from || span.to < whole.to;
  const pixels = (instant: number): number =>
    GUTTER.left + ((instant - span.from) / (span.to - span.from)) * (width - GUTTER.left - GUTTER.right);
  const { hover, selection } = pointer;
  return (
    <section class="card time-line">
      <Legend
        market={market}
        outcome={outcome}
        hover={hover}
        isZoomed={isZoomed}
        spans={spans}
        onSpan={(to) => setSpan(to ?? whole)}
      />
      <div
        class="line"
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={`Instant of the market, over the prices of ${market.outcomes[outcome]?.title}`}
        aria-valuemin={whole.from}
        aria-valuemax={whole.to}
        aria-valuenow={at}
        aria-valuetext={`${utcMs(at)} UTC`}
        style={{ height: `${heightOf(market)}px` }}
      >
        <canvas />
        {hover !== undefined && <i class="hover" style={{ transform: `translateX(${pixels(hover)}px)` }} />}
        {selection !== undefined && (
          <i
            class="selection"
            style={{
              left: `${pixels(Math.min(selection.from, selection.to))}px`,
              width: `${Math.abs(pixels(selection.to) - pixels(selection.from))}px`,
            }}
          />
        )}
        {at >= span.from && at <= span.to && <i class="instant" style={{ transform: `translateX(${pixels(at)}px)` }} />}
      </div>
      <PlotLegend market={market} />
    </section>
  );
}

/** Drawn anew where something of it changed: not while the market is played. Returns its width. */
function useCanvas(place: { current: HTMLDivElement | null }, market: ViewMarket, outcome: number, span: Span): number {
  const [width, setWidth] = useState(0);
  const [colours, setColours] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const sized = new ResizeObserver(() => setWidth(element.clientWidth));
    sized.observe(element);
    const ended = onColours(() => setColours((before) => before + 1));
    return () => {
      sized.disconnect();
      ended();
    };
  }, []);
  useLayoutEffect(() => {
    const canvas = place.current?.querySelector('canvas');
    if (canvas && width > 0) drawTimeLine(canvas, { market, outcome, span, width });
  }, [market, outcome, span, width, colours]);
  return width;
}

interface Drawn {
  readonly market: ViewMarket;
  readonly outcome: number;
  readonly span: Span;
  readonly width: number;
}

const TOP = 6;
const PRICES_HEIGHT = 138;
const PLOTS_HEIGHT = 58;
const GAP = 10;

/** Draws the whole time line: prices above, plotted values below them, the time beneath both. */
function heightOf({ plots }: ViewMarket): number {
  return TOP + PRICES_HEIGHT + (plots.length > 0 ? GAP + PLOTS_HEIGHT : 0) + TIMES_HEIGHT;
}

function drawTimeLine(canvas: HTMLCanvasElement, { market, outcome, span, width }: Drawn): void {
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
