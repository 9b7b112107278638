/** A reused list of slots in the order of their ids, short or long. */

import { expect, it } from 'vitest';
import { SlotList } from '../../src/matching/records/slot-list.ts';

function contents(list: SlotList): number[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}

it.each([0, 1, 20, 64, 65, 300])('puts %i slots in the order of their ids, each once, and is used again', (size) => {
  const list = new SlotList();
  // Ids fall while slots rise, as they may once slots are reused.
  const orders = { id: (slot: number) => 1_000 - slot };
  for (const _ of [1, 2]) {
    list.clear();
    for (let i = 0; i < size; i += 1) list.push((i * 7) % 31, orders.id((i * 7) % 31));
    list.sortById(orders);
    const distinct = [...new Set(Array.from({ length: size }, (_, i) => (i * 7) % 31))];
    expect(contents(list)).toEqual(distinct.sort((a, b) => b - a));
  }
});
