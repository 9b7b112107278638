/** A part of an order is cancelled: when it is asked for, what counts until it is answered, and what a run makes of it. */

import { describe, expect, it } from 'vitest';
import { money, ZERO } from '../../src/core/number/units.ts';
import type { OwnOrder } from '../../src/engine/ledger/own-order.ts';
import type { CancelReply, OrderReport } from '../../src/exchange/gateway.ts';
import { defineStrategy } from '../../src/strategy/define-strategy.ts';
import { reduce, replace } from '../../src/strategy/helpers/place.ts';
import { EngineStage, PLACE, reportOf } from '../support/engine/engine-stage.ts';
import { runScript, Script } from '../support/scripted-run.ts';

const REDUCED = { stakeUnmatched: money(4e6), stakeVoided: money(6e6) };
const LOST: CancelReply = { kind: 'unknown', code: 'TIMEOUT', details: 'no answer' };

function listed(): EngineStage {
  const stage = EngineStage.listed();
  stage.market.canReduce = true;
  return stage;
}

function answer(stage: EngineStage, order: OwnOrder, change: Partial<OrderReport> = REDUCED): readonly string[] {
  return reply(stage, order, { kind: 'cancelled', reports: [reportOf(order, change)] });
}

function reply(stage: EngineStage, order: OwnOrder, given: CancelReply): readonly string[] {
  return stage.fold({ kind: 'reduceReply', order, reply: given });
}

function sent(stage: EngineStage): readonly (readonly [number, number])[] {
  return stage.step.takeReductions().map(({ order, stake }) => [order.id, stake / 1e6]);
}

describe('an intent to reduce', () => {
  it('is refused where the exchange cancels whole orders alone', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    stage.judge([reduce(order, 6)]);
    expect([stage.refusals(), sent(stage), order.inFlight]).toEqual([['NOT_SUPPORTED'], [], undefined]);
  });

  it.each([
    ['UNKNOWN_ORDER', { kind: 'reduce', order: 99, stake: 1 }],
    ['UNKNOWN_ORDER', { kind: 'reduce', order: '1', stake: 1 }],
    ['STAKE_INVALID', { kind: 'reduce', order: 1, stake: 0 }],
    ['STAKE_INVALID', { kind: 'reduce', order: 1, stake: 0.0005 }],
  ])('is refused: %s', (code, intent) => {
    const stage = listed();
    stage.resting();
    stage.judge([intent]);
    expect([stage.refusals(), sent(stage)]).toEqual([[code], []]);
  });

  it('takes a step of the stakes of its exchange off, or more', () => {
    const stage = listed();
    stage.market.minimumStake = { stake: money(1e6), step: money(10_000) };
    stage.resting();
    stage.judge([{ kind: 'reduce', order: 1, stake: 0.015 }]);
    expect([stage.refusals(), sent(stage)]).toEqual([['STAKE_INVALID'], []]);
    stage.judge([{ kind: 'reduce', order: 1, stake: 0.02 }]);
    expect(sent(stage)).toEqual([[1, 0.02]]);
  });

  it('is sent at once, and counts whole until the exchange says what it cancelled', () => {
    const stage = listed();
    const order = stage.resting();
    stage.judge([reduce(order, 6)]);
    expect([sent(stage), order.inFlight, order.reducing]).toEqual([[[1, 6]], 'reduce', true]);
    expect(stage.eventsOf('reduceSent').map(({ stake }) => stake)).toEqual([6e6]);
    expect(stage.required()).toBe(10);
    // A fill is reported meanwhile: the reduction is still under way.
    const fill = { status: 'PartiallyMatched', stakeMatched: money(1e6), winningsMatched: money(1e6) } as const;
    stage.fold({ kind: 'order', order: reportOf(order, { ...fill, stakeUnmatched: money(9e6) }) });
    expect([order.inFlight, stage.required()]).toEqual(['reduce', 10]);
    const called = answer(stage, order, { ...fill, stakeUnmatched: money(3e6), stakeVoided: money(6e6) });
    expect(called).toEqual(['first order']);
    expect([order.inFlight, order.isLive, order.stakeUnmatched, stage.required()]).toEqual([undefined, true, 3, 4]);
  });

  it('is one at a time, and yields to a cancellation', () => {
    const stage = listed();
    const order = stage.resting();
    stage.judge([reduce(order, 6), reduce(order, 1), replace(order, { price: 2 })]);
    expect([sent(stage), stage.refusals()]).toEqual([[[1, 6]], ['CANCEL_IN_FLIGHT', 'CANCEL_IN_FLIGHT']]);
    stage.judge([{ kind: 'cancel', order: 1 }, reduce(order, 1)]);
    expect(stage.step.takeCancels()).toEqual([order]);
    expect([stage.refusals().at(-1), sent(stage)]).toEqual(['CANCEL_IN_FLIGHT', []]);
    answer(stage, order);
    expect(order.inFlight).toBe('cancel');
  });

  it('waits until the exchange has named the order, and until it rests', () => {
    const stage = listed();
    const order = stage.sent();
    stage.judge([reduce(order, 6)]);
    expect([sent(stage), order.reducing]).toEqual([[], true]);
    stage.fold({ kind: 'order', order: reportOf(order, { status: 'Pending' }) });
    expect(sent(stage)).toEqual([]);
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect([sent(stage), order.inFlight]).toEqual([[[1, 6]], 'reduce']);
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect(sent(stage)).toEqual([]);
  });

  it('is dropped with the order that ends before it is sent', () => {
    const stage = listed();
    const order = stage.sent();
    stage.judge([reduce(order, 6), { kind: 'cancel', order: 1 }]);
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect([sent(stage), stage.step.takeCancels()]).toEqual([[], [order]]);
  });

  it('whose answer is lost counts as under way until the exchange reports the order', () => {
    const stage = listed();
    const order = stage.resting();
    stage.judge([reduce(order, 6)]);
    stage.step.takeReductions();
    reply(stage, order, LOST);
    expect([order.reducing, stage.required(), stage.eventsOf('unknown').length]).toEqual([true, 10, 1]);
    stage.judge([reduce(order, 6)]);
    expect(stage.refusals()).toEqual(['CANCEL_IN_FLIGHT']);
    stage.fold({ kind: 'order', order: reportOf(order, REDUCED) });
    expect([order.reducing, stage.required()]).toEqual([false, 4]);
  });

  it('takes from what a later replacement places again', () => {
    const stage = listed();
    const order = stage.resting();
    stage.judge([reduce(order, 6)]);
    answer(stage, order);
    stage.judge([replace(order, { price: 2.2 })]);
    stage.step.takeCancels();
    const ended = { status: 'Cancelled', stakeUnmatched: ZERO, stakeVoided: money(10e6) } as const;
    const given: CancelReply = { kind: 'cancelled', reports: [reportOf(order, ended)] };
    stage.fold({ kind: 'cancelReply', orders: [order], reply: given });
    const [proposed] = stage.step.proposals.seconds;
    expect(proposed).toEqual([
      { ...PLACE, stake: 4, price: 2.2, keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
    ]);
  });
});

const BACK = { kind: 'place', outcome: 'o0', side: 'For', price: 3, stake: 10 } as const;

describe('a run over a recording', () => {
  /** Rests 10 at 3 behind 20 of others, halves it, and is reached by trades of 24. */
  async function run(exchange?: 'betfair') {
    const script = new Script();
    const market = script.market(exchange === undefined ? {} : { exchange });
    market.at(500, { level: [0, 'Against', 2.9, 50] }, { level: [0, 'For', 3, 20] });
    for (let at = 1_000; at < 5_000; at += 500) market.at(at, { level: [1, 'Against', 2, at / 100] });
    // Others come behind it while it is halved: an order that is placed again would stand behind them.
    market.at(1_800, { level: [0, 'For', 3, 120] });
    market.at(6_000, { trade: [0, 3, 12] }, { level: [0, 'For', 3, 108] });
    market.at(7_000, { trade: [0, 3, 12] }, { level: [0, 'For', 3, 96] });
    market.settle(10_000, 0);
    const seen: string[] = [];
    const plugin = defineStrategy({
      name: 'halver',
      decide({ market: { id }, orders, now, why }) {
        for (const { inFlight, stakeUnmatched, stakeVoided } of orders)
          seen.push(`${inFlight} ${stakeUnmatched} ${stakeVoided}`);
        const [order] = orders;
        if (order === undefined) return why === 'prices' && seen.length === 0 ? [{ ...BACK, market: id }] : [];
        const isOld = order.stakeVoided === 0 && order.inFlight === undefined && now > order.placedAt + 1_000;
        return isOld ? [reduce(order, 5)] : [];
      },
    });
    const { collector } = await runScript(script, [plugin], {});
    return { seen: [...new Set(seen)], fills: [...collector.fillRows()], refusals: [...collector.refusals] };
  }

  it('keeps the place of what is left, where the recording is Betfair’s', async () => {
    const { seen, fills, refusals } = await run('betfair');
    expect(refusals).toEqual([]);
    expect(seen).toContain('undefined 5 5');
    expect(fills.map(({ stake, at }) => [stake, at % 60_000])).toEqual([[4, 7_000]]);
  });

  it('is refused each time where it is not', async () => {
    const { fills, refusals } = await run();
    expect(refusals.map(([code]) => code)).toEqual(['NOT_SUPPORTED']);
    expect(fills.map(({ stake }) => stake)).toEqual([4]);
  });
});
