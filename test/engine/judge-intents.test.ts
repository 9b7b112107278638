/** What becomes of each intent: an order that is sent, a cancellation, or a refusal with its code, which changes nothing. */

import { describe, expect, it, test } from 'vitest';
import { money } from '../../src/core/number/units.ts';
import type { Limits } from '../../src/risk/limits/limits.ts';
import { CANCELLED, EngineStage, NOTHING, PLACE, reportOf, START } from '../support/engine/engine-stage.ts';

const TWO = { plugins: [{ decide: NOTHING }, { decide: NOTHING }] };

describe('a placement', () => {
  it('that is approved is numbered, reserved, logged and sent', () => {
    const stage = EngineStage.listed();
    stage.judge([PLACE, { ...PLACE, outcome: 'b', stake: 2 }]);
    const orders = stage.step.takePlaces();
    expect(orders.map(({ id, outcomeId, stake, inFlight }) => [id, outcomeId, stake, inFlight])).toEqual([
      [1, 'a', 10, 'place'],
      [2, 'b', 2, 'place'],
    ]);
    expect(stage.eventsOf('sent').map(({ order }) => order)).toEqual(orders);
    expect([...stage.ledger.liveOrders()]).toEqual(orders);
    expect(stage.inMarket().orders).toHaveLength(2);
  });

  it('is judged with all earlier ones of the step included', () => {
    const stage = EngineStage.listed({ limits: { market: money(15e6) } });
    stage.judge([PLACE, PLACE, { ...PLACE, stake: 5 }]);
    expect(stage.step.takePlaces()).toHaveLength(2);
    expect(stage.refusals()).toEqual(['LIMIT_MARKET']);
  });

  const limits: Limits = { heartbeat: true };
  test.each<[code: string, change: (stage: EngineStage) => void, intent?: unknown, limits?: Limits]>([
    ['PRICE_OFF_LADDER', () => {}, { ...PLACE, price: 2.001 }],
    ['STAKE_INVALID', () => {}, { ...PLACE, stake: -1 }],
    ['UNKNOWN_MARKET', () => {}, { ...PLACE, market: 'other' }],
    ['UNKNOWN_OUTCOME', () => {}, { ...PLACE, outcome: 'c' }],
    ['INTENT_INVALID', () => {}, { kind: 'buy' }],
    ['INTENT_INVALID', () => {}, null],
    ['HALTED', ({ ledger }) => ledger.risk.moveTrading({ to: 'halted', cause: 'test', by: 'command' })],
    ['NOT_READY', ({ ledger }) => ledger.risk.setNotReady('recovering')],
    ['STATE_UNKNOWN', ({ ledger }) => ledger.risk.setStateUnknown('orders are late')],
    ['STRATEGY_HALTED', ({ ledger }) => ledger.risk.haltStrategy(0)],
    ['HEARTBEAT_NOT_ACTIVE', () => {}, PLACE, limits],
    ['HEARTBEAT_NOT_ACTIVE', ({ ledger }) => ledger.risk.setHeartbeat(true, START as never), PLACE, limits],
    ['MARKET_RISK_OFF', ({ ledger }) => ledger.risk.switchMarketOff(0, 'a difference lasts')],
    ['MARKET_SUSPENDED', ({ market }) => Object.assign(market, { suspended: true })],
    ['MARKET_NOT_OPEN', ({ market }) => Object.assign(market, { status: 'Locked' })],
    ['LIMIT_ORDER', () => {}, PLACE, { order: money(9e6) }],
  ])('is refused: %s', (code, change, intent = PLACE, given = {}) => {
    const stage = EngineStage.listed({ limits: given });
    change(stage);
    stage.judge([intent]);
    expect(stage.refusals()).toEqual([code]);
    expect([stage.step.takePlaces(), stage.required(), stage.ledger.nextClient]).toEqual([[], 0, 1]);
  });

  it('passes again once the cause is gone', () => {
    const stage = EngineStage.listed({ limits });
    stage.ledger.risk.setNotReady('recovering');
    stage.ledger.risk.setStateUnknown('orders are late');
    stage.ledger.risk.switchMarketOff(0, 'a difference lasts');
    stage.ledger.risk.setNotReady(undefined);
    stage.ledger.risk.setStateUnknown(undefined);
    stage.ledger.risk.switchMarketOn(0);
    stage.ledger.risk.setHeartbeat(true, undefined);
    stage.judge([PLACE]);
    expect(stage.refusals()).toEqual([]);
  });

  it('in a market that was settled is refused, also if it shows as open again', () => {
    const stage = EngineStage.listed();
    stage.market.status = 'Settled';
    stage.foldMarket('status');
    stage.market.status = 'Open';
    stage.judge([PLACE]);
    expect(stage.refusals()).toEqual(['MARKET_NOT_OPEN']);
  });
});

describe('a decision with more intents than it may hold', () => {
  const many = (stage: EngineStage) => {
    const order = stage.resting();
    const cancel = { kind: 'cancel', order: order.id };
    stage.judge([PLACE, PLACE, PLACE, { kind: 'replace', order: order.id, price: 3 }, cancel]);
    return order;
  };

  it('has its placements and replacements beyond that number refused, and never a cancellation', () => {
    const stage = EngineStage.listed({ intentsMax: 2 });
    const order = many(stage);
    expect(stage.refusals()).toEqual(['TOO_MANY_INTENTS', 'TOO_MANY_INTENTS']);
    expect(stage.step.takePlaces()).toHaveLength(2);
    expect(stage.step.takeCancels()).toEqual([order]);
    expect(order.replacement).toBeUndefined();
  });

  it('counts each of them, and what was not refused as a cancellation apart', () => {
    const stage = EngineStage.listed({ intentsMax: 2 });
    many(stage);
    expect(stage.counts).toEqual({ intended: 1 + 5, cancellations: 1, cancellationsRepeated: 0 });
  });
});

describe('a cancellation', () => {
  const cancel = { kind: 'cancel', order: 1 };

  it('of a resting order is sent once', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([cancel, cancel]);
    expect(stage.step.takeCancels()).toEqual([order]);
    expect([order.inFlight, order.cancelling]).toEqual(['cancel', true]);
    expect(stage.refusals()).toEqual([]);
    expect(stage.eventsOf('cancelSent')).toHaveLength(1);
    expect(stage.counts).toEqual({ intended: 1 + 2, cancellations: 1, cancellationsRepeated: 1 });
  });

  it('of an order that is to be replaced withdraws the replacement, and is nothing when repeated', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([{ kind: 'replace', order: 1, price: 2.2 }, cancel, cancel]);
    expect([stage.refusals(), order.replacement]).toEqual([[], undefined]);
    expect(stage.counts).toEqual({ intended: 1 + 3, cancellations: 2, cancellationsRepeated: 1 });
    expect(stage.step.takeCancels()).toEqual([order]);
    stage.fold({ kind: 'order', order: reportOf(order, CANCELLED) });
    expect(stage.step.proposals.length).toBe(0);
  });

  it('of an order that nobody has is refused, and so is one of another strategy', () => {
    const stage = EngineStage.listed(TWO);
    stage.resting();
    stage.judge([{ kind: 'cancel', order: 9 }]);
    stage.judge([cancel], START, 1);
    expect(stage.refusals()).toEqual(['UNKNOWN_ORDER', 'UNKNOWN_ORDER']);
    expect(stage.step.takeCancels()).toEqual([]);
  });

  it('of an order that has matched is refused', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    const all = { status: 'Matched', stakeMatched: money(10e6), stakeUnmatched: money(0) } as const;
    stage.fold({ kind: 'order', order: reportOf(order, all) });
    stage.judge([cancel]);
    expect(stage.refusals()).toEqual(['ORDER_NOT_LIVE']);
  });

  it('passes whatever stops placements', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.ledger.risk.moveTrading({ to: 'halted', cause: 'test', by: 'command' });
    stage.ledger.risk.setStateUnknown('orders are late');
    stage.judge([cancel]);
    expect(stage.step.takeCancels()).toEqual([order]);
  });
});

describe('to cancel all', () => {
  it('ends the orders of the strategy and of no other', () => {
    const stage = EngineStage.listed(TWO);
    const own = stage.resting();
    stage.judge([PLACE], START, 1);
    const [others] = stage.step.takePlaces();
    stage.judge([{ kind: 'cancelAll' }]);
    expect(stage.step.takeCancels()).toEqual([own]);
    expect(others?.cancelWanted).toBe(false);
  });

  it('leaves nothing to take the place of an order that was being replaced', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([{ kind: 'replace', order: 1, price: 2.2 }, { kind: 'cancelAll' }]);
    expect(stage.step.takeCancels()).toEqual([order]);
    stage.fold({ kind: 'order', order: reportOf(order, CANCELLED) });
    expect(stage.step.proposals.length).toBe(0);
  });

  it('ends those of one outcome where it names one', () => {
    const stage = EngineStage.listed();
    stage.resting();
    stage.judge([{ kind: 'cancelAll', market: 'm', outcome: 'b' }]);
    expect(stage.step.takeCancels()).toEqual([]);
    stage.judge([{ kind: 'cancelAll', market: 'm', outcome: 'a' }]);
    expect(stage.step.takeCancels()).toHaveLength(1);
  });
});

describe('a replacement', () => {
  it('cancels the order and keeps what is to take its place until the order has ended', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([{ kind: 'replace', order: 1, price: 2.2, stake: 3 }]);
    expect(stage.step.takeCancels()).toEqual([order]);
    expect(order.replacement).toEqual({ price: 2.2, stake: 3, voidedBefore: 0 });
    expect(stage.step.takePlaces()).toEqual([]);
    stage.fold({ kind: 'order', order: reportOf(order, CANCELLED) });
    expect(stage.step.proposals.seconds[0]).toMatchObject([{ kind: 'place', price: 2.2, stake: 3 }]);
  });

  it('of an order that is being cancelled is refused, since an order at another price would be lost without a word', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([
      { kind: 'cancel', order: 1 },
      { kind: 'replace', order: 1, price: 2.2 },
    ]);
    expect([stage.refusals(), order.replacement]).toEqual([['CANCEL_IN_FLIGHT'], undefined]);
    stage.step.takeCancels();
    const other = EngineStage.listed();
    other.resting();
    other.judge([2.2, 2.22].map((price) => ({ kind: 'replace', order: 1, price })));
    expect(other.refusals()).toEqual(['CANCEL_IN_FLIGHT']);
  });

  it('off the ladder is refused and cancels nothing', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([{ kind: 'replace', order: 1, price: 2.001 }]);
    expect(stage.refusals()).toEqual(['PRICE_OFF_LADDER']);
    expect(order.inFlight).toBeUndefined();
  });
});
