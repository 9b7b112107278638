/** Trials of a sweep as text for a terminal. */

import { fitted } from '../../report/text/fitted.ts';
import { FIGURES, type Figure, type FigureName, isFigureName } from '../../sweep/result/figures.ts';
import type { RankedTrial } from '../../sweep/result/top-trials.ts';
import { constraintWords } from '../../sweep/result/trial-value.ts';
import type { Assignment } from '../../sweep/space/dimension.ts';
import type { Objective } from '../../sweep/space/read/objective.ts';
import { inUnit } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import type { WrittenKeys } from './open-sweep.ts';

/** Shown beside the objective. */
const BESIDE: readonly FigureName[] = ['profitNet', 'yield', 'stakeMatched', 'ordersMatched', 'drawdownMax'];

interface TopShown {
  readonly keys: WrittenKeys;
  /** The trials are those of its own search, on its events in sample. */
  readonly fold?: number | undefined;
  /** Columns of the terminal that shows them. */
  readonly room: number | undefined;
}

export function topText(trials: readonly RankedTrial[], objective: Objective, { keys, fold, room }: TopShown): string {
  const { figure } = objective;
  const searched = fold === undefined ? '' : `, in sample of fold ${fold}`;
  const names = [...(isFigureName(figure) ? [figure] : []), ...BESIDE.filter((name) => name !== figure)];
  const head = `${fitted(`${titleOf(objective)}${searched}\n`, room)}`;
  const lacking = trials.some(({ unmet }) => unmet.length > 0) ? fitted(`${UNMET}\n`, room) : '';
  // The values of a trial matter more than what stands beside its objective.
  for (let shown = names.length; ; shown -= 1) {
    const table = trialTable(trials, names.slice(0, shown), keys);
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

export function widest(table: string): number {
  return Math.max(...table.split('\n').map((line) => line.length));
}

/** Without the state and the number of events where these are the same of all. */
function trialTable(trials: readonly RankedTrial[], names: readonly FigureName[], keys: WrittenKeys): string {
  const sides = [
    { head: 'state', of: ({ unmet, state }: RankedTrial) => (unmet.length > 0 ? 'unmet' : state) },
    { head: 'events', of: ({ events }: RankedTrial) => String(events) },
  ].filter(
    ({ head, of }) =>
      new Set(trials.map(of)).size > 1 || (head === 'state' && trials.some((each) => of(each) !== 'played')),
  );
  const columnsOf = [
    { head: 'trial', of: ({ trial }: RankedTrial) => String(trial) },
    ...sides,
    ...names.map((name) => ({ head: name, of: ({ figures }: RankedTrial) => figureText(name, figures[name]) })),
    ...[...keys].map(([key, written]) => ({
      head: printable(written),
      of: ({ assignment }: RankedTrial) => printable(String(assignment[key] ?? '–')),
    })),
  ];
  return columns([columnsOf.map(({ head }) => head), ...trials.map((trial) => columnsOf.map(({ of }) => of(trial)))]);
}

export function assignmentText(assignment: Assignment, keys: WrittenKeys): string {
  return [...keys]
    .flatMap(([key, written]) => (assignment[key] === undefined ? [] : `${written} ${assignment[key]}`))
    .map(printable)
    .join(', ');
}

export function figureText(name: FigureName, value: number | undefined): string {
  const { unit }: Figure = FIGURES[name];
  return value === undefined ? '–' : inUnit(value, unit);
}

/** Texts stand at the left of their columns, and what begins like a number at the right. */
export function columns([heads = [], ...rows]: readonly (readonly string[])[]): string {
  const sides = heads.map((head, at) => {
    const cells = rows.map((row) => row[at] ?? '');
    const width = Math.max(head.length, ...cells.map(({ length }) => length));
    const isNumbers = cells.some((cell) => cell !== '') && cells.every((cell) => /^(?:[−+]?[\d.].*|–)?$/.test(cell));
    return { width, isNumbers };
  });
  const line = (row: readonly string[]): string =>
    sides
      .map(({ width, isNumbers }, at) => (isNumbers ? row[at]?.padStart(width) : row[at]?.padEnd(width)))
      .join('  ')
      .trimEnd();
  return [heads, ...rows].map((row) => `${line(row)}\n`).join('');
}
