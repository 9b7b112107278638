/** Steers a chart by keys: the arrows move it, plus and minus zoom, 0 and Escape show the whole span again. */

import type uPlot from 'uplot';
import { moveBy, showAll } from './chart-group.ts';

/** Returns whether the key was one of these. */
export function steerByKey(chart: uPlot, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const step = STEPS[key];
  if (step !== undefined) moveBy(chart, step);
  else if (key === '0' || key === 'Escape') showAll(chart);
  else return false;
  return true;
}

/** Parts of the shown span, by which its ends are moved. */
export const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.2, -0.2],
  ArrowRight: [0.2, 0.2],
  '+': [0.2, -0.2],
  '=': [0.2, -0.2],
  '-': [-0.4, 0.4],
};
