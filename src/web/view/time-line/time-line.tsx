/** A market from its first update to its last: to see what happened when, and to go there. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewMarket } from '../../../pages/view-data.ts';
import { plural, utc, utcMs } from '../../../words/numbers.ts';
import { lineColour, onColours } from '../../parts/colour.ts';
import type { Player } from '../play/player.ts';
import { drawTimes, type Frame, GUTTER, TIMES_HEIGHT } from './pane.ts';
import { following, type Span } from './span.ts';
import './time-line.css';
import { offerWord, sideWord } from '../../../words/side-words.ts';
import { drawPlots, PLOTS_DRAWN, plotPane } from './draw-plots.ts';
import { drawPrices, drawStates, pricePane } from './draw-prices.ts';
import { usePointer } from './use-pointer.ts';
import { type UsualSpan, usualSpans } from './usual-spans.ts';

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

interface LegendParts {
  readonly market: ViewMarket;
  readonly outcome: number;
  readonly hover: number | undefined;
  readonly isZoomed: boolean;
  readonly spans: readonly UsualSpan[];
  /** Without one: the whole market. */
  readonly onSpan: (span: Span | undefined) => void;
}

/** What the marks of the time line mean, and what lies beneath the pointer. */
function Legend({ market, outcome, hover, isZoomed, spans, onSpan }: LegendParts) {
  return (
    <p class="legend">
      <b>{market.outcomes[outcome]?.title}</b>
      <span>
        <i class="swatch band-back" />
        {offerWord('For')}
      </span>
      <span>
        <i class="swatch band-lay" />
        {offerWord('Against')}
      </span>
      <span title={`An own bet was filled: ▲ ${sideWord('For')}, ▼ ${sideWord('Against')}`}>▲▼ own fills</span>
      <span>
        <i class="swatch still" />
        suspended
      </span>
      <span>
        <i class="swatch running" />
        in play
      </span>
      {hover === undefined ? (
        <span class="spans">
          <span>{hintText()}</span>
          {spans.map(({ label, span }) => (
            <button
              key={label}
              type="button"
              class="quiet"
              title="Shows this part of the market"
              onClick={() => onSpan(span)}
            >
              {label}
            </button>
          ))}
          <button
            type="button"
            class="quiet"
            disabled={!isZoomed}
            title="Or a double click"
            onClick={() => onSpan(undefined)}
          >
            Whole span
          </button>
        </span>
      ) : (
        <span class="hovered">{hoverText(market, outcome, hover)}</span>
      )}
    </p>
  );
}

function hintText(): string {
  return matchMedia('(pointer: coarse)').matches ? 'touch to go there' : 'click to go there, select to zoom';
}

/** What the stretch beneath the pointer holds. */
function hoverText({ prices }: ViewMarket, outcome: number, at: number): string {
  const columns = prices.outcomes[outcome];
  const place = Math.floor((at - prices.startAt) / prices.stretchMs);
  const back = rangeText(columns?.backLow[place], columns?.backHigh[place]);
  const lay = rangeText(columns?.layLow[place], columns?.layHigh[place]);
  return `${utc(at).slice(11)}: ${sideWord('For')} ${back}, ${sideWord('Against')} ${lay}, ${plural(prices.updates[place] ?? 0, 'update')}`;
}

function rangeText(low: number | null | undefined, high: number | null | undefined): string {
  if (low === null || low === undefined || high === null || high === undefined) return '–';
  return low === high ? low.toFixed(2) : `${low.toFixed(2)} to ${high.toFixed(2)}`;
}

function PlotLegend({ market: { plots } }: { readonly market: ViewMarket }) {
  if (plots.length === 0) return null;
  const isMany = new Set(plots.map(({ strategy }) => strategy)).size > 1;
  return (
    <p class="legend plots">
      {plots.slice(0, PLOTS_DRAWN).map(({ strategy, name }, index) => (
        <span key={`${strategy} ${name}`} title={`Plotted by ${strategy}`}>
          <i class="swatch" style={{ background: `var(${lineColour(index)})` }} />
          {isMany ? `${strategy}: ${name}` : name}
        </span>
      ))}
      {plots.length > PLOTS_DRAWN && <span>and {plots.length - PLOTS_DRAWN} more, below</span>}
    </p>
  );
}
