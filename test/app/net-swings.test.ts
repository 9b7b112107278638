/** What an exit is, by what would be left of a position if the order matched whole. */

import { describe, expect, test } from 'vitest';
import { NetSwings } from '../../src/backtest/simulation/net-swings.ts';
import { tickOfDecimal } from '../../src/core/number/ladder.ts';
import { price } from '../../src/core/number/units.ts';
import type { Side } from '../../src/core/side.ts';
import { units } from '../support/scripted-run.ts';

const fill = (side: Side, stake: number, at: number) => ({ side, stake: units(stake), price: price(at * 1000) });
const order = (side: Side, stake: number, at: number) => {
  const tick = tickOfDecimal(at) ?? expect.fail('a ladder price');
  return { side, stake: units(stake), tick };
};

describe.each<[Side, Side]>([
  ['For', 'Against'],
  ['Against', 'For'],
])('of a position %s', (own, other) => {
  function held(): NetSwings {
    const swings = new NetSwings();
    swings.filled(0, fill(own, 10, 3));
    return swings;
  }

  test('an order on the other side that leaves less of it is an exit, in part or whole', () => {
    expect(held().isExit(0, order(other, 1, 2))).toBe(true);
    expect(held().isExit(0, order(other, 15, 2))).toBe(true);
  });

  test('more of the same is none, nor is one that turns it into as much or more on the other side', () => {
    expect(held().isExit(0, order(own, 10, 3))).toBe(false);
    expect(held().isExit(0, order(other, 29, 2))).toBe(true);
    expect(held().isExit(0, order(other, 30, 2))).toBe(false);
  });

  test('once it is levelled there is nothing to reduce, but for what rounding left', () => {
    const level = held();
    level.filled(0, fill(other, 15, 2));
    expect(level.isExit(0, order(own, 1, 3))).toBe(false);
    level.filled(0, fill(other, 0.001, 2));
    expect(level.isExit(0, order(own, 1, 3))).toBe(false);
  });

  test('other outcomes and other strategies have positions of their own, however many there are', () => {
    const swings = held();
    swings.filled(1000, fill(other, 10, 3));
    expect(swings.isExit(1, order(other, 1, 2))).toBe(false);
    expect(swings.isExit(0, order(other, 1, 2))).toBe(true);
    expect(swings.isExit(1000, order(own, 1, 2))).toBe(true);
  });
});
