import { describe, expect, test } from 'vitest';
import { decimalOfTick, TICK_COUNT, tick } from '../../../src/core/number/ladder.ts';
import { ladderLabels, ladderPlace, priceAt } from '../../../src/web/parts/price-scale.ts';
import { gapsDominate } from '../../../src/web/report/curve.ts';
import type { MarketStory } from '../../../src/web/report/market/market-series.ts';
import { usualSpans } from '../../../src/web/report/market/market-spans.ts';

test('each tick of the ladder takes the same room, and places lead back to their prices', () => {
  for (let at = 0; at < TICK_COUNT; at += 1) {
    const price = decimalOfTick(tick(at));
    expect(ladderPlace(price)).toBeCloseTo(at, 6);
    expect(priceAt(at)).toBeCloseTo(price, 6);
  }
  expect(ladderPlace(2.01)).toBeCloseTo(99.5, 6);
  expect(priceAt(99.5)).toBeCloseTo(2.01, 6);
});

test.each([
  [1.5, 1.56, 8, [1.5, 1.51, 1.52, 1.53, 1.54, 1.55, 1.56]],
  [3.6, 5.8, 6, [3.75, 4, 4.5, 5, 5.5]],
  [1.01, 1000, 8, [1.5, 2, 3, 8, 50, 500, 1000]],
])('labels from %d to %d, at most %d, are prices of the ladder', (low, high, most, expected) => {
  const labels = ladderLabels(low, high, most);
  expect(labels.length).toBeLessThanOrEqual(most);
  expect(labels).toEqual(expected);
});

test('a span within a tick is labelled by its ends', () => {
  expect(ladderLabels(2.011, 2.014, 5)).toEqual([2.011, 2.014]);
});

describe('what is shown at first', () => {
  test('own orders up to the last match, and not what only rests until the end', () => {
    const story = {
      market: { inPlayAt: 900_000 },
      orders: [{ decidedAt: 100_000, endedAt: 5_000_000 }],
      fills: [{ at: 300_000 }],
      from: 0,
      to: 5_000,
    } as unknown as MarketStory;
    expect(usualSpans(story)).toEqual([
      { label: 'Own orders', span: { from: 80, to: 320 } },
      { label: 'To the off', span: { from: 0, to: 900 } },
    ]);
  });

  test('a run over nights is shown by market, a run of one afternoon by time', () => {
    const afternoon = Array.from({ length: 20 }, (_, at) => at * 600);
    expect(gapsDominate(afternoon)).toBe(false);
    expect(gapsDominate([...afternoon, ...afternoon.map((at) => at + 86_400)])).toBe(true);
  });
});
