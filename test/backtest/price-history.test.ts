/** Prices that a run keeps of markets with orders: each stretch has the lowest and highest of what was read in it. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PriceHistory } from '../../src/backtest/simulation/price-history.ts';
import { NO_TICK } from '../../src/core/number/ladder.ts';
import type { MarketPrices } from '../../src/result/market-prices.ts';
import { TestMarket } from '../risk/desk.ts';

interface Shown {
  readonly at: number;
  readonly back: number;
  readonly lay: number;
}

function historyOf(shown: readonly Shown[]): MarketPrices | undefined {
  const history = new PriceHistory();
  const market = new TestMarket(3);
  for (const [place, { at, back, lay }] of shown.entries()) {
    market.bestAgainst = back;
    market.bestFor = lay;
    if (place === 0) history.sent(at, 0, market);
    else history.updated(at, market);
  }
  history.marketEnded(market.index);
  return history.kept[0];
}

const ticks = fc.oneof(fc.constant(NO_TICK), fc.integer({ min: 0, max: 349 }));
const shownAt = (gaps: fc.Arbitrary<number>) =>
  fc.array(fc.record({ gap: gaps, back: ticks, lay: ticks }), { minLength: 1, maxLength: 150 }).map((steps) => {
    let at = 1_700_000_000_000;
    return steps.map(({ gap, back, lay }) => {
      at += gap;
      return { at, back, lay };
    });
  });

/** All that was shown, sorted into stretches at the end. */
function slowly(shown: readonly Shown[], { startAt, stretchMs }: MarketPrices, of: (each: Shown) => number) {
  const stretches = Math.floor(((shown.at(-1)?.at ?? startAt) - startAt) / stretchMs) + 1;
  return Array.from({ length: stretches }, (_, stretch) => {
    const own = shown.filter(({ at }) => Math.floor((at - startAt) / stretchMs) === stretch).map(of);
    const seen = own.filter((tick) => tick !== NO_TICK);
    return seen.length === 0 ? [NO_TICK, NO_TICK] : [Math.min(...seen), Math.max(...seen)];
  });
}

function pairs(
  low: Int16Array = new Int16Array(),
  high: Int16Array = new Int16Array(),
): readonly (readonly number[])[] {
  return Array.from(low, (tick, place) => [tick, high[place] ?? NO_TICK]);
}

test('updates that come slowly are all in it, however often the stretches double', () => {
  fc.assert(
    fc.property(shownAt(fc.integer({ min: 60_000, max: 90_000 })), (shown) => {
      const kept = historyOf(shown) ?? expect.fail('the market had an order');
      const [outcome] = kept.outcomes;
      expect(outcome?.backLow.length).toBeLessThanOrEqual(240);
      expect(pairs(outcome?.backLow, outcome?.backHigh)).toEqual(slowly(shown, kept, ({ back }) => back));
      expect(pairs(outcome?.layLow, outcome?.layHigh)).toEqual(slowly(shown, kept, ({ lay }) => lay));
    }),
  );
});

test('of updates that come fast no stretch has a price that was not shown in it', () => {
  fc.assert(
    fc.property(shownAt(fc.integer({ min: 0, max: 400 })), (shown) => {
      const kept = historyOf(shown) ?? expect.fail('the market had an order');
      const all = slowly(shown, kept, ({ back }) => back);
      for (const [place, [low = 0, high = 0]] of pairs(
        kept.outcomes[0]?.backLow,
        kept.outcomes[0]?.backHigh,
      ).entries()) {
        if (low === NO_TICK) continue;
        expect(low).toBeGreaterThanOrEqual(all[place]?.[0] ?? 999);
        expect(high).toBeLessThanOrEqual(all[place]?.[1] ?? -1);
      }
    }),
  );
});

test('a market without an order leaves nothing', () => {
  const history = new PriceHistory();
  const market = new TestMarket(3);
  history.updated(1, market);
  history.marketEnded(market.index);
  expect(history.kept).toEqual([]);
});
