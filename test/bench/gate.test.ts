/** The gate on speed: what it makes of pairs of figures, and that it measures two commits. */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compareRow, gateTable, isSlower } from './gate-verdict.ts';

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

  test('needs a pair', () => {
    expect(() => compareRow('book', [])).toThrow('book was not measured');
  });
});

test('measures a commit beside what is checked out, and leaves nothing behind', () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('oddsmith-gate-'));
  const before = left();
  const gate = ['--import', 'tsx', '--conditions=oddsmith-source', 'test/bench/gate.ts'];
  const args = ['--base', 'HEAD', '--pairs', '1', '--only', 'book', '--quick', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, [...gate, ...args], { cwd: ROOT, encoding: 'utf8' });
  const report = JSON.parse(stdout) as {
    base: string;
    head: string;
    rows: readonly { row: string; ratio: number }[];
  };
  expect(report.base, stderr).toBe(report.head);
  expect(report.rows.map(({ row }) => row)).toEqual(['book']);
  expect(report.rows[0]?.ratio).toBeGreaterThan(0);
  expect(left()).toEqual(before);
}, 60_000);
