/** The event log across its pages: what is written is read, cleared and retracted as in one list. */

import { expect, it } from 'vitest';
import { EventLog } from '../../src/matching/messages/event-log.ts';

/** Enough events to fill more than two pages. */
const MANY = 2_500;

function filled(count: number): EventLog {
  const log = new EventLog();
  for (let i = 0; i < count; i += 1) {
    log.now = i;
    log.overdraftSet(i, 1, 2);
  }
  return log;
}

it('reads every event at its index, however many there are', () => {
  const log = filled(MANY);
  expect([log.length, log.total]).toEqual([MANY, MANY]);
  for (let i = 0; i < MANY; i += 1) {
    expect(log.read(i)).toEqual({ at: i, kind: 'overdraftSet', wallet: i, currency: 1, overdraft: 2 });
  }
  expect(() => log.read(MANY)).toThrow('below the length');
});

it('starts again at index 0 once cleared, and counts on', () => {
  const log = filled(MANY);
  log.clear();
  expect([log.length, log.total]).toEqual([0, MANY]);
  log.appCreated(7);
  expect([log.length, log.total, log.read(0)]).toEqual([1, MANY + 1, { at: MANY - 1, kind: 'appCreated', app: 7 }]);
});

it.each([1, 1_023, 1_024, 1_025, 2_048])('takes back the newest of %i events', (count) => {
  const log = filled(count);
  log.retract();
  expect([log.length, log.total]).toEqual([count - 1, count - 1]);
  log.appCreated(7);
  expect(log.kindAt(count - 1)).toBe('appCreated');
  if (count > 1) expect(log.read(count - 2)).toMatchObject({ kind: 'overdraftSet', wallet: count - 2 });
});

it('reads −0 as 0, however it came about', () => {
  const log = new EventLog();
  log.transaction(1, 2, 0, -0, 3);
  expect(Object.is(log.row(0).d, 0)).toBe(true);
});
