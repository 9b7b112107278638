/** The references of orders: one run, one strategy, one number; and never those of another run. */

import { describe, expect, it } from 'vitest';
import { REFERENCE_MAX } from '../../../src/betdex/wire/basics/requests.ts';
import { AssertionFailure } from '../../../src/core/checks/assert.ts';
import { References } from '../../../src/exchange-live/orders/references.ts';

function referencesOf(prefix: string, strategies: readonly string[]): References {
  return new References({ prefix, strategies, lengthMax: REFERENCE_MAX });
}

describe('a reference', () => {
  const references = referencesOf('run7', ['Favourite Scalp!', 'x'.repeat(300)]);

  it('holds the run, the strategy and the number', () => {
    expect(references.of(12, 0)).toBe('run7-favourite_scalp_-12');
    expect(references.named(12, 'Favourite Scalp!')).toBe(references.of(12, 0));
  });

  it('gives its strategy back, where there is one and no other of that name', () => {
    expect([references.of(12, 0), references.of(12, 1)].map((each) => references.strategyOf(each))).toEqual([0, 1]);
    for (const reference of ['run7-gone-12', 'run7-12', 'run8-gone-12', undefined])
      expect(references.strategyOf(reference)).toBeUndefined();
    const alike = referencesOf('run7', ['a b', 'a-b']);
    expect(alike.strategyOf(alike.of(1, 0))).toBeUndefined();
  });

  it('gives the number back, whatever the strategy', () => {
    for (const reference of [references.of(12, 0), references.of(12, 1), 'run7-gone-12', 'run7-12'])
      expect(references.clientOf(reference)).toBe(12);
  });

  it.each([
    undefined,
    '',
    'run7',
    'run7-',
    'run7-scalp-',
    'run7-scalp-0',
    'run7-scalp-012',
    'run7-scalp-12x',
    'run8-scalp-12',
  ])('that is not of this run belongs to no order: %s', (reference) =>
    expect(references.clientOf(reference)).toBeUndefined(),
  );

  it('of a run whose name begins like ours is not ours', () => {
    const other = referencesOf('run7-b', ['scalp']);
    expect(references.clientOf(other.of(12, 0))).toBeUndefined();
    expect(other.clientOf(other.of(12, 0))).toBe(12);
  });

  it('stays within what the exchange takes, and a longer prefix is refused', () => {
    const longest = referencesOf('p'.repeat(60), ['s'.repeat(300)]);
    expect(longest.of(Number.MAX_SAFE_INTEGER, 0).length).toBeLessThanOrEqual(REFERENCE_MAX);
    expect(() => referencesOf('p'.repeat(REFERENCE_MAX), ['s'])).toThrow(AssertionFailure);
  });

  it('of an exchange that takes few characters holds less of the strategy, or nothing of it', () => {
    const of = (prefix: string) => new References({ prefix, strategies: ['Favourite Scalp!'], lengthMax: 32 });
    const [short, none] = [of('run7'), of('live-mi8x2k1q-0a1b2c')];
    const most = Number.MAX_SAFE_INTEGER;
    expect(short.of(most, 0)).toBe(`run7-favourite_-${most}`);
    expect([short.clientOf(short.of(12, 0)), short.strategyOf(short.of(12, 0))]).toEqual([12, 0]);
    expect(none.of(12, 0)).toBe('live-mi8x2k1q-0a1b2c-12');
    expect([none.clientOf(none.of(12, 0)), none.strategyOf(none.of(12, 0))]).toEqual([12, undefined]);
    expect(none.of(9_999_999_999, 0).length).toBeLessThanOrEqual(32);
    expect(() => none.of(most, 0)).toThrow(AssertionFailure);
    expect(() => of('p'.repeat(22))).toThrow(AssertionFailure);
  });

  it('needs a strategy that there is', () => {
    expect(() => references.of(1, 2)).toThrow(AssertionFailure);
  });
});
