/** With which picture a market begins whose window opens late: rules in a table, each of which another test would find only by chance. */

import { expect, it } from 'vitest';
import type { Instant } from '../../src/core/number/units.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { WindowRule } from '../../src/simulator/replay/market-window.ts';
import { entrySegment } from '../../src/simulator/replay/window-entry.ts';
import { madeDefinition } from '../support/made-market.ts';

const MINUTE = 60_000;
const START = 100 * MINUTE;
/** Pictures stand before segments 1 to 12, one every ten minutes. */
const EVERY = 10;

const inPlay = { inPlayStatus: 'InPlay' } as const;
const result = { status: 'Settled' } as const;

type Said = readonly [minute: number, change: Partial<RecordedDefinition>];

const BEFORE_START = { from: { of: 'start', ms: -10 * MINUTE }, to: { of: 'off', ms: 0 } } as const;

function entry(rule: WindowRule, said: readonly Said[], memoryMs = 0): number | undefined {
  const definitions = said.map(([, change]) =>
    madeDefinition(2, { expectedStartTime: START as Instant, inPlayStatus: 'PrePlay', ...change }),
  );
  const changes = said.map(([minute], index) => ({ at: (minute * MINUTE) as Instant, definitions: [index] }));
  const pictures = Array.from({ length: 12 }, (_, index) => {
    const at = ((index + 1) * EVERY * MINUTE) as Instant;
    return { segment: index + 1, at, changes: changes.filter((change) => change.at <= at).length };
  });
  return entrySegment({ outline: { changes, pictures }, definitions, rule, memoryMs });
}

it.each<readonly [string, WindowRule, readonly Said[], number | undefined]>([
  [
    'the last one before the window opens',
    BEFORE_START,
    [
      [0, {}],
      [101, inPlay],
    ],
    8,
  ],
  ['none where the window is open from the first update on', { to: { of: 'off', ms: 0 } }, [[0, {}]], undefined],
  ['none where it opens at once', BEFORE_START, [[0, { expectedStartTime: MINUTE as Instant }]], undefined],
  [
    'an earlier one where the start moves forward',
    BEFORE_START,
    [
      [0, {}],
      [55, { expectedStartTime: (66 * MINUTE) as Instant }],
    ],
    5,
  ],
  [
    'an earlier one where a start that moves forward opens it at once',
    BEFORE_START,
    [
      [0, {}],
      [55, { expectedStartTime: (60 * MINUTE) as Instant }],
    ],
    5,
  ],
  [
    'a later one where the start is put off',
    BEFORE_START,
    [
      [0, {}],
      [55, { expectedStartTime: (125 * MINUTE) as Instant }],
    ],
    11,
  ],
  [
    'the same where it is put off when the window is open',
    BEFORE_START,
    [
      [0, {}],
      [95, { expectedStartTime: (125 * MINUTE) as Instant }],
    ],
    8,
  ],
  [
    'one before a suspension that goes on',
    BEFORE_START,
    [
      [0, {}],
      [61, { suspended: true }],
      [85, {}],
    ],
    6,
  ],
  [
    'one after a suspension',
    BEFORE_START,
    [
      [0, {}],
      [61, { suspended: true }],
      [69, {}],
    ],
    8,
  ],
  [
    'none before the market opens',
    BEFORE_START,
    [
      [0, { status: 'Initializing' }],
      [89, {}],
    ],
    undefined,
  ],
  ['none where it has no definition yet', BEFORE_START, [[105, {}]], undefined],
  [
    'one before the switch to in play',
    { from: { of: 'off', ms: 15 * MINUTE } },
    [
      [0, {}],
      [91, inPlay],
    ],
    9,
  ],
  [
    'one before a result that is taken back',
    { from: { of: 'off', ms: 0 } },
    [
      [0, {}],
      [45, result],
      [55, {}],
    ],
    4,
  ],
  ['the last one before play where the window never opens', { from: { of: 'off', ms: 0 } }, [[0, {}]], 12],
])('begins with %s', (_, rule, said, expected) => {
  expect(entry(rule, said)).toBe(expected);
});

it('begins early enough to know all that a rule of fills asks for at the opening', () => {
  expect(entry(BEFORE_START, [[0, {}]], 10 * MINUTE)).toBe(7);
  expect(entry(BEFORE_START, [[0, {}]], 10 * MINUTE - 1)).toBe(8);
});
