import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { apart } from '../../../src/web/report/apart.ts';

test('labels with room stand where they want to', () => {
  const wanted = [20, 100, 300].map((at) => ({ at, width: 30 }));
  expect(apart(wanted, 400)).toEqual([20, 100, 300]);
});

test('two that want the same place share the way', () => {
  const wanted = [100, 100].map((at) => ({ at, width: 30 }));
  expect(apart(wanted, 400)).toEqual([85, 115]);
});

test('in any row nothing overlaps, nothing leaves the room, and no label could be nearer without its block', () => {
  const random = Random.fromSeed(7);
  for (let trial = 0; trial < 2_000; trial += 1) {
    const room = 200 + random.uniform() * 800;
    const width = (): number => 10 + random.uniform() * (room / 5 - 10);
    const wanted = Array.from({ length: 5 }, () => ({ at: random.uniform() * room, width: width() })).sort(
      (a, b) => a.at - b.at,
    );
    const places = apart(wanted, room);
    const edges = wanted.map((each, index) => {
      const middle = places[index] ?? Number.NaN;
      return { left: middle - each.width / 2, right: middle + each.width / 2, moved: middle - each.at };
    });
    for (const [index, { left, right, moved }] of edges.entries()) {
      const before = edges[index - 1]?.right ?? 0;
      const after = edges[index + 1]?.left ?? room;
      expect(left).toBeGreaterThanOrEqual(before - 1e-9);
      expect(right).toBeLessThanOrEqual(after + 1e-9);
      // A label that was moved touches what stands in its way.
      if (Math.abs(moved) > 1e-6) expect(Math.min(left - before, after - right)).toBeLessThan(1e-6);
    }
  }
});
