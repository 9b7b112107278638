/** The age of a market's prices is counted from when a whole book was asked for; and what is streamed replaces nothing newer. */

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { StreamEvent, StreamUpdate } from '../../../../src/betdex/stream/stream-event.ts';
import { defined } from '../../../../src/core/checks/assert.ts';
import { decimalOfTick, NO_TICK, type Tick } from '../../../../src/core/number/ladder.ts';
import { instant, moneyToDecimal } from '../../../../src/core/number/units.ts';
import { AGAINST } from '../../../../src/core/side.ts';
import type { LiveMarket } from '../../../../src/exchange-live/markets/live-market.ts';
import { LATENCY_MS, priceRow, pricesAnswer } from '../../../support/conformance/scripted-exchange.ts';
import { START, scriptedGateway } from '../../../support/conformance/scripted-gateway.ts';

const POLLED = { kind: 'poll', everyMs: 1_000 } as const;
const SELDOM = { kind: 'stream', rereadMs: 3_600_000 } as const;

function freshAtOf(run: ReturnType<typeof scriptedGateway>): number {
  const market = run.received('market').at(-1)?.said.market;
  return (market?.freshAt ?? Number.NaN) - START;
}

it('a book that is read is as old as the reading, however long its answer took', () => {
  const run = scriptedGateway({ feeds: { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED } });
  run.until(5_500);
  const asked = run.exchange.times('listPrices', START).filter((ms) => ms + LATENCY_MS <= 5_500);
  expect(freshAtOf(run)).toBe(asked.at(-1));
});

/** A streamed gateway whose exchange shows a book of one level, and what the stream says to it. */
function streamed(skewMs?: number) {
  const events$ = new Subject<StreamEvent>();
  const feeds = { markets: SELDOM, prices: SELDOM, orders: SELDOM, wallets: SELDOM };
  const skew = skewMs === undefined ? {} : { skewMs: () => skewMs };
  const link = { events$, subscribe: () => {}, unsubscribe: () => {} };
  const run = scriptedGateway({ feeds }, link, 0, () => {}, undefined, skew);
  const say = (message: object, receivedMs = run.clock.now() - START): void => {
    const place = { eventId: '501', eventGroupId: '31', categoryId: 'S', subCategoryId: 'F', marketId: '8801' };
    const update = { ...place, ...message } as StreamUpdate;
    events$.next({ kind: 'message', receivedAt: instant(START + receivedMs), message: update });
  };
  const priced = (
    updateType: 'Snapshot' | 'Incremental',
    validMs: number,
    levels: readonly (readonly [price: number, liquidity: number])[],
    receivedMs?: number,
  ): void => {
    const validAt = new Date(START + validMs).toISOString();
    const prices = levels.map(([price, liquidity]) => ({
      ...{ side: 'Against', outcomeId: '1', price, liquidity, change: liquidity, validAt },
    }));
    say({ type: 'MarketPriceUpdate', updateType, prices }, receivedMs);
  };
  const book = (...levels: readonly (readonly [price: number, amount: number])[]) =>
    run.exchange.on('listPrices', () =>
      pricesAnswer(...levels.map(([price, amount]) => priceRow('Against', price, amount))),
    );
  const reread = (): void => events$.next({ kind: 'resync', connection: 0, reason: 'lost' });
  const shown = () => {
    const { prices } = defined(run.received('market')[0], 'the market is listed').said.market as LiveMarket;
    const levels: [number, number][] = [];
    for (let tick = prices.bestTick(0, AGAINST); tick !== NO_TICK; tick = prices.nextTick(0, AGAINST, tick))
      levels.push([decimalOfTick(tick as Tick), moneyToDecimal(prices.amountAt(0, AGAINST, tick))]);
    return levels;
  };
  return { ...run, events: events$, say, priced, book, reread, shown };
}

describe('what a stream says', () => {
  it('makes no prices fresher: a message before it may be lost', () => {
    const run = streamed();
    run.until(60_000);
    run.priced('Incremental', 59_900, [[3, 10]]);
    expect([run.shown(), freshAtOf(run)]).toEqual([[[3, 10]], 20]);
    run.priced('Snapshot', 99_000, [[2, 10]]);
    expect(freshAtOf(run)).toBe(20);
    run.reread();
    run.until(61_000);
    expect(freshAtOf(run)).toBe(60_050);
  });

  it('is laid over an answer that was asked for before, however often it comes', () => {
    const run = streamed();
    run.book([2, 5], [1.5, 7]);
    run.until(1_000);
    run.reread();
    // A message each 10 ms, faster than a round trip: each of them names the level of 3 alone.
    for (let ms = 1_005; ms < 1_200; ms += 10) {
      run.until(ms);
      run.priced('Incremental', ms - 1, [[3, ms]]);
    }
    expect(run.shown()).toEqual([
      [3, 1_195],
      [2, 5],
      [1.5, 7],
    ]);
    expect(freshAtOf(run)).toBe(1_050);
  });

  it('is not laid over a book that is newer', () => {
    const run = streamed();
    run.until(1_000);
    run.priced('Incremental', 990, [[2, 10]]);
    run.book([1.5, 7]);
    run.until(14_000);
    run.reread();
    run.until(15_000);
    run.priced('Incremental', 1_200, [[2, 10]]);
    run.priced('Snapshot', 1_300, [[2.5, 10]]);
    expect(run.shown()).toEqual([[1.5, 7]]);
    run.priced('Incremental', 14_990, [[1.6, 2]]);
    expect(run.shown()).toEqual([
      [1.6, 2],
      [1.5, 7],
    ]);
  });

  it('is late by the clocks of both, where no message came in time', () => {
    const run = streamed(3_600_000);
    run.book([1.5, 7]);
    run.until(20_000);
    run.reread();
    run.until(21_000);
    // Our clock is an hour ahead: the first was made 16 s before, the other just now.
    run.priced('Incremental', 5_000 - 3_600_000, [[2, 10]]);
    run.priced('Incremental', 20_900 - 3_600_000, [[1.6, 10]]);
    expect(run.shown()).toEqual([
      [1.6, 10],
      [1.5, 7],
    ]);
  });

  it('from the future proves nothing, and keeps out nothing that comes later', () => {
    const run = streamed(0);
    run.until(1_000);
    run.priced('Incremental', 99_000, [[2, 10]]);
    expect(run.shown()).toEqual([]);
    expect(run.notices).toMatchObject([{ kind: 'unreadable', details: expect.stringContaining('IN_THE_FUTURE') }]);
    run.priced('Incremental', 990, [[2, 5]]);
    expect(run.shown()).toEqual([[2, 5]]);
  });

  it('comes level by level in the order of the exchange, whatever the order of arrival', () => {
    const run = streamed();
    run.until(10_000);
    run.priced('Incremental', 9_000, [[2, 1]]);
    run.priced('Incremental', 9_200, [
      [2, 3],
      [3, 1],
    ]);
    run.priced('Incremental', 9_100, [
      [2, 2],
      [1.5, 4],
    ]);
    run.priced('Incremental', 9_200, [
      [2, 3],
      [3, 1],
    ]);
    expect(run.shown()).toEqual([
      [3, 1],
      [2, 3],
      [1.5, 4],
    ]);
    run.priced('Snapshot', 9_150, [
      [2, 9],
      [1.6, 5],
    ]);
    expect(run.shown(), 'a snapshot that was held back').toEqual([
      [3, 1],
      [2, 3],
      [1.6, 5],
    ]);
  });

  it('and was held back until after a book was asked for is older than the book', () => {
    const run = streamed();
    run.until(1_000);
    run.book([1.5, 7]);
    run.reread();
    run.until(1_100);
    run.priced('Incremental', 1_049, [[2, 10]], 1_049);
    expect(run.shown()).toEqual([[1.5, 7]]);
  });

  it('without a level does not say when it was, and has the book read', () => {
    const run = streamed();
    run.until(1_000);
    run.priced('Incremental', 990, [[2, 10]]);
    run.book([1.5, 7]);
    run.until(1_010);
    run.say({ type: 'MarketPriceUpdate', updateType: 'Snapshot', prices: [] });
    expect(run.shown()).toEqual([[2, 10]]);
    run.until(1_100);
    expect(run.shown()).toEqual([[1.5, 7]]);
  });

  it('and cannot be read has the book read, once a second at most', () => {
    const run = streamed();
    run.until(1_000);
    for (let ms = 1_000; ms < 3_000; ms += 10) {
      run.until(ms);
      run.priced('Incremental', ms, [[2.005, 10]]);
    }
    run.until(10_000);
    expect(run.exchange.times('listPrices', START)).toEqual([20, 1_000, 2_000, 3_000]);
  });
});

describe('what a reading corrects', () => {
  const gaps = ({ notices }: ReturnType<typeof streamed>) => notices.filter(({ kind }) => kind === 'streamGap');

  /** A stream that spoke once; then a reading finds another book, and the next reading is asked for at 10 s. */
  function corrected(meanwhile: (run: ReturnType<typeof streamed>) => void = () => {}) {
    const run = streamed();
    run.book([2, 5]);
    run.until(1_000);
    run.priced('Snapshot', 990, [[2, 5]]);
    run.book([2, 4], [1.5, 7]);
    // A subscription is confirmed, after which books are read, although nothing was lost.
    const reread = (): void => run.events.next({ kind: 'confirmed', type: 'MarketPriceUpdate', id: '8801' });
    run.until(5_000);
    reread();
    run.until(5_200);
    meanwhile(run);
    run.until(10_000);
    reread();
    run.until(11_000);
    return gaps(run);
  }

  it('and the stream does not tell by the next reading is a gap of the stream', () => {
    expect(corrected()).toEqual([
      { kind: 'streamGap', market: '8801', from: START + 20, to: START + 5_050, levels: 2 },
    ]);
  });

  it('and the stream tells in part is a gap of the rest', () => {
    expect(corrected((run) => run.priced('Incremental', 5_190, [[2, 4]]))).toMatchObject([{ levels: 1 }]);
  });

  it('is none where the stream tells of it, later than the reading or too late for it', () => {
    const told = [
      [2, 4],
      [1.5, 7],
    ] as const;
    expect(corrected((run) => run.priced('Incremental', 5_190, told))).toEqual([]);
    expect(corrected((run) => run.priced('Incremental', 1_100, told))).toEqual([]);
    expect(corrected((run) => run.priced('Snapshot', 5_190, told))).toEqual([]);
  });

  it('is none where the stream says itself that it was down', () => {
    const down = { kind: 'down', connection: 0, code: 'CUT', details: '', retryMs: 10 } as const;
    expect(corrected((run) => run.events.next(down))).toEqual([]);
  });
});

it('a book with a level that cannot be read is as old as the one before', () => {
  const run = scriptedGateway({ feeds: { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED } });
  run.until(2_500);
  expect(freshAtOf(run)).toBe(2_000);
  run.exchange.on('listPrices', () => pricesAnswer(priceRow('Against', 2, 5), priceRow('Against', 2.005, 5)));
  run.until(5_500);
  expect(freshAtOf(run)).toBe(2_000);
});
