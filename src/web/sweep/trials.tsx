/** All trials of a sweep, the best first, with their settings and figures. */

import { useMemo, useState } from 'preact/hooks';
import type { ColumnTable } from '../../pages/report/columns.ts';
import type { SweepFacts } from '../../pages/report/sweep-facts.ts';
import { count } from '../../words/numbers.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import { numberAt, textAt, unitOf, written } from './trial-cells.ts';

export function Trials({ facts, trials }: { readonly facts: SweepFacts; readonly trials: ColumnTable }) {
  const rows = useMemo(() => Array.from({ length: trials.rows }, (_, row) => row), [trials]);
  const columns = useMemo(() => columnsOf(facts, trials), [facts, trials]);
  const [opened, setOpened] = useState<number>();
  const number = opened === undefined ? undefined : numberAt(trials, 'trial', opened);
  return (
    <>
      <p class="soft small">
        The best first. A trial opens with a click.
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

function columnsOf(facts: SweepFacts, trials: ColumnTable): readonly TableColumn<number>[] {
  const number = (
    label: string,
    about: string,
    name: string,
    unit: SweepFacts['units'][string] | undefined,
  ): TableColumn<number> => ({
    label,
    about,
    kind: 'number',
    value: (row) => numberAt(trials, name, row),
    cell: (row) => {
      const value = numberAt(trials, name, row);
      return value === undefined ? '–' : written(value, unit);
    },
  });
  const text = (label: string, about: string, name: string): TableColumn<number> => ({
    label,
    about,
    kind: 'text',
    value: (row) => textAt(trials, name, row),
    cell: (row) => textAt(trials, name, row) ?? '',
  });
  return [
    number('Trial', 'Its number', 'trial', 'count'),
    number('Value', facts.objective, 'value', unitOf(facts)),
    ...facts.keys.map((key) => text(key, 'A key that the sweep varies', `key ${key}`)),
    text('State', 'Whether it was played', 'state'),
    number('Events', 'Event groups that were played', 'events', 'count'),
    ...Object.entries(facts.units).map(([name, unit]) =>
      number(name, `${facts.meanings[name] ?? ''}, at the bound of the objective`, `figure ${name}`, unit),
    ),
  ];
}
