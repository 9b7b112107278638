/** Charts that are zoomed and moved together, and how they are moved by mouse. */

import type uPlot from 'uplot';

const groups = new Map<string, Set<uPlot>>();

/** Returns what takes the chart out of its group again. */
export function joinGroup(name: string, chart: uPlot): () => void {
  const group = groups.get(name) ?? new Set();
  groups.set(name, group);
  group.add(chart);
  return () => group.delete(chart);
}

/** The chart shows another span: so do the others of its group. */
export function passSpan(name: string, from: uPlot): void {
  const { min, max } = from.scales['x'] ?? {};
  if (min === undefined || max === undefined) return;
  for (const chart of groups.get(name) ?? []) {
    const x = chart.scales['x'];
    if (chart !== from && (x?.min !== min || x.max !== max)) chart.setScale('x', { min, max });
  }
}

/** One chart of the group: moving it moves all. */
export function chartOf(name: string): uPlot | undefined {
  return groups.get(name)?.values().next().value;
}

/** Zooms or moves by parts of the shown span; no end leaves the data, and what is shown has a length. */
export function moveBy(chart: uPlot, [left, right]: readonly [number, number]): void {
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
  else if (to - from > 1e-3) chart.setScale('x', { min: from, max: to });
}

export function showAll(chart: uPlot): void {
  const at = chart.data[0];
  if (at.length > 0) chart.setScale('x', { min: at[0] ?? 0, max: at.at(-1) ?? 0 });
}

/** Dragging with Shift moves what is shown, as a wheel sideways does; a wheel with Ctrl, or two fingers, zooms. */
export function moveByMouse(chart: uPlot): void {
  const { over } = chart;
  over.addEventListener(
    'mousedown',
    (event) => {
      if (!event.shiftKey || event.button !== 0) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      let before = event.clientX;
      const move = ({ clientX }: MouseEvent): void => {
        const part = (before - clientX) / Math.max(1, over.clientWidth);
        before = clientX;
        moveBy(chart, [part, part]);
      };
      const end = (): void => {
        removeEventListener('mousemove', move);
        removeEventListener('mouseup', end);
      };
      addEventListener('mousemove', move);
      addEventListener('mouseup', end);
    },
    { capture: true },
  );
  over.addEventListener(
    'wheel',
    (event) => {
      const { deltaX, deltaY, ctrlKey } = event;
      if (!ctrlKey && Math.abs(deltaX) <= Math.abs(deltaY)) return;
      event.preventDefault();
      const place = event.offsetX / Math.max(1, over.clientWidth);
      const part = Math.max(-0.4, Math.min(0.4, -deltaY * 0.004));
      if (ctrlKey) moveBy(chart, [part * place, -part * (1 - place)]);
      else moveBy(chart, [deltaX / over.clientWidth, deltaX / over.clientWidth]);
    },
    { passive: false },
  );
}
