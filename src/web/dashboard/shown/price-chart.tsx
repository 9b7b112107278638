/** The prices of a market over time, on the ladder’s scale: a line for each of the likeliest outcomes. */

import { useMemo } from 'preact/hooks';
import type { PriceCurve } from '../../../pages/panels.ts';
import { amount } from '../../../words/numbers.ts';
import { offerWord } from '../../../words/side-words.ts';
import { Chart, type ChartPlan } from '../../parts/chart.tsx';
import { lineColour } from '../../parts/colour.ts';
import { Legend } from '../../parts/legend.tsx';
import { Card } from './shown.tsx';

export function PriceChart({ curve }: { readonly curve: PriceCurve }) {
  const { at, lines } = curve;
  // The curve comes anew with each event, and is drawn anew with each reading.
  const plan = useMemo(() => planOf(curve), [at.at(-1), lines.length]);
  return (
    <Card title={`Prices ${offerWord('For')}`} more="since the start">
      <Legend lines={plan.series} />
      <Chart plan={plan} height="middle" />
    </Card>
  );
}

function planOf({ at, lines }: PriceCurve): ChartPlan {
  return {
    label: `Prices ${offerWord('For')} of ${lines.map(({ title }) => title).join(', ')}`,
    x: 'time',
    data: [at.map((time) => time / 1_000), ...lines.map(({ values }) => [...values])],
    series: lines.map(({ title }, place) => ({
      label: title,
      colour: lineColour(place),
      kind: 'steps',
      width: 1.5,
      hasGaps: true,
    })),
    ladder: true,
    value: (price) => amount(price, price < 100 ? 2 : 0),
  };
}
