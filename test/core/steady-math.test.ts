import { describe, expect, it } from 'vitest';
import { binaryLog, halved, quarterPower } from '../../src/core/number/steady-math.ts';

describe('figures that are the same on every engine', () => {
  it.each([0, 0.001, 0.5, 1, 3.7, 1e6])('the powers of %d are those of Math.pow, to its last digits', (x) => {
    for (let quarters = 0; quarters <= 32; quarters += 1) {
      const power = x ** (quarters / 4);
      expect(Math.abs(quarterPower(x, quarters) - power)).toBeLessThanOrEqual(1e-13 * power);
    }
  });

  it.each([1, 1.5, 2, 3, 1000, 1e15])('the logarithm of %d is that of Math.log2', (x) => {
    expect(binaryLog(x)).toBeCloseTo(Math.log2(x), 11);
  });

  it.each([0, 0.1, 0.5, 1, 2.25, 40])('%d half-lives leave what Math.pow says', (x) => {
    const left = 2 ** -x;
    expect(Math.abs(halved(x) - left)).toBeLessThanOrEqual(1e-12 * left);
  });

  it('after very many half-lives nothing is left', () => {
    expect(halved(1e9)).toBe(0);
  });

  it('refuses what has no such figure', () => {
    expect(() => quarterPower(2, 0.5)).toThrow('whole quarters');
    expect(() => binaryLog(0.5)).toThrow('from 1 on');
    expect(() => halved(-1)).toThrow('from 0 on');
  });
});
