/** Names of markets, strategies and files that could be markup, formulas or commands of a terminal: harmless wherever they are written. */

import { expect, test } from 'vitest';
import { resultTable } from '../../src/report/text/table.ts';
import { ordersCsv } from '../../src/result/columns/csv.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { htmlReport } from '../support/html-report.ts';
import { tablesIn } from '../support/page-tables.ts';
import { sampleResult } from './sample-result.ts';
import { fill, order } from './sample-rows.ts';

const NAMES = [
  '<script>window.hit = 1</script>',
  '"\' onmouseover="x',
  "=cmd|' /C calc'!A0",
  '@SUM(1,2)',
  '+1',
  '\u001b[2J\u001b]0;title\u0007\u009b31m',
  'line\r\nbreak\u2028',
];

/** Every text of a result that others than us write. */
function named(name: string): BacktestResult {
  const one = sampleResult(1);
  return {
    ...one,
    strategies: [{ timerCalls: 0, name, file: name, params: { [name]: name } }],
    byMarket: one.byMarket.map((market) => ({ ...market, id: name, name, eventName: name })),
    leftOut: [{ id: name, name, reason: name }],
    warnings: [name],
    notices: [{ code: 'MARKETS_UNWATCHED', what: name, next: name, where: name, markets: [name] }],
    tapes: [{ path: name, sha256: '00', grade: 'A', generated: name }],
    wallets: [{ name, currency: name }],
    settings: [{ name, value: name }],
    rejections: { [name]: 1 },
    orderRows: [order(1, name, { outcomeTitle: name, strategy: name, marketName: name, reason: name, note: name })],
    fillRows: [fill(1, name, { outcomeTitle: name })],
  };
}

test.each(NAMES.map((name) => [JSON.stringify(name), name]))(
  '%s is text in the page, and data as it was',
  (_, name) => {
    const page = htmlReport(named(name), { script: '', style: '' });
    expect(page.match(/<script/g)).toHaveLength(2);
    const tags = page.match(/<[a-z][^>]*>/g) ?? [];
    expect(tags.filter((tag) => /\son\w+=/.test(tag.replaceAll(/"[^"]*"/g, '')))).toEqual([]);
    expect(tablesIn(page).tables.get('orders')?.texts.get('note')?.texts).toEqual([name]);
  },
);

test.each(NAMES.map((name) => [JSON.stringify(name), name]))(
  '%s is one cell in the CSV files, and no formula',
  (_, name) => {
    const [head = '', ...lines] = [...ordersCsv(named(name).orderRows)].join('').split('\r\n');
    const cells = cellsOf(lines.join('\r\n').trimEnd());
    expect(cells).toHaveLength(head.split(',').length);
    for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r]/);
    expect(cells.filter((cell) => cell.replace(/^'/, '') === name).length).toBeGreaterThan(3);
  },
);

test.each(NAMES.map((name) => [JSON.stringify(name), name]))('%s moves nothing in a terminal', (_, name) => {
  const lines = resultTable(named(name)).split('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
  for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
});

/** One record, whose quoted cells may hold anything. */
function cellsOf(record: string): readonly string[] {
  return [...record.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
