/** Notices wherever a result is read: whole, and harmless whatever names they hold. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resultTable } from '../../src/report/text/table.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import { marketsText, NOTICE_CODES, type Notice } from '../../src/result/notices.ts';
import { htmlReport } from '../support/html-report.ts';
import { sampleResult } from './sample-result.ts';

const NOTICE: Notice = {
  code: 'MARKETS_UNWATCHED',
  what: 'No strategy watches \u001b[2J<b>7</b> markets.',
  next: 'Look & see.',
  where: 'a\u0007.csv',
  markets: ['1', '2', '3', '4', '5', '6', '7'],
};
const result = sampleResult(1, { notices: [NOTICE] });

test('the table says code, sentences, place, the first markets and what to do, without control characters', () => {
  expect(resultTable(result)).toContain(
    [
      'notice MARKETS_UNWATCHED: No strategy watches  [2J<b>7</b> markets.',
      '        where  a .csv',
      '        markets  1, 2, 3, 4, 5 and 2 more',
      '        next  Look & see.',
      '',
    ].join('\n'),
  );
});

test('the JSON holds them as they are, every market among them', () => {
  expect(JSON.parse(backtestJson(result)).notices).toEqual([NOTICE]);
  expect(JSON.parse(backtestJson(sampleResult(1))).notices).toEqual([]);
});

test('the report says the same, escaped', () => {
  const page = htmlReport(result, { script: '', style: '' });
  expect(page).toContain('&lt;b&gt;7&lt;/b&gt; markets.</b> Look &amp; see.');
  expect(page).toContain('<code>MARKETS_UNWATCHED</code> · a\u0007.csv · markets 1, 2, 3, 4, 5 and 2 more');
});

test('few markets are all named, none is no word', () => {
  expect(marketsText({ ...NOTICE, markets: ['1', '2'] })).toBe('1, 2');
  expect(marketsText({ ...NOTICE, markets: [] })).toBeUndefined();
});

test('docs/backtest.md lists each code with its meaning, and no other', () => {
  const docs = readFileSync(new URL('../../docs/backtest.md', import.meta.url), 'utf8');
  const listed = [...docs.matchAll(/^\| `([A-Z_]+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(Object.fromEntries(listed)).toEqual(NOTICE_CODES);
});
