/** Tables as columns: what is read is what was written. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ColumnPlan } from '../../src/pages/report/columns.ts';
import { readColumns } from '../../src/pages/report/read-columns.ts';
import { packTable, writeColumns } from '../../src/pages/report/write-columns.ts';

interface Row {
  readonly at: number | undefined;
  readonly later: number | undefined;
  readonly price: number | undefined;
  readonly word: string | undefined;
}

const COLUMNS: readonly ColumnPlan<Row>[] = [
  { name: 'at', of: ({ at }) => at },
  { name: 'later', near: 'at', of: ({ later }) => later },
  { name: 'price', decimals: 3, near: 'at', of: ({ price }) => price },
  { name: 'word', of: ({ word }) => word },
];

const rows = fc.array(
  fc.record({
    at: fc.option(fc.integer({ min: -(2 ** 42), max: 2 ** 42 }), { nil: undefined }),
    later: fc.option(fc.integer({ min: -(2 ** 42), max: 2 ** 42 }), { nil: undefined }),
    price: fc.option(
      fc.integer({ min: -1e9, max: 1e9 }).map((units) => units / 1000),
      { nil: undefined },
    ),
    word: fc.option(fc.string(), { nil: undefined }),
  }),
);

test('every table comes back as it was, with what is absent', () => {
  fc.assert(
    fc.property(rows, rows, fc.json(), (first, second, json) => {
      const facts: unknown = JSON.parse(json);
      const bytes = writeColumns(facts, [
        packTable({ name: 'first', columns: COLUMNS, rows: first }),
        packTable({ name: 'second', columns: COLUMNS, rows: second }),
      ]);
      const file = readColumns(bytes);
      expect(JSON.stringify(file.facts)).toBe(JSON.stringify(facts));
      for (const [name, written] of [
        ['first', first],
        ['second', second],
      ] as const)
        expect(rowsOf(file, name)).toEqual(written);
    }),
  );
});

test('numbers are rounded to the digits that their column keeps', () => {
  const columns = [{ name: 'mean', decimals: 2, of: (value: number) => value }];
  const table = packTable({ name: 'means', columns, rows: [1 / 3, -2 / 3, 1e9] });
  const file = readColumns(writeColumns({}, [table]));
  expect([...(file.tables.get('means')?.numbers.get('mean') ?? [])]).toEqual([0.33, -0.67, 1e9]);
});

test('a file of another format is refused', () => {
  const bytes = writeColumns({}, []);
  bytes[bytes.length - 5] = 0;
  expect(() => readColumns(bytes)).toThrow();
});

function rowsOf(file: ReturnType<typeof readColumns>, name: string): readonly Row[] {
  const table = file.tables.get(name);
  return Array.from({ length: table?.rows ?? 0 }, (_, row) => {
    const number = (column: string): number | undefined => {
      const value = table?.numbers.get(column)?.[row] ?? Number.NaN;
      return Number.isNaN(value) ? undefined : value;
    };
    const words = table?.texts.get('word');
    const cell = words?.cells[row] ?? 0;
    return { at: number('at'), later: number('later'), price: number('price'), word: words?.texts[cell - 1] };
  });
}
