/** What closing would bring, and what results brought by strategy: worked out by hand. */

import { describe, expect, test } from 'vitest';
import { closingStake, closingValue } from '../../../src/app/live/dashboard/money/closing-value.ts';
import { MarketSums, type SettledOrder } from '../../../src/app/live/dashboard/money/market-sums.ts';
import { AGAINST, FOR } from '../../../src/core/side.ts';
import { createFixedMarket } from '../../../src/strategy/testing/fixed-market.ts';

/** At one price, however much. */
const at = (profit: number, toBack?: number, toLay?: number) => ({
  profit,
  stakeToBack: (payout: number) => (toBack === undefined ? undefined : payout / toBack),
  stakeToLay: (payout: number) => (toLay === undefined ? undefined : payout / toLay),
});
const ONE_WINS = { winners: 1, profitIfNone: 0 };

describe('closing', () => {
  test('a bet whose price fell is closed with a profit by laying it', () => {
    // 10 at 3.00: +20 or −10. Laid at 2.50 with 12: +2 whatever wins.
    const outcomes = [at(20, 2.48, 2.5), at(-10), at(-10)];
    expect(closingValue(outcomes, ONE_WINS)).toBeCloseTo(2, 9);
  });

  test('it backs the others where that pays better, and says nothing where a price is missing', () => {
    const outcomes = [at(20, 2.48, 2.5), at(-10, 1.9)];
    expect(closingValue(outcomes, ONE_WINS)).toBeCloseTo(20 - 30 / 1.9, 9);
    expect(closingValue([at(20, 2.48), at(-10)], ONE_WINS)).toBeUndefined();
    expect(closingValue([at(7), at(7)], ONE_WINS), 'nothing is left to close').toBe(7);
  });

  test('where two of three win, both are counted', () => {
    // 10 at 2.00 on the first: +10 if it is among the two, else −10. Laid at 2.00 with 10: 0.
    const outcomes = [at(10, 2, 2), at(-10), at(-10)];
    expect(closingValue(outcomes, { winners: 2, profitIfNone: -10 })).toBeCloseTo(0, 9);
  });

  test('it meets what rests in the book, level by level, and no more', () => {
    const market = createFixedMarket({
      id: 'm',
      outcomes: [
        {
          id: 'a',
          for: [
            [2, 5],
            [2.5, 4],
          ],
          against: [[1.9, 1]],
        },
        { id: 'b' },
      ],
    });
    const stake = (payout: number) => closingStake(market, { outcome: 0, resting: FOR, payout });
    expect(stake(10)).toBeCloseTo(5, 9);
    expect(stake(15)).toBeCloseTo(5 + 2, 9);
    expect(stake(20.1)).toBeUndefined();
    expect(closingStake(market, { outcome: 1, resting: AGAINST, payout: 1 })).toBeUndefined();
  });
});

describe('results by strategy', () => {
  const order = (client: number, status: string, more: Partial<SettledOrder> = {}): SettledOrder => ({
    ...{ client, strategy: 'one', market: { id: 'm', name: 'M' }, side: 'For', status },
    ...{ stakeMatched: 10, winningsMatched: 15, ...more },
  });

  test('each order counts once, and a corrected result by its difference', () => {
    const sums = new MarketSums();
    sums.reported(1, order(1, 'Matched'));
    sums.reported(2, order(1, 'Won'));
    sums.reported(2, order(1, 'Won'));
    sums.reported(2, order(2, 'Lost', { strategy: 'two', side: 'Against' }));
    sums.settled(3, { id: 'm', name: 'M' }, { profit: -1, commission: 1 });
    expect(sums.of('m')).toMatchObject({ net: -1, commission: 1, gross: { one: 15, two: -15 } });
    sums.reported(4, order(1, 'Lost'));
    sums.reported(4, order(2, 'Voided', { strategy: 'two', side: 'Against' }));
    sums.settled(4, { id: 'm', name: 'M' }, { profit: -9, commission: 1 });
    expect(sums.of('m')).toMatchObject({ net: -10, at: 4, gross: { one: -10, two: 0 } });
  });

  test('of very many markets the oldest are kept as one sum', () => {
    const sums = new MarketSums();
    for (let market = 0; market < 600; market += 1) {
      const id = String(market);
      sums.reported(market, order(market, 'Won', { market: { id, name: id } }));
      sums.settled(market, { id, name: id }, { profit: 14, commission: 1 });
    }
    expect(sums.markets).toHaveLength(500);
    expect(sums.older).toEqual({ gross: { one: 1_500 }, commission: 100 });
    expect(new MarketSums(JSON.parse(JSON.stringify(sums.state))).markets).toEqual(sums.markets);
  });
});
