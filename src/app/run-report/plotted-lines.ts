/** Reads what the strategies of a live or paper run plotted: plots.csv in its directory, where there is one. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DrawnLine } from '../../pages/report/plot-table.ts';
import { requireFile } from '../../recording/tape/path-kind.ts';

const FILE = 'plots.csv';

/** Rows of several lines are mixed there, as they were plotted. */
export function plottedLines(directory: string): readonly DrawnLine[] {
  const path = join(directory, FILE);
  if (!existsSync(path)) return [];
  requireFile(path);
  return linesIn(readFileSync(path, 'utf8'));
}

interface GrowingLine extends DrawnLine {
  readonly at: number[];
  readonly value: number[];
}

export function linesIn(text: string): readonly DrawnLine[] {
  const [head = [], ...rows] = recordsOf(text);
  const place = (name: string): number => head.indexOf(name);
  const [strategyAt, marketAt, nameAt, timeAt, valueAt] = ['strategy', 'marketId', 'name', 'at', 'value'].map(place);
  const lines = new Map<string, GrowingLine>();
  for (const row of rows) {
    const cell = (at: number | undefined): string => row[at ?? -1] ?? '';
    const [strategy, marketId, name] = [plain(cell(strategyAt)), plain(cell(marketAt)), plain(cell(nameAt))];
    const time = Date.parse(cell(timeAt));
    // The last row may be half written while the run goes on.
    if (Number.isNaN(time) || row.length < head.length) continue;
    const key = `${strategy}\n${marketId}\n${name}`;
    const line = lines.get(key) ?? { flow: 'central', strategy, marketId, name, at: [], value: [] };
    lines.set(key, line);
    line.at.push(time);
    line.value.push(cell(valueAt) === '' ? Number.NaN : Number(cell(valueAt)));
  }
  return [...lines.values()];
}

/** Without the apostrophe that keeps a spreadsheet from calculating it. */
function plain(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/** Records of RFC 4180: a quoted cell may hold commas, quotes and line breaks. */
function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    record.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === ',') continue;
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}
