/** Conditions: random ones, judged by an oracle that never sees their text. */

import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { newSearch } from '../../../src/sweep/search/new-search.ts';
import { isFulfilled } from '../../../src/sweep/space/constraint.ts';
import { canHold } from '../../../src/sweep/space/constraint-range.ts';
import { readConstraint } from '../../../src/sweep/space/constraint-tree.ts';
import type { AssignedValue } from '../../../src/sweep/space/dimension.ts';
import { assignmentOf, pointAt } from '../../../src/sweep/space/space.ts';
import { budget } from '../../support/budget.ts';

/** Halves, so that sums and products are exact and comparisons leave no doubt. */
type Values = Readonly<Record<string, number>>;

/** A piece of a condition: its text, how tightly its outermost operator binds, and what it is worth. */
interface Piece<T> {
  readonly text: string;
  readonly binds: number;
  readonly worth: (values: Values) => T;
}

const KEYS = ['params.stop', 'latency.requestMs', 'strategies[1].params.take'];
const LEVEL = { or: 1, and: 2, same: 3, order: 4, sum: 5, product: 6, unary: 7, atom: 8 } as const;

const inside = ({ text, binds }: Piece<unknown>, least: number): string => (binds < least ? `(${text})` : text);
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;

function numberPiece(random: Random, depth: number): Piece<number> {
  const kind = depth === 0 ? random.below(3) : random.below(8);
  if (kind === 0) return key(pick(random, KEYS));
  if (kind === 1) return literal(random.below(20) / 2);
  if (kind === 2) return { text: '2s', binds: LEVEL.atom, worth: () => 2_000 };
  const a = numberPiece(random, depth - 1);
  const b = numberPiece(random, depth - 1);
  switch (kind) {
    case 3:
      return {
        text: `${inside(a, LEVEL.sum)} + ${inside(b, LEVEL.sum + 1)}`,
        binds: LEVEL.sum,
        worth: (v) => a.worth(v) + b.worth(v),
      };
    case 4:
      return {
        text: `${inside(a, LEVEL.sum)} - ${inside(b, LEVEL.sum + 1)}`,
        binds: LEVEL.sum,
        worth: (v) => a.worth(v) - b.worth(v),
      };
    case 5:
      return {
        text: `${inside(a, LEVEL.product)}*${inside(b, LEVEL.product + 1)}`,
        binds: LEVEL.product,
        worth: (v) => a.worth(v) * b.worth(v),
      };
    case 6:
      return { text: `-${inside(a, LEVEL.atom)}`, binds: LEVEL.unary, worth: (v) => -a.worth(v) };
    default:
      return call(pick(random, ['min', 'max', 'abs'] as const), a, b);
  }
}

function key(name: string): Piece<number> {
  return { text: name, binds: LEVEL.atom, worth: (values) => values[name] ?? Number.NaN };
}

function literal(value: number): Piece<number> {
  return { text: String(value), binds: LEVEL.atom, worth: () => value };
}

function call(name: 'min' | 'max' | 'abs', a: Piece<number>, b: Piece<number>): Piece<number> {
  const text = name === 'abs' ? `abs(${a.text})` : `${name}(${a.text}, ${b.text})`;
  return {
    text,
    binds: LEVEL.atom,
    worth: (v) => {
      const [x, y] = [a.worth(v), b.worth(v)];
      if (name === 'abs') return x < 0 ? -x : x;
      return (name === 'min') === x < y ? x : y;
    },
  };
}

function condition(random: Random, depth: number): Piece<boolean> {
  if (depth === 0 || random.chance(0.3)) return comparison(random);
  const a = condition(random, depth - 1);
  const b = condition(random, depth - 1);
  const kind = random.below(3);
  if (kind === 0) return { text: `not ${inside(a, LEVEL.atom)}`, binds: LEVEL.unary, worth: (v) => !a.worth(v) };
  const word = kind === 1 ? pick(random, ['and', '&&']) : pick(random, ['or', '||']);
  const level = kind === 1 ? LEVEL.and : LEVEL.or;
  return {
    text: `${inside(a, level)} ${word} ${inside(b, level + 1)}`,
    binds: level,
    worth: (v) => (kind === 1 ? a.worth(v) && b.worth(v) : a.worth(v) || b.worth(v)),
  };
}

function comparison(random: Random): Piece<boolean> {
  const a = numberPiece(random, 2);
  const b = numberPiece(random, 2);
  const operator = pick(random, ['<', '<=', '>', '>=', '==', '!='] as const);
  const binds = operator === '==' || operator === '!=' ? LEVEL.same : LEVEL.order;
  return {
    text: `${inside(a, binds + 1)} ${operator} ${inside(b, binds + 1)}`,
    binds,
    worth: (v) => {
      const difference = a.worth(v) - b.worth(v);
      return {
        '<': difference < 0,
        '<=': difference <= 0,
        '>': difference > 0,
        '>=': difference >= 0,
        '==': difference === 0,
        '!=': difference !== 0,
      }[operator];
    },
  };
}

describe('a condition', () => {
  test('is worth what its oracle says', () => {
    const random = Random.fromSeed(1);
    let fulfilled = 0;
    const conditions = budget({ each: 2_000, deep: 50_000 });
    for (let at = 0; at < conditions; at += 1) {
      const { text, worth } = condition(random, 4);
      const rule = readConstraint(text, (path) => ({ kind: 'key', type: 'number', key: keyOf(path) }));
      for (let draw = 0; draw < 5; draw += 1) {
        const values = Object.fromEntries(KEYS.map((name) => [name, (random.below(41) - 20) / 2]));
        const expected = worth(values);
        fulfilled += Number(expected);
        if (isFulfilled(rule, values) !== expected) expect.fail(`${text} for ${JSON.stringify(values)} is ${expected}`);
      }
    }
    // Neither all true nor all false: else the oracle judged nothing.
    expect(fulfilled / conditions / 5).toBeGreaterThan(0.3);
    expect(fulfilled / conditions / 5).toBeLessThan(0.7);
  });

  test('can hold wherever a point of the ranges fulfils it', () => {
    const random = Random.fromSeed(2);
    let vain = 0;
    const conditions = budget({ each: 2_000, deep: 50_000 });
    for (let at = 0; at < conditions; at += 1) {
      const { text, worth } = condition(random, 3);
      const rule = readConstraint(text, (path) => ({ kind: 'key', type: 'number', key: keyOf(path) }));
      const spans = KEYS.map((name) => {
        const low = (random.below(41) - 20) / 2;
        return { name, low, high: low + pick(random, [0, 0.5, 3, 10]) };
      });
      const can = canHold(rule, new Map(spans.map(({ name, low, high }) => [name, { low, high }])));
      if (!can) vain += 1;
      for (let draw = 0; draw < 20 && !can; draw += 1) {
        const values = Object.fromEntries(
          spans.map(({ name, low, high }) => [name, low + random.below((high - low) * 2 + 1) / 2]),
        );
        if (worth(values)) expect.fail(`${text} holds for ${JSON.stringify(values)}`);
      }
    }
    // It sees often enough that nothing can be found.
    expect(vain / conditions).toBeGreaterThan(0.15);
  });

  test('leaves a grid just the points that fulfil it, in their order', () => {
    const random = Random.fromSeed(3);
    const steps = { kind: 'steps', unit: 'number', from: -2n, step: 1n, decimals: 0, isLog: false } as const;
    const dimensions = KEYS.map((key, at) => ({ ...steps, key, path: [key], written: key, count: 3 + at }));
    for (let at = 0; at < budget({ each: 300, deep: 5_000 }); at += 1) {
      const { text, worth } = condition(random, 3);
      const rule = readConstraint(text, (path) => ({ kind: 'key', type: 'number', key: keyOf(path) }));
      const all = Array.from({ length: 60 }, (_, number) =>
        assignmentOf({ dimensions }, pointAt({ dimensions }, BigInt(number))),
      );
      const search = newSearch({ dimensions, condition: rule }, 'grid', { events: 1, test: () => 1 });
      const trials = search.next(new Map())?.trials ?? [];
      const kept = all.filter((assignment) =>
        worth(Object.fromEntries(KEYS.map((key) => [key, Number(assignment[key])]))),
      );
      expect(
        trials.map(({ assignment }) => assignment),
        text,
      ).toEqual(kept);
    }
  });

  test('compares decimals as they are read', () => {
    const holds = (text: string, values: Readonly<Record<string, AssignedValue>>) =>
      isFulfilled(
        readConstraint(text, ([name]) => ({ kind: 'key', type: 'number', key: String(name) })),
        values,
      );
    expect(holds('a + b == 0.3', { a: 0.1, b: 0.2 })).toBe(true);
    expect(holds('a + b <= 0.3 and not (a + b > 0.3)', { a: 0.1, b: 0.2 })).toBe(true);
    expect(holds('a * 3 < 0.3', { a: 0.1 })).toBe(false);
    expect(holds('a > 1', { a: 1.000001 })).toBe(true);
    expect(holds('a / b > 1', { a: 1, b: 0 })).toBe(true);
    expect(holds('a % 2 == 1', { a: 7 })).toBe(true);
  });

  test('durations are milliseconds wherever they stand, but not in a text', () => {
    const rule = readConstraint("open <= 1.5m+30s and (10ms) < 1h and mode == '5m'", ([name]) =>
      name === 'mode' ? { kind: 'key', type: 'text', key: 'mode' } : { kind: 'key', type: 'number', key: String(name) },
    );
    expect(isFulfilled(rule, { open: 120_000, mode: '5m' })).toBe(true);
    expect(isFulfilled(rule, { open: 120_001, mode: '5m' })).toBe(false);
  });
});

function keyOf(path: readonly (string | number)[]): string {
  return KEYS.find((each) => each.replaceAll(/[.[\]]+/g, ' ').trim() === path.join(' ')) ?? expect.fail(path.join(' '));
}
