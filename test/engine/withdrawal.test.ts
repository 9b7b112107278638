/** Halting goes on until the exchange shows that every order has ended: whatever it answers, and whatever its market is. */

import { describe, expect, it } from 'vitest';
import { type Money, ZERO } from '../../src/core/number/units.ts';
import { RESTORED, SETTINGS, stage } from '../support/engine/bot-stage.ts';

const statuses = ({ exchange }: Pick<ReturnType<typeof stage>, 'exchange'>) =>
  [...exchange.orders.values()].map(({ status }) => status);

/** In a market of which nothing else is known any more. */
function loseMuch({ exchange, market }: ReturnType<typeof stage>): void {
  exchange.tell({ kind: 'settled', market, wallet: 0, profit: -6e6 as Money, commission: ZERO });
}

describe('a halt whose cancellations do nothing', () => {
  it('asks again with growing pauses, and is done when they do', () => {
    const { until, exchange, bot, of, askedAt } = stage();
    until(5_000);
    exchange.cancelling = 'does nothing';
    bot.halt('command', 'the operator is uneasy');
    until(25_000);
    expect(statuses({ exchange })).toEqual(['Unmatched']);
    const times = askedAt('cancel');
    const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(times.length).toBeLessThanOrEqual(8);
    expect(pauses.slice(2)).toEqual(pauses.slice(2).sort((a, b) => a - b));
    exchange.cancelling = 'answers';
    until(60_000);
    expect(statuses({ exchange })).toEqual(['Cancelled']);
    expect(of('withdrawal').at(-1)).toEqual({ kind: 'withdrawal', left: 0, orders: [] });
    expect(bot.status().ordersLeft).toEqual([]);
  });

  it('says which are left: in the status, and in the journal once a minute', () => {
    const { until, exchange, bot, of } = stage();
    until(5_000);
    exchange.cancelling = 'does nothing';
    bot.halt('command', 'the operator is uneasy');
    until(170_000);
    expect(bot.status()).toMatchObject({
      trading: 'halted',
      orders: { live: 1 },
      ordersLeft: [{ client: 1, order: 101, market: 'm1', marketStatus: 'Open' }],
    });
    expect(of('withdrawal')).toHaveLength(3);
    expect(of('withdrawal')[0]).toMatchObject({ left: 1, orders: [{ client: 1, order: 101, market: 'm1' }] });
    expect(bot.status().ordersLeft[0]?.asked).toBeGreaterThan(7);
  });

  it.each([
    ['a strategy that throws', (it: ReturnType<typeof stage>) => it.breakDown()],
    ['trading that is reduced', (it: ReturnType<typeof stage>) => it.bot.reduceOnly('command', 'uneasy')],
    ['a drawdown', loseMuch],
  ] as const)('%s is asked for as long', (_, provoke) => {
    const it = stage({ limits: { drawdown: { amount: 5e6 as Money, action: 'halted' } } });
    const { until, exchange } = it;
    until(5_000);
    exchange.cancelling = 'does nothing';
    provoke(it);
    until(15_000);
    expect(statuses(it)).toEqual(['Unmatched']);
    exchange.cancelling = 'answers';
    until(60_000);
    expect(statuses(it)[0]).toBe('Cancelled');
  });

  it('all that is live is cancelled by command, and what is placed after it stays', () => {
    const { until, exchange, bot, of, askedAt } = stage();
    until(5_000);
    exchange.cancelling = 'does nothing';
    bot.cancelAll('command', 'the operator is uneasy');
    until(15_000);
    expect(bot.status()).toMatchObject({ trading: 'running', ordersLeft: [{ client: 1 }] });
    exchange.cancelling = 'answers';
    until(60_000);
    expect(exchange.orders.get(101)?.status).toBe('Cancelled');
    expect(of('trading')).toEqual([
      { kind: 'trading', from: 'running', to: 'running', cause: 'the operator is uneasy', by: 'command' },
    ]);
    const before = askedAt('cancel').length;
    until(120_000);
    expect(askedAt('cancel')).toHaveLength(before);
  });

  it('resumed, it asks no more', () => {
    const { until, exchange, bot, askedAt } = stage();
    until(5_000);
    exchange.cancelling = 'does nothing';
    bot.halt('command', 'the operator is uneasy');
    until(9_000);
    bot.resume('command');
    const before = askedAt('cancel').length;
    until(90_000);
    expect(askedAt('cancel').length).toBe(before);
    expect(bot.status().ordersLeft).toEqual([]);
  });
});

describe('a halt while the market is not open', () => {
  it('asks at once when it opens again', () => {
    const { until, exchange, bot, market, askedAt } = stage();
    until(5_000);
    exchange.cancelling = 'does nothing';
    market.status = 'Locked';
    bot.halt('command', 'the operator is uneasy');
    until(200_000);
    expect(statuses({ exchange })).toEqual(['Unmatched']);
    expect(bot.status().ordersLeft).toMatchObject([{ client: 1, marketStatus: 'Locked' }]);
    expect(askedAt('cancel').length, 'paced').toBeLessThan(16);
    exchange.cancelling = 'answers';
    market.status = 'Open';
    until(202_000);
    expect(statuses({ exchange })).toEqual(['Cancelled']);
  });

  it('asks for an order of a halted strategy, too, that was taken for ended and comes back', () => {
    const { until, exchange, market, breakDown, of } = stage();
    until(5_000);
    const [order] = exchange.orders.values();
    if (order === undefined) throw new Error('it quotes');
    market.status = 'Locked';
    exchange.report(order.order, { status: 'Cancelled', stakeUnmatched: ZERO, stakeVoided: order.stake });
    breakDown();
    until(15_000);
    expect(of('strategyHalted')).toHaveLength(1);
    exchange.cancelling = 'does nothing';
    // It had not ended: the exchange's own books have it all the while.
    exchange.orders.set(order.order, { ...order, strategy: 0 });
    until(60_000);
    expect(of('adopted')).toMatchObject([{ client: order.client, strategy: 'quoter' }]);
    expect(statuses({ exchange })).toEqual(['Unmatched']);
    exchange.cancelling = 'answers';
    market.status = 'Open';
    until(62_000);
    expect(statuses({ exchange })).toEqual(['Cancelled']);
  });

  it('goes on after a restart', () => {
    const first = stage();
    first.until(5_000);
    const [order] = first.exchange.orders.values();
    const terms = first.of('sent')[0];
    const report = first.of('reported')[0];
    if (order === undefined || terms === undefined || report === undefined) throw new Error('it quotes');
    const { kind: _sent, ...sent } = terms;
    const { kind: _reported, ...known } = report;
    const restored = { terms: sent, sentAt: order.at, report: known, fate: 'known' } as const;
    const next = stage({
      quotes: false,
      restored: { ...RESTORED, trading: 'halted', tradingCause: 'uneasy', orders: [restored] },
    });
    next.exchange.orders.set(order.order, order);
    next.exchange.cancelling = 'does nothing';
    next.until(20_000);
    expect(next.bot.status()).toMatchObject({ orders: { live: 1 }, ordersLeft: [{ client: 1 }] });
    next.exchange.cancelling = 'answers';
    next.until(60_000);
    expect(statuses(next)).toEqual(['Cancelled']);
  });
});

describe('an end while the market is not open', () => {
  it('waits until its deadline, asks when it opens, and leaves the heartbeat to watch what is left', () => {
    const { until, exchange, bot, market, of, outcome } = stage();
    until(5_000);
    exchange.cancelling = 'does nothing';
    market.status = 'Locked';
    bot.stop('signal', 'SIGTERM');
    until(9_500);
    expect(outcome()).toBe('running');
    until(5_000 + SETTINGS.end.deadlineMs + 1_000);
    expect(outcome()).toBe('completed');
    expect(of('ended')).toMatchObject([{ liveOrders: 1 }]);
    expect(exchange.heartbeatUntil, 'nobody took it away').toBeDefined();
    expect(bot.status().ordersLeft).toMatchObject([{ client: 1, marketStatus: 'Locked' }]);
  });

  it('is over as soon as the market opens and they end', () => {
    const { until, exchange, bot, market, outcome } = stage();
    until(5_000);
    exchange.cancelling = 'does nothing';
    market.status = 'Locked';
    bot.stop('signal', 'SIGTERM');
    until(6_500);
    exchange.cancelling = 'answers';
    market.status = 'Open';
    until(9_500);
    expect(outcome()).toBe('completed');
    expect(statuses({ exchange })).toEqual(['Cancelled']);
    expect(exchange.heartbeatUntil).toBeUndefined();
  });
});
