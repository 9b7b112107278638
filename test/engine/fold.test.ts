/** What each kind of input changes in the ledger, and which strategies it calls. */

import { describe, expect, it, test } from 'vitest';
import { instant, money, ZERO } from '../../src/core/number/units.ts';
import type { Input } from '../../src/engine/ledger/step.ts';
import { at, CANCELLED, EngineStage, NOTHING, PLACE, reportOf, START } from '../support/engine/engine-stage.ts';

const TWO = { plugins: [{ decide: NOTHING }, { decide: NOTHING }] };

describe('a market', () => {
  it('is offered to the strategies when it is new, and calls those that watch it', () => {
    const stage = new EngineStage({ plugins: [{ decide: NOTHING }, { decide: NOTHING, watches: () => false }] });
    expect(stage.foldMarket('listed')).toEqual(['first status']);
    expect(stage.ledger.entryById('m')?.watchers).toHaveLength(1);
    expect(stage.ledger.exposure.isOpen(0)).toBe(true);
  });

  it('calls its strategies for new prices and for a new status, by that name', () => {
    const stage = EngineStage.listed(TWO);
    expect(stage.foldMarket('prices')).toEqual(['first prices', 'second prices']);
    expect(stage.foldMarket('status')).toEqual(['first status', 'second status']);
  });

  it('is as fresh as its message, or as it says itself where the message came late', () => {
    const stage = EngineStage.listed();
    stage.foldMarket('prices', START + 5);
    expect(stage.ledger.entryOf(0).freshAt).toBe(START + 5);
    stage.market.freshAt = at(2);
    stage.foldMarket('prices', START + 9);
    expect(stage.ledger.entryOf(0).freshAt).toBe(START + 2);
  });

  it('that is settled holds no exposure any more, and one that is closed is forgotten without a call', () => {
    const stage = EngineStage.listed();
    stage.resting();
    expect(stage.required()).toBe(10);
    stage.market.status = 'Settled';
    expect(stage.foldMarket('status')).toEqual(['first status']);
    expect(stage.required()).toBe(0);
    stage.market.status = 'Closed';
    expect(stage.foldMarket('status')).toEqual([]);
    expect(stage.ledger.entryById('m')).toBeUndefined();
    expect(stage.ledger.order(1)).toBeUndefined();
    expect(stage.notes.at(-1)).toEqual({ kind: 'marketDone', market: 'm' });
  });

  it('halts a strategy that throws when the market is offered to it, and asks the others', () => {
    const watches = () => {
      throw new Error('not this one');
    };
    const stage = new EngineStage({ plugins: [{ decide: NOTHING, watches }, { decide: NOTHING }] });
    expect(stage.foldMarket('listed')).toEqual(['second status']);
    expect(stage.eventsOf('halted').map(({ halt }) => [halt.name, halt.market])).toEqual([['first', 'm']]);
  });
});

describe('an order report', () => {
  it('changes the order, its exposure and its position, and calls its strategy alone', () => {
    const stage = EngineStage.listed(TWO);
    const order = stage.resting();
    const half = { stakeMatched: money(4e6), winningsMatched: money(4.4e6), stakeUnmatched: money(6e6) };
    const report = reportOf(order, { status: 'PartiallyMatched', ...half });
    expect(stage.fold({ kind: 'order', order: report })).toEqual(['first order']);
    expect([order.stakeMatched, order.stakeUnmatched, order.averagePrice]).toEqual([4, 6, 2.1]);
    expect(stage.inMarket().position.matched('a', 'For').stake).toBe(4);
  });

  it('that ends an order lets it go, with its exposure', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.fold({ kind: 'order', order: reportOf(order, CANCELLED) });
    expect([...stage.ledger.liveOrders()]).toEqual([]);
    expect(stage.required()).toBe(0);
  });

  it('that is older than the last one changes no figure', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    const all = { status: 'Matched', stakeMatched: money(10e6), stakeUnmatched: ZERO } as const;
    stage.fold({ kind: 'order', order: reportOf(order, all) });
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect([order.status, order.stakeMatched]).toEqual(['Matched', 10]);
  });

  it('of an order that had ended revives it only if the feed says that it is newer', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    const ended = { status: 'Matched', stakeMatched: money(10e6), stakeUnmatched: ZERO } as const;
    stage.fold({ kind: 'order', order: reportOf(order, ended) });
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect(order.isLive).toBe(false);
    stage.fold({ kind: 'order', order: reportOf(order), isRevived: true });
    expect(order.isLive).toBe(true);
    expect(stage.eventsOf('reappeared')).toHaveLength(1);
  });

  it('of an order that the ledger does not have changes nothing', () => {
    const stage = EngineStage.listed();
    expect(stage.fold({ kind: 'order', order: reportOf({ id: 77 }) })).toEqual([]);
    expect(stage.events).toEqual([]);
  });
});

describe('the reply to a placement', () => {
  const refused = { kind: 'placed', items: [{ kind: 'refused', client: 1, code: 'NO' }] } as const;
  const lost = { kind: 'placed', items: [{ kind: 'unknown', client: 1, code: 'INTERRUPTED' }] } as const;
  test.each([
    ['accepts it', undefined, { status: 'Unmatched', unknown: false, required: 10, event: 'reported' }],
    ['refuses it', refused, { status: undefined, unknown: false, required: 0, event: 'rejected' }],
    ['leaves it open', lost, { status: undefined, unknown: true, required: 10, event: 'unknown' }],
    [
      'refuses all',
      { kind: 'notPlaced', code: 'NO', details: '' },
      { status: undefined, unknown: false, required: 0, event: 'rejected' },
    ],
    [
      'never came',
      { kind: 'unknown', code: 'TIMEOUT', details: '' },
      { status: undefined, unknown: true, required: 10, event: 'unknown' },
    ],
    ['has no item for it', { kind: 'placed', items: [] }, { status: undefined, required: 0, event: 'rejected' }],
  ] as const)('%s', (_, given, { event, required, ...expected }) => {
    const stage = EngineStage.listed();
    const order = stage.sent();
    const reply = given ?? ({ kind: 'placed', items: [{ kind: 'accepted', report: reportOf(order) }] } as const);
    const calls = stage.fold({ kind: 'placeReply', orders: [order], reply });
    expect(calls).toEqual(event === 'unknown' ? [] : ['first order']);
    expect({ status: order.status, unknown: order.unknown, inFlight: order.inFlight }).toMatchObject(expected);
    expect(order.inFlight).toBeUndefined();
    expect(stage.required()).toBe(required);
    expect(stage.events.at(-1)?.kind).toBe(event);
  });

  it('counts for nothing where the feed has reported the order before', () => {
    const stage = EngineStage.listed();
    const order = stage.sent();
    stage.fold({ kind: 'order', order: reportOf(order) });
    stage.fold({ kind: 'placeReply', orders: [order], reply: { kind: 'notPlaced', code: 'NO', details: '' } });
    expect([order.isLive, stage.required()]).toEqual([true, 10]);
    expect(stage.eventsOf('rejected')).toEqual([]);
  });

  it('calls a strategy once for all of its orders', () => {
    const stage = EngineStage.listed();
    stage.judge([PLACE, PLACE]);
    const orders = stage.step.takePlaces();
    const items = orders.map((order) => ({ kind: 'accepted', report: reportOf(order) }) as const);
    expect(stage.fold({ kind: 'placeReply', orders, reply: { kind: 'placed', items } })).toEqual(['first order']);
  });

  it('sends the cancellation that waited for it', () => {
    const stage = EngineStage.listed();
    const order = stage.sent();
    stage.judge([{ kind: 'cancel', order: order.id }]);
    expect(stage.step.takeCancels()).toEqual([]);
    const reply = { kind: 'placed', items: [{ kind: 'accepted', report: reportOf(order) }] } as const;
    stage.fold({ kind: 'placeReply', orders: [order], reply });
    expect(stage.step.takeCancels()).toEqual([order]);
  });
});

describe('the reply to a cancellation', () => {
  function cancelling() {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([{ kind: 'cancel', order: order.id }]);
    stage.step.takeCancels();
    return { stage, order };
  }

  it('ends the order where the report in it says so', () => {
    const { stage, order } = cancelling();
    const reply = { kind: 'cancelled', reports: [reportOf(order, CANCELLED)] } as const;
    expect(stage.fold({ kind: 'cancelReply', orders: [order], reply })).toEqual(['first order']);
    expect([order.isLive, stage.required()]).toEqual([false, 0]);
  });

  it('that is lost leaves the cancellation wanted: the next report of a live order asks again', () => {
    const { stage, order } = cancelling();
    const reply = { kind: 'unknown', code: 'TIMEOUT', details: '' } as const;
    expect(stage.fold({ kind: 'cancelReply', orders: [order], reply })).toEqual([]);
    expect([order.cancelWanted, order.inFlight, order.cancelling]).toEqual([true, undefined, true]);
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect(stage.step.takeCancels()).toEqual([order]);
  });

  it('marks an order in its in-play delay as being cancelled, so that it is not asked again', () => {
    const stage = EngineStage.listed();
    const order = stage.sent();
    const report = reportOf(order, { status: 'Pending' });
    stage.fold({
      kind: 'placeReply',
      orders: [order],
      reply: { kind: 'placed', items: [{ kind: 'accepted', report }] },
    });
    stage.judge([{ kind: 'cancel', order: order.id }]);
    stage.step.takeCancels();
    stage.fold({ kind: 'cancelReply', orders: [order], reply: { kind: 'cancelled', reports: [report] } });
    stage.judge([{ kind: 'cancel', order: order.id }]);
    expect([order.inFlight, order.cancelling, stage.refusals()]).toEqual([undefined, true, []]);
    expect(stage.step.takeCancels()).toEqual([]);
    expect(stage.counts).toMatchObject({ cancellations: 1, cancellationsRepeated: 1 });
    stage.fold({ kind: 'order', order: reportOf(order, { status: 'Unmatched' }) });
    expect(order.cancelling).toBe(false);
  });

  it('that shows the order live leaves it to be cancelled again', () => {
    const { stage, order } = cancelling();
    expect(order.cancelling).toBe(true);
    stage.fold({ kind: 'cancelReply', orders: [order], reply: { kind: 'cancelled', reports: [reportOf(order)] } });
    expect(order.cancelling).toBe(false);
    stage.judge([{ kind: 'cancel', order: order.id }]);
    expect(stage.step.takeCancels()).toEqual([order]);
  });

  it('that ends the order leaves nothing to cancel', () => {
    const { stage, order } = cancelling();
    const reply = { kind: 'cancelled', reports: [reportOf(order, CANCELLED)] } as const;
    stage.fold({ kind: 'cancelReply', orders: [order], reply });
    expect(order.cancelling).toBe(false);
  });

  it('of a replacement proposes what was voided, and calls the strategy after that is judged', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([{ kind: 'replace', order: order.id, price: 2.2 }]);
    stage.step.takeCancels();
    const some = { ...CANCELLED, stakeMatched: money(4e6), winningsMatched: money(4.4e6), stakeVoided: money(6e6) };
    const reply = { kind: 'cancelled', reports: [reportOf(order, some)] } as const;
    expect(stage.fold({ kind: 'cancelReply', orders: [order], reply })).toEqual([]);
    expect(stage.step.proposals.seconds[0]).toMatchObject([{ kind: 'place', price: 2.2, stake: 6 }]);
    expect(stage.step.nextCalls()).toBe(true);
    expect(stage.calls()).toEqual(['first order']);
  });

  it('of a replacement proposes no more than was voided, whatever was asked for', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([{ kind: 'replace', order: order.id, price: 2.2, stake: 20 }]);
    stage.step.takeCancels();
    const reply = { kind: 'cancelled', reports: [reportOf(order, CANCELLED)] } as const;
    stage.fold({ kind: 'cancelReply', orders: [order], reply });
    expect(stage.step.proposals.seconds[0]).toMatchObject([{ stake: 10 }]);
  });

  it('of a replacement proposes whole steps of the stakes of its exchange', () => {
    const stage = EngineStage.listed();
    stage.market.minimumStake = { stake: money(1e6), step: money(10_000) };
    const order = stage.resting();
    stage.judge([{ kind: 'replace', order: order.id, price: 2.2 }]);
    stage.step.takeCancels();
    const some = {
      ...CANCELLED,
      stakeMatched: money(4.002e6),
      winningsMatched: money(4.4e6),
      stakeVoided: money(5.998e6),
    };
    stage.fold({
      kind: 'cancelReply',
      orders: [order],
      reply: { kind: 'cancelled', reports: [reportOf(order, some)] },
    });
    expect(stage.step.proposals.seconds[0]).toMatchObject([{ stake: 5.99 }]);
  });
});

describe('money', () => {
  it('of a wallet is shown to strategies, and noted', () => {
    const stage = EngineStage.listed();
    stage.fold({ kind: 'wallet', wallet: 0, balance: money(50e6), balanceAvailable: money(40e6) });
    expect(stage.inMarket().wallet).toMatchObject({ balance: 50, balanceAvailable: 40 });
    expect(stage.notes.at(-1)).toMatchObject({ kind: 'wallet', wallet: 'main', balance: 50e6 });
  });

  it('of a result is booked, and a second result of the market in the wallet as a difference', () => {
    const stage = EngineStage.listed();
    const settled = (profit: number): Input => ({
      ...{ kind: 'settled', market: stage.market, wallet: 0 },
      ...{ profit: money(profit * 1e6), commission: ZERO },
    });
    stage.fold(settled(-5));
    stage.fold(settled(2));
    expect(stage.risk.history.total).toBe(-3e6);
    expect(stage.risk.history.losingRun).toBe(1);
    expect(stage.eventsOf('settled').map(({ profit }) => profit)).toEqual([-5e6, 2e6]);
  });
});

describe('the heartbeat', () => {
  const replied = (active: boolean): Input => ({
    ...{ kind: 'heartbeatReply', reply: { kind: 'heartbeat', active, timeoutMs: 10_000 }, sentAt: START },
  });

  it('protects orders until its timeout after the SENDING of what was confirmed', () => {
    const stage = EngineStage.listed();
    stage.fold(replied(true), START + 3_000);
    expect([9_999, 10_000].map((ms) => stage.risk.isHeartbeatActive(instant(START + ms)))).toEqual([true, false]);
  });

  test.each<[string, Input]>([
    ['a reply that it lapsed', replied(false)],
    [
      'no reply',
      { kind: 'heartbeatReply', reply: { kind: 'unknown', code: 'TIMEOUT', details: '' }, sentAt: START + 1 },
    ],
    ['a report of a lapse', { kind: 'heartbeat', active: false, at: at(1) }],
  ])('protects them no more after %s', (_, input) => {
    const stage = EngineStage.listed();
    stage.fold(replied(true));
    stage.fold(input);
    expect(stage.risk.isHeartbeatActive(at(0))).toBe(false);
  });

  it('is not believed to be active because a feed says so', () => {
    const stage = EngineStage.listed();
    stage.fold({ kind: 'heartbeat', active: true, at: at(1) });
    expect(stage.risk.isHeartbeatActive(at(0))).toBe(false);
  });
});

describe('a strategy', () => {
  it('is called for its newest alarm and for no earlier one', () => {
    const stage = EngineStage.listed();
    const inMarket = stage.inMarket();
    inMarket.wakeAt = START + 20;
    expect(stage.fold({ kind: 'timer', inMarket, due: START + 10 })).toEqual([]);
    expect(stage.fold({ kind: 'timer', inMarket, due: START + 20 })).toEqual(['first timer']);
    expect([inMarket.wakeAt, inMarket.instance.timerCalls]).toEqual([undefined, 1]);
  });

  it('is not called by an alarm in a market whose recording has ended', () => {
    const stage = EngineStage.listed();
    const inMarket = stage.inMarket();
    inMarket.wakeAt = START + 20;
    stage.market.isCutOff = true;
    expect(stage.fold({ kind: 'timer', inMarket, due: START + 20 })).toEqual([]);
  });

  it('that emits between calls proposes that, unless it is halted', () => {
    const stage = EngineStage.listed();
    const inMarket = stage.inMarket();
    stage.fold({ kind: 'intents', inMarket, intents: [PLACE] });
    expect(stage.step.proposals.length).toBe(1);
    inMarket.instance.halted = true;
    stage.fold({ kind: 'intents', inMarket, intents: [PLACE] });
    expect(stage.step.proposals.length).toBe(0);
  });

  it('that fails outside of any call is halted once, without a market', () => {
    const stage = EngineStage.listed();
    const { instance } = stage.inMarket();
    const failed: Input = { kind: 'strategyFailed', instance, failure: { code: 'STRATEGY_THROW', error: 'late' } };
    stage.fold(failed);
    stage.fold(failed);
    expect(stage.eventsOf('halted').map(({ halt }) => halt)).toMatchObject([{ name: 'first', market: '' }]);
    expect(instance.halted).toBe(true);
  });

  it('is replaced by another version, which is offered the markets and called', () => {
    const stage = EngineStage.listed();
    const { instance } = stage.inMarket();
    const plugin = { name: 'first', decide: NOTHING, state: () => 'new' };
    const version = { plugin, params: {}, signals: new Map(), guest: instance.guest };
    expect(stage.fold({ kind: 'reload', instance, version, sha256: 'x' })).toEqual(['first status']);
    expect(stage.inMarket().state).toBe('new');
    expect(stage.notes.at(-1)).toMatchObject({ kind: 'strategyLoaded', cause: 'reload', sha256: 'x' });
  });
});

test.each<Input>([
  { kind: 'read', feed: 'orders', at: at(1) },
  { kind: 'tick' },
  { kind: 'command', command: { kind: 'halt', by: 'command', cause: 'test' } },
  { kind: 'books', reply: { kind: 'failed', code: 'X', details: '' } },
  { kind: 'heartbeatCleared', reply: { kind: 'unknown', code: 'X', details: '' } },
])('$kind is left to the supervisor', (input) => {
  const stage = EngineStage.listed();
  expect(stage.fold(input)).toEqual([]);
  expect([stage.events, stage.notes, stage.risk.trading]).toEqual([[], [], 'running']);
});
