/** The fast order book equals a list of orders kept in time order. */

import { expect, it } from 'vitest';
import { TickRows } from '../../src/core/book/tick-rows.ts';
import { NO_TICK, TICK_COUNT } from '../../src/core/number/ladder.ts';
import { type Money, STAKE_STEP } from '../../src/core/number/units.ts';
import { AGAINST, FOR, isBetter, type SideIndex } from '../../src/core/side.ts';
import { OrderBook, QueueColumns } from '../../src/matching/book/order-book.ts';

const OUTCOMES = 2;
/** A level with less is not shown. */
const STEP = STAKE_STEP;

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

interface Resting {
  readonly slot: number;
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
  stake: number;
}

/** The slow, obvious book that judges the fast one. */
class ListBook {
  orders: Resting[] = [];

  at(outcome: number, side: SideIndex, tick: number): Resting[] {
    return this.orders.filter((each) => each.outcome === outcome && each.side === side && each.tick === tick);
  }

  amount(outcome: number, side: SideIndex, tick: number): number {
    return this.at(outcome, side, tick).reduce((sum, each) => sum + each.stake, 0);
  }

  best(outcome: number, side: SideIndex, after = NO_TICK): number {
    let best = NO_TICK;
    for (const each of this.orders) {
      if (each.outcome !== outcome || each.side !== side) continue;
      if (after !== NO_TICK && !isBetter(side, after, each.tick)) continue;
      if (this.amount(outcome, side, each.tick) < STEP) continue;
      if (best === NO_TICK || isBetter(side, each.tick, best)) best = each.tick;
    }
    return best;
  }

  take(order: Resting, stake: number): void {
    order.stake -= stake;
    if (order.stake === 0) this.orders = this.orders.filter((each) => each !== order);
  }
}

it.each(Array.from({ length: 20 }, (_, seed) => seed + 1))('keeps every queue and level, seed %i', (seed) => {
  const roll = dice(seed);
  const fast = new OrderBook(new QueueColumns(), OUTCOMES);
  const slow = new ListBook();
  for (let step = 0; step < 800; step += 1) {
    const level = {
      outcome: roll(OUTCOMES),
      side: roll(2) as SideIndex,
      tick: roll(3) === 0 ? roll(TICK_COUNT) : 60 + roll(6),
    };
    const move = roll(10);
    const some = slow.orders[roll(Math.max(1, slow.orders.length))];
    if (move < 5) {
      const order = { slot: step, ...level, stake: (1 + roll(50 * STEP)) as Money };
      fast.rest(order);
      slow.orders.push({ ...order });
    } else if (move < 6 && some !== undefined) {
      fast.withdraw(some.slot);
      slow.take(some, some.stake);
    } else if (move < 7 && some !== undefined) {
      const stake = (1 +
        (roll(2) === 0 ? roll(some.stake) : some.stake - 1 - roll(Math.min(some.stake, STEP)))) as Money;
      fast.reduce(some.slot, stake);
      slow.take(some, stake);
    } else
      compareFills(
        fast,
        slow,
        { ...level, tick: slow.best(level.outcome, level.side) },
        (1 + roll(90 * STEP)) as Money,
      );
    compareLevels(fast, slow, level);
  }
});

function compareFills(
  fast: OrderBook,
  slow: ListBook,
  level: { outcome: number; side: SideIndex; tick: number },
  stake: Money,
): void {
  if (level.tick === NO_TICK) return;
  const found: string[] = [];
  const consumed = fast.consume(level, stake, { filled: (maker, piece) => found.push(`${maker} ${piece}`) });
  const expected: string[] = [];
  let left: number = stake;
  for (const order of slow.at(level.outcome, level.side, level.tick)) {
    if (left === 0) break;
    const piece = Math.min(left, order.stake);
    expected.push(`${order.slot} ${piece}`);
    slow.take(order, piece);
    left -= piece;
  }
  expect(found).toEqual(expected);
  expect(consumed).toBe(stake - left);
}

function compareLevels(
  fast: OrderBook,
  slow: ListBook,
  { outcome, side, tick }: { outcome: number; side: SideIndex; tick: number },
): void {
  expect(fast.bestTick(outcome, side)).toBe(slow.best(outcome, side));
  expect(fast.nextTick(outcome, side, tick)).toBe(slow.best(outcome, side, tick));
  const amount = slow.amount(outcome, side, tick);
  expect(fast.amountAt(outcome, side, tick)).toBe(amount < STEP ? 0 : amount);
}

it('finds ticks next to every word border', () => {
  const rows = new TickRows(4);
  const ticks = [0, 31, 32, 63, 64, 319, 320, 349];
  for (const tick of ticks) for (const side of [FOR, AGAINST]) rows.add(2 + side, tick);
  expect([2 + FOR, 2 + AGAINST, FOR, AGAINST].map((row) => rows.best(row))).toEqual([0, 349, NO_TICK, NO_TICK]);
  for (let tick = 0; tick < TICK_COUNT; tick += 1) {
    expect(rows.worse(2 + FOR, tick)).toBe(ticks.find((each) => each > tick) ?? NO_TICK);
    expect(rows.worse(2 + AGAINST, tick)).toBe(ticks.findLast((each) => each < tick) ?? NO_TICK);
  }
});
