/** The profit curve: the central figure within its interval, by time or by the order of events. */

import { useMemo, useState } from 'preact/hooks';
import type { ColumnTable } from '../../pages/report/columns.ts';
import { amount, plural, signed, utc } from '../../words/numbers.ts';
import { Chart, type ChartPlan, type ChartSeries } from '../parts/chart.tsx';
import { Switch } from '../parts/choices.tsx';
import { type Curve, curveOf, gapsDominate, marketAt } from './curve.ts';
import type { RunData } from './data/run-data.ts';

type Axis = 'time' | 'count';

export function Profit({ data }: { readonly data: RunData }) {
  const table = data.tables.get('curve');
  return table === undefined ? null : <Charts table={table} exposure={data.tables.get('exposure')} />;
}

function Charts({ table, exposure }: { readonly table: ColumnTable; readonly exposure: ColumnTable | undefined }) {
  const [at, setAt] = useState<number>();
  const times = exposure?.numbers.get('at');
  const curve = useMemo(() => curveOf(table, times?.[0]), [table]);
  const [axis, setAxis] = useState<Axis>(() => (gapsDominate(curve.at) ? 'count' : 'time'));
  const plan = useMemo(() => planOf(curve, axis, setAt), [curve, axis]);
  const fall = useMemo(() => drawdownPlan(curve, axis, setAt), [curve, axis]);
  const risk = useMemo(() => exposurePlan(exposure, curve, axis), [exposure, curve, axis]);
  return (
    <>
      <div class="head">
        <div class="legend" id="legend">
          {at === undefined ? <Still figures={curve.figures.length} /> : <Readout curve={curve} axis={axis} at={at} />}
        </div>
        <Switch
          label="Horizontal axis"
          of={[
            ['time', 'by time'],
            ['count', 'by market'],
          ]}
          chosen={axis}
          onChoose={setAxis}
        />
      </div>
      <Chart plan={plan} height="tall" />
      <h3>Below the highest profit so far{curve.figures.length > 1 && ', central'}</h3>
      <Chart plan={fall} height="low" />
      {risk !== undefined && (
        <>
          <h3>{risk.label}</h3>
          <Chart plan={risk} height="low" />
        </>
      )}
    </>
  );
}

function Still({ figures }: { readonly figures: number }) {
  if (figures === 1) return null;
  const isWide = figures > 3;
  return (
    <>
      <span>
        <i class="swatch" />
        central
      </span>
      <span>
        <i class="swatch wide" />
        from pessimistic to optimistic
      </span>
      {isWide && (
        <span>
          <i class="swatch dashed" />
          from lowest to highest
        </span>
      )}
    </>
  );
}

function Readout({ curve, axis, at }: { readonly curve: Curve; readonly axis: Axis; readonly at: number }) {
  const settled = Math.floor(curve.market[at] ?? 0);
  return (
    <>
      <span>
        {axis === 'count'
          ? `after ${plural(settled, 'market')}`
          : `${utc((curve.at[at] ?? 0) * 1000).slice(0, 16)} UTC`}{' '}
      </span>
      {curve.figures.map(({ name, values }) => (
        <span key={name}>
          {name} <b>{signed(values[at] ?? 0)}</b>
        </span>
      ))}
    </>
  );
}

function planOf(curve: Curve, axis: Axis, onCursor: (at: number | undefined) => void): ChartPlan {
  const inner = curve.figures.filter(({ name }) => name !== 'lowest' && name !== 'highest');
  const isWide = inner.length < curve.figures.length;
  const central = curve.figures.find(({ name }) => name === 'central')?.values ?? [];
  const ends = (figures: Curve['figures']): readonly number[][] =>
    [Math.min, Math.max].map((pick) => curve.at.map((_, at) => pick(...figures.map(({ values }) => values[at] ?? 0))));
  const [low = [], high = []] = ends(inner);
  const outer = isWide ? ends(curve.figures) : [];
  const edge: ChartSeries = { label: 'interval', colour: '--accent', kind: 'steps', alpha: 0.45 };
  return {
    label: 'Cumulative net profit over time',
    x: axis,
    linked: 'profit',
    zero: true,
    data: [[...(axis === 'count' ? curve.market : curve.at)], low, [...central], high, ...outer],
    series: [
      edge,
      { label: 'central', colour: '--accent', kind: 'steps', width: 2.5 },
      edge,
      ...outer.map(() => ({ ...edge, label: 'extremes', alpha: 0.5, dash: [3, 3] })),
    ],
    bands: [{ upper: 2, lower: 0, colour: '--band' }],
    value: (value) => amount(value, Number.isInteger(value) ? 0 : 2),
    onCursor,
  };
}

function drawdownPlan(curve: Curve, axis: Axis, onCursor: (at: number | undefined) => void): ChartPlan {
  const central = curve.figures.find(({ name }) => name === 'central')?.values ?? [];
  let highest = 0;
  const fallen = central.map((value) => {
    highest = Math.max(highest, value);
    return value - highest;
  });
  return {
    label: 'Net profit less its highest value so far',
    x: axis,
    zero: true,
    linked: 'profit',
    data: [[...(axis === 'count' ? curve.market : curve.at)], fallen, fallen.map(() => 0)],
    series: [
      { label: 'drawdown', colour: '--loss', kind: 'steps', width: 1.5 },
      { label: 'none', colour: '--line', kind: 'line' },
    ],
    bands: [{ upper: 1, lower: 0, colour: '--loss-band' }],
    onCursor,
  };
}

/** Over the same span as the profit, and moved together with it. */
function exposurePlan(table: ColumnTable | undefined, curve: Curve, axis: Axis): ChartPlan | undefined {
  if (table === undefined || table.rows === 0) return undefined;
  const at = Array.from(table.numbers.get('at') ?? [], (ms) => ms / 1000);
  const exposure = [...(table.numbers.get('exposure') ?? [])];
  const [start = 0, end = 0] = [curve.at[0], curve.at.at(-1)];
  const times = [start, ...at, Math.max(end, at.at(-1) ?? 0)];
  return {
    label: 'What could have been lost with the bets that were matched',
    x: axis,
    zero: true,
    data: [
      axis === 'time' ? times : times.map((time) => marketAt(curve, time)),
      [0, ...exposure, exposure.at(-1) ?? 0],
    ],
    linked: 'profit',
    series: [{ label: 'exposure', colour: '--warn', kind: 'steps', width: 1.5 }],
  };
}
