/** A change is read back as it was written, and orders are encoded briefly. */

import { expect, test } from 'vitest';
import { tick } from '../../../src/core/number/ladder.ts';
import { instant, money } from '../../../src/core/number/units.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import type { Change } from '../../../src/sandbox/world/change.ts';
import { World } from '../../../src/sandbox/world/world.ts';
import { changeOfText, textOfChange } from '../../../src/sandbox/world-log/world-log-text.ts';
import { ChangeGenerator } from './change-generator.ts';

test.each([31, 32, 33])('every change that was made reads back the same (seed %i)', (seed) => {
  const world = new World();
  const generator = new ChangeGenerator(seed, world);
  const kinds = new Set<string>();
  for (let count = 0; count < 1500; count += 1) {
    const change = generator.next();
    if (world.apply(change).kind === 'refused') continue;
    kinds.add(change.kind === 'command' ? change.command.kind : change.kind);
    expect(changeOfText(textOfChange(change)), `seed ${seed}, change ${count}`).toEqual(change);
  }
  expect(kinds).toContain('place');
  expect(kinds.size).toBeGreaterThan(25);
});

test('an order takes about 35 bytes', () => {
  const requests = Array.from({ length: 50 }, order);
  const command = { kind: 'place', app: 3, requests } as const;
  const change: Change = { at: instant(1_774_363_501_000), kind: 'command', command };
  const text = textOfChange(change);
  expect(text.length / 50).toBeLessThan(35);
  expect(changeOfText(text)).toEqual(change);
});

test.each<Extract<Change, { kind: 'command' }>['command']>([
  { kind: 'place', app: 1, requests: [{ ...order(), minFill: money(2_000_000), reference: 'r' }] },
  { kind: 'place', app: 1, requests: [order(), { ...order(), minFill: money(1) }] },
  { kind: 'place', app: 1, requests: [order(), order()], allOrNone: true },
  { kind: 'reduce', app: 1, order: 7, stake: money(1_000_000) },
  { kind: 'setKeep', app: 1, order: 7, keepWhenInPlay: true },
  {
    kind: 'replace',
    app: 1,
    replacements: [
      { order: 7, tick: tick(9), reference: 'again' },
      { order: 8, tick: tick(1) },
    ],
  },
])('a command about one order reads back the same: %j', (command) => {
  const change: Change = { at: instant(1_774_363_501_000), kind: 'command', command };
  expect(changeOfText(textOfChange(change))).toEqual(change);
});

test('a line of before there was a least fill is read as it was', () => {
  const text = '[1774363501000,3,[12,345,0,2,123,25500000,3,{"reference":"r"}]]';
  const requests = [{ ...order(), reference: 'r' }];
  expect(changeOfText(text)).toEqual({
    at: 1_774_363_501_000,
    kind: 'command',
    command: { kind: 'place', app: 3, requests },
  });
});

function order(): PlaceRequest {
  return {
    wallet: 12,
    market: 345,
    side: 'For',
    outcome: 2,
    tick: tick(123),
    stake: money(25_500_000),
    keepWhenInPlay: true,
    matchBehavior: 'CancelUnmatched',
  };
}
