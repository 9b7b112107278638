/** All trials of a sweep, the best first, with their settings and figures. */

import { useMemo, useState } from 'preact/hooks';
import type { ColumnTable } from '../../pages/report/columns.ts';
import type { SweepFacts } from '../../pages/report/sweep-facts.ts';
import { count, inUnit, plural } from '../../words/numbers.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import { numberAt, textAt } from './trial-cells.ts';

export function Trials({ facts, trials }: { readonly facts: SweepFacts; readonly trials: ColumnTable }) {
  const rows = useMemo(() => Array.from({ length: trials.rows }, (_, row) => row), [trials]);
  const columns = useMemo(() => columnsOf(facts, trials), [facts, trials]);
  const alike = useMemo(() => alikeWords(trials), [trials]);
  const [opened, setOpened] = useState<number>();
  const number = opened === undefined ? undefined : numberAt(trials, 'trial', opened);
  return (
    <>
      <p class="soft small">
        The best first. A trial opens with a click.
        {alike.map((words) => ` ${words}.`).join('')}
        {trials.rows < facts.trials && ` Of ${count(facts.trials)} trials those with the best values.`}
      </p>
      {opened !== undefined && (
        <p id="opened" role="status">
          <b>Trial {number}</b>{' '}
          {facts.keys.map((key) => `${key} = ${textAt(trials, `key ${key}`, opened) ?? '–'}`).join(' · ')}
          <br />
          <code>
            {facts.rerun} {number}
          </code>{' '}
          <span class="soft small">plays it again as a whole backtest, with its report.</span>
        </p>
      )}
      <Table plan={{ id: 'trials', columns, rows, keyOf: (row) => row, onOpen: setOpened }} />
    </>
  );
}

/** What is the same of all trials is said once, and has no column. */
function alikeWords(trials: ColumnTable): readonly string[] {
  const [state, events] = [onlyOne(trials, 'state'), onlyOne(trials, 'events')];
  return [
    ...(state === undefined || state === 'played' ? [] : [STATES[state] ?? `The state of each: ${state}`]),
    ...(events === undefined ? [] : [`Each was played on ${plural(Number(events), 'event')}`]),
  ];
}

const STATES: Readonly<Record<string, string>> = { unmet: 'None fulfils what is asked of the best' };

/** The cell that all rows of a column have; undefined where they differ, and where there is one row alone. */
function onlyOne(trials: ColumnTable, name: string): string | undefined {
  const cellAt = (row: number): string | undefined =>
    textAt(trials, name, row) ?? numberAt(trials, name, row)?.toString();
  const first = cellAt(0);
  for (let row = 1; row < trials.rows; row += 1) if (cellAt(row) !== first) return undefined;
  return trials.rows > 1 ? first : undefined;
}

function columnsOf(facts: SweepFacts, trials: ColumnTable): readonly TableColumn<number>[] {
  const number = (
    label: string,
    about: string,
    name: string,
    unit: SweepFacts['units'][string] | undefined,
    otherwise = '',
  ): TableColumn<number> => {
    const value = (row: number): number | undefined => numberAt(trials, name, row) ?? numberAt(trials, otherwise, row);
    const cell = (row: number): string => {
      const known = value(row);
      return known === undefined ? '–' : inUnit(known, unit);
    };
    return { label, about, kind: 'number', value, cell };
  };
  // Words stand at the left, and what is a number stands at the right and is sorted by size.
  const text = (label: string, about: string, name: string): TableColumn<number> => {
    const isNumbers = trials.texts.get(name)?.texts.every((each) => !Number.isNaN(Number(each))) ?? false;
    const value = (row: number): string | undefined => textAt(trials, name, row);
    return {
      label,
      about,
      kind: isNumbers ? 'number' : 'text',
      value: isNumbers ? (row) => Number(value(row) ?? Number.NaN) : value,
      cell: (row) => value(row) ?? '–',
    };
  };
  return [
    number('Trial', 'Its number', 'trial', 'count'),
    number(facts.value, facts.objective, 'value', facts.unit, `figure ${facts.value}`),
    ...facts.keys.map((key) => text(key, 'A key that the sweep varies', `key ${key}`)),
    ...(onlyOne(trials, 'state') === undefined ? [text('State', 'Whether it was played', 'state')] : []),
    ...(onlyOne(trials, 'events') === undefined
      ? [number('Events', 'Event groups that were played', 'events', 'count')]
      : []),
    ...Object.entries(facts.units).map(([name, unit]) =>
      number(name, `${facts.meanings[name] ?? ''}, at the bound of the objective`, `figure ${name}`, unit),
    ),
  ];
}
