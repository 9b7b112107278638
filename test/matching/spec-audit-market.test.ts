/** Sentences on the life of markets (specification and profile, section 6), each checked on the machine. */

import { describe, expect, it } from 'vitest';
import type { MarketCommand } from '../../src/matching/messages/command.ts';
import { Stage } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}) {
  const stage = new Stage();
  const [one, two] = [stage.wallet(1000), stage.wallet(1000)];
  return { stage, one, two, market: stage.market(terms) };
}

type WithoutTarget<C> = C extends { readonly market: number } ? Omit<C, 'market' | 'at'> : never;
type Move = WithoutTarget<MarketCommand>;

const LOCK: Move = { kind: 'lock' };
const SETTLE: Move = { kind: 'settle', winners: [0] };
/** A way to every status. */
const WAYS: Readonly<Record<string, readonly Move[]>> = {
  Initializing: [{ kind: 'unopen' }],
  Open: [],
  Locking: [{ kind: 'lock', step: 'begin' }],
  Locked: [LOCK],
  Settling: [LOCK, { kind: 'settle', winners: [0], step: 'begin' }],
  Settled: [LOCK, SETTLE],
  Voiding: [{ kind: 'void', step: 'begin' }],
  Voided: [{ kind: 'void' }],
  Closed: [LOCK, SETTLE, { kind: 'close' }],
};
/** “Initializing → Open → Locking → Locked → Settling → Settled → Closed; Open|Locked → Voiding → Voided → Closed.” */
const MOVES: readonly (readonly [string, Move, readonly string[], string])[] = [
  ['open', { kind: 'open' }, ['Initializing'], 'Open'],
  ['begin to lock', { kind: 'lock', step: 'begin' }, ['Open'], 'Locking'],
  ['finish to lock', { kind: 'lock', step: 'finish' }, ['Locking'], 'Locked'],
  ['begin to settle', { kind: 'settle', winners: [0], step: 'begin' }, ['Locked'], 'Settling'],
  ['finish to settle', { kind: 'settle', winners: [0], step: 'finish' }, ['Settling'], 'Settled'],
  ['begin to void', { kind: 'void', step: 'begin' }, ['Open', 'Locked'], 'Voiding'],
  ['finish to void', { kind: 'void', step: 'finish' }, ['Voiding'], 'Voided'],
  ['close', { kind: 'close' }, ['Settled', 'Voided'], 'Closed'],
  ['resettle', { kind: 'resettle', winners: [1] }, ['Settled', 'Voided'], 'Settled'],
  ['forget', { kind: 'forget' }, ['Settled', 'Voided', 'Closed'], 'gone'],
];

describe('“market moves”', () => {
  it.each(Object.entries(WAYS))('%s is a status that can be observed, and only Open takes orders', (status, way) => {
    const { stage, one, market } = ready();
    for (const move of way) stage.do({ market, ...move });
    expect(stage.exchange.market(market)?.status).toBe(status);
    const refusal = stage.refusal(market, [one, 'For', 0, 1, 2]);
    expect(refusal).toBe(status === 'Open' ? undefined : 'INVALID_MARKET_STATUS');
  });

  it.each(MOVES)('%s from nowhere but where the text lets it', (_, move, from, to) => {
    for (const [status, way] of Object.entries(WAYS)) {
      const { stage, market } = ready();
      for (const each of way) stage.do({ market, ...each });
      const events = stage.do({ market, ...move });
      const refused = events.some((event) => event.kind === 'refused');
      expect([status, refused]).toEqual([status, !from.includes(status)]);
      expect(stage.exchange.market(market)?.status ?? 'gone').toBe(refused ? status : to);
    }
  });

  it('settledAt is when a move ended, not when it began', () => {
    const { stage, market } = ready();
    for (const move of [LOCK, { kind: 'settle', winners: [0], step: 'begin' } as const]) stage.do({ market, ...move });
    expect(stage.exchange.market(market)?.settledAt).toBeUndefined();
    stage.now += 70;
    stage.do({ kind: 'settle', market, winners: [0], step: 'finish' });
    expect(stage.exchange.market(market)?.settledAt).toBe(stage.now);
  });
});

describe('going in play', () => {
  it('“CancelUnmatchedLiquidity: every unmatched portion with keepWhenInPlay=false is cancelled at once”, and refunded', () => {
    const { stage, one, two, market } = ready({ eventStartAction: 'CancelUnmatchedLiquidity' });
    const kept = stage.order(market, [two, 'For', 0, 5, 2], { keepWhenInPlay: true });
    const partly = stage.order(market, [one, 'Against', 1, 5, 3]);
    stage.order(market, [two, 'For', 1, 2, 3]);
    stage.do({ kind: 'suspend', market, suspended: true });
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    expect([kept, partly].map((order) => stage.standing(order))).toEqual(['Unmatched 5/0', 'Matched 0/3']);
    expect(stage.available(one)).toBe(996);
    expect(stage.levels(market, 1)).toEqual([]);
  });

  it('“relevant only if the market has eventStartAction CancelUnmatchedLiquidity”: else all of it stays', () => {
    const { stage, one, market } = ready({ eventStartAction: 'None' });
    const order = stage.order(market, [one, 'For', 0, 5, 2], { keepWhenInPlay: false });
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    expect(stage.standing(order)).toBe('Unmatched 5/0');
  });

  it('“PrePlay → InPlay; it stays InPlay after lock and settlement”, NotApplicable never changes', () => {
    const { stage, market } = ready();
    const status = () => stage.exchange.market(market)?.inPlayStatus;
    expect(status()).toBe('PrePlay');
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    stage.settle(market, [0]);
    expect(status()).toBe('InPlay');
    expect(stage.exchange.market(stage.market({ turnsInPlay: false }))?.inPlayStatus).toBe('NotApplicable');
  });

  it('“pre-play POST answers with the order already processed; in play: inPlayDelay”, none where it is 0', () => {
    const { stage, one, market } = ready({ inPlayDelayMs: 3000 });
    expect(stage.standing(stage.order(market, [one, 'For', 0, 1, 2]))).toBe('Unmatched 1/0');
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    const pending = stage.order(market, [one, 'For', 0, 1, 2]);
    expect(stage.exchange.order(pending)).toMatchObject({ status: 'Pending', due: stage.now + 3000 });
    stage.do({ kind: 'setInPlayDelay', market, delayMs: 0 });
    expect(stage.standing(stage.order(market, [one, 'For', 0, 1, 2]))).toBe('Unmatched 1/0');
    stage.now += 2999;
    stage.do({ kind: 'advance' });
    expect(stage.standing(pending)).toBe('Pending 1/0');
    stage.now += 1;
    stage.do({ kind: 'advance' });
    expect(stage.standing(pending)).toBe('Unmatched 1/0');
  });
});

describe('resting orders', () => {
  it('“at suspension: stay”, with their place in the queue', () => {
    const { stage, one, two, market } = ready();
    const [first, second] = [stage.order(market, [one, 'For', 0, 1, 2]), stage.order(market, [two, 'For', 0, 1, 2])];
    stage.do({ kind: 'suspend', market, suspended: true });
    expect(stage.refusal(market, [two, 'Against', 0, 1, 2])).toBe('SUSPENDED_MARKET');
    stage.do({ kind: 'suspend', market, suspended: false });
    stage.order(market, [two, 'Against', 0, 1, 2]);
    expect([first, second].map((order) => stage.standing(order))).toEqual(['Matched 0/0', 'Unmatched 1/0']);
  });

  it('“at lock: by marketLockAction, else they stay until settlement”', () => {
    for (const [marketLockAction, never, partly] of [
      ['None', 'Unmatched 5/0', 'PartiallyMatched 3/0'],
      ['CancelUnmatchedLiquidity', 'Cancelled 0/5 MarketLock', 'Matched 0/3'],
    ] as const) {
      const { stage, one, two, market } = ready({ marketLockAction });
      const orders = [stage.order(market, [one, 'For', 0, 5, 2]), stage.order(market, [one, 'For', 1, 5, 2])];
      stage.order(market, [two, 'Against', 1, 2, 2]);
      stage.do({ kind: 'lock', market, step: 'begin' });
      expect(orders.map((order) => stage.standing(order))).toEqual([never, partly]);
      // Funds of what stays are still held, of what is gone are free.
      expect(stage.available(one)).toBe(marketLockAction === 'None' ? 1000 - 5 - 5 : 1000 - 2);
    }
  });

  it('a lock does not come by itself at lockAt: cancels work, orders do not', () => {
    const { stage, one, market } = ready({ lockAt: 1_000_050 as never });
    const order = stage.order(market, [one, 'For', 0, 1, 2]);
    stage.now = 1_000_049;
    expect(stage.refusal(market, [one, 'For', 0, 1, 2])).toBeUndefined();
    stage.now = 1_000_050;
    expect(stage.refusal(market, [one, 'For', 0, 1, 2])).toBe('INVALID_MARKET_STATUS');
    stage.do({ kind: 'cancel', app: 1, orders: [order] });
    expect(stage.standing(order)).toBe('Cancelled 0/1 UserRequest');
  });
});

it('forgetting markets in any order leaves a wallet the positions of the others', () => {
  for (const order of [
    [1, 0],
    [1, 2],
    [0, 1],
    [2, 1],
    [2, 0],
    [0, 2],
  ]) {
    const { stage, one, market } = ready();
    const markets = [market, stage.market(), stage.market()];
    for (const each of markets) stage.order(each, [one, 'For', 0, 1, 2]);
    for (const each of markets) stage.settle(each, [0]);
    for (const index of order) stage.do({ kind: 'forget', market: markets[index] ?? -1 });
    const left = markets.filter((_, index) => !order.includes(index));
    expect([...stage.exchange.positionsOfWallet(one)].map((position) => position.market)).toEqual(left);
    const next = stage.market();
    stage.order(next, [one, 'For', 0, 1, 2]);
    expect([...stage.exchange.positionsOfWallet(one)].map((position) => position.market)).toEqual([next, ...left]);
  }
});
