/** Steers a chart by keys: the arrows move it, plus and minus zoom, 0 and Escape show the whole span again. */

import type uPlot from 'uplot';

export interface ChartSteering {
  readonly key: (event: KeyboardEvent) => void;
  readonly reset: () => void;
}

export function steerWith(chartOf: () => uPlot | undefined): ChartSteering {
  const reset = (): void => {
    const chart = chartOf();
    const at = chart?.data[0] ?? [];
    if (chart !== undefined && at.length > 0) chart.setScale('x', { min: at[0] ?? 0, max: at.at(-1) ?? 0 });
  };
  const key = (event: KeyboardEvent): void => {
    const chart = chartOf();
    if (chart === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '0' || event.key === 'Escape') reset();
    else {
      const step = STEPS[event.key];
      if (step === undefined) return;
      moveBy(chart, step);
    }
    event.preventDefault();
  };
  return { key, reset };
}

/** Parts of the shown span, by which its ends are moved. */
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.2, -0.2],
  ArrowRight: [0.2, 0.2],
  '+': [0.2, -0.2],
  '=': [0.2, -0.2],
  '-': [-0.3, 0.3],
};

/** No end leaves the data; what is shown has a length. */
function moveBy(chart: uPlot, [left, right]: readonly [number, number]): void {
  const { min, max } = chart.scales['x'] ?? {};
  const at = chart.data[0];
  const [first, last] = [at[0], at.at(-1)];
  if (min === undefined || max === undefined || first === undefined || last === undefined) return;
  const span = max - min;
  const isMove = left === right;
  const from = Math.max(first, min + span * left);
  const to = Math.min(last, max + span * right);
  if (isMove && from === first) chart.setScale('x', { min: first, max: Math.min(last, first + span) });
  else if (isMove && to === last) chart.setScale('x', { min: Math.max(first, last - span), max: last });
  else if (to > from) chart.setScale('x', { min: from, max: to });
}
