/** What strategies plotted in the central worlds of a result: the lines that are kept, and notices of what is not. */

import type { Notice } from '../../result/notices.ts';
import type { PlotLine } from '../../result/result.ts';
import { count, plural, utc } from '../../words/numbers.ts';
import { PLOT_LINE_POINTS_MAX, PLOT_NAMES_MAX, PLOT_POINTS_MAX } from '../simulation/plot-table.ts';
import type { KeptEnd } from './kept-piece.ts';

export function plotsOfRuns(runs: readonly { readonly run: number; readonly end: KeptEnd }[]): readonly PlotLine[] {
  const all = runs.flatMap(({ run, end }) =>
    end.collector.plots.lines.map((line) => ({ run, flow: 'central' as const, ...line })),
  );
  const end = endWithin(all);
  return end < 0 ? all : all.slice(0, end);
}

/** The first line beyond the points that a result may have: each piece of a run may have as many, and there may be thousands of pieces. */
function endWithin(lines: readonly Pick<PlotLine, 'at'>[]): number {
  let points = 0;
  return lines.findIndex(({ at }) => {
    points += at.length;
    return points > PLOT_POINTS_MAX;
  });
}

export function plotNotices(ends: readonly KeptEnd[]): readonly Notice[] {
  const plots = ends.map(({ collector }) => collector.plots);
  return [...namesLeftOut(plots.flatMap((each) => each.namesLeftOut)), ...thinned(plots), ...full(plots)];
}

type Plots = readonly KeptEnd['collector']['plots'][];

function namesLeftOut(names: readonly string[]): readonly Notice[] {
  return [...new Set(names)].map((strategy) => ({
    code: 'PLOT_NAMES_LEFT_OUT',
    what: `Strategy '${strategy}' plotted more than ${PLOT_NAMES_MAX} names in ${plural(names.filter((name) => name === strategy).length, 'market')}: only the first ${PLOT_NAMES_MAX} are kept of each.`,
    next: 'Plot fewer names, or the same names in every market.',
    strategy,
  }));
}

function thinned(plots: Plots): readonly Notice[] {
  const lines = plots.reduce((sum, each) => sum + each.thinned, 0);
  if (lines === 0) return [];
  return [
    {
      code: 'PLOT_THINNED',
      what: `${plural(lines, 'line')} of what was plotted had more than ${count(PLOT_LINE_POINTS_MAX)} points: the lowest and the highest of every few points are kept, so that the lines show all extremes and not every value.`,
      next: 'Plot less often, such as once a second, where every value is needed.',
    },
  ];
}

function full(plots: Plots): readonly Notice[] {
  const since = plots.flatMap(({ fullSince }) => fullSince ?? []);
  if (since.length === 0 && endWithin(plots.flatMap(({ lines }) => lines)) < 0) return [];
  const from = since.length === 0 ? '' : ` (from ${utc(Math.min(...since))} on)`;
  return [
    {
      code: 'PLOT_FULL',
      what: `What was plotted had more than ${count(PLOT_POINTS_MAX)} points in all: what came after them is left out${from}.`,
      next: 'Plot less often or in fewer markets, or run fewer markets at a time.',
    },
  ];
}
