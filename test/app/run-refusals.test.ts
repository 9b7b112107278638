/** Refused intents of a live or paper run: each with what was asked for where the journal leaves no doubt, and without where it does. */

import { expect, test } from 'vitest';
import { runStory } from '../../src/app/run-report/run-orders.ts';
import type { Intent } from '../../src/core/intent.ts';
import type { JournalRecord } from '../../src/core/run/journal.ts';
import { sentOrder } from '../support/journal/made-records.ts';

const place = (outcome: string, price = 2, market = 'm'): Intent => ({
  ...{ kind: 'place', market, outcome, side: 'For', price, stake: 10 },
});

function decided(...intents: readonly Intent[]): JournalRecord {
  return { kind: 'decided', strategy: 's', market: 'm', why: 'prices', intents };
}

function refused(change: Partial<Extract<JournalRecord, { kind: 'refused' }>> = {}): JournalRecord {
  return {
    kind: 'refused',
    strategy: 's',
    market: 'm',
    code: 'LIMIT_ORDER',
    limit: 5,
    value: 0,
    wouldBe: 10,
    ...change,
  };
}

function sent(outcome: string): JournalRecord {
  const terms = { strategy: 's', market: 'm', outcome, outcomeTitle: `Title of ${outcome}`, side: 'For' } as const;
  return { kind: 'sent', ...sentOrder(1, terms) };
}

function story(...steps: readonly (readonly [at: number, record: JournalRecord])[]) {
  return runStory(steps.map(([at, record]) => ({ at, record })));
}

test('the second of three is refused', () => {
  const { refused: found, counts } = story(
    [1, decided(place('a'), place('b', 3), place('a', 4))],
    [1, sent('a')],
    [1, refused()],
    [1, sent('a')],
  );
  expect(found.rows).toMatchObject([
    { at: 1, times: 1, kind: 'place', outcomeId: 'b', price: 3, limit: 5, wouldBe: 10 },
  ]);
  expect(found.rows[0]?.outcomeTitle).toBeUndefined();
  expect(found.byMarket).toEqual({ m: 1 });
  expect(counts.refused).toBe(1);
});

test('a title that another order had is known', () => {
  const { refused: found } = story(
    [1, decided(place('a'))],
    [1, sent('a')],
    [2, decided(place('a', 9))],
    [2, refused()],
  );
  expect(found.rows).toMatchObject([{ price: 9, outcomeTitle: 'Title of a' }]);
});

test('an order behind a cancellation, which leaves no record where it is under way already', () => {
  const { refused: found } = story([1, decided({ kind: 'cancel', order: 3 }, place('a', 3))], [1, refused()]);
  expect(found.rows).toMatchObject([{ kind: 'place', price: 3 }]);
});

test('a refused cancellation behind another one could be either', () => {
  const code = 'ORDER_NOT_LIVE';
  const cancels = [
    { kind: 'cancel', order: 3 },
    { kind: 'cancel', order: 4 },
  ] as const;
  expect(story([1, decided(cancels[0])], [1, refused({ code })]).refused.rows).toMatchObject([
    { kind: 'cancel', order: 3 },
  ]);
  const doubtful = story([1, decided(place('a'), ...cancels)], [1, refused({ code })]).refused.rows;
  expect(doubtful).toMatchObject([{ code, kind: undefined, order: undefined }]);
});

test('what takes the place of a replaced order has no decision of its own', () => {
  const { refused: found } = story([1, decided(place('a'))], [9, refused()]);
  expect(found.rows).toMatchObject([{ at: 9, kind: undefined, price: undefined, limit: 5 }]);
});

test('a record that stands for many counts as many', () => {
  const {
    refused: found,
    counts,
    refusals,
  } = story(
    [1, decided(place('a'))],
    [1, refused({ code: 'HALTED' })],
    [70_000, decided(place('a'))],
    [70_000, refused({ code: 'HALTED', times: 40 })],
    [80_000, refused({ market: 'other' })],
  );
  expect(found.rows).toMatchObject([
    { code: 'HALTED', times: 41, lastAt: 70_000 },
    { marketId: 'other', times: 1 },
  ]);
  expect(found.byMarket).toEqual({ m: 41, other: 1 });
  expect([counts.refused, refusals]).toEqual([42, { HALTED: 41, LIMIT_ORDER: 1 }]);
});
