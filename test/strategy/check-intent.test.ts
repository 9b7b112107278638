import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import { decimalOfTick, TICK_COUNT, type Tick } from '../../src/core/number/ladder.ts';
import { MONEY_SCALE } from '../../src/core/number/units.ts';
import { REFUSALS } from '../../src/core/refusal.ts';
import { checkIntent, type IntentScope } from '../../src/strategy/decision/check-intent.ts';

const scope: IntentScope = {
  marketIndex: (id) => (id === 'm' ? 4 : -1),
  outcomeIndex: (market, id) => (market === 4 && id === 'o' ? 2 : -1),
};

const place = { kind: 'place', market: 'm', outcome: 'o', side: 'For', price: 2.5, stake: 10 } as const;

/** What plain JavaScript may return. */
function checkAnything(intent: unknown) {
  return checkIntent(intent as Intent, scope);
}

function codeOf(intent: unknown): string {
  const checked = checkAnything(intent);
  return checked.kind === 'refused' ? checked.refusal.code : checked.kind;
}

describe('a checked intent', () => {
  it('is in ticks, money and indexes', () => {
    expect(checkIntent(place, scope)).toEqual({
      kind: 'place',
      market: 4,
      outcome: 2,
      side: 'For',
      tick: 124,
      stake: 10_000_000,
      keepWhenInPlay: false,
      matchBehavior: 'RetainUnmatched',
    });
    expect(
      checkIntent({ ...place, side: 'Against', keepWhenInPlay: true, matchBehavior: 'CancelUnmatched' }, scope),
    ).toMatchObject({ side: 'Against', keepWhenInPlay: true, matchBehavior: 'CancelUnmatched' });
    expect(checkIntent({ kind: 'cancel', order: 3 }, scope)).toEqual({ kind: 'cancel', order: 3 });
    expect(checkIntent({ kind: 'cancelAll' }, scope)).toEqual({ kind: 'cancelAll' });
    expect(checkIntent({ kind: 'cancelAll', market: 'm', outcome: 'o' }, scope)).toEqual({
      kind: 'cancelAll',
      market: 4,
      outcome: 2,
    });
    expect(checkIntent({ kind: 'replace', order: 3, price: 1.01, stake: 0.5 }, scope)).toEqual({
      kind: 'replace',
      order: 3,
      tick: 0,
      stake: 500_000,
    });
  });

  it('keeps every ladder price and every stake of three decimals exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: TICK_COUNT - 1 }),
        fc.integer({ min: 1, max: 1_000_000_000_000 }),
        (tick, thousandths) => {
          const intent = { ...place, price: decimalOfTick(tick as Tick), stake: thousandths / 1000 };
          expect(checkIntent(intent, scope)).toMatchObject({ tick, stake: thousandths * (MONEY_SCALE / 1000) });
        },
      ),
    );
  });

  it('forgives what adding doubles leaves, and no more', () => {
    expect(checkIntent({ ...place, stake: 0.1 + 0.2, price: 1.1 * 1 }, scope)).toMatchObject({ stake: 300_000 });
    expect(codeOf({ ...place, stake: 0.3000001 })).toBe('STAKE_INVALID');
    expect(codeOf({ ...place, stake: 0.0005 })).toBe('STAKE_INVALID');
  });
});

const NO_NUMBERS = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e308,
  -1,
  0,
  -0,
  5e-324,
  '2',
  2n,
  null,
  undefined,
  [2],
  {},
  true,
];

describe('a refused intent', () => {
  it.each(NO_NUMBERS.map((value) => [value]))('has no price: %s', (price) => {
    expect(codeOf({ ...place, price })).toBe('PRICE_OFF_LADDER');
    expect(codeOf({ kind: 'replace', order: 1, price })).toBe('PRICE_OFF_LADDER');
  });

  it.each(NO_NUMBERS.map((value) => [value]))('has no stake: %s', (stake) => {
    expect(codeOf({ ...place, stake })).toBe('STAKE_INVALID');
  });

  it.each([1, 1.005, 2.01, 1000.5, 1010, 2.500001])('has a price off the ladder: %s', (price) => {
    expect(codeOf({ ...place, price })).toBe('PRICE_OFF_LADDER');
  });

  it.each([
    [{ ...place, market: 'n' }, 'UNKNOWN_MARKET'],
    [{ ...place, market: 4 }, 'UNKNOWN_MARKET'],
    [{ ...place, market: undefined }, 'UNKNOWN_MARKET'],
    [{ ...place, outcome: 'p' }, 'UNKNOWN_OUTCOME'],
    [{ ...place, side: 'Back' }, 'INTENT_INVALID'],
    [{ ...place, matchBehavior: 'FillOrKill' }, 'INTENT_INVALID'],
    [{ ...place, keepWhenInPlay: 'yes' }, 'INTENT_INVALID'],
    [{ ...place, kind: 'buy' }, 'INTENT_INVALID'],
    [{}, 'INTENT_INVALID'],
    [undefined, 'INTENT_INVALID'],
    [null, 'INTENT_INVALID'],
    ['place', 'INTENT_INVALID'],
    [{ kind: 'cancel' }, 'UNKNOWN_ORDER'],
    [{ kind: 'cancel', order: 1.5 }, 'UNKNOWN_ORDER'],
    [{ kind: 'cancel', order: -1 }, 'UNKNOWN_ORDER'],
    [{ kind: 'cancel', order: '1' }, 'UNKNOWN_ORDER'],
    [{ kind: 'replace', order: Number.NaN, price: 2 }, 'UNKNOWN_ORDER'],
    [{ kind: 'replace', order: 1, price: 2, stake: 0 }, 'STAKE_INVALID'],
    [{ kind: 'cancelAll', market: 'n' }, 'UNKNOWN_MARKET'],
    [{ kind: 'cancelAll', market: 'm', outcome: 'p' }, 'UNKNOWN_OUTCOME'],
    [{ kind: 'cancelAll', outcome: 'o' }, 'UNKNOWN_MARKET'],
  ])('says why: %j', (intent, code) => expect(codeOf(intent)).toBe(code));

  it('is a value: nothing that plain JavaScript returns makes the check throw', () => {
    const kind = fc.constantFrom('place', 'cancel', 'cancelAll', 'replace', 'other');
    const known = fc.constantFrom('m', 'o', 'For', 'Against', 2, 1);
    const field = fc.oneof(known, fc.anything());
    const intent = fc.record(
      {
        kind,
        market: field,
        outcome: field,
        side: field,
        price: field,
        stake: field,
        order: field,
        matchBehavior: field,
      },
      { requiredKeys: ['kind'] },
    );
    fc.assert(
      fc.property(fc.oneof(intent, fc.anything()), (value) => {
        const checked = checkAnything(value);
        if (checked.kind === 'refused') expect(REFUSALS).toHaveProperty(checked.refusal.code);
      }),
      { numRuns: 500 },
    );
  });
});
