/** A chart over uPlot: lines, steps, points and bands in the page's colours, with cursor, zoom, panning and keys. */

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './chart.css';
import { amount } from '../../report/numbers.ts';
import { steerWith } from './chart-keys.ts';
import { timeLabels } from './time-labels.ts';

export interface ChartSeries {
  readonly label: string;
  /** A colour of theme.css, such as `--accent`. */
  readonly colour: string;
  readonly kind: 'line' | 'steps' | 'points';
  readonly width?: number;
  readonly alpha?: number;
  readonly dash?: readonly number[];
  /** `right`: on an axis of its own. */
  readonly axis?: 'right';
  /** Of points. */
  readonly shape?: 'up' | 'down' | 'dot';
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
  readonly value?: (value: number) => string;
  /** Charts with the same name share cursor and zoom. */
  readonly linked?: string;
  /** Drawn below the series. */
  readonly under?: (chart: uPlot) => void;
  /** Receives the place in the data below the cursor. */
  readonly onCursor?: (index: number | undefined) => void;
  readonly onClick?: (index: number) => void;
}

/** The chart is made anew where the plan is another object, or the colours of the page change. */
export function Chart({ plan, height }: { readonly plan: ChartPlan; readonly height: 'tall' | 'middle' | 'low' }) {
  const host = useRef<HTMLDivElement>(null);
  const [zoomed, setZoomed] = useState(false);
  const chart = useRef<uPlot>(undefined);
  useEffect(() => {
    const place = host.current;
    if (place === null) return undefined;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const draw = (): void => {
      chart.current?.destroy();
      chart.current = new uPlot(optionsOf(plan, place, setZoomed), plan.data, place);
    };
    draw();
    dark.addEventListener('change', draw);
    const sized = new ResizeObserver(() => chart.current?.setSize(sizeOf(place)));
    sized.observe(place);
    return () => {
      dark.removeEventListener('change', draw);
      sized.disconnect();
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [plan]);
  const steer = steerWith(() => chart.current);
  return (
    <div class="chart-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a chart is zoomed and moved by keys. */}
      <div class={`chart ${height}`} ref={host} role="img" aria-label={plan.label} tabIndex={0} onKeyDown={steer.key} />
      {zoomed && (
        <button type="button" class="quiet reset-zoom" onClick={steer.reset}>
          Whole span
        </button>
      )}
    </div>
  );
}

/** The value of a colour of theme.css, as it is now. */
function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function sizeOf(place: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: Math.max(1, place.clientWidth), height: Math.max(1, place.clientHeight) };
}

function optionsOf(plan: ChartPlan, place: HTMLElement, onZoom: (zoomed: boolean) => void): uPlot.Options {
  const { x, linked, zero = false } = plan;
  const hasRight = plan.series.some(({ axis }) => axis === 'right');
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
      y: { range: isFlat(plan) && zero ? [-1, 1] : { min: fit, max: fit } },
      ...(hasRight ? { right: {} } : {}),
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), 'Etc/UTC'),
    axes: axesOf(plan, hasRight),
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
          if (key === 'x') onZoom(isZoomed(chart));
        },
      ],
      ready: [
        (chart) =>
          chart.over.addEventListener('click', () => {
            if (chart.cursor.idx !== null && chart.cursor.idx !== undefined) plan.onClick?.(chart.cursor.idx);
          }),
      ],
    },
  };
}

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

function axesOf({ x, value = plainNumber }: ChartPlan, hasRight: boolean): uPlot.Axis[] {
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
  const figures: uPlot.Axis = { ...axis, size: 64, values: (_, places) => places.map(value) };
  const right: uPlot.Axis = { ...figures, side: 1, scale: 'right', grid: { show: false } };
  return [x === 'time' ? labels : { ...axis, incrs: COUNTS }, figures, ...(hasRight ? [right] : [])];
}

function plainNumber(value: number): string {
  return amount(value, Number.isInteger(value) ? 0 : 2);
}

const POINTS_SHOWN = 40;

function seriesOf(
  { kind, colour: name, width = 1, alpha = 1, dash, axis, shape = 'dot' }: ChartSeries,
  plan: ChartPlan,
): uPlot.Series {
  const stroke = colour(name);
  const placed = {
    ...(axis === 'right' ? { scale: 'right' } : {}),
    ...(dash === undefined ? {} : { dash: [...dash] }),
  };
  if (kind === 'points') {
    return {
      ...placed,
      stroke,
      fill: stroke,
      paths: () => null,
      points: {
        show: true,
        size: shape === 'dot' ? 6 : 9,
        fill: shape === 'dot' ? stroke : colour('--card'),
        width: 1.5,
      },
    };
  }
  const isFew = plan.data[0].length < POINTS_SHOWN && width > 1;
  const paths = kind === 'steps' ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
  return {
    ...placed,
    stroke,
    width,
    alpha,
    ...(paths === undefined ? {} : { paths }),
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
