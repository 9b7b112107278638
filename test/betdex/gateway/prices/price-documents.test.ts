/** Prices applied from snapshots, increments and polled books, compared with a plain map. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  foldUpdate as foldReceived,
  type PolledBook,
  type PriceUpdate,
  replaceBook as replaceAsked,
} from '../../../../src/betdex/gateway/prices/price-documents.ts';
import { serverFrameFromWire } from '../../../../src/betdex/wire/messages/stream-codec.ts';
import { decimalOfTick, NO_TICK, TICK_COUNT, tick } from '../../../../src/core/number/ladder.ts';
import { money, moneyToDecimal } from '../../../../src/core/number/units.ts';
import { AGAINST, FOR, type SideIndex, sideOf } from '../../../../src/core/side.ts';
import { ExchangeTime } from '../../../../src/exchange-live/markets/exchange-time.ts';
import { MarketPrices } from '../../../../src/exchange-live/markets/market-prices.ts';
import { priceUpdate } from '../../../support/stream/stream-samples.ts';

const OUTCOMES = ['901', '17', '5'];

type Level = Parameters<typeof priceUpdate>[2][number];

function updateOf(kind: string, levels: readonly Level[]): PriceUpdate {
  const frame = serverFrameFromWire(JSON.stringify(priceUpdate('1', kind, levels)));
  const updates = frame.kind === 'read' ? frame.value[0] : undefined;
  if (updates?.kind !== 'message' || updates.message.type !== 'MarketPriceUpdate') throw new Error('a bad sample');
  return updates.message;
}

function level(outcomeId: string, side: string, price: number, liquidity: number): Level {
  return { outcomeId, side, price, liquidity };
}

let now = Date.UTC(2026, 2, 24, 12, 0, 10);

/** Received after all before. */
function foldUpdate(prices: MarketPrices, update: PriceUpdate) {
  now += 1;
  return foldReceived(prices, update, { receivedAt: now, time: new ExchangeTime(undefined) }).faults;
}

/** Asked for after all before. */
function replaceBook(prices: MarketPrices, book: PolledBook) {
  now += 1;
  return replaceAsked(prices, book, { since: now, earliest: Number.NEGATIVE_INFINITY }).faults;
}

/** All levels of a side, from best to worst. */
function walk(prices: MarketPrices, outcome: number, side: SideIndex): readonly (readonly [number, number])[] {
  const levels: (readonly [number, number])[] = [];
  for (let at = prices.bestTick(outcome, side); at !== NO_TICK; at = prices.nextTick(outcome, side, at))
    levels.push([at, prices.amountAt(outcome, side, at)]);
  return levels;
}

interface PlainLevel {
  readonly outcome: number;
  readonly side: SideIndex;
  readonly at: number;
  readonly amount: number;
}

function sorted(
  levels: Iterable<PlainLevel>,
  outcome: number,
  side: SideIndex,
): readonly (readonly [number, number])[] {
  const mine = [...levels].filter((each) => each.outcome === outcome && each.side === side && each.amount > 0);
  return mine.sort((a, b) => (side === AGAINST ? b.at - a.at : a.at - b.at)).map(({ at, amount }) => [at, amount]);
}

describe('a market’s prices', () => {
  const plainLevel = fc.record({
    outcome: fc.nat({ max: 2 }),
    side: fc.constantFrom<SideIndex>(FOR, AGAINST),
    at: fc.oneof(fc.nat({ max: TICK_COUNT - 1 }), fc.integer({ min: 100, max: 106 })),
    amount: fc.oneof(fc.constant(0), fc.integer({ min: 1_000, max: 10 ** 12 })),
  });
  const move = fc.record({
    kind: fc.constantFrom('Incremental', 'Incremental', 'Incremental', 'Snapshot', 'Polled'),
    levels: fc.array(plainLevel, { maxLength: 12 }),
  });

  test('are those of a plain map, after any snapshots, increments and polled books', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
        const prices = new MarketPrices(OUTCOMES);
        replaceBook(prices, { marketId: '1', liquidity: 0, traded: 0, prices: [] });
        const plain = new Map<string, PlainLevel>();
        for (const { kind, levels } of moves) {
          // A snapshot without a level does not say when it was made, and is not believed.
          if (kind === 'Polled' || (kind === 'Snapshot' && levels.length > 0)) plain.clear();
          for (const each of levels) plain.set(`${each.outcome} ${each.side} ${each.at}`, each);
          const rows = levels.map(({ outcome, side, at, amount }) =>
            level(OUTCOMES[outcome] ?? '', sideOf(side), decimalOfTick(tick(at)), moneyToDecimal(money(amount))),
          );
          const polled = rows.map(({ liquidity, ...row }) => ({ ...row, amount: liquidity, matched: 1 }));
          const faults =
            kind === 'Polled'
              ? replaceBook(prices, { marketId: '1', liquidity: 0, traded: 0, prices: polled })
              : foldUpdate(prices, updateOf(kind, rows));
          expect(faults).toEqual([]);
          for (const side of [FOR, AGAINST])
            for (let outcome = 0; outcome < 3; outcome += 1)
              expect(walk(prices, outcome, side)).toEqual(sorted(plain.values(), outcome, side));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('find the next worse level from any tick, held or not', () => {
    const prices = new MarketPrices(OUTCOMES);
    foldUpdate(
      prices,
      updateOf('Snapshot', [level('17', 'For', 2, 1), level('17', 'For', 3, 1), level('17', 'Against', 1.5, 1)]),
    );
    expect(prices.nextTick(1, FOR, 0)).toBe(prices.bestTick(1, FOR));
    expect(prices.nextTick(1, FOR, 120)).toBe(149);
    expect(prices.nextTick(1, FOR, 149)).toBe(NO_TICK);
    expect(prices.nextTick(1, AGAINST, TICK_COUNT - 1)).toBe(49);
    expect(prices.nextTick(1, AGAINST, 49)).toBe(NO_TICK);
    expect(prices.nextTick(0, FOR, 10)).toBe(NO_TICK);
  });

  test('leave out what makes no sense, report where it stood, and apply the rest', () => {
    const prices = new MarketPrices(OUTCOMES);
    const faults = foldUpdate(
      prices,
      updateOf('Snapshot', [
        level('901', 'For', 2, 5),
        level('77', 'For', 2, 5),
        level('901', 'Over', 2, 5),
        level('901', 'For', 2.005, 5),
        level('901', 'For', 0, 5),
        level('901', 'For', 3, -1),
        level('901', 'Against', 1.5, 1e300),
      ]),
    );
    expect(faults).toEqual([
      { code: 'UNKNOWN_OUTCOME', path: 'prices[1]' },
      { code: 'UNKNOWN_SIDE', path: 'prices[2]' },
      { code: 'OFF_LADDER', path: 'prices[3]' },
      { code: 'BAD_PRICE', path: 'prices[4]' },
      { code: 'BAD_AMOUNT', path: 'prices[5]' },
      { code: 'BAD_AMOUNT', path: 'prices[6]' },
    ]);
    expect(walk(prices, 0, FOR)).toEqual([[99, 5_000_000]]);
    expect(walk(prices, 0, AGAINST)).toEqual([]);
  });

  test('empty a level whose new amount cannot be read', () => {
    const prices = new MarketPrices(OUTCOMES);
    foldUpdate(prices, updateOf('Snapshot', [level('901', 'For', 2, 5)]));
    expect(foldUpdate(prices, updateOf('Incremental', [level('901', 'For', 2, -5)]))).toMatchObject([
      { code: 'BAD_AMOUNT' },
    ]);
    expect(walk(prices, 0, FOR)).toEqual([]);
  });

  test('are unknown until a snapshot or a polled book', () => {
    const prices = new MarketPrices(OUTCOMES);
    const increment = updateOf('Incremental', [level('901', 'For', 2, 5)]);
    expect(foldUpdate(prices, increment)).toEqual([]);
    expect(prices.isKnown).toBe(false);
    replaceBook(prices, { marketId: '1', liquidity: 0, traded: 0, prices: [] });
    expect(foldUpdate(prices, increment)).toEqual([]);
    expect(prices.isKnown).toBe(true);
    expect(foldUpdate(prices, updateOf('Sideways', []))).toEqual([{ code: 'UNKNOWN_UPDATE', path: '' }]);
  });

  test('know the newest moment of publication, and what a polled book says was matched', () => {
    const prices = new MarketPrices(OUTCOMES);
    expect(prices.validAt).toBeUndefined();
    const at = (second: string): Level => ({
      ...level('901', 'For', 2, 5),
      validAt: `2026-03-24T12:00:${second}.000Z`,
    });
    foldUpdate(prices, updateOf('Snapshot', [at('05'), at('09'), at('07')]));
    foldUpdate(prices, updateOf('Incremental', [at('08')]));
    expect(prices.validAt).toBe(Date.UTC(2026, 2, 24, 12, 0, 9));
    const row = { outcomeId: '17', price: 2, amount: 1, matched: 2.5 };
    replaceBook(prices, {
      marketId: '1',
      liquidity: 2,
      traded: 5,
      prices: [
        { ...row, side: 'For' },
        { ...row, side: 'Against', price: 1.5 },
      ],
    });
    expect([prices.traded(0), prices.traded(1)]).toEqual([0, 5_000_000]);
    foldUpdate(prices, updateOf('Snapshot', []));
    expect(prices.traded(1)).toBe(5_000_000);
  });
});
