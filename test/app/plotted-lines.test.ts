/** What a live run plotted, read back from its file. */

import { expect, test } from 'vitest';
import { linesIn } from '../../src/app/run-report/plotted-lines.ts';

const HEAD = 'run,flow,strategy,marketId,name,at,value\r\n';

test('rows of several lines are put together, with gaps, quotes and a half written row', () => {
  const rows = [
    "1,central,'=quoter,7,fair,2026-08-01T12:00:00.000Z,2.5",
    '1,central,"a ""b"", c",7,fair,2026-08-01T12:00:00.500Z,1',
    "1,central,'=quoter,7,fair,2026-08-01T12:00:01.000Z,",
    "1,central,'=quoter,7,fair,2026-08-01T12:00:02.000Z,-3.25",
    "1,central,'=quoter,7,fa",
  ];
  const at = Date.UTC(2026, 7, 1, 12);
  expect(linesIn(HEAD + rows.join('\r\n'))).toEqual([
    {
      flow: 'central',
      strategy: '=quoter',
      marketId: '7',
      name: 'fair',
      at: [at, at + 1000, at + 2000],
      value: [2.5, Number.NaN, -3.25],
    },
    { flow: 'central', strategy: 'a "b", c', marketId: '7', name: 'fair', at: [at + 500], value: [1] },
  ]);
});

test('a file without rows has no lines', () => {
  expect(linesIn(HEAD)).toEqual([]);
  expect(linesIn('')).toEqual([]);
});
