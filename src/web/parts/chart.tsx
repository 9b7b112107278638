/** A chart over uPlot: lines, steps, points and bands in the page's colours, with cursor, zoom, panning and keys. */

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import './chart.css';
import { amount } from '../../words/numbers.ts';
import { joinGroup, moveByMouse, passSpan, showAll } from './chart-group.ts';
import { steerByKey } from './chart-keys.ts';
import { colour, onColours } from './colour.ts';
import { ladderLabels, ladderPlace, priceAt } from './price-scale.ts';
import { timeLabels } from './time-labels.ts';

export interface ChartSeries {
  readonly label: string;
  /** A colour of theme.css, such as `--accent`. */
  readonly colour: string;
  readonly kind: 'line' | 'steps';
  readonly width?: number;
  readonly alpha?: number;
  readonly dash?: readonly number[];
  /** Whether the line is broken where there is no value. */
  readonly hasGaps?: boolean;
}

export interface ChartPlan {
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  readonly x: 'time' | 'count';
  /** x first (seconds UTC, or a count), then the values of each series; none is null. */
  readonly data: uPlot.AlignedData;
  readonly series: readonly ChartSeries[];
  /** Filled between two series, by their places in `series`. */
  readonly bands?: readonly { readonly upper: number; readonly lower: number; readonly colour: string }[];
  /** Whether the axis must hold 0, with a line there. */
  readonly zero?: boolean;
  /** Whether values are prices, of which each tick of the ladder takes the same room. */
  readonly ladder?: boolean;
  /** What is shown at first, in the unit of x; undefined: all of it. Another one is shown at once, the same one leaves what the reader chose. */
  readonly shown?: { readonly from: number; readonly to: number } | undefined;
  /** `step` is the distance between two places of the axis. */
  readonly value?: (value: number, step: number) => string;
  /** Charts with the same name share cursor and zoom. */
  readonly linked?: string;
  /** Drawn below the series, and above them. */
  readonly under?: (chart: uPlot) => void;
  readonly over?: (chart: uPlot) => void;
  /** Receives the place in the data below the cursor. */
  readonly onCursor?: (index: number | undefined) => void;
  /** Receives the chart, whose cursor is where was clicked. */
  readonly onClick?: (chart: uPlot) => void;
}

/** The chart is made anew where the plan is another object, or the colours of the page change. */
export function Chart({ plan, height }: { readonly plan: ChartPlan; readonly height: 'tall' | 'middle' | 'low' }) {
  const host = useRef<HTMLDivElement>(null);
  const [zoomed, setZoomed] = useState(false);
  const chart = useRef<uPlot>(undefined);
  const shown = useRef<ChartPlan['shown']>(undefined);
  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    let leave: (() => void) | undefined;
    const end = (): void => {
      leave?.();
      chart.current?.destroy();
      chart.current = undefined;
    };
    const draw = (): void => {
      const before = chart.current?.scales['x'];
      const kept =
        before?.min !== undefined && before.max !== undefined && plan.shown === shown.current ? before : undefined;
      end();
      const made = new uPlot(optionsOf(plan, place, setZoomed), plan.data, place);
      chart.current = made;
      const span = kept ?? (plan.shown && { min: plan.shown.from, max: plan.shown.to });
      if (span?.min !== undefined && span.max !== undefined) made.setScale('x', { min: span.min, max: span.max });
      shown.current = plan.shown;
      leave = plan.linked === undefined ? undefined : joinGroup(plan.linked, made);
    };
    draw();
    const ended = onColours(draw);
    const sized = new ResizeObserver(() => chart.current?.setSize(sizeOf(place)));
    sized.observe(place);
    return () => {
      ended();
      sized.disconnect();
      end();
    };
  }, [plan]);
  const steer = (event: KeyboardEvent): void => {
    if (chart.current !== undefined && steerByKey(chart.current, event)) event.preventDefault();
  };
  return (
    <div class="chart-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a chart is zoomed and moved by keys. */}
      <div class={`chart ${height}`} ref={host} role="img" aria-label={plan.label} tabIndex={0} onKeyDown={steer} />
      {zoomed && (
        <button
          type="button"
          class="quiet reset-zoom"
          onClick={() => chart.current !== undefined && showAll(chart.current)}
        >
          Whole span
        </button>
      )}
    </div>
  );
}

function sizeOf(place: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: Math.max(1, place.clientWidth), height: Math.max(1, place.clientHeight) };
}

function optionsOf(plan: ChartPlan, place: HTMLElement, onZoom: (zoomed: boolean) => void): uPlot.Options {
  const { x, linked, zero = false, ladder = false } = plan;
  const fit: uPlot.Range.Limit = zero ? { pad: 0.1, soft: 0, mode: 2 } : { pad: 0.1, mode: 0 };
  return {
    ...sizeOf(place),
    legend: { show: false },
    cursor: {
      y: false,
      points: { size: 7, width: 2, fill: colour('--card') },
      drag: { x: true, y: false },
      ...(linked === undefined ? {} : { sync: { key: linked, setSeries: false } }),
    },
    scales: {
      x: { time: x === 'time' },
      y: ladder ? LADDER : { range: isFlat(plan) && zero ? [-1, 1] : { min: fit, max: fit } },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
    axes: axesOf(plan),
    series: [{}, ...plan.series.map((series) => seriesOf(series, plan))],
    bands: (plan.bands ?? []).map(({ upper, lower, colour: name }) => ({
      series: [upper + 1, lower + 1],
      fill: colour(name),
    })),
    hooks: {
      setCursor: [({ cursor }) => plan.onCursor?.(cursor.idx ?? undefined)],
      drawAxes: [(chart) => plan.under?.(chart), ...(zero ? [zeroLine] : [])],
      setScale: [
        (chart, key) => {
          if (key !== 'x') return;
          onZoom(isZoomed(chart));
          if (linked !== undefined) passSpan(linked, chart);
        },
      ],
      draw: [(chart) => plan.over?.(chart)],
      ready: [
        (chart) => {
          moveByMouse(chart);
          chart.over.addEventListener('click', () => plan.onClick?.(chart));
        },
      ],
    },
  };
}

/** A tick of room above and below. */
const LADDER: uPlot.Scale = {
  distr: 100,
  fwd: ladderPlace,
  bwd: priceAt,
  range: (_, low, high) => [priceAt(ladderPlace(low) - 1), priceAt(ladderPlace(high) + 1)],
};
const LADDER_LABEL_ROOM = 22;

function isZoomed(chart: uPlot): boolean {
  const at = chart.data[0];
  const { min, max } = chart.scales['x'] ?? {};
  if (min === undefined || max === undefined || at.length === 0) return false;
  return min > (at[0] ?? min) || max < (at.at(-1) ?? max);
}

function isFlat({ data }: ChartPlan): boolean {
  return data.slice(1).every((values) => Array.from(values as ArrayLike<number | null>).every((value) => !value));
}

const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];

function axesOf({ x, value = plainNumber, ladder = false }: ChartPlan): uPlot.Axis[] {
  const axis = {
    stroke: colour('--soft'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const labels: uPlot.Axis = {
    ...axis,
    size: 44,
    space: 76,
    values: (_, places, __, ___, step) => [...timeLabels(places, step)],
  };
  const figures: uPlot.Axis = {
    ...axis,
    size: 64,
    values: (_, places, __, ___, step) => places.map((place) => value(place, step)),
    // uPlot takes the ladder for a logarithm, and would leave out the labels that begin with 4, 6, 8 and 9.
    ...(ladder ? { splits: ladderSplits, filter: (_, places) => places } : {}),
  };
  return [x === 'time' ? labels : { ...axis, incrs: COUNTS }, figures];
}

function ladderSplits({ bbox }: uPlot, _axis: number, low: number, high: number): number[] {
  return ladderLabels(low, high, Math.max(2, Math.floor(bbox.height / devicePixelRatio / LADDER_LABEL_ROOM)));
}

function plainNumber(value: number): string {
  return amount(value, Number.isInteger(value) ? 0 : 2);
}

const POINTS_SHOWN = 40;

function seriesOf(
  { kind, colour: name, width = 1, alpha = 1, dash, hasGaps = false }: ChartSeries,
  plan: ChartPlan,
): uPlot.Series {
  const stroke = colour(name);
  const isFew = plan.data[0].length < POINTS_SHOWN && width > 2;
  const paths = kind === 'steps' ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
  return {
    ...(dash === undefined ? {} : { dash: [...dash] }),
    stroke,
    width,
    alpha,
    ...(paths === undefined ? {} : { paths }),
    spanGaps: !hasGaps,
    points: { show: isFew, size: 6, fill: colour('--card') },
  };
}

function zeroLine(chart: uPlot): void {
  const { ctx, bbox } = chart;
  const y = chart.valToPos(0, 'y', true);
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  ctx.save();
  ctx.strokeStyle = colour('--soft');
  ctx.globalAlpha = 0.6;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}
