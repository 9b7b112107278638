/** Lists that come in pages are read whole, or not at all. */

import { lastValueFrom, of } from 'rxjs';
import { expect, test } from 'vitest';
import type { Page } from '../../../src/betfair/gateway/base/paged-lists.ts';
import { readPages } from '../../../src/betfair/gateway/base/paged-lists.ts';
import type { ReadFailure } from '../../../src/exchange-live/connection/call-outcome.ts';

const ROWS = [1, 2, 3, 4, 5];
const FAILURE: ReadFailure = { kind: 'failed', code: 'TIMEOUT', details: 'too late' };

/** Two rows a page. */
function pages(answer: (page: Page<number>, fromRecord: number) => Page<number> | ReadFailure) {
  const asked: number[] = [];
  const reading = readPages<number>((fromRecord) => {
    asked.push(fromRecord);
    const rows = ROWS.slice(fromRecord, fromRecord + 2);
    return of(answer({ kind: 'read', rows, moreAvailable: fromRecord + 2 < ROWS.length }, fromRecord));
  });
  return { asked, reading: lastValueFrom(reading) };
}

test('each page begins after the rows of those before', async () => {
  const { asked, reading } = pages((page) => page);
  expect(await reading).toEqual({ kind: 'read', rows: ROWS });
  expect(asked).toEqual([0, 2, 4]);
});

test('a page that fails is the failure of the whole list, and no more pages are asked for', async () => {
  const { asked, reading } = pages((page, fromRecord) => (fromRecord === 2 ? FAILURE : page));
  expect(await reading).toEqual(FAILURE);
  expect(asked).toEqual([0, 2]);
});

test('an empty page ends the list, whatever it says of more', async () => {
  const { asked, reading } = pages((page, fromRecord) => (fromRecord === 2 ? { ...page, rows: [] } : page));
  expect(await reading).toEqual({ kind: 'read', rows: [1, 2] });
  expect(asked).toEqual([0, 2]);
});
