import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/number/random.ts';

const DRAWS = 200_000;

function moments(draw: () => number): { readonly mean: number; readonly variance: number; readonly third: number } {
  const values = Array.from({ length: DRAWS }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
  const central = (power: number): number => values.reduce((sum, value) => sum + (value - mean) ** power, 0) / DRAWS;
  return { mean, variance: central(2), third: central(3) };
}

describe('the seeded generator', () => {
  test('gives the published sequence of xoshiro128** for the state 1, 2, 3, 4', () => {
    const random = Random.fromState([1, 2, 3, 4]);
    expect(Array.from({ length: 6 }, () => random.uint32())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492,
    ]);
  });

  test('agrees with a plain version in big integers for a long run', () => {
    const random = Random.fromState([0xdeadbeef, 0x12345678, 7, 0x0badf00d]);
    const reference = referenceStream([0xdeadbeefn, 0x12345678n, 7n, 0x0badf00dn]);
    for (let draw = 0; draw < 5000; draw += 1) expect(random.uint32()).toBe(reference());
  });

  test('gives one stream per seed, also for seeds beyond 32 bits and below zero', () => {
    const first = (seed: number): string => {
      const random = Random.fromSeed(seed);
      return [random.uint32(), random.uint32(), random.uint32()].join();
    };
    const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, 2 ** 40, -(2 ** 40), Number.MAX_SAFE_INTEGER];
    expect(new Set(seeds.map(first)).size).toBe(seeds.length);
    expect(first(42)).toBe(first(42));
    expect(() => Random.fromSeed(0.5)).toThrow('a seed is a safe integer');
    expect(() => Random.fromState([0, 0, 0, 0])).toThrow('not all zero');
  });

  test('draws uniforms, exponentials and normals with the moments they must have', () => {
    const random = Random.fromSeed(11);
    const uniform = moments(() => random.uniform());
    expect(uniform.mean).toBeCloseTo(0.5, 2);
    expect(uniform.variance).toBeCloseTo(1 / 12, 2);
    const exponential = moments(() => random.exponential());
    expect(Math.abs(exponential.mean - 1)).toBeLessThan(0.012);
    expect(Math.abs(exponential.variance - 1)).toBeLessThan(0.04);
    const normal = moments(() => random.normal());
    expect(Math.abs(normal.mean)).toBeLessThan(0.012);
    expect(Math.abs(normal.variance - 1)).toBeLessThan(0.02);
    expect(Math.abs(normal.third)).toBeLessThan(0.05);
  });

  test('draws exponentials with the tail they must have', () => {
    const random = Random.fromSeed(12);
    const values = Array.from({ length: DRAWS }, () => random.exponential());
    for (const beyond of [0.5, 1, 2, 3]) {
      const share = values.filter((value) => value > beyond).length / DRAWS;
      expect(Math.abs(share - Math.exp(-beyond))).toBeLessThan(0.005);
    }
  });

  test('draws every whole number below n alike, and none else', () => {
    const random = Random.fromSeed(13);
    const counts = new Array<number>(7).fill(0);
    for (let draw = 0; draw < 70_000; draw += 1) {
      const value = random.below(7);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    expect(counts).toHaveLength(7);
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
    expect(Random.fromSeed(1).below(1)).toBe(0);
    expect(() => random.below(0)).toThrow();
  });

  test('forks streams that do not depend on how much is drawn from each other', () => {
    const once = Random.fromSeed(5);
    const twice = Random.fromSeed(5);
    const a = once.fork();
    const b = twice.fork();
    for (let draw = 0; draw < 10; draw += 1) a.uint32();
    expect(once.uint32()).toBe(twice.uint32());
    expect(b.uint32()).not.toBe(once.uint32());
  });
});

function referenceStream(seed: readonly bigint[]): () => number {
  const state = [...seed];
  const mask = 0xffffffffn;
  const rotl = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (32n - by))) & mask;
  return () => {
    const [a = 0n, b = 0n, c = 0n, d = 0n] = state;
    const result = (rotl((b * 5n) & mask, 7n) * 9n) & mask;
    const c1 = c ^ a;
    const d1 = d ^ b;
    state[0] = a ^ d1;
    state[1] = b ^ c1;
    state[2] = c1 ^ ((b << 9n) & mask);
    state[3] = rotl(d1, 11n);
    return Number(result);
  };
}
