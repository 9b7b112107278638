/** Orders and fills of a live or paper run, read from its journal. */

import { expect, test } from 'vitest';
import { runStory } from '../../src/app/run-report/run-orders.ts';
import { money } from '../../src/core/number/units.ts';
import { reportedOrder, sentOrder } from '../support/journal/made-records.ts';

test('fills are in the order in which they were matched, whenever they were reported', () => {
  const matched = (client: number, at: number, stake: number) =>
    reportedOrder(client, {
      at,
      stakeMatched: money(stake),
      winningsMatched: money(stake),
      status: 'PartiallyMatched',
    });
  const { fills } = runStory([
    { at: 1_000, record: { kind: 'sent', ...sentOrder(1) } },
    { at: 1_000, record: { kind: 'sent', ...sentOrder(2) } },
    { at: 9_000, record: { kind: 'reported', ...matched(1, 8_000, 1_000_000) } },
    // An answer that was late: it tells of what was before.
    { at: 9_001, record: { kind: 'reported', ...matched(2, 3_000, 2_000_000) } },
    { at: 9_500, record: { kind: 'reported', ...matched(2, 8_000, 3_000_000) } },
  ]);
  expect(fills.map(({ at, order, stake }) => [at, order, stake])).toEqual([
    [3_000, 2, 2],
    [8_000, 1, 1],
    [8_000, 2, 1],
  ]);
});
