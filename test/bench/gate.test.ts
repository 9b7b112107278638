/** The gate on speed: what it makes of pairs of figures, and that it measures two commits. */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Figure } from './figure.ts';
import { compareRow, gateTable, isSlower, pairOf } from './gate-verdict.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('the verdict', () => {
  const pairs = (...ratios: readonly number[]) => ratios.map((ratio) => [200, 200 * ratio] as const);

  test('is the median of the ratios, which one slow pair does not move', () => {
    const row = compareRow('book', pairs(1.01, 0.3, 1.02, 0.99, 1));
    expect(row).toEqual({ row: 'book', ratio: 1, from: 0.99, to: 1.01 });
    expect(isSlower(row)).toBe(false);
  });

  test.each([
    [0.91, false],
    [0.9, false],
    [0.89, true],
    [Number.NaN, true],
  ])('of %d', (ratio, slower) => {
    expect(isSlower({ row: 'book', ratio, from: ratio, to: ratio })).toBe(slower);
  });

  test('stands in the table, and counts', () => {
    const rows = [compareRow('book', pairs(1.2)), compareRow('exchange', pairs(0.5))];
    const table = gateTable({ base: 'a'.repeat(40), head: 'b'.repeat(40), pairs: 1, rows });
    expect(table).toContain('bbbbbbbbbb against aaaaaaaaaa, medians of 1 pairs');
    expect(table).toMatch(/book +1\.200 × .* ok\n/);
    expect(table).toMatch(/exchange +0\.500 × .* SLOWER\n/);
    expect(table).toContain('1 of 2 rows lost a tenth or more');
  });

  test('is of figures that were measured on the same data', () => {
    const figure = (value: number, data: string): Figure => ({
      ...{ name: 'replay-noop', value, unit: 'updates/s', yardstick: { name: 'JP', value: 1 }, ratio: value },
      ...{ counts: {}, data },
    });
    expect(pairOf(figure(2, 'a.bz2'), figure(3, 'a.bz2'))).toEqual([2, 3]);
    expect(() => pairOf(figure(2, 'made'), figure(3, 'a.bz2'))).toThrow('was measured on made, and then on a.bz2');
  });

  test('needs a pair', () => {
    expect(() => compareRow('book', [])).toThrow('book was not measured');
  });
});

test('measures a commit beside what is checked out, and leaves nothing behind', () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('oddsmith-gate-'));
  const before = left();
  const gate = ['--conditions=oddsmith-source', 'test/bench/gate.ts'];
  const args = ['--base', 'HEAD', '--pairs', '1', '--only', 'book,replay-noop', '--quick', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, [...gate, ...args], { cwd: ROOT, encoding: 'utf8' });
  const report = JSON.parse(stdout) as {
    base: string;
    head: string;
    rows: readonly { row: string; ratio: number }[];
  };
  expect(report.base, stderr).toBe(report.head);
  expect(report.rows.map(({ row }) => row)).toEqual(['book', 'replay-noop']);
  expect(report.rows[0]?.ratio).toBeGreaterThan(0);
  expect(left()).toEqual(before);
});
