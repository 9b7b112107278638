/** Trials of a sweep as text for a terminal. */

import { fitted } from '../../report/text/fitted.ts';
import { FIGURES, type Figure, type FigureName, isFigureName } from '../../sweep/result/figures.ts';
import type { RankedTrial } from '../../sweep/result/top-trials.ts';
import { constraintWords } from '../../sweep/result/trial-value.ts';
import type { Assignment } from '../../sweep/space/dimension.ts';
import type { Objective } from '../../sweep/space/read/objective.ts';
import { printable } from '../../words/printable.ts';

/** Shown beside the objective. */
const BESIDE: readonly FigureName[] = ['profitNet', 'yield', 'stakeMatched', 'ordersMatched', 'drawdownMax'];

interface TopShown {
  /** The trials are those of its own search, on its events in sample. */
  readonly fold?: number | undefined;
  /** Columns of the terminal that shows them. */
  readonly room: number | undefined;
}

export function topText(trials: readonly RankedTrial[], objective: Objective, { fold, room }: TopShown): string {
  const { figure } = objective;
  const searched = fold === undefined ? '' : `, in sample of fold ${fold}`;
  const names = [...(isFigureName(figure) ? [figure] : []), ...BESIDE.filter((name) => name !== figure)];
  const head = `${fitted(`${titleOf(objective)}${searched}\n`, room)}`;
  const lacking = trials.some(({ unmet }) => unmet.length > 0) ? fitted(`${UNMET}\n`, room) : '';
  // The values of a trial matter more than what stands beside its objective.
  for (let shown = names.length; ; shown -= 1) {
    const table = trialTable(trials, names.slice(0, shown));
    if (shown <= 1 || room === undefined || widest(table) <= room) return head + fitted(table, room) + lacking;
  }
}

const UNMET =
  'unmet: without a value, since a constraint is not fulfilled. Set it under sweep.constraints and sweep again: what was played is known.';

function titleOf({ goal, figure, bound, per, ...rest }: Objective): string {
  const asked = constraintWords(rest);
  const of = asked.length === 0 ? '' : `, of trials with ${asked.join(' and ')}`;
  return `${goal === 'maximize' ? 'Highest' : 'Lowest'} ${figure}${per === 'event' ? ' per event' : ''}, ${bound} bound${of}`;
}

/** The objective in words such as "maximize profitNet, central bound, ordersMatched >= 30". */
export function objectiveText({ goal, figure, bound, per, ...rest }: Objective): string {
  const words = [`${goal} ${figure}`, `${bound} bound`, ...(per === 'event' ? ['per event'] : [])];
  return [...words, ...constraintWords(rest)].join(', ');
}

function widest(table: string): number {
  return Math.max(...table.split('\n').map((line) => line.length));
}

function trialTable(trials: readonly RankedTrial[], names: readonly FigureName[]): string {
  const rows = trials.map(({ trial, state, unmet, events, figures, assignment }) => [
    String(trial),
    unmet.length > 0 ? 'unmet' : state,
    String(events),
    ...names.map((name) => figureText(name, figures[name])),
    assignmentText(assignment),
  ]);
  const heads = ['trial', 'state', 'events', ...names, 'values'];
  return columns([heads, ...rows]);
}

/** The assignment as text. The params of a single strategy have the short names that the file may use. */
export function assignmentText(assignment: Assignment): string {
  const isOfOne = Object.keys(assignment).every((key) => !key.startsWith('strategies[') || key.startsWith(FIRST));
  return Object.entries(assignment)
    .map(([key, value]) => `${isOfOne ? key.replace(FIRST, 'params.') : key}=${printable(String(value))}`)
    .join('  ');
}

const FIRST = 'strategies[0].params.';

export function figureText(name: FigureName, value: number | undefined): string {
  const { unit }: Figure = FIGURES[name];
  if (value === undefined) return '–';
  if (unit === 'share') return `${(value * 100).toFixed(2)}%`;
  if (unit === 'count') return String(value);
  return value.toFixed(unit === 'money' ? 2 : 3);
}

/** Cells stand at the right of their columns; `left`: those of the first one, or of the last one, or of both, stand at the left. */
export function columns(rows: readonly (readonly string[])[], left: 'first' | 'last' | 'both' = 'last'): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const cell = (text: string, at: number, isLast: boolean): string => {
    const width = widths[at] ?? 0;
    if (isLast && left !== 'first') return text;
    return at === 0 && left !== 'last' ? text.padEnd(width) : text.padStart(width);
  };
  const line = (row: readonly string[]): string =>
    row.map((text, at) => cell(text, at, at === row.length - 1)).join('  ');
  return rows.map((row) => `${line(row)}\n`).join('');
}
