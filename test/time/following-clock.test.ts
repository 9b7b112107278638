/** The clock of a paper run: logical instants inside, real time outside, and a system clock that jumps. */

import type { SchedulerAction, Subscription } from 'rxjs';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/time/clock.ts';
import { FollowingClock } from '../../src/time/following-clock.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';

const START = 1_000_000;

/** Real time that can be set to another value while its timers run on. */
class JumpyWall implements Clock {
  readonly timers = new SimulatedClock(START);
  setByMs = 0;

  now(): number {
    return this.timers.now() + this.setByMs + 0.4;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs?: number, state?: T): Subscription {
    return this.timers.schedule(work, delayMs, state);
  }
}

function slaved(wall: JumpyWall) {
  const woken: number[] = [];
  const faults: unknown[] = [];
  const clock: FollowingClock = new FollowingClock({
    wall,
    onWake: () => {
      woken.push(clock.reading());
      clock.step(() => clock.simulated.runUntil(clock.reading()));
    },
    onFault: (error) => faults.push(error),
  });
  return { clock, woken, faults };
}

test('wakes for what is due, which then runs at its own instant', () => {
  const wall = new JumpyWall();
  const { clock } = slaved(wall);
  const ran: number[] = [];
  wall.timers.runUntil(START + 500);
  clock.schedule(() => ran.push(clock.now()), 100);
  clock.schedule(() => ran.push(clock.now()), 30);
  expect(clock.now()).toBe(START + 500);
  wall.timers.runUntil(START + 2_000);
  expect(ran).toEqual([START + 530, START + 600]);
});

test('is late with a busy process, and then runs each thing at the instant at which it was due', () => {
  const wall = new JumpyWall();
  const { clock, woken } = slaved(wall);
  const ran: number[] = [];
  for (const delayMs of [10, 20, 30]) clock.schedule(() => ran.push(clock.now()), delayMs);
  wall.setByMs = 5_000;
  wall.timers.runUntil(START + 40);
  expect(ran).toEqual([START + 10, START + 20, START + 30]);
  expect(woken).toEqual([START + 5_010]);
});

test('goes on where the system clock goes back, ahead by as much', () => {
  const wall = new JumpyWall();
  const { clock } = slaved(wall);
  const ran: number[] = [];
  wall.timers.runUntil(START + 1_000);
  expect(clock.reading()).toBe(START + 1_000);
  wall.setByMs = -3_600_000;
  clock.schedule(() => ran.push(clock.now()), 200);
  wall.timers.runUntil(START + 1_300);
  expect(ran).toEqual([START + 1_200]);
  expect(clock.reading()).toBe(START + 1_300);
});

test('a fault of what it wakes stops it, and is reported', () => {
  const wall = new JumpyWall();
  const { clock, faults } = slaved(wall);
  const bug = new Error('a bug');
  clock.schedule(() => {
    throw bug;
  }, 10);
  clock.schedule(() => expect.fail('it has stopped'), 20);
  wall.timers.runUntil(START + 100);
  expect(faults).toEqual([bug]);
});

test('steps do not contain each other', () => {
  const { clock } = slaved(new JumpyWall());
  expect(() => clock.step(() => clock.step(() => undefined))).toThrow('a step of the clock ends');
});
