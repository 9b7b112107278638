/** A market's state in this program's words: one reading for books, streamed definitions and recordings. */

import { expect, test } from 'vitest';
import { marketStateOf, outcomeStatusOf, placesOf } from '../../../src/betfair/wire/basics/market-state.ts';

const MARKET = { status: 'OPEN', inPlay: false, turnsInPlay: true, betDelay: 0, places: 1 };

function stateOf(change: Partial<typeof MARKET>, ...words: readonly string[]) {
  return marketStateOf({ ...MARKET, ...change }, words.map(outcomeStatusOf));
}

test.each([
  [['WINNER', 'LOSER', 'REMOVED'], 1, 'Settled'],
  [['WINNER', 'ACTIVE', 'ACTIVE'], 1, 'Settled'],
  // A result that is told in part is none: its other places are open.
  [['WINNER', 'ACTIVE', 'ACTIVE'], 2, 'Open'],
  [['WINNER', 'ACTIVE', 'ACTIVE'], 0, 'Open'],
  [['LOSER', 'LOSER'], 1, 'Settled'],
  [['LOSER', 'HIDDEN'], 1, 'Open'],
  [['REMOVED', 'REMOVED_VACANT'], 1, 'Voided'],
  [[], 1, 'Open'],
])('a closed market of %j with %i places is %s', (words, places, status) => {
  expect(stateOf({ status: 'CLOSED', places }, ...words)).toMatchObject({ status, suspended: status === 'Open' });
});

test('a market is suspended, in play and delayed as it says', () => {
  expect(stateOf({ status: 'INACTIVE' }, 'ACTIVE')).toMatchObject({ status: 'Initializing', suspended: false });
  expect(stateOf({ status: 'SUSPENDED', inPlay: true, betDelay: 5 }, 'ACTIVE')).toEqual({
    ...{ status: 'Open', suspended: true, inPlayStatus: 'InPlay', inPlayDelayMs: 5_000 },
  });
  expect(stateOf({ turnsInPlay: false }, 'ACTIVE').inPlayStatus).toBe('NotApplicable');
});

test('how many win is open in some types of markets, and a new word for a runner is none to bet on', () => {
  expect([placesOf('WIN', 1), placesOf('PLACE', 3), placesOf('TO_SCORE_HATTRICK', 1)]).toEqual([1, 3, 0]);
  expect([outcomeStatusOf(undefined), outcomeStatusOf('ASLEEP')]).toEqual(['Hidden', 'Hidden']);
});
