/** How a run with real orders starts: recovery, the journal, the heartbeat. */

import { describe, expect, it } from 'vitest';
import { instant, type Money, ZERO } from '../../src/core/number/units.ts';
import { createFixedMarket } from '../../src/strategy/testing/fixed-market.ts';
import { RESTORED, restoredOrder, START, stage } from '../support/engine/bot-stage.ts';
import { lossInMarket } from '../support/risk/held-losses.ts';

describe('the start', () => {
  it('trades only after all feeds were read, ledger and exchange agree, and the heartbeat is active', () => {
    const { until, bot, askedAt, whys, of } = stage();
    until(5_000);
    expect(bot.status().phase).toBe('trading');
    const [books] = askedAt('books');
    const [heartbeat] = askedAt('heartbeat');
    const [place] = askedAt('place');
    expect(books).toBeLessThan(heartbeat ?? 0);
    expect(heartbeat).toBeLessThan(place ?? 0);
    expect(whys[0]).toBe('status');
    expect(of('phase').map(({ to }) => to)).toEqual(['arming', 'trading']);
  });

  it('waits while a feed has not been read', () => {
    const { until, bot, exchange, askedAt } = stage({ silent: 'wallets' });
    until(4_000);
    expect(bot.status()).toMatchObject({ phase: 'recovering', waitsFor: 'a first whole reading of all feeds' });
    expect(askedAt('place')).toEqual([]);
    exchange.silent.delete('wallets');
    until(8_000);
    expect(askedAt('place')).toHaveLength(1);
  });

  it('waits for the fate of an order that an earlier process left open, and counts its exposure meanwhile', () => {
    const { until, bot, exchange, of } = stage({
      restored: { ...RESTORED, orders: [restoredOrder(7, 'open')] },
      quotes: false,
    });
    until(4_000);
    expect(bot.status()).toMatchObject({ phase: 'recovering', waitsFor: 'the fate of order 7' });
    expect(bot.status().wallets[0]?.worstLoss).toBe(10);
    exchange.tell({ kind: 'absent', client: 7, at: instant(START + 4_000) });
    until(7_000);
    expect(bot.status()).toMatchObject({ phase: 'trading', orders: { live: 0 } });
    expect(of('rejected')).toEqual([{ kind: 'rejected', client: 7, code: 'PROVEN_ABSENT' }]);
  });

  it('hears of a restored order before its market is listed, and loses nothing of it', () => {
    const { bot, exchange, until } = stage({
      restored: {
        ...RESTORED,
        orders: [restoredOrder(7, 'open', 'm2')],
      },
    });
    const second = createFixedMarket({ id: 'm2', updatedAt: START, outcomes: [{ id: 'a' }, { id: 'b' }] });
    const stakes = {
      stakeMatched: 4e6 as Money,
      winningsMatched: 4e6 as Money,
      stakeUnmatched: 0 as Money,
      stakeVoided: 6e6 as Money,
    };
    exchange.tell({ kind: 'order', order: { client: 7, order: 55, status: 'Matched', ...stakes, at: instant(START) } });
    until(3_000);
    expect(bot.status().waitsFor).toBe('market m2, in which the run has orders');
    exchange.tell({ kind: 'market', market: { ...second, index: 1 }, cause: 'listed' });
    expect(lossInMarket(bot.ledger.exposure, 1)).toBe(4e6);
  });

  it('journals no report of a restored order that ended as it is known to have, and any other one', () => {
    const stakes = {
      stakeMatched: 10e6 as Money,
      winningsMatched: 10e6 as Money,
      stakeUnmatched: ZERO,
      stakeVoided: ZERO,
    };
    const report = { client: 7, order: 55, status: 'Won', ...stakes, at: START - 500 } as const;
    const kept = { ...restoredOrder(7, 'known'), report };
    const { until, exchange, of, whys } = stage({ restored: { ...RESTORED, orders: [kept] }, quotes: false });
    until(3_000);
    exchange.tell({ kind: 'order', order: { ...report, at: instant(report.at) } });
    expect([of('reported'), whys.filter((why) => why === 'order')]).toEqual([[], []]);
    exchange.tell({ kind: 'order', order: { ...report, status: 'Lost', at: instant(START + 3_000) } });
    expect(of('reported').map(({ status }) => status)).toEqual(['Lost']);
  });

  it('never gives a number twice', () => {
    const { until, of } = stage({ restored: RESTORED });
    until(5_000);
    expect(of('sent').map(({ client }) => client)).toEqual([8]);
  });

  it('stays halted where it was halted', () => {
    const { until, bot, askedAt, of } = stage({
      restored: { ...RESTORED, trading: 'halted', tradingCause: 'by hand' },
    });
    until(6_000);
    expect(bot.status()).toMatchObject({ phase: 'trading', trading: 'halted', tradingCause: 'by hand' });
    expect(askedAt('place')).toEqual([]);
    expect(of('refused').map(({ code }) => code)).toContain('HALTED');
    bot.resume('command');
    until(8_000);
    expect(askedAt('place')).toHaveLength(1);
  });
});

describe('the journal', () => {
  it('has each order durable before its bytes leave', () => {
    const { until, journal, exchange, of } = stage();
    const place = exchange.place.bind(exchange);
    let durable: string[] = [];
    exchange.place = (batch) => {
      durable = journal.records.slice(0, journal.committed).map(({ kind }) => kind);
      return place(batch);
    };
    until(5_000);
    expect(durable).toContain('sent');
    expect(durable).toContain('requested');
    expect(of('sent')).toHaveLength(1);
  });

  it('that cannot be written ends the run, and nothing is sent', () => {
    const { until, journal, exchange, outcome, askedAt } = stage();
    until(400);
    journal.isFull = true;
    until(5_000);
    expect(outcome()).toBe('failed: no space left on the device');
    expect(askedAt('place')).toEqual([]);
    expect(exchange.orders.size).toBe(0);
  });
});

describe('the heartbeat', () => {
  it('lapses when nothing is read any more; then: DELETE, compare, arm, trade', () => {
    const { until, exchange, bot, of, askedAt } = stage();
    until(5_000);
    exchange.silent.add('orders');
    until(20_000);
    expect(of('heartbeat').map(({ to }) => to)).toEqual(['active', 'late', 'lapsed']);
    expect(bot.status().phase).toBe('recovering');
    const placed = askedAt('place').length;
    exchange.silent.delete('orders');
    until(26_000);
    expect(of('heartbeat').map(({ to }) => to)).toEqual(['active', 'late', 'lapsed', 'cleared', 'active']);
    expect(of('phase').map(({ to }) => to)).toEqual(['arming', 'trading', 'recovering', 'arming', 'trading']);
    expect(exchange.orders.get(101)?.status).toBe('Cancelled');
    // The strategy quotes again.
    until(29_000);
    expect(askedAt('place').length).toBe(placed + 1);
  });

  it('that nobody answers is late, and no order leaves', () => {
    const { until, exchange, of } = stage();
    exchange.heartbeats = 'are lost';
    until(6_000);
    expect(of('sent')).toEqual([]);
    exchange.heartbeats = 'answer';
    until(9_000);
    expect(of('sent')).toHaveLength(1);
  });
});
