/** The queue of Pending orders: first in, first out, whatever its length and wherever its ring stands. */

import { expect, it } from 'vitest';
import { SlotQueue } from '../../src/matching/records/slot-queue.ts';

it('gives slots in the order in which they came, over many turns of its ring and growths', () => {
  const queue = new SlotQueue();
  const model: number[] = [];
  let next = 0;
  for (let step = 0; step < 3_000; step += 1) {
    // Three in and two out, then long drains: the ring turns, grows while it is turned, and runs empty.
    const adds = step % 600 < 300 ? step % 3 !== 2 : step % 5 === 0;
    if (adds || model.length === 0) {
      queue.push(next);
      model.push(next);
      next += 1;
    } else expect(queue.shift()).toBe(model.shift());
    expect([queue.size, queue.first]).toEqual([model.length, model[0] ?? -1]);
  }
  expect([...queue]).toEqual(model);
});

it('keeps what a test lets through, in order, and takes more behind it', () => {
  const queue = new SlotQueue();
  for (let slot = 0; slot < 20; slot += 1) queue.push(slot);
  for (let taken = 0; taken < 5; taken += 1) queue.shift();
  queue.keep((slot) => slot % 4 === 0);
  queue.push(99);
  expect([...queue]).toEqual([8, 12, 16, 99]);
  queue.clear();
  expect([queue.size, queue.first]).toEqual([0, -1]);
  expect(() => queue.shift()).toThrow('only a queue with a slot');
});
