/** The life of markets and orders: cancelling, delays, in play, lock, heartbeats, forgetting. */

import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/core/number/units.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import { CURRENCY, Stage } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}) {
  const stage = new Stage();
  const [one, two] = [stage.wallet(10_000), stage.wallet(10_000)];
  return { stage, one, two, market: stage.market(terms) };
}

function statuses(events: readonly ExchangeEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'marketChanged' ? [event.status] : []));
}

describe('market moves', () => {
  it('pass through every status, each to be seen when stopped at', () => {
    const { stage, market } = ready();
    const seen = [
      ...statuses(stage.do({ kind: 'lock', market, step: 'begin' })),
      ...statuses(stage.do({ kind: 'lock', market, step: 'finish' })),
      ...statuses(stage.do({ kind: 'settle', market, winners: [0], step: 'begin' })),
      ...statuses(stage.do({ kind: 'settle', market, winners: [0], step: 'finish' })),
      ...statuses(stage.do({ kind: 'close', market })),
    ];
    expect(seen).toEqual(['Locking', 'Locked', 'Settling', 'Settled', 'Closed']);
    const other = stage.market();
    expect(statuses(stage.do({ kind: 'void', market: other }))).toEqual(['Voiding', 'Voided']);
    expect(stage.exchange.market(other)?.status).toBe('Voided');
  });

  it.each([
    ['open', { kind: 'open' }],
    ['settle', { kind: 'settle', winners: [0] }],
    ['resettle', { kind: 'resettle', winners: [0] }],
    ['close', { kind: 'close' }],
    ['forget', { kind: 'forget' }],
    ['finish a lock of', { kind: 'lock', step: 'finish' }],
  ] as const)('refuse to %s an open market', (_, command) => {
    const { stage, market } = ready();
    const events = stage.do({ market, ...command });
    expect(events).toEqual([{ at: stage.now, kind: 'refused', reason: 'INVALID_MOVE' }]);
  });

  it('lock cancels unmatched stake only where the market says so', () => {
    for (const [action, standing] of [
      ['None', 'Unmatched 5/0'],
      ['CancelUnmatchedLiquidity', 'Cancelled 0/5 MarketLock'],
    ] as const) {
      const { stage, one, market } = ready({ marketLockAction: action });
      const order = stage.order(market, [one, 'For', 0, 5, 2]);
      stage.do({ kind: 'lock', market });
      expect(stage.standing(order)).toBe(standing);
    }
  });
});

describe('going in play', () => {
  it('cancels what is not kept where the market says so', () => {
    const { stage, one, two, market } = ready({ eventStartAction: 'CancelUnmatchedLiquidity' });
    const kept = stage.order(market, [one, 'For', 0, 5, 2], { keepWhenInPlay: true });
    const lost = stage.order(market, [one, 'For', 0, 5, 2]);
    const partly = stage.order(market, [one, 'For', 1, 5, 2]);
    stage.order(market, [two, 'Against', 1, 2, 2]);
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    expect([kept, lost, partly].map((id) => stage.standing(id))).toEqual([
      'Unmatched 5/0',
      'Cancelled 0/5 MarketInPlay',
      'Matched 0/3',
    ]);
  });

  it('is refused where it does not apply', () => {
    const { stage, market } = ready({ turnsInPlay: false });
    expect(stage.do({ kind: 'setInPlay', market, inPlay: true })).toEqual([
      { at: stage.now, kind: 'refused', reason: 'INVALID_MOVE' },
    ]);
  });
});

describe('the in-play delay', () => {
  function inPlay() {
    const set = ready({ inPlayDelayMs: 5000 });
    set.stage.do({ kind: 'setInPlay', market: set.market, inPlay: true });
    return set;
  }

  it('holds orders Pending, then processes them first in, first out at their due time', () => {
    const { stage, one, two, market } = inPlay();
    const maker = stage.order(market, [one, 'Against', 0, 5, 2]);
    stage.now += 1000;
    stage.do({ kind: 'setInPlayDelay', market, delayMs: 0 });
    stage.do({ kind: 'setInPlayDelay', market, delayMs: 1 });
    const taker = stage.order(market, [two, 'For', 0, 5, 2]);
    expect(stage.standing(taker)).toBe('Pending 5/0');
    // The younger order has the shorter delay, and still does not overtake.
    expect(stage.exchange.order(taker)?.due).toBe(stage.exchange.order(maker)?.due);
    expect(stage.exchange.nextDue()).toBe(stage.exchange.order(maker)?.due);
    expect(stage.available(two)).toBe(9995);
    stage.now += 60_000;
    const events = stage.do({ kind: 'advance' });
    expect([maker, taker].map((id) => stage.standing(id))).toEqual(['Matched 0/0', 'Matched 0/0']);
    expect(new Set(events.map((event) => event.at))).toEqual(new Set([stage.exchange.order(maker)?.due]));
    expect(stage.exchange.nextDue()).toBeUndefined();
  });

  it('is for takers alone where the market says so: what would rest does at once, and is matched before they are', () => {
    const { stage, one, two, market } = inPlay();
    stage.do({ kind: 'setInPlayDelay', market, delayMs: 5000, delaysTakersOnly: true });
    const maker = stage.order(market, [one, 'Against', 0, 5, 2]);
    const taker = stage.order(market, [two, 'For', 0, 3, 2]);
    const killed = stage.order(market, [two, 'For', 0, 3, 3], { matchBehavior: 'CancelUnmatched' });
    expect([maker, taker, killed].map((id) => stage.standing(id))).toEqual([
      'Unmatched 5/0',
      'Pending 3/0',
      'Cancelled 0/3 CancelUnmatched',
    ]);
    // A change of the delay alone leaves who waits as it is.
    stage.do({ kind: 'setInPlayDelay', market, delayMs: 1000 });
    expect(stage.standing(stage.order(market, [two, 'For', 0, 3, 8]))).toBe('Unmatched 3/0');
    stage.now += 60_000;
    stage.do({ kind: 'advance' });
    expect([maker, taker].map((id) => stage.standing(id))).toEqual(['PartiallyMatched 2/0', 'Matched 0/0']);
    stage.do({ kind: 'setInPlayDelay', market, delayMs: 1000, delaysTakersOnly: false });
    expect(stage.standing(stage.order(market, [two, 'For', 0, 3, 8]))).toBe('Pending 3/0');
  });

  it('counts a match across outcomes as one', () => {
    const { stage, one, two, market } = (() => {
      const set = ready({ outcomes: 2, crossMatching: true, inPlayDelayMs: 5000, delaysTakersOnly: true });
      set.stage.do({ kind: 'setInPlay', market: set.market, inPlay: true });
      return set;
    })();
    stage.order(market, [one, 'For', 1, 5, 2]);
    const orders = [2, 2.5].map((price) => stage.order(market, [two, 'For', 0, 5, price]));
    expect(orders.map((id) => stage.standing(id))).toEqual(['Pending 5/0', 'Unmatched 5/0']);
  });

  it('lets a cancelled Pending order match first, then cancels the rest', () => {
    const { stage, one, two, market } = inPlay();
    stage.order(market, [one, 'Against', 0, 2, 2]);
    const order = stage.order(market, [two, 'For', 0, 5, 2]);
    expect(stage.do({ kind: 'cancel', app: 1, orders: [order] })).toEqual([]);
    expect(stage.exchange.order(order)?.matchBehavior).toBe('CancelUnmatched');
    stage.now += 5000;
    stage.do({ kind: 'advance' });
    expect(stage.standing(order)).toBe('Matched 0/3');
  });

  it.each([
    ['suspended', (stage: Stage, market: number) => stage.do({ kind: 'suspend', market, suspended: true })],
    ['locked', (stage: Stage, market: number) => stage.do({ kind: 'lock', market })],
    ['of an inactive event', (stage: Stage) => stage.do({ kind: 'setEventActive', event: 0, active: false })],
  ])('fails an order whose market is %s when it ends', (_, spoil) => {
    const { stage, one, market } = inPlay();
    const order = stage.order(market, [one, 'For', 0, 5, 2]);
    spoil(stage, market);
    stage.now += 5000;
    stage.do({ kind: 'advance' });
    expect(stage.standing(order)).toBe('Failed 0/5 CreationFailed');
    expect(stage.available(one)).toBe(10_000);
  });
});

describe('cancel', () => {
  it('selects by order, market, event and wallet, each once, in the order of ids, skipping what is not its own', () => {
    const { stage, one, two, market } = ready();
    const other = stage.market();
    stage.do({ kind: 'createApp' });
    const foreign = stage.wallet(100, 2);
    const theirs = stage.do({ kind: 'place', app: 2, requests: [stage.request(market, [foreign, 'For', 0, 1, 2])] });
    const ids = [
      stage.order(market, [one, 'For', 0, 1, 2]),
      stage.order(other, [one, 'For', 0, 1, 2]),
      stage.order(other, [two, 'For', 0, 1, 2]),
    ];
    const events = stage.do({
      kind: 'cancel',
      app: 1,
      orders: [ids[2] ?? -1, 999, 0],
      wallets: [one],
      markets: [market],
    });
    expect(theirs[0]?.kind).toBe('orderAccepted');
    expect(events.map((event) => (event.kind === 'orderChanged' ? event.order : event.kind))).toEqual(ids);
    expect(stage.standing(0)).toBe('Unmatched 1/0');
    expect(stage.do({ kind: 'cancel', app: 1, events: [0, 1, 7] })).toEqual([]);
  });

  it('works while suspended and after lockAt, but not once the market is locked', () => {
    const { stage, one, market } = ready();
    const [first, second] = [stage.order(market, [one, 'For', 0, 1, 2]), stage.order(market, [one, 'For', 0, 1, 2])];
    stage.do({ kind: 'suspend', market, suspended: true });
    stage.do({ kind: 'setLockAt', market, lockAt: stage.now as Instant });
    stage.do({ kind: 'cancel', app: 1, orders: [first] });
    expect(stage.standing(first)).toBe('Cancelled 0/1 UserRequest');
    stage.do({ kind: 'lock', market });
    expect(stage.do({ kind: 'cancel', app: 1, orders: [second] })).toEqual([]);
  });
});

describe('a heartbeat', () => {
  it('lapses at its deadline: blocks the app, cancels its orders, and only deleting it helps', () => {
    const { stage, one, market } = ready();
    const order = stage.order(market, [one, 'For', 0, 1, 2]);
    stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 10_000 });
    stage.now += 9_999;
    stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 10_000 });
    stage.now += 9_999;
    expect(stage.do({ kind: 'advance' })).toEqual([]);
    stage.now += 1;
    const events = stage.do({ kind: 'advance' });
    expect(events.map((event) => event.kind)).toEqual(['heartbeatChanged', 'orderChanged']);
    expect(stage.standing(order)).toBe('Cancelled 0/1 HeartbeatLapsed');
    expect(stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 10_000 })).toEqual([]);
    expect(stage.place(market, [one, 'For', 0, 1, 2])).toEqual([
      { at: stage.now, kind: 'refused', reason: 'HEARTBEAT_LAPSED' },
    ]);
    stage.do({ kind: 'deleteHeartbeat', app: 1 });
    expect(stage.refusal(market, [one, 'For', 0, 1, 2])).toBeUndefined();
    expect(stage.do({ kind: 'deleteHeartbeat', app: 1 })).toEqual([
      { at: stage.now, kind: 'refused', reason: 'NO_HEARTBEAT' },
    ]);
  });

  it('blocks nothing after a lapse where the rules say so, and the next beat arms it again', () => {
    const stage = new Stage({ rules: { lapseBlocks: false } });
    const one = stage.wallet(100);
    const market = stage.market();
    stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 10_000 });
    const order = stage.order(market, [one, 'For', 0, 1, 2]);
    stage.now += 10_000;
    stage.do({ kind: 'advance' });
    expect(stage.standing(order)).toBe('Cancelled 0/1 HeartbeatLapsed');
    expect(stage.exchange.heartbeat(1)?.active).toBe(false);
    const later = stage.order(market, [one, 'For', 0, 1, 2]);
    const [beat] = stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 10_000 });
    expect(beat).toMatchObject({ kind: 'heartbeatChanged', active: true, lastSeenAt: stage.now });
    stage.now += 10_000;
    stage.do({ kind: 'advance' });
    expect(stage.standing(later)).toBe('Cancelled 0/1 HeartbeatLapsed');
  });

  it.each([9_999, 300_001, 10_000.5])('is not armed for %d ms', (timeoutMs) => {
    const { stage } = ready();
    expect(stage.do({ kind: 'heartbeat', app: 1, timeoutMs })).toEqual([
      { at: stage.now, kind: 'refused', reason: 'INVALID_ARGUMENT' },
    ]);
  });
});

describe('forgetting', () => {
  it('uses the same slots for market after market, while ids count on', () => {
    const { stage, one, two, market: first } = ready();
    let market = first;
    let slots: readonly number[] = [];
    for (let round = 0; round < 5; round += 1) {
      stage.order(market, [one, 'For', 0, 5, 2], { reference: 'again' });
      stage.order(market, [two, 'Against', 0, 3, 2]);
      stage.settle(market, [1]);
      stage.do({ kind: 'forget', market });
      const { orders, trades, positions, accounts } = stage.exchange.inspect();
      const now = [orders.slots, trades.slots, positions.markets.length, accounts.wallets.size];
      if (round > 0) expect(now).toEqual(slots);
      slots = now;
      expect([orders.slotById.pages, stage.exchange.market(market)]).toEqual([0, undefined]);
      market = stage.market();
    }
    expect(stage.order(market, [one, 'For', 0, 5, 2])).toBe(10);
    expect(stage.exchange.account(one, CURRENCY)?.unmatchedExposure).toBe(5_000_000);
    const { wallets } = stage.exchange.inspect().accounts;
    const open = [...wallets.values()].reduce((sum, { accounts }) => sum + accounts.size, 0);
    stage.do({ kind: 'openAccount', wallet: one, currency: CURRENCY + 1 });
    expect(stage.exchange.accountSlot(one, CURRENCY + 1)).toBeLessThanOrEqual(open);
  });
});
