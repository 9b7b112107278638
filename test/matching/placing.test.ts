/** Placing orders: the twelve failure codes, funds, batches, references. */

import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/core/number/units.ts';
import type { PlaceRequest } from '../../src/matching/messages/command.ts';
import { CURRENCY, Stage, units } from './stage.ts';

function ready() {
  const stage = new Stage();
  const wallet = stage.wallet(100);
  return { stage, wallet, market: stage.market() };
}

describe('an item is refused with', () => {
  it('MARKET_NOT_FOUND for an unknown market', () => {
    const { stage, wallet } = ready();
    expect(stage.refusal(99, [wallet, 'For', 0, 1, 2])).toBe('MARKET_NOT_FOUND');
  });

  it.each([
    ['not open', (stage: Stage, market: number) => stage.do({ kind: 'unopen', market })],
    ['unpublished', (stage: Stage, market: number) => stage.do({ kind: 'publish', market, published: false })],
    [
      'past its lockAt',
      (stage: Stage, market: number) => stage.do({ kind: 'setLockAt', market, lockAt: stage.now as Instant }),
    ],
    ['of an inactive event', (stage: Stage) => stage.do({ kind: 'setEventActive', event: 0, active: false })],
  ])('INVALID_MARKET_STATUS for a market that is %s', (_, spoil) => {
    const { stage, wallet, market } = ready();
    spoil(stage, market);
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('INVALID_MARKET_STATUS');
  });

  it('SUSPENDED_MARKET while suspended, but not after', () => {
    const { stage, wallet, market } = ready();
    stage.do({ kind: 'suspend', market, suspended: true });
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('SUSPENDED_MARKET');
    stage.do({ kind: 'suspend', market, suspended: false });
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBeUndefined();
  });

  it.each([3, -1])('MARKET_OUTCOME_NOT_FOUND for outcome %i of three', (outcome) => {
    const { stage, wallet, market } = ready();
    expect(stage.refusal(market, [wallet, 'For', outcome, 1, 2])).toBe('MARKET_OUTCOME_NOT_FOUND');
  });

  it('COMMISSION_RATE_NOT_FOUND for an unknown rate and for another app’s', () => {
    const { stage, wallet, market } = ready();
    stage.do({ kind: 'createApp' });
    stage.do({ kind: 'createCommissionRate', app: 2, ratePpm: 10_000, isDefault: false });
    for (const commissionRate of [0, 5]) {
      expect(stage.refusal(market, [wallet, 'For', 0, 1, 2], { commissionRate })).toBe('COMMISSION_RATE_NOT_FOUND');
    }
  });

  it('WALLET_NOT_FOUND for an unknown wallet, another app’s, and one that is no User wallet', () => {
    const { stage, market } = ready();
    stage.do({ kind: 'createApp' });
    const foreign = stage.wallet(100, 2);
    const commission = stage.exchange.app(1)?.commissionWallet ?? -1;
    for (const wallet of [99, foreign, commission]) {
      expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('WALLET_NOT_FOUND');
    }
  });

  it('WALLET_ACCOUNT_NOT_FOUND for a wallet without the market’s currency', () => {
    const { stage, market } = ready();
    expect(stage.refusal(market, [stage.wallet(0), 'For', 0, 1, 2])).toBe('WALLET_ACCOUNT_NOT_FOUND');
  });

  it('WALLET_ACCOUNT_INSUFFICIENT_CREDIT one step above what is available, and not at it', () => {
    const { stage, wallet, market } = ready();
    expect(stage.refusal(market, [wallet, 'For', 0, 100.001, 2])).toBe('WALLET_ACCOUNT_INSUFFICIENT_CREDIT');
    expect(stage.refusal(market, [wallet, 'For', 0, 100, 2])).toBeUndefined();
    expect(stage.available(wallet)).toBe(0);
  });

  it('WALLET_INSUFFICIENT_CREDIT where no currency has anything left', () => {
    const { stage, wallet, market } = ready();
    stage.order(market, [wallet, 'For', 0, 100, 2]);
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('WALLET_INSUFFICIENT_CREDIT');
    stage.do({ kind: 'deposit', wallet, currency: CURRENCY + 1, amount: units(1) });
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('WALLET_ACCOUNT_INSUFFICIENT_CREDIT');
  });

  it('ORDER_ALREADY_EXISTS for a reference of an accepted order; a refused item leaves it free', () => {
    const { stage, wallet, market } = ready();
    expect(stage.refusal(market, [wallet, 'For', 0, 1000, 2], { reference: 'a' })).toBe(
      'WALLET_ACCOUNT_INSUFFICIENT_CREDIT',
    );
    const order = stage.order(market, [wallet, 'For', 0, 1, 2], { reference: 'a' });
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2], { reference: 'a' })).toBe('ORDER_ALREADY_EXISTS');
    expect(stage.exchange.orderByReference(1, 'a')).toBe(order);
  });

  it.each(['INTERRUPTED', 'MARKET_POSITION_NOT_FOUND'] as const)(
    '%s where it is injected, leaving nothing behind',
    (fault) => {
      const { stage, wallet, market } = ready();
      expect(stage.refusal(market, [wallet, 'For', 0, 1, 2], { fault })).toBe(fault);
      expect(stage.exchange.position(wallet, market)).toBeUndefined();
      expect(stage.available(wallet)).toBe(100);
    },
  );
});

describe('a batch', () => {
  it('judges each item after the ones before it, and fails items apart', () => {
    const { stage, wallet, market } = ready();
    const events = stage.do({
      kind: 'place',
      app: 1,
      requests: [
        stage.request(market, [wallet, 'For', 0, 60, 2]),
        stage.request(market, [wallet, 'For', 0, 60, 2]),
        stage.request(market, [wallet, 'For', 0, 40, 2]),
      ],
    });
    expect(events.map((event) => event.kind)).toEqual(['orderAccepted', 'orderRefused', 'orderAccepted']);
  });

  it('is refused whole for a malformed item, for none and for more than fifty', () => {
    const { stage, wallet, market } = ready();
    const good = stage.request(market, [wallet, 'For', 0, 1, 2]);
    const bad = { ...good, stake: units(0.0005) };
    for (const requests of [[good, bad], [], Array.from({ length: 51 }, () => good)]) {
      const events = stage.do({ kind: 'place', app: 1, requests });
      expect(events).toEqual([{ at: stage.now, kind: 'refused', reason: 'INVALID_ARGUMENT' }]);
    }
    expect(stage.exchange.order(0)).toBeUndefined();
  });
});

describe('funds', () => {
  it('never refuse an order that does not raise what is required', () => {
    const { stage, wallet, market } = ready();
    stage.order(market, [wallet, 'For', 0, 100, 2]);
    const other = stage.wallet(1000);
    stage.order(market, [other, 'Against', 0, 100, 2]);
    expect(stage.available(wallet)).toBe(0);
    // Laying off the whole bet is free, and frees what was held.
    expect(stage.refusal(market, [wallet, 'Against', 0, 100, 2])).toBeUndefined();
  });

  it('count an overdraft, and an unlimited one takes everything', () => {
    const { stage, wallet, market } = ready();
    stage.do({ kind: 'setOverdraft', wallet, currency: CURRENCY, overdraft: units(50) });
    expect(stage.refusal(market, [wallet, 'For', 0, 150, 2])).toBeUndefined();
    expect(stage.available(wallet)).toBe(0);
  });
});

describe('a batch of which all are created, or none', () => {
  function together(stage: Stage, requests: readonly PlaceRequest[]) {
    return stage.do({ kind: 'place', app: stage.app, requests, allOrNone: true });
  }

  it('creates none where one is refused, holds nothing, and says which it is', () => {
    const { stage, wallet, market } = ready();
    const requests = [60, 50, 40].map((stake) => stage.request(market, [wallet, 'For', 0, stake, 2]));
    expect(together(stage, requests)).toMatchObject([
      { kind: 'orderRefused', item: 1, code: 'WALLET_ACCOUNT_INSUFFICIENT_CREDIT' },
    ]);
    expect([stage.available(wallet), stage.exchange.position(wallet, market)]).toEqual([100, undefined]);
    // One by one, the others are placed.
    const events = stage.do({ kind: 'place', app: stage.app, requests });
    expect(events.map(({ kind }) => kind)).toEqual(['orderAccepted', 'orderRefused', 'orderAccepted']);
  });

  it('refuses what repeats a reference of the batch, and each other reason beside it', () => {
    const { stage, wallet, market } = ready();
    const requests = [0, 0, 5].map((outcome) =>
      stage.request(market, [wallet, 'For', outcome, 1, 2], { reference: 'r' }),
    );
    expect(together(stage, requests)).toMatchObject([
      { kind: 'orderRefused', item: 1, code: 'ORDER_ALREADY_EXISTS' },
      { kind: 'orderRefused', item: 2, code: 'MARKET_OUTCOME_NOT_FOUND' },
    ]);
    expect(stage.refusal(market, [wallet, 'For', 0, 1, 2], { reference: 'r' })).toBeUndefined();
  });

  it('is matched order by order where all pass', () => {
    const { stage, wallet, market } = ready();
    const requests = [
      stage.request(market, [wallet, 'Against', 0, 10, 2]),
      stage.request(market, [wallet, 'For', 0, 10, 2]),
    ];
    expect(together(stage, requests).map(({ kind }) => kind)).toEqual([
      'orderAccepted',
      'orderAccepted',
      'orderMatched',
      'orderChanged',
      'orderMatched',
      'orderChanged',
    ]);
  });

  it('is of one market and one wallet', () => {
    const { stage, wallet, market } = ready();
    const other = stage.wallet(10);
    const requests = [wallet, other].map((each) => stage.request(market, [each, 'For', 0, 1, 2]));
    expect(together(stage, requests)).toMatchObject([{ kind: 'refused', reason: 'INVALID_ARGUMENT' }]);
    expect(together(stage, [])).toMatchObject([{ kind: 'refused', reason: 'INVALID_ARGUMENT' }]);
  });
});
