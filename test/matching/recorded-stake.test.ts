/**
 * Replays: fills by recorded stake are booked to the System wallet, and the exchange keeps the Liquidity up to date.
 */

import { expect, it } from 'vitest';
import type { Instant, Money } from '../../src/core/number/units.ts';
import type { SideIndex } from '../../src/core/side.ts';
import { type FillSink, type Liquidity, RECORDED } from '../../src/matching/book/liquidity.ts';
import { OrderBook, QueueColumns } from '../../src/matching/book/order-book.ts';
import { UNLIMITED_OVERDRAFT } from '../../src/matching/records/accounts.ts';
import { CURRENCY, Stage, units } from './stage.ts';

/** One level of recorded stake in front of an order book. */
class RecordedFirst implements Liquidity {
  readonly book = new OrderBook(new QueueColumns(), 3);
  readonly reduced: string[] = [];
  recorded = units(10);
  readonly level = { outcome: 0, side: 1, tick: 99 };

  #isRecorded(outcome: number, side: SideIndex, tick: number): boolean {
    return this.recorded > 0 && outcome === this.level.outcome && side === this.level.side && tick === this.level.tick;
  }

  bestTick(outcome: number, side: SideIndex): number {
    const best = this.book.bestTick(outcome, side);
    return this.#isRecorded(outcome, side, this.level.tick) ? Math.max(best, this.level.tick) : best;
  }

  nextTick(outcome: number, side: SideIndex, tick: number): number {
    return this.book.nextTick(outcome, side, tick);
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return (this.book.amountAt(outcome, side, tick) +
      (this.#isRecorded(outcome, side, tick) ? this.recorded : 0)) as Money;
  }

  consume(at: { outcome: number; side: SideIndex; tick: number }, stake: Money, sink: FillSink): Money {
    const recorded = this.#isRecorded(at.outcome, at.side, at.tick)
      ? (Math.min(stake, this.recorded) as Money)
      : units(0);
    if (recorded > 0) sink.filled(RECORDED, recorded);
    this.recorded = (this.recorded - recorded) as Money;
    const rest = (stake - recorded) as Money;
    return (recorded + (rest > 0 ? this.book.consume(at, rest, sink) : 0)) as Money;
  }

  rest(order: Parameters<Liquidity['rest']>[0]): void {
    this.book.rest(order);
  }

  reduce(slot: number, stake: Money): void {
    this.reduced.push(`${slot} ${stake}`);
    this.book.reduce(slot, stake);
  }

  withdraw(slot: number): void {
    this.book.withdraw(slot);
  }
}

function ready() {
  const recorded = new RecordedFirst();
  const stage = new Stage({ liquidityFor: () => recorded });
  return { stage, recorded, wallet: stage.wallet(100), market: stage.market() };
}

it('books a taker’s fill to the System wallet, and conserves money at settlement', () => {
  const { stage, wallet, market } = ready();
  const order = stage.order(market, [wallet, 'For', 0, 15, 2]);
  expect(stage.standing(order)).toBe('PartiallyMatched 5/0');
  expect(stage.exposures(0, market)).toEqual([-10, 10, 10]);
  stage.settle(market, [0]);
  expect(stage.balance(wallet)).toBe(110);
  expect(stage.balance(0)).toBe(-110);
});

it('matches a resting order at its own limit, in parts, and takes the stake off with reduce', () => {
  const { stage, recorded, wallet, market } = ready();
  const order = stage.order(market, [wallet, 'For', 1, 15, 3]);
  const slot = stage.exchange.inspect().orders.slotById.get(order);
  expect(stage.exchange.orderOfSlot(slot)).toBe(order);
  const before = stage.exchange.events.length;
  stage.exchange.matchWithRecorded({ at: stage.now as Instant, order, stake: units(6) });
  const kinds = stage.since(before).map((event) => event.kind);
  expect(kinds.slice(0, 2)).toEqual(['orderMatched', 'orderChanged']);
  expect(kinds.filter((kind) => kind === 'transaction')).toHaveLength(4);
  expect(stage.levels(market, 1)).toEqual(['For 3 9']);
  stage.exchange.matchWithRecorded({ at: stage.now as Instant, order, stake: units(9) });
  expect(stage.since(0)).not.toEqual([]);
  expect(recorded.reduced).toEqual([`${slot} 6000000`, `${slot} 9000000`]);
  expect([stage.standing(order), stage.levels(market, 1)]).toEqual(['Matched 0/0', []]);
  expect(() => stage.exchange.matchWithRecorded({ at: stage.now as Instant, order, stake: units(1) })).toThrow(
    'resting',
  );
});

it('reprices the recorded side with ours when an outcome is removed', () => {
  const { stage, wallet, market } = ready();
  stage.order(market, [wallet, 'For', 0, 10, 2]);
  stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 100_000, basis: 'win' });
  expect(stage.exposures(wallet, market)).toEqual([8, -10, -10]);
  expect(stage.exposures(0, market)).toEqual([-8, 10, 10]);
});

it('accepts everything from an unlimited wallet', () => {
  const { stage, market } = ready();
  const wallet = stage.wallet(0);
  stage.do({ kind: 'setOverdraft', wallet, currency: CURRENCY, overdraft: UNLIMITED_OVERDRAFT });
  for (let i = 0; i < 20; i += 1) stage.order(market, [wallet, 'Against', 1, 100_000, 1000]);
  expect(stage.exchange.account(wallet, CURRENCY)?.unmatchedExposure).toBe(20 * 100_000 * 999 * 1e6);
});
