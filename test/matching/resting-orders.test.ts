/** Reduced orders, orders that are kept in play, replaced ones, and fills that must reach a least stake. */

import { describe, expect, it } from 'vitest';
import { type Tick, tickOfDecimal } from '../../src/core/number/ladder.ts';
import { Stage, units } from './stage.ts';

function ready(crossMatching = false) {
  const stage = new Stage();
  const [maker, taker] = [stage.wallet(10_000), stage.wallet(10_000)];
  const market = stage.market({ crossMatching, eventStartAction: 'CancelUnmatchedLiquidity' });
  return { stage, maker, taker, market };
}

function tick(price: number): Tick {
  const found = tickOfDecimal(price);
  if (found === undefined) throw new Error(`no ladder price: ${price}`);
  return found;
}

function reduce(stage: Stage, order: number, stake: number, app = stage.app) {
  return stage.do({ kind: 'reduce', app, order, stake: units(stake) });
}

describe('reduce', () => {
  it('leaves the rest its place in the queue, and frees what the part could lose', () => {
    const { stage, maker, taker, market } = ready();
    const first = stage.order(market, [maker, 'Against', 0, 10, 3]);
    const second = stage.order(market, [maker, 'Against', 0, 10, 3]);
    expect(stage.available(maker)).toBe(10_000 - 40);
    expect(reduce(stage, first, 6)).toMatchObject([
      { kind: 'orderChanged', order: first, status: 'Unmatched', stakeUnmatched: units(4), stakeVoided: units(6) },
    ]);
    expect(stage.available(maker)).toBe(10_000 - 28);
    expect(stage.levels(market, 0)).toEqual(['Against 3 14']);
    stage.order(market, [taker, 'For', 0, 5, 3]);
    expect([first, second].map((id) => stage.standing(id))).toEqual(['Matched 0/6', 'PartiallyMatched 9/0']);
  });

  it('takes no more than rests: an order that never matched is then cancelled, another one matched', () => {
    const { stage, maker, taker, market } = ready();
    const untouched = stage.order(market, [maker, 'For', 1, 10, 3]);
    const touched = stage.order(market, [maker, 'For', 0, 10, 3]);
    stage.order(market, [taker, 'Against', 0, 4, 3]);
    reduce(stage, touched, 2);
    expect(stage.standing(touched)).toBe('PartiallyMatched 4/2');
    reduce(stage, touched, 100);
    reduce(stage, untouched, 10);
    expect(stage.standing(touched)).toBe('Matched 0/6');
    expect(stage.standing(untouched)).toBe('Cancelled 0/10 UserRequest');
    expect(stage.levels(market, 0)).toEqual([]);
  });

  it('is refused for a stranger’s order, for one that does not rest, and for a stake that is none', () => {
    const { stage, maker, market } = ready();
    stage.do({ kind: 'createApp' });
    const order = stage.order(market, [maker, 'For', 0, 10, 3]);
    const refusals = [
      reduce(stage, order, 5, 2),
      reduce(stage, 999, 5),
      reduce(stage, order, 0),
      reduce(stage, order, -1),
      stage.do({ kind: 'reduce', app: stage.app, order, stake: 1_500 as never }),
    ];
    stage.do({ kind: 'cancel', app: stage.app, orders: [order] });
    refusals.push(reduce(stage, order, 5));
    expect(refusals.map(([event]) => event?.kind === 'refused' && event.reason)).toEqual([
      'UNKNOWN_ID',
      'UNKNOWN_ID',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_MOVE',
    ]);
  });
});

describe('setKeep', () => {
  it.each([true, false])('decides whether the order stays when the market turns in play: %s', (keepWhenInPlay) => {
    const { stage, maker, market } = ready();
    const order = stage.order(market, [maker, 'For', 0, 10, 3], { keepWhenInPlay: !keepWhenInPlay });
    const set = { kind: 'setKeep', app: stage.app, order, keepWhenInPlay } as const;
    expect(stage.do(set).map(({ kind }) => kind)).toEqual(['orderChanged']);
    expect(stage.do(set)).toEqual([]);
    expect(stage.exchange.order(order)?.keepWhenInPlay).toBe(keepWhenInPlay);
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    expect(stage.standing(order)).toBe(keepWhenInPlay ? 'Unmatched 10/0' : 'Cancelled 0/10 MarketInPlay');
  });
});

describe('replace', () => {
  it('cancels all orders first, then places what was left of each at its new price', () => {
    const { stage, maker, taker, market } = ready();
    const one = stage.order(market, [maker, 'Against', 0, 10, 2], { keepWhenInPlay: true });
    const two = stage.order(market, [taker, 'For', 0, 6, 3]);
    stage.order(market, [taker, 'For', 0, 4, 2]);
    const replacements = [
      { order: one, tick: tick(3) },
      { order: two, tick: tick(2.5), reference: 'again' },
    ];
    const events = stage.do({ kind: 'replace', app: stage.app, replacements });
    expect(events.filter(({ kind }) => kind !== 'transaction')).toMatchObject([
      { kind: 'orderChanged', order: one, status: 'Matched', stakeVoided: units(6) },
      { kind: 'orderChanged', order: two, status: 'Cancelled', stakeVoided: units(6) },
      { kind: 'orderAccepted', item: 0, order: 3 },
      { kind: 'orderAccepted', item: 1, order: 4 },
      { kind: 'orderMatched', order: 3, price: 3000, stake: units(6) },
      { kind: 'orderChanged', order: 3, status: 'Matched' },
      { kind: 'orderMatched', order: 4, price: 3000, stake: units(6) },
      { kind: 'orderChanged', order: 4, status: 'Matched' },
    ]);
    expect(stage.exchange.order(3)).toMatchObject({ stake: units(6), keepWhenInPlay: true });
    expect(stage.exchange.orderByReference(stage.app, 'again')).toBe(4);
  });

  it('leaves an order cancelled whose successor is refused, and passes over one that does not rest', () => {
    const { stage, maker, market } = ready();
    const gone = stage.order(market, [maker, 'For', 1, 10, 3]);
    stage.do({ kind: 'cancel', app: stage.app, orders: [gone] });
    const dear = stage.order(market, [maker, 'Against', 0, 1_000, 2]);
    const replacements = [gone, dear].map((order) => ({ order, tick: tick(100) }));
    expect(stage.do({ kind: 'replace', app: stage.app, replacements })).toMatchObject([
      { kind: 'orderChanged', order: dear, status: 'Cancelled', reason: 'UserRequest' },
      { kind: 'orderRefused', item: 1, code: 'WALLET_ACCOUNT_INSUFFICIENT_CREDIT' },
    ]);
    expect(stage.available(maker)).toBe(10_000);
  });

  it('is refused as a whole, with nothing cancelled, at a price off the ladder or after a lapse', () => {
    const { stage, maker, market } = ready();
    const order = stage.order(market, [maker, 'For', 0, 10, 3], { keepWhenInPlay: true });
    const replace = (at: number) =>
      stage.do({ kind: 'replace', app: stage.app, replacements: [{ order, tick: at as Tick }] });
    expect(replace(350)).toMatchObject([{ kind: 'refused', reason: 'INVALID_ARGUMENT' }]);
    expect(stage.standing(order)).toBe('Unmatched 10/0');
    stage.do({ kind: 'heartbeat', app: stage.app, timeoutMs: 10_000 });
    stage.now += 10_000;
    stage.do({ kind: 'advance' });
    expect(replace(3)).toMatchObject([{ kind: 'refused', reason: 'HEARTBEAT_LAPSED' }]);
  });
});

describe('minFill', () => {
  const kill = { matchBehavior: 'CancelUnmatched' } as const;

  it.each([
    [12, 'Matched 0/8'],
    [12.001, 'Cancelled 0/20 CancelUnmatched'],
  ])('of %d: takes what it can where so much is there, and else nothing', (least, standing) => {
    const { stage, maker, taker, market } = ready();
    for (const [stake, price] of [
      [5, 3.2],
      [7, 3],
      [50, 2.9],
    ] as const) {
      stage.order(market, [maker, 'Against', 0, stake, price]);
    }
    const order = stage.order(market, [taker, 'For', 0, 20, 3], { ...kill, minFill: units(least) });
    expect(stage.standing(order)).toBe(standing);
  });

  it.each([
    [110, 'Matched 0/10'],
    [110.001, 'Cancelled 0/120 CancelUnmatched'],
  ])('of %d: counts what other outcomes give, with what rests on its own', (least, standing) => {
    const { stage, maker, taker, market } = ready(true);
    stage.order(market, [maker, 'For', 1, 125, 2.8]);
    stage.order(market, [maker, 'For', 2, 125, 2.8]);
    stage.order(market, [maker, 'Against', 0, 10, 3.4]);
    const order = stage.order(market, [taker, 'For', 0, 120, 3.4], { ...kill, minFill: units(least) });
    expect(stage.standing(order)).toBe(standing);
  });

  it('is looked at when the in-play delay ends, and an in-play order that falls short takes nothing', () => {
    const { stage, maker, taker, market } = ready();
    stage.do({ kind: 'setInPlayDelay', market, delayMs: 5_000 });
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    stage.order(market, [maker, 'Against', 0, 10, 3]);
    stage.now += 5_000;
    const short = stage.order(market, [taker, 'For', 0, 12, 3], { ...kill, minFill: units(11) });
    const whole = stage.order(market, [taker, 'For', 0, 12, 3], { ...kill, minFill: units(10) });
    stage.now += 5_000;
    stage.do({ kind: 'advance' });
    expect(stage.standing(short)).toBe('Cancelled 0/12 CancelUnmatched');
    expect(stage.standing(whole)).toBe('Matched 0/2');
  });

  it.each([
    { matchBehavior: 'RetainUnmatched', minFill: units(1) },
    { ...kill, minFill: units(11) },
    { ...kill, minFill: 0 as never },
  ] as const)('is refused where it means nothing: %o', (terms) => {
    const { stage, taker, market } = ready();
    expect(stage.place(market, [taker, 'For', 0, 10, 3], terms)).toMatchObject([
      { kind: 'refused', reason: 'INVALID_ARGUMENT' },
    ]);
  });
});
