/** Sentences of the profile's section 6 on placing and cancelling, each checked by numbers worked out from the text. */

import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/core/number/units.ts';
import { CURRENCY, Stage, units } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}) {
  const stage = new Stage();
  const [one, two] = [stage.wallet(1000), stage.wallet(1000)];
  return { stage, one, two, market: stage.market(terms) };
}

function inPlay(delayMs = 5000) {
  const set = ready({ inPlayDelayMs: delayMs });
  set.stage.do({ kind: 'setInPlay', market: set.market, inPlay: true });
  return set;
}

function later(stage: Stage, ms: number) {
  stage.now += ms;
  return stage.do({ kind: 'advance' });
}

it('“check order: market exists, Open, not settled, not suspended, lockAt in the future, outcome, …; then wallet, funds”', () => {
  const { stage, one, market } = ready();
  stage.order(market, [one, 'For', 0, 1, 2], { reference: 'taken' });
  stage.do({ kind: 'suspend', market, suspended: true });
  stage.do({ kind: 'setLockAt', market, lockAt: stage.now as Instant });
  stage.do({ kind: 'unopen', market });
  const poor = stage.wallet(0);
  const wrong = { commissionRate: 9, reference: 'taken', fault: 'INTERRUPTED' } as const;
  const known = { reference: 'taken', fault: 'INTERRUPTED' } as const;
  // Everything is wrong at first; each step corrects the fault found last.
  const found = [stage.refusal(77, [99, 'For', 9, 9999, 2], wrong)];
  const next = (...order: Parameters<Stage['refusal']>) => found.push(stage.refusal(...order));
  next(market, [99, 'For', 9, 9999, 2], wrong);
  stage.do({ kind: 'open', market });
  next(market, [99, 'For', 9, 9999, 2], wrong);
  stage.do({ kind: 'suspend', market, suspended: false });
  next(market, [99, 'For', 9, 9999, 2], wrong);
  stage.do({ kind: 'setLockAt', market, lockAt: (stage.now + 1) as Instant });
  next(market, [99, 'For', 9, 9999, 2], wrong);
  next(market, [99, 'For', 0, 9999, 2], wrong);
  next(market, [99, 'For', 0, 9999, 2], known);
  next(market, [poor, 'For', 0, 9999, 2], known);
  next(market, [one, 'For', 0, 9999, 2], known);
  next(market, [one, 'For', 0, 1, 2], known);
  next(market, [one, 'For', 0, 1, 2], { fault: 'INTERRUPTED' });
  next(market, [one, 'For', 0, 1, 2]);
  expect(found).toEqual([
    'MARKET_NOT_FOUND',
    'INVALID_MARKET_STATUS',
    'SUSPENDED_MARKET',
    'INVALID_MARKET_STATUS',
    'MARKET_OUTCOME_NOT_FOUND',
    'COMMISSION_RATE_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'WALLET_ACCOUNT_NOT_FOUND',
    'WALLET_ACCOUNT_INSUFFICIENT_CREDIT',
    'ORDER_ALREADY_EXISTS',
    'INTERRUPTED',
    undefined,
  ]);
});

it.each([
  ['unpublished', (stage: Stage, market: number) => stage.do({ kind: 'publish', market, published: false })],
  ['of an inactive event', (stage: Stage) => stage.do({ kind: 'setEventActive', event: 0, active: false })],
])('“not tradable”: a market that is %s; what rests there may still be cancelled while it is Open', (_, spoil) => {
  const { stage, one, market } = ready();
  const order = stage.order(market, [one, 'For', 0, 1, 2]);
  spoil(stage, market);
  expect(stage.refusal(market, [one, 'For', 0, 1, 2])).toBe('INVALID_MARKET_STATUS');
  stage.do({ kind: 'cancel', app: 1, orders: [order] });
  expect(stage.standing(order)).toBe('Cancelled 0/1 UserRequest');
});

describe('ORDER_ALREADY_EXISTS: “same app and reference as an earlier accepted order”', () => {
  it('“a refused item does not use up its reference”, whatever refused it', () => {
    const { stage, one, market } = ready();
    const reference = { reference: 'r' };
    stage.do({ kind: 'suspend', market, suspended: true });
    expect(stage.refusal(market, [one, 'For', 0, 1, 2], reference)).toBe('SUSPENDED_MARKET');
    stage.do({ kind: 'suspend', market, suspended: false });
    expect(stage.refusal(market, [one, 'For', 0, 1, 2], { ...reference, fault: 'INTERRUPTED' })).toBe('INTERRUPTED');
    expect(stage.refusal(market, [one, 'For', 0, 1001, 2], reference)).toBe('WALLET_ACCOUNT_INSUFFICIENT_CREDIT');
    expect(stage.refusal(market, [one, 'For', 0, 1, 2], reference)).toBeUndefined();
  });

  it('an accepted order uses it up even if it failed or was cancelled; in the same batch too; not for other apps', () => {
    const { stage, one, market } = inPlay();
    stage.order(market, [one, 'For', 0, 1, 2], { reference: 'r' });
    stage.do({ kind: 'suspend', market, suspended: true });
    later(stage, 5000);
    expect(stage.standing(0)).toBe('Failed 0/1 CreationFailed');
    stage.do({ kind: 'suspend', market, suspended: false });
    expect(stage.refusal(market, [one, 'For', 0, 1, 2], { reference: 'r' })).toBe('ORDER_ALREADY_EXISTS');
    const twice = stage.request(market, [one, 'For', 0, 1, 2], { reference: 's' });
    const events = stage.do({ kind: 'place', app: 1, requests: [twice, twice] });
    expect(events).toMatchObject([{ kind: 'orderAccepted' }, { kind: 'orderRefused', code: 'ORDER_ALREADY_EXISTS' }]);
    stage.do({ kind: 'createApp' });
    const foreign = stage.request(market, [stage.wallet(10, 2), 'For', 0, 1, 2], { reference: 'r' });
    expect(stage.do({ kind: 'place', app: 2, requests: [foreign] })).toMatchObject([{ kind: 'orderAccepted' }]);
  });
});

describe('cancel: “voids the unmatched part; nothing matched → Cancelled, else Matched, stakeVoided set”', () => {
  it('and gives back what the unmatched part held', () => {
    const { stage, one, two, market } = ready();
    const order = stage.order(market, [one, 'Against', 0, 10, 4]);
    stage.order(market, [two, 'For', 0, 3, 4]);
    expect(stage.available(one)).toBe(970);
    stage.do({ kind: 'cancel', app: 1, orders: [order] });
    // The matched 3 @ 4 may cost 9; the other 21 are free again.
    expect([stage.standing(order), stage.available(one), stage.balance(one)]).toEqual(['Matched 0/7', 991, 991]);
  });

  it.each([
    ['Locking', [{ kind: 'lock', step: 'begin' }]],
    ['Locked', [{ kind: 'lock' }]],
    ['Initializing', [{ kind: 'unopen' }]],
  ] as const)('only “while the market is Open”: not while it is %s', (status, moves) => {
    const { stage, one, market } = ready();
    const order = stage.order(market, [one, 'For', 0, 1, 2]);
    for (const move of moves) stage.do({ market, ...move });
    expect(stage.exchange.market(market)?.status).toBe(status);
    expect(stage.do({ kind: 'cancel', app: 1, orders: [order] })).toEqual([]);
    expect(stage.standing(order)).toBe('Unmatched 1/0');
  });
});

describe('a Pending order', () => {
  it('“counts in R at its limit from acceptance”', () => {
    const { stage, one, market } = inPlay();
    stage.order(market, [one, 'Against', 0, 10, 4]);
    expect([stage.taken(one, market), stage.available(one), stage.balance(one)]).toEqual([30, 970, 1000]);
  });

  it('“cancelled by cancel-v2 gets CancelUnmatched”, is updated by that, and ends Cancelled where nothing matches', () => {
    const { stage, one, market } = inPlay();
    const order = stage.order(market, [one, 'For', 0, 10, 4]);
    stage.now += 1000;
    stage.do({ kind: 'cancel', app: 1, wallets: [one] });
    expect(stage.standing(order)).toBe('Pending 10/0');
    expect(stage.exchange.order(order)).toMatchObject({ matchBehavior: 'CancelUnmatched', modifiedAt: stage.now });
    expect(stage.available(one)).toBe(990);
    later(stage, 4000);
    expect(stage.standing(order)).toBe('Cancelled 0/10 CancelUnmatched');
    expect(stage.available(one)).toBe(1000);
  });

  it('“a heartbeat lapse treats Pending orders as cancel-v2 does”: it may still match', () => {
    const { stage, one, two, market } = inPlay(8000);
    stage.order(market, [one, 'Against', 0, 4, 2]);
    later(stage, 8000);
    stage.do({ kind: 'createApp' });
    const theirs = stage.wallet(100, 2);
    stage.do({ kind: 'heartbeat', app: 2, timeoutMs: 10_000 });
    stage.now += 5000;
    const request = stage.request(market, [theirs, 'For', 0, 10, 2]);
    const [accepted] = stage.do({ kind: 'place', app: 2, requests: [request] });
    const order = accepted?.kind === 'orderAccepted' ? accepted.order : -1;
    later(stage, 5000);
    expect(stage.exchange.heartbeat(2)?.active).toBe(false);
    expect(stage.standing(order)).toBe('Pending 10/0');
    later(stage, 3000);
    expect(stage.standing(order)).toBe('Matched 0/6');
    // Orders of another app do not depend on this heartbeat.
    expect(stage.refusal(market, [two, 'For', 1, 1, 2])).toBeUndefined();
  });

  it('“delayed requests are a strict FIFO per market”: hundreds match in the order in which they came', () => {
    const { stage, one, two, market } = inPlay(1000);
    const makers: number[] = [];
    const [event] = stage.do({ kind: 'createEvent', app: 1 });
    expect(event?.kind).toBe('eventCreated');
    for (let i = 0; i < 120; i += 1) {
      // A shorter delay than the one before never overtakes.
      stage.do({ kind: 'setInPlayDelay', market, delayMs: 1000 - i });
      makers.push(stage.order(market, [i % 2 === 0 ? one : two, 'Against', 0, 1, 2]));
    }
    const taker = stage.order(market, [two, 'For', 0, 100, 2]);
    const events = later(stage, 1000).flatMap((each) => (each.kind === 'orderMatched' ? [each.order] : []));
    expect(events.filter((order) => order !== taker)).toEqual(makers.slice(0, 100));
    expect(makers.slice(100).every((order) => stage.standing(order) === 'Unmatched 1/0')).toBe(true);
  });

  it.each([
    ['suspended', (stage: Stage, market: number) => stage.do({ kind: 'suspend', market, suspended: true })],
    ['locked', (stage: Stage, market: number) => stage.do({ kind: 'lock', market })],
    ['being locked', (stage: Stage, market: number) => stage.do({ kind: 'lock', market, step: 'begin' })],
    ['no longer Open', (stage: Stage, market: number) => stage.do({ kind: 'unopen', market })],
    ['not published', (stage: Stage, market: number) => stage.do({ kind: 'publish', market, published: false })],
    [
      'past its lockAt',
      (stage: Stage, market: number) => stage.do({ kind: 'setLockAt', market, lockAt: (stage.now + 5000) as Instant }),
    ],
  ])(
    '“whose delay ends while the market is …” %s “→ Failed with a reason”, even if it was cancelled before',
    (_, spoil) => {
      const { stage, one, market } = inPlay();
      const order = stage.order(market, [one, 'For', 0, 1, 2]);
      stage.do({ kind: 'cancel', app: 1, orders: [order] });
      spoil(stage, market);
      later(stage, 5000);
      expect(stage.standing(order)).toBe('Failed 0/1 CreationFailed');
      expect(stage.available(one)).toBe(1000);
    },
  );
});

describe('funds: “an order that does not raise R never fails on funds”', () => {
  it('even with balanceAvailable below zero; one that raises R is refused until there is more than its rise', () => {
    const { stage, one, two, market } = ready();
    stage.order(market, [one, 'For', 0, 100, 2]);
    stage.order(market, [two, 'Against', 0, 100, 2]);
    stage.do({ kind: 'adjust', wallet: one, currency: CURRENCY, amount: units(-950) });
    expect(stage.available(one)).toBe(-50);
    expect(stage.refusal(market, [one, 'For', 0, 0.001, 2])).toBe('WALLET_INSUFFICIENT_CREDIT');
    // S = [100, −100, −100]: if 0 wins, 60 unmatched Against it cost 60, less than the 100 held for the others.
    expect(stage.refusal(market, [one, 'Against', 0, 60, 2])).toBeUndefined();
    expect([stage.taken(one, market), stage.available(one)]).toEqual([100, -50]);
    stage.do({ kind: 'deposit', wallet: one, currency: CURRENCY, amount: units(50) });
    expect(stage.refusal(market, [one, 'For', 1, 0.001, 2])).toBe('WALLET_INSUFFICIENT_CREDIT');
    stage.do({ kind: 'deposit', wallet: one, currency: CURRENCY, amount: units(5) });
    expect(stage.refusal(market, [one, 'For', 1, 5.001, 2])).toBe('WALLET_ACCOUNT_INSUFFICIENT_CREDIT');
    expect(stage.refusal(market, [one, 'For', 1, 5, 2])).toBeUndefined();
  });

  it('WALLET_INSUFFICIENT_CREDIT where “no currency of the wallet has balanceAvailable > 0”, an overdraft included', () => {
    const { stage, market } = ready();
    const wallet = stage.wallet(0);
    stage.do({ kind: 'openAccount', wallet, currency: CURRENCY });
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('WALLET_INSUFFICIENT_CREDIT');
    stage.do({ kind: 'setOverdraft', wallet, currency: CURRENCY + 1, overdraft: units(1) });
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('WALLET_ACCOUNT_INSUFFICIENT_CREDIT');
  });
});

it('“a missed deadline: new orders are blocked AND its unmatched orders are cancelled”; a POST after it changes nothing', () => {
  const { stage, one, two, market } = ready();
  stage.do({ kind: 'suspend', market: stage.market(), suspended: true });
  const suspended = market + 1;
  const partly = stage.order(market, [one, 'For', 0, 5, 2]);
  stage.order(market, [two, 'Against', 0, 2, 2]);
  stage.do({ kind: 'suspend', market: suspended, suspended: false });
  const waiting = stage.order(suspended, [one, 'For', 0, 5, 2]);
  stage.do({ kind: 'suspend', market: suspended, suspended: true });
  stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 10_000 });
  later(stage, 10_000);
  expect([partly, waiting].map((order) => stage.standing(order))).toEqual([
    'Matched 0/3',
    'Cancelled 0/5 HeartbeatLapsed',
  ]);
  const lapsed = stage.exchange.heartbeat(1);
  expect(stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 20_000 })).toEqual([]);
  expect(stage.exchange.heartbeat(1)).toEqual(lapsed);
  expect(stage.do({ kind: 'deleteHeartbeat', app: 1 })).toMatchObject([{ kind: 'heartbeatDeleted', wasActive: false }]);
});

it('delays that end at one instant end by market, then by arrival; a heartbeat’s lapse at that instant comes after', () => {
  const { stage, one, market } = inPlay(10_000);
  const other = stage.market({ inPlayDelayMs: 10_000 });
  stage.do({ kind: 'setInPlay', market: other, inPlay: true });
  stage.do({ kind: 'heartbeat', app: 1, timeoutMs: 10_000 });
  expect(stage.exchange.nextDue()).toBe(stage.now + 10_000);
  const orders = [other, market, other, market].map((each) => stage.order(each, [one, 'For', 0, 1, 2]));
  expect(stage.exchange.nextDue()).toBe(stage.now + 10_000);
  const events = later(stage, 10_000).map((event) => (event.kind === 'orderChanged' ? event.order : event.kind));
  const [first, second, third, fourth] = orders;
  // The batch is processed one by one; then the lapse cancels all of its orders, in the order of their ids.
  expect(events).toEqual([second, fourth, first, third, 'heartbeatChanged', first, second, third, fourth]);
  expect(stage.exchange.nextDue()).toBeUndefined();
});

it('heartbeats missed at one instant lapse by app id, each followed by what it cancels', () => {
  const { stage, one, market } = ready();
  stage.do({ kind: 'createApp' });
  const theirs = stage.wallet(100, 2);
  stage.do({ kind: 'place', app: 2, requests: [stage.request(market, [theirs, 'For', 0, 1, 2])] });
  stage.order(market, [one, 'For', 0, 1, 2]);
  for (const app of [2, 1]) stage.do({ kind: 'heartbeat', app, timeoutMs: 10_000 });
  const events = later(stage, 20_000).map((event) =>
    event.kind === 'heartbeatChanged' ? `app ${event.app}` : event.kind === 'orderChanged' ? event.order : event.kind,
  );
  expect(events).toEqual(['app 1', 1, 'app 2', 0]);
});
