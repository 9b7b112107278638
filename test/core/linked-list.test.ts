import { describe, expect, test } from 'vitest';
import { LinkedList, type ListLink } from '../../src/core/collections/linked-list.ts';
import { mapExact } from '../../src/core/collections/map-exact.ts';
import { Random } from '../../src/core/number/random.ts';

describe('a chain', () => {
  test('holds what a set holds, in the same order, over 2,000 seeds', () => {
    for (let seed = 0; seed < 2_000; seed += 1) {
      const random = Random.fromSeed(seed);
      const chain = new LinkedList<number>();
      const model = new Set<number>();
      const links = new Map<number, ListLink<number>>();
      for (let step = 0; step < 40; step += 1) {
        const member = random.below(12);
        const link = links.get(member);
        if (link === undefined) {
          links.set(member, chain.add(member));
          model.add(member);
        } else if (random.below(2) === 0) {
          expect(chain.remove(link)).toBe(model.delete(member));
          links.delete(member);
        }
        expect([...chain], `seed ${seed}`).toEqual([...model]);
        expect(chain.size).toBe(model.size);
      }
    }
  });

  test('takes a link out once', () => {
    const chain = new LinkedList<string>();
    const link = chain.add('a');
    expect([chain.remove(link), chain.remove(link), chain.size]).toEqual([true, false, 0]);
  });

  test('is walked on while members leave, the one at hand and the next ones included', () => {
    const chain = new LinkedList<number>();
    const links = [0, 1, 2, 3, 4, 5].map((member) => chain.add(member));
    const seen: number[] = [];
    for (const member of chain) {
      seen.push(member);
      if (member !== 1) continue;
      for (const gone of [1, 2, 3]) chain.remove(links[gone] as ListLink<number>);
    }
    expect(seen).toEqual([0, 1, 4, 5]);
    expect([...chain]).toEqual([0, 4, 5]);
  });
});

test('a list of what items give, of none, one and many', () => {
  const double = (item: number) => 2 * item;
  expect([[], [1], [1, 2, 3]].map((items) => mapExact(items, double))).toEqual([[], [2], [2, 4, 6]]);
});
