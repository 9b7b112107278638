/** Laws 1, 2, 4, 5 and 8 of the overlay, over random crowds with a frozen random flow of our orders. */

import { describe, expect, it } from 'vitest';
import { oppositeIndex } from '../../src/core/side.ts';
import type { CancellationRule } from '../../src/simulator/overlay/fill-rules.ts';
import { defaultFillRules } from '../../src/simulator/overlay/fill-rules.ts';
import {
  boundsBreach,
  facingBreach,
  neutralityBreach,
  searchBreach,
  spendBreach,
  watchPriority,
} from '../support/overlay/overlay-laws.ts';
import { type LaneAtDesk, OverlayReplay } from '../support/overlay/overlay-replay.ts';
import { randomScript, type Script } from '../support/overlay/random-script.ts';
import { TapeLedger } from '../support/overlay/tape-ledger.ts';

const SEEDS = 400;
const CANCELLATIONS: readonly CancellationRule[] = ['pro-rata', 'ahead', 'behind'];

function replayOf(script: Script, cancellations: CancellationRule = 'pro-rata'): OverlayReplay {
  const bounds = ['pessimistic', 'central', 'optimistic'] as const;
  return new OverlayReplay(
    script.outcomes,
    bounds.map((bound) => ({ ...defaultFillRules(bound), cancellations })),
  );
}

function expectNoBreach(breach: string | undefined, seed: number, at: number): void {
  if (breach !== undefined) expect.fail(`seed ${seed}, step ${at}: ${breach}`);
}

describe(`the overlay, over ${SEEDS} seeds`, () => {
  it('law 1: shows the recording but for what we ate and rest, and exactly it where nothing of ours is left', () => {
    let neutralAfterOrders = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = randomScript(seed, { updates: 30, crossOwn: true, pauses: seed % 3 === 0 });
      const replay = replayOf(script);
      const tape = new TapeLedger(script.outcomes);
      for (let at = 0; at < script.steps.length; at += 1) {
        const step = script.steps[at]!;
        if (step.kind === 'update') tape.read(step.update);
        replay.do(step);
        expectNoBreach(neutralityBreach(replay.book, replay.seats, tape), seed, at);
        for (const seat of replay.seats) {
          expectNoBreach(searchBreach(replay.book, seat), seed, at);
          const unfilled = [...seat.desk.orders.values()].some((order) => order.voided === order.stake);
          if (step.kind === 'update' && seat.lane.isNeutral && unfilled) neutralAfterOrders += 1;
        }
      }
    }
    console.log(`law 1: ${neutralAfterOrders} updates compared after orders of ours had come and gone`);
    expect(neutralAfterOrders).toBeGreaterThan(500);
  }, 120_000);

  it('law 2: no recorded stake fills twice', () => {
    const filled = { rested: 0, taken: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = randomScript(seed, { updates: 60, crossOwn: true, pauses: false });
      const replay = replayOf(script);
      for (const seat of replay.seats) {
        const count = noDoubleSpend(seed, script, seat, replayOf(script));
        filled.rested += count.rested;
        filled.taken += count.taken;
      }
    }
    console.log('law 2: pieces checked', filled);
    expect(Math.min(filled.rested, filled.taken)).toBeGreaterThan(1_000);
  }, 120_000);

  it('law 4: orders of ours fill by price, then in their order', () => {
    let makers = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = randomScript(seed, { updates: 60, crossOwn: true, pauses: seed % 3 === 0 });
      const replay = replayOf(script, CANCELLATIONS[seed % 3]);
      const breaches: string[] = [];
      for (const seat of replay.seats) watchPriority(seat, breaches);
      script.steps.forEach((step, at) => {
        replay.do(step);
        expectNoBreach(breaches[0], seed, at);
      });
      for (const { desk } of replay.seats) makers += desk.fills.filter((fill) => fill.how !== 'took').length;
    }
    expect(makers).toBeGreaterThan(1_000);
  }, 120_000);

  it('law 5: pessimistic ≤ central ≤ optimistic matched stake, for every order at every moment', () => {
    const seen = { orders: 0, matched: 0, belowCentral: 0, aboveCentral: 0 };
    for (let seed = 1; seed <= SEEDS * 3; seed += 1) {
      const script = randomScript(seed, { updates: 60, crossOwn: false, pauses: seed % 2 === 0 });
      const replay = replayOf(script, CANCELLATIONS[seed % 3]);
      script.steps.forEach((step, at) => {
        replay.do(step);
        expectNoBreach(boundsBreach(replay.seats), seed, at);
      });
      const [low, central, high] = replay.seats.map((seat) => seat.desk);
      for (const { client, matched } of central!.orders.values()) {
        seen.orders += 1;
        if (matched > 0) seen.matched += 1;
        if (low!.matched(client) < matched) seen.belowCentral += 1;
        if (high!.matched(client) > matched) seen.aboveCentral += 1;
      }
    }
    console.log('law 5:', seen);
    expect(seen.matched).toBeGreaterThan(100);
    expect(Math.min(seen.belowCentral, seen.aboveCentral)).toBeGreaterThan(100);
  }, 120_000);

  it('law 8: no order faces crossing stake that is left while the market matches; nothing is held after the end', () => {
    let resting = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const script = randomScript(seed, { updates: 60, crossOwn: true, pauses: seed % 2 === 0 });
      const replay = replayOf(script, CANCELLATIONS[seed % 3]);
      let resumed = true;
      script.steps.forEach((step, at) => {
        replay.do(step);
        // A market that resumes meets what crosses at the end of the update that says so.
        if (step.kind === 'update') resumed = !replay.paused;
        if (!resumed || replay.paused || step.kind === 'resume') return;
        for (const seat of replay.seats) {
          if (seat.lane.rules.bound === 'pessimistic') continue;
          expectNoBreach(facingBreach(seat), seed, at);
          resting += seat.desk.resting().length;
        }
      });
      for (const seat of replay.seats) expectNothingHeld(seed, seat);
    }
    expect(resting).toBeGreaterThan(10_000);
  }, 120_000);
});

/** Replays one bound alone and holds every fill against the tape, update by update and in sum. */
function noDoubleSpend(
  seed: number,
  script: Script,
  { lane }: LaneAtDesk,
  replay: OverlayReplay,
): { rested: number; taken: number } {
  const seat = replay.seats.find((each) => each.lane.rules.bound === lane.rules.bound)!;
  const tape = new TapeLedger(script.outcomes);
  const whole = new TapeLedger(script.outcomes);
  const taken = new Map<string, number>();
  const count = { rested: 0, taken: 0 };
  let known = 0;
  script.steps.forEach((step, at) => {
    if (step.kind === 'update') {
      tape.read(step.update);
      whole.read(step.update);
    }
    replay.do(step);
    expectNoBreach(spendBreach(replay.book, seat), seed, at);
    for (const fill of seat.desk.fills.slice(known)) {
      const order = seat.desk.orders.get(fill.client)!;
      tape.fill(fill, order);
      whole.fill(fill, order);
      if (fill.how === 'crowd') count.rested += 1;
      if (fill.how !== 'took' || !fill.fromCrowd) continue;
      count.taken += 1;
      const maker = oppositeIndex(order.side);
      const name = `${order.outcome} ${maker} ${fill.tick}`;
      taken.set(name, (taken.get(name) ?? 0) + fill.stake);
      const came = whole.cameToRest(order.outcome, maker, fill.tick);
      if (taken.get(name)! > came)
        expect.fail(`seed ${seed}, step ${at}: took ${taken.get(name)} of ${came} at ${name}`);
    }
    known = seat.desk.fills.length;
    if (step.kind !== 'update') return;
    expectNoBreach(tape.breach(), seed, at);
    tape.startOver();
  });
  expectNoBreach(whole.breach(), seed, script.steps.length);
  return count;
}

function expectNothingHeld(seed: number, { lane, desk }: LaneAtDesk): void {
  for (const order of desk.resting()) desk.cancel(order.client);
  lane.release();
  expect(lane.isNeutral, `seed ${seed}`).toBe(true);
}
