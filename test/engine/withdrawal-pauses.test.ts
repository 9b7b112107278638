/** When the cancellation of an order that is to end is asked for again, without a bot or an exchange around it. */

import { expect, test } from 'vitest';
import type { RunNote } from '../../src/engine/log/run-log.ts';
import { Withdrawal } from '../../src/engine/withdrawal.ts';
import { CANCELLED, EngineStage, reportOf, START } from '../support/engine/engine-stage.ts';

/** A resting order, a withdrawal, and the instants at which it asks for a cancellation that does nothing. */
function withdrawing() {
  const stage = EngineStage.listed();
  const order = stage.resting();
  const notes: RunNote[] = [];
  const withdrawal = new Withdrawal(stage.ledger, { noted: (_at, note) => void notes.push(note) }, true);
  /** Looks at each of these times, ms after the start; each request is answered at once by a report that the order lives. */
  const askedAt = (times: readonly number[], endsAll = false): readonly number[] =>
    times.filter((ms) => {
      stage.step.begin(START + ms);
      withdrawal.cancelDue(stage.step, endsAll);
      const isAsked = stage.step.takeCancels().length > 0;
      const reply = { kind: 'cancelled', reports: [reportOf(order)] } as const;
      if (isAsked) stage.fold({ kind: 'cancelReply', orders: [order], reply }, START + ms);
      return isAsked;
    });
  const move = (to: 'halted' | 'reduceOnly' | 'running') => withdrawal.onTradingMoved(to);
  return { stage, order, withdrawal, notes, askedAt, move };
}

const EVERY_500 = Array.from({ length: 130 }, (_, i) => i * 500);

test('nothing is cancelled while trading runs, and all of it at the end of the run', () => {
  const { askedAt } = withdrawing();
  expect(askedAt([0, 500])).toEqual([]);
  expect(askedAt([1_000], true)).toEqual([1_000]);
});

test('after a halt it is asked for at once, and again with pauses that double up to half a minute', () => {
  const { askedAt, move } = withdrawing();
  move('halted');
  expect(askedAt(EVERY_500)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500, 61_500]);
});

test('in reduce-only the orders of before are to end, and those that are placed later may stay', () => {
  const { stage, order, withdrawal, askedAt, move } = withdrawing();
  move('reduceOnly');
  stage.resting();
  stage.step.begin(START);
  withdrawal.cancelDue(stage.step, false);
  expect(stage.step.takeCancels()).toEqual([order]);
  stage.fold({ kind: 'order', order: reportOf(order, CANCELLED) });
  expect(askedAt(EVERY_500)).toEqual([]);
});

test('it is asked for at once when its market opens again', () => {
  const { stage, askedAt, move } = withdrawing();
  stage.market.status = 'Locked';
  move('halted');
  expect(askedAt([0, 500, 1_500, 2_000])).toEqual([0, 500, 1_500]);
  stage.market.status = 'Open';
  expect(askedAt([2_500])).toEqual([2_500]);
});

test('an order that outlives three requests is reported, again each minute, and once when it is gone', () => {
  const { stage, order, withdrawal, notes, askedAt, move } = withdrawing();
  move('halted');
  askedAt([0, 500, 1_500]);
  expect(withdrawal.left).toMatchObject([{ client: 1, order: 1_001, market: 'm', marketStatus: 'Open', asked: 3 }]);
  askedAt([2_000, 61_499]);
  expect(notes).toMatchObject([{ kind: 'withdrawal', left: 1 }]);
  askedAt([61_500]);
  expect(notes).toHaveLength(2);
  stage.fold({ kind: 'order', order: reportOf(order, CANCELLED) }, START + 62_000);
  askedAt([62_000, 62_500]);
  expect(notes.map((note) => note.kind === 'withdrawal' && note.left)).toEqual([1, 1, 0]);
});

test('a clock that was set back ends all pauses', () => {
  const { withdrawal, askedAt, move } = withdrawing();
  move('halted');
  expect(askedAt([10_000, 500])).toEqual([10_000]);
  withdrawal.onClockSetBack(START + 600);
  expect(askedAt([600])).toEqual([600]);
});
