/** The surface of a sweep: the objective over two of its keys, the best or the middle of the trials in each cell. */

import { useMemo, useState } from 'preact/hooks';
import type { ColumnTable } from '../../pages/report/columns.ts';
import type { SweepFacts } from '../../pages/report/sweep-facts.ts';
import { inUnit } from '../../words/numbers.ts';
import { Choice } from '../parts/choices.tsx';
import { numberAt, textAt } from './trial-cells.ts';

type Measure = 'median' | 'best';
const MEASURES = [
  ['median', 'median'],
  ['best', 'best'],
] as const;

/** Across, where the sweep varies one key alone. */
const NO_KEY = '';

interface SurfaceParts {
  readonly facts: SweepFacts;
  readonly trials: ColumnTable;
}

export function Surface({ facts, trials }: SurfaceParts) {
  const [first, second] = useMemo(() => strongestOf(facts), [facts]);
  const [columnKey, setColumnKey] = useState(second);
  const [rowKey, setRowKey] = useState(first);
  const [measure, setMeasure] = useState<Measure>('median');
  const surface = useMemo(
    () => surfaceOf({ facts, trials }, { rowKey, columnKey, measure }),
    [trials, rowKey, columnKey, measure],
  );
  // The same key is never down and across: the other one takes its place.
  const setRow = (key: string): void => {
    if (key === columnKey) setColumnKey(rowKey);
    setRowKey(key);
  };
  const setColumn = (key: string): void => {
    if (key === rowKey) setRowKey(columnKey);
    setColumnKey(key);
  };
  const keys = facts.keys.map((key) => [key, key] as const);
  if (facts.keys.length === 0 || surface.cells.size === 0)
    return <p class="empty">No trial has a value: none was played whole, or none fulfils what is asked of the best.</p>;
  return (
    <>
      <div class="bar">
        <Choice label="Down" of={keys} chosen={rowKey} onChoose={setRow} />
        {columnKey !== NO_KEY && <Choice label="Across" of={keys} chosen={columnKey} onChoose={setColumn} />}
        <Choice label="Cells" of={MEASURES} chosen={measure} onChoose={setMeasure} />
      </div>
      <SurfaceTable facts={facts} surface={surface} rowKey={rowKey} columnKey={columnKey} />
      <p class="soft small">
        Each cell is the {measure} of its trials over all other keys; the framed one has the best trial. A best trial
        among poor neighbours is more likely luck than one among good ones.
      </p>
    </>
  );
}

/** The two keys that explain most of the differences; across the one with fewer values, since a narrow screen shows few columns. */
function strongestOf({ surface }: SweepFacts): readonly [down: string, across: string] {
  const [first, second] = surface.toSorted((a, b) => b.effect - a.effect);
  if (first === undefined || second === undefined) return [first?.key ?? NO_KEY, NO_KEY];
  return first.values.length < second.values.length ? [second.key, first.key] : [first.key, second.key];
}

interface SurfaceTableParts {
  readonly facts: SweepFacts;
  readonly surface: DrawnSurface;
  readonly rowKey: string;
  readonly columnKey: string;
}

function SurfaceTable({ facts, surface, rowKey, columnKey }: SurfaceTableParts) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is wider than the page.
    <div class="sideways" tabIndex={0}>
      <table class="plain" id="surface">
        <thead>
          {columnKey !== NO_KEY && (
            <tr>
              <td />
              <th scope="colgroup" colSpan={surface.columns.length}>
                {columnKey} →
              </th>
            </tr>
          )}
          <tr>
            <th scope="col">{rowKey} ↓</th>
            {surface.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {surface.rows.map((row) => (
            <tr key={row}>
              <td>{row}</td>
              {surface.columns.map((column) => {
                const cell = surface.cells.get(`${row}\n${column}`);
                if (cell === undefined) return <td key={column}>·</td>;
                return (
                  <td
                    key={column}
                    class={cell.hasBest ? 'is-best' : ''}
                    title={`${cell.values.length} trials`}
                    style={{ background: shade(cell.value, surface) }}
                  >
                    {inUnit(cell.value, facts.unit)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Cell {
  readonly values: number[];
  value: number;
  hasBest: boolean;
}

interface DrawnSurface {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: ReadonlyMap<string, Cell>;
  readonly low: number;
  readonly high: number;
  readonly isHigherBetter: boolean;
}

/** Values of a key that are numbers and more than these are taken together in as many parts of equal width. */
const VALUES_MAX = 15;

function surfaceOf(
  { facts, trials }: SurfaceParts,
  { rowKey, columnKey, measure }: { readonly rowKey: string; readonly columnKey: string; readonly measure: Measure },
): DrawnSurface {
  const [rowOf, columnOf] = [labelsOf(trials, rowKey), labelsOf(trials, columnKey)];
  const isHigherBetter = facts.goal === 'maximize';
  const cells = new Map<string, Cell>();
  const found = { rows: new Set<string>(), columns: new Set<string>() };
  for (let row = 0; row < trials.rows; row += 1) {
    const value = numberAt(trials, 'value', row);
    const [down, across] = [rowOf(row), columnOf(row)];
    if (value === undefined || down === undefined || across === undefined) continue;
    found.rows.add(down);
    found.columns.add(across);
    const cell = cells.get(`${down}\n${across}`) ?? { values: [], value: 0, hasBest: false };
    cells.set(`${down}\n${across}`, cell);
    cell.values.push(value);
    if (numberAt(trials, 'trial', row) === facts.best) cell.hasBest = true;
  }
  for (const cell of cells.values()) {
    const sorted = cell.values.toSorted((a, b) => (isHigherBetter ? b - a : a - b));
    cell.value = sorted[measure === 'best' ? 0 : sorted.length >> 1] ?? 0;
  }
  const all = [...cells.values()].map(({ value }) => value);
  const [low, high] = [all.reduce((a, b) => Math.min(a, b), 0), all.reduce((a, b) => Math.max(a, b), 0)];
  return { rows: inOrder(found.rows), columns: inOrder(found.columns), cells, low, high, isHigherBetter };
}

function inOrder(labels: ReadonlySet<string>): readonly string[] {
  return [...labels].toSorted((a, b) => ORDER.compare(a, b));
}

const ORDER = {
  compare: (a: string, b: string): number =>
    Number.parseFloat(a) - Number.parseFloat(b) || a.localeCompare(b, 'en', { numeric: true }),
};

function labelsOf(trials: ColumnTable, key: string): (row: number) => string | undefined {
  if (key === NO_KEY) return () => NO_KEY;
  const name = `key ${key}`;
  const texts = trials.texts.get(name)?.texts ?? [];
  const numbers = texts.map(Number);
  if (texts.length <= VALUES_MAX || numbers.some(Number.isNaN)) return (row) => textAt(trials, name, row);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const width = (high - low) / VALUES_MAX;
  return (row) => {
    const value = Number(textAt(trials, name, row) ?? Number.NaN);
    if (Number.isNaN(value)) return undefined;
    const part = Math.min(VALUES_MAX - 1, Math.floor((value - low) / width));
    const short = (edge: number): string => String(Number(edge.toPrecision(4)));
    return `${short(low + part * width)} to ${short(low + (part + 1) * width)}`;
  };
}

/** Green above 0, red below, as strong as the value is large; turned round where less is better. */
function shade(value: number, { low, high, isHigherBetter }: DrawnSurface): string {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const strength = size === 0 ? 0 : Math.round((Math.abs(value) / size) * 45);
  const colour = value >= 0 === isHigherBetter ? 'var(--gain)' : 'var(--loss)';
  return `color-mix(in srgb, ${colour} ${strength}%, transparent)`;
}
