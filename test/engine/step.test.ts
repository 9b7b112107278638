/** The order in which one input is worked through, and what a step hands out to be sent. */

import { describe, expect, it, test } from 'vitest';
import { Engine, type EngineSupervisor } from '../../src/engine/engine.ts';
import { ReusedList } from '../../src/engine/ledger/reused-list.ts';
import type { Step } from '../../src/engine/ledger/step.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import type { DecideInput } from '../../src/strategy/contract.ts';
import { createFixedMarket } from '../../src/strategy/testing/fixed-market.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { EngineStage, NOTHING, PLACE, reportOf, START } from '../support/engine/engine-stage.ts';

describe('an engine', () => {
  /** An engine that writes down what happens when, under a supervisor that may hold strategies back. */
  function engine({ isTrading = true, isFull = false } = {}) {
    const happened: string[] = [];
    const supervisor: EngineSupervisor = {
      isTrading,
      beforeDecisions: (input) => void happened.push(`before decisions: ${input.kind}`),
      mayLeave: () => true,
      commit: (step) => {
        happened.push(`commit ${placesOf(step)}`);
        if (isFull && placesOf(step) > 0) throw new Error('no space left');
      },
    };
    const decide = ({ why }: DecideInput) => {
      happened.push(`decide: ${why}`);
      return why === 'prices' ? [PLACE, { ...PLACE, stake: -1 }] : [];
    };
    const plugin = { name: 'first', decide };
    const instances = [newInstance({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })];
    const log = {
      logUpdate: () => void happened.push('update'),
      logEvent: ({ kind }: { kind: string }) => void happened.push(kind),
    };
    const made = new Engine({ instances, limits: {}, log, intentsMax: 9, engineSupervisor: () => supervisor });
    const send = (step: Step) => {
      happened.push(`send ${step.takePlaces().length}`);
    };
    made.connect({ clock: new SimulatedClock(START), enter: () => undefined, send });
    const market = createFixedMarket({ id: 'm', outcomes: [{ id: 'a' }, { id: 'b' }], updatedAt: START });
    made.onInput({ kind: 'market', market, cause: 'listed' });
    happened.length = 0;
    return { made, happened, prices: { kind: 'market', market, cause: 'prices' } as const };
  }

  it('folds, decides, judges, commits and sends, in this order', () => {
    const { made, happened, prices } = engine();
    made.onInput(prices);
    expect(happened).toEqual([
      ...['update', 'before decisions: market', 'decide: prices', 'decided', 'sent', 'refused', 'commit 1', 'send 1'],
    ]);
    expect([made.decisions, made.counts.intended]).toEqual([2, 2]);
  });

  it('calls no strategy while it does not trade, and sends nothing where nothing is to be sent', () => {
    const { made, happened, prices } = engine({ isTrading: false });
    made.onInput(prices);
    expect(happened).toEqual(['update', 'before decisions: market', 'commit 0']);
  });

  it('sends nothing of a step that cannot be committed', () => {
    const { made, happened, prices } = engine({ isFull: true });
    expect(() => made.onInput(prices)).toThrow('no space left');
    expect(happened.at(-1)).toBe('commit 1');
  });
});

describe('a step', () => {
  it('calls a strategy once, for the first cause', () => {
    const stage = EngineStage.listed();
    stage.step.call(stage.inMarket(), 'timer');
    expect(stage.calls()).toEqual(['first status']);
  });

  it('puts off a call until what is proposed was judged, also one that was asked for already', () => {
    const stage = EngineStage.listed({ plugins: [{ decide: NOTHING }, { decide: NOTHING }] });
    stage.step.callAfterJudging(stage.inMarket(), 'order');
    expect(stage.calls()).toEqual(['second status']);
    stage.step.call(stage.inMarket(), 'prices');
    expect(stage.calls()).toEqual(['second status']);
    expect(stage.step.nextCalls()).toBe(true);
    expect(stage.calls()).toEqual(['first order']);
    expect(stage.step.nextCalls()).toBe(false);
  });

  it('does not put off a call that was made already', () => {
    const stage = EngineStage.listed();
    stage.step.callAfterJudging(stage.inMarket(), 'order');
    stage.step.nextCalls();
    stage.step.calls.clear();
    stage.step.callAfterJudging(stage.inMarket(), 'order');
    expect(stage.step.nextCalls()).toBe(false);
  });

  it('hands out each order once, and has work until all of it is handed out', () => {
    const stage = EngineStage.listed();
    expect(stage.step.hasWork).toBe(false);
    stage.judge([PLACE, PLACE]);
    expect([stage.step.hasWork, placesOf(stage.step)]).toEqual([true, 2]);
    expect(stage.step.takePlaces()).toHaveLength(2);
    expect([stage.step.hasWork, stage.step.takePlaces()]).toEqual([false, []]);
  });

  it('forgets calls and proposals of the one before, and nothing that is to be sent', () => {
    const stage = EngineStage.listed();
    stage.judge([PLACE]);
    stage.step.begin(START + 1);
    expect([stage.step.calls.length, stage.step.proposals.length, stage.step.hasWork]).toEqual([0, 0, true]);
  });
});

test('a reused list forgets what it held, and takes out one pair in the middle', () => {
  const list = new ReusedList<string, number>();
  for (const [name, count] of [['a', 1] as const, ['b', 2] as const, ['c', 3] as const]) list.push(name, count);
  expect(list.remove('b')).toBe(true);
  expect([list.length, list.firsts.slice(0, 2), list.seconds.slice(0, 2)]).toEqual([2, ['a', 'c'], [1, 3]]);
  list.clear();
  expect([list.length, list.remove('a')]).toEqual([0, false]);
  list.push('d', 4);
  expect([list.length, list.firsts[0]]).toEqual([1, 'd']);
});

describe('a strategy that is halted', () => {
  it('has its live orders cancelled and its alarms forgotten, and the others keep theirs', () => {
    const stage = EngineStage.listed({ plugins: [{ decide: NOTHING }, { decide: NOTHING }] });
    const order = stage.resting();
    stage.judge([PLACE], START, 1);
    const [other] = stage.step.takePlaces();
    stage.inMarket().wakeAt = START + 9;
    stage.ledger.haltStrategy(stage.inMarket().instance, stage.step);
    expect(stage.step.takeCancels()).toEqual([order]);
    expect([stage.inMarket().wakeAt, other?.cancelWanted]).toEqual([undefined, false]);
  });

  it('that is resumed is offered the markets that came meanwhile', () => {
    const stage = new EngineStage();
    const [instance] = stage.ledger.instances;
    if (instance === undefined) throw new Error('the stage has a strategy');
    stage.ledger.haltStrategy(instance, stage.step);
    expect(stage.foldMarket('listed')).toEqual([]);
    stage.ledger.resumeStrategy(instance, () => {});
    expect(stage.foldMarket('prices')).toEqual(['first prices']);
    expect(stage.ledger.risk.haltedStrategies.size).toBe(0);
  });

  it('while its order waits for the exchange’s id has it cancelled as soon as that is known', () => {
    const stage = EngineStage.listed();
    const order = stage.sent();
    stage.ledger.haltStrategy(stage.inMarket().instance, stage.step);
    expect(stage.step.takeCancels()).toEqual([]);
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect(stage.step.takeCancels()).toEqual([order]);
  });
});

/** How many orders the step is about to place. */
function placesOf({ sending }: Step): number {
  return sending.find(({ request }) => request === 'place')?.orders.length ?? 0;
}
