/** Where our orders stand behind others, recorded and displaced, slow and obvious: part of the naive overlay. */

import { crosses, isBetter, oppositeIndex, type SideIndex } from '../../src/core/side.ts';
import type { CancellationRule } from '../../src/simulator/overlay/fill-rules.ts';
import { aheadAfterFall } from '../../src/simulator/overlay/queue-place.ts';

interface QueuedOrder {
  readonly m: number;
  a: number;
  readonly isArriving: boolean;
}

interface QueuedLevel<Order extends QueuedOrder> {
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
  D: number;
  readonly queue: readonly Order[];
}

/** Twice the stake, less where the level is larger; rounded up. */
export function marginOf(stake: number, level: number): number {
  if (stake >= level) return 2 * stake;
  return Number((2n * BigInt(stake) * BigInt(stake) + BigInt(level) - 1n) / BigInt(level));
}

/** What of recorded stake is still ahead once its level fell without a trade. */
export function aheadAfter(
  rule: CancellationRule,
  { ahead, from, to }: { readonly ahead: number; readonly from: number; readonly to: number },
): number {
  if (rule === 'ahead') return Math.max(0, ahead - (from - to));
  if (rule === 'behind') return Math.min(ahead, to);
  if (rule === 'pro-rata') return Number((BigInt(ahead) * BigInt(to) + BigInt(from) - 1n) / BigInt(from));
  // test/simulator/queue-place.test.ts judges the figures of these.
  return aheadAfterFall(rule, { ahead, from, to });
}

/** What stands at better prices gets the trade first; returns what is left of it. */
export function passBetter<Order extends QueuedOrder>(
  levels: Iterable<QueuedLevel<Order>>,
  trade: { readonly level: QueuedLevel<Order>; readonly stake: number },
  fill: (order: Order, most: number) => number,
): number {
  const { outcome, side, tick } = trade.level;
  let budget = trade.stake;
  for (const better of bestFirst(levels, outcome, side)) {
    if (!isBetter(side, better.tick, tick)) continue;
    const firstArriving = better.queue.find((order) => order.isArriving);
    for (const order of [...better.queue]) {
      // Behind an order that is still arriving nobody is known to stand.
      const isBehind = order.isArriving && order !== firstArriving;
      if (!isBehind) budget -= take(better, Math.min(budget, better.D, order.a));
      budget -= order.isArriving ? Math.min(budget, order.m) : fill(order, budget);
    }
    if (better.queue.length === 0) budget -= take(better, Math.min(budget, better.D));
  }
  return budget;
}

/** What is displaced on the other side, and is crossed by stake that comes, would have been matched. */
export function meetDisplaced<Order extends QueuedOrder>(
  levels: Iterable<QueuedLevel<Order>>,
  level: QueuedLevel<Order>,
  rise: number,
): void {
  const side = oppositeIndex(level.side);
  let left = rise;
  for (const other of bestFirst(levels, level.outcome, side)) {
    if (crosses(side, other.tick, level.tick)) left -= take(other, Math.min(left, other.D));
  }
}

/** Of displaced stake as large a share is given up as of what its level holds. */
export function displacedAfter(stake: number, from: number, to: number): number {
  return Math.floor((stake / from) * to);
}

function take<Order extends QueuedOrder>(level: QueuedLevel<Order>, stake: number): number {
  level.D -= stake;
  for (const order of level.queue) order.a = Math.max(0, order.a - stake);
  return stake;
}

function bestFirst<Order extends QueuedOrder>(
  levels: Iterable<QueuedLevel<Order>>,
  outcome: number,
  side: SideIndex,
): QueuedLevel<Order>[] {
  const ofRow = [...levels].filter((level) => level.outcome === outcome && level.side === side);
  return ofRow.sort((one, other) => (isBetter(side, one.tick, other.tick) ? -1 : 1));
}
