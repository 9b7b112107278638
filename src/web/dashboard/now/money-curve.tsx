/** Settled money over time as a chart: of all, or a line for each strategy; of this day, or of the week. */

import { useMemo, useState } from 'preact/hooks';
import type { MoneyCurve } from '../../../pages/money-panel.ts';
import { signed } from '../../../words/numbers.ts';
import { Chart, type ChartPlan } from '../../parts/chart.tsx';
import { Switch } from '../../parts/choices.tsx';
import { lineColour } from '../../parts/colour.ts';
import { Legend } from '../../parts/legend.tsx';

const SPANS = [
  ['day', 'Today'],
  ['week', '7 days'],
] as const;
const PARTS = [
  ['all', 'All'],
  ['strategies', 'By strategy'],
] as const;
type Span = (typeof SPANS)[number][0];
type Parted = (typeof PARTS)[number][0];

const DAY_MS = 86_400_000;

export function MoneyCurveChart({ curve }: { readonly curve: MoneyCurve }) {
  const [span, setSpan] = useState<Span>('week');
  const [parted, setParted] = useState<Parted>('all');
  // The curve comes anew with each event, and is drawn anew where it is another one.
  const key = JSON.stringify(curve);
  const plan = useMemo(() => planOf(curve, { span, parted }), [key, span, parted]);
  if (curve.at.length === 0) return <p class="empty">The curve begins with the first market that is settled.</p>;
  return (
    <div class="curve">
      <div class="filter">
        <Switch label="Which days" of={SPANS} chosen={span} onChoose={setSpan} />
        {curve.strategies.length > 0 && <Switch label="Which money" of={PARTS} chosen={parted} onChoose={setParted} />}
        {parted === 'strategies' && <Legend lines={plan.series} />}
      </div>
      <Chart plan={plan} height="low" />
    </div>
  );
}

function planOf({ at, all, strategies }: MoneyCurve, { span, parted }: { span: Span; parted: Parted }): ChartPlan {
  const midnight = Math.floor((at.at(-1) ?? 0) / DAY_MS) * DAY_MS;
  const first = span === 'week' ? 0 : Math.max(0, at.findIndex((time) => time >= midnight) - 1);
  const from = (values: readonly number[]): number[] => values.slice(first);
  const times = from(at).map((time) => (span === 'week' ? time : Math.max(time, midnight)) / 1_000);
  const last = signed(all.at(-1) ?? 0);
  const lines = parted === 'all' ? [{ name: 'settled', values: all }] : strategies;
  return {
    label: `Settled money over time, ${last} at its end`,
    x: 'time',
    data: [times, ...lines.map(({ values }) => from(values))],
    series: lines.map(({ name }, place) => ({
      label: name,
      colour: parted === 'all' ? '--accent' : lineColour(place),
      kind: 'steps',
      width: 2,
    })),
    zero: true,
    value: (value) => signed(value),
  };
}
