/** How far our clock is from the exchange's, as far as a Date header of whole seconds proves it. */

import { expect, test } from 'vitest';
import { skewMs } from '../../../src/exchange-live/connection/token-lifetime.ts';

const DATE = Date.UTC(2026, 10, 20, 12);

test.each([
  ['the same second', 0, 40, 0],
  ['a header at its end, an answer at once', 990, 999, 0],
  ['an answer that took long', -4_000, 20_000, 0],
  ['an hour ahead', 3_600_000, 3_600_040, 3_600_000 - 999],
  ['an hour behind', -3_600_040, -3_600_000, -3_600_000],
  ['an hour ahead behind a slow line: what is proven', 3_600_000 - 5_000, 3_600_000, 3_595_000 - 999],
])('%s', (_, askedAfter, answeredAfter, skew) => {
  expect(skewMs(DATE, { askedAt: DATE + askedAfter, answeredAt: DATE + answeredAfter })).toBe(skew);
});
