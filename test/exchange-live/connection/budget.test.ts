/** The request budget: never above its rate, cancels before everything else, first come first served within a priority. */

import { describe, expect, test } from 'vitest';
import { Budget, type BudgetSettings, type Place } from '../../../src/exchange-live/connection/budget.ts';
import { PRIORITIES, type Priority } from '../../../src/exchange-live/connection/priority.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { Random } from '../../support/random.ts';

interface Ticket {
  readonly priority: Priority;
  readonly joinedAt: number;
  enteredAt?: number;
  place?: Place;
}

function office(settings: Partial<BudgetSettings> = {}, connections = 100) {
  const clock = new SimulatedClock(0);
  const budget = new Budget(clock, { perSecond: 10, burst: 5, waitingMax: 1_000, ...settings }, connections);
  const entered: Ticket[] = [];
  const join = (priority: Priority): Ticket => {
    const ticket: Ticket = { priority, joinedAt: clock.now() };
    const place = budget.join(priority, () => {
      ticket.enteredAt = clock.now();
      entered.push(ticket);
    });
    if (place !== undefined) ticket.place = place;
    return ticket;
  };
  return { clock, budget, entered, join };
}

describe('rate', () => {
  test('a burst goes at once, the rest one by one', () => {
    const { clock, entered, join } = office();
    for (let index = 0; index < 8; index += 1) join('poll');
    expect(entered.length).toBe(5);
    clock.runUntil(99);
    expect(entered.length).toBe(5);
    clock.runUntil(300);
    expect(entered.map(({ enteredAt }) => enteredAt)).toEqual([0, 0, 0, 0, 0, 100, 200, 300]);
  });

  test('a clock that is set back neither gives nor takes', () => {
    const clock = new SimulatedClock(1_000_000);
    let now = 1_000_000;
    const wandering = { now: () => now, schedule: clock.schedule.bind(clock) };
    const budget = new Budget(wandering, { perSecond: 10, burst: 1, waitingMax: 10 }, 10);
    const entered: number[] = [];
    budget.join('poll', () => entered.push(1));
    now -= 500_000;
    budget.join('poll', () => entered.push(2));
    expect(entered).toEqual([1]);
    now += 100;
    clock.runUntil(1_000_100);
    expect(entered).toEqual([1, 2]);
  });
});

describe('priority', () => {
  test('of all that wait, cancels go first, then heartbeats, orders and polls, each in their order', () => {
    const { clock, entered, join } = office({ burst: 1 });
    join('poll');
    const waiting = (['poll', 'order', 'poll', 'heartbeat', 'cancel', 'order', 'cancel'] as const).map(join);
    clock.runUntil(10_000);
    const [poll1, order1, poll2, heartbeat, cancel1, order2, cancel2] = waiting;
    expect(entered.slice(1)).toEqual([cancel1, cancel2, heartbeat, order1, order2, poll1, poll2]);
  });

  test('polls that never end leave connections for what matters more', () => {
    const { entered, join } = office({ perSecond: 1_000, burst: 1_000 }, 6);
    for (let index = 0; index < 20; index += 1) join('poll');
    expect(entered.length).toBe(3);
    for (const priority of ['order', 'heartbeat', 'cancel'] as const) {
      join(priority);
      expect(entered.at(-1)?.priority).toBe(priority);
    }
    expect(entered.length).toBe(6);
    join('cancel');
    expect(entered.length).toBe(6);
    entered[0]?.place?.leave();
    expect(entered.at(-1)?.priority).toBe('cancel');
  });

  test('one connection serves all in turn', () => {
    const { entered, join } = office({}, 1);
    join('poll');
    join('poll');
    join('cancel');
    expect(entered.length).toBe(1);
    entered[0]?.place?.leave();
    entered[0]?.place?.leave();
    expect(entered.map(({ priority }) => priority)).toEqual(['poll', 'cancel']);
  });
});

describe('limits', () => {
  test('a full queue turns away its own priority alone', () => {
    const { join } = office({ burst: 1, waitingMax: 2 });
    join('poll');
    expect([join('poll'), join('poll'), join('poll')].map(({ place }) => place !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
    expect(join('cancel').place).toBeDefined();
  });

  test('who leaves the queue makes room and takes no token', () => {
    const { clock, entered, join } = office({ burst: 1, waitingMax: 2 });
    join('poll');
    const gone = join('poll');
    const last = join('poll');
    gone.place?.leave();
    expect(join('poll').place).toBeDefined();
    clock.runUntil(100);
    expect(entered.at(-1)).toBe(last);
  });

  test('a pause stops everybody and a shorter one does not end it', () => {
    const { clock, budget, entered, join } = office();
    budget.pause(3_000);
    budget.pause(1_000);
    join('cancel');
    clock.runUntil(2_999);
    expect(entered).toEqual([]);
    clock.runUntil(3_000);
    expect(entered.length).toBe(1);
  });

  test('no request enters a closed budget', () => {
    const { clock, budget, entered, join } = office({ burst: 1 });
    join('poll');
    join('poll');
    budget.pause(10);
    budget.close();
    clock.runUntil(10_000);
    expect(entered.length).toBe(1);
  });
});

test('over random loads: no window sees more than burst and rate allow, no cancel waits behind a poll, none is lost', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = new Random(seed);
    const perSecond = random.pick([1, 3, 7.5, 20, 333]);
    const burst = random.pick([1, 2, 10, 40]);
    const { clock, budget, entered, join } = office({ perSecond, burst }, random.between(1, 12));
    const joined: Ticket[] = [];
    for (let step = 0; step < 300; step += 1) {
      clock.runUntil(clock.now() + random.between(0, random.chance(0.05) ? 5_000 : 120));
      if (random.chance(0.7)) joined.push(join(random.pick(PRIORITIES)));
      if (random.chance(0.02)) budget.pause(random.between(1, 2_000));
      const underWay = entered.filter(({ place }) => place !== undefined);
      if (underWay.length > 0 && random.chance(0.8)) leave(random.pick(underWay));
      if (random.chance(0.05)) leave(random.pick(joined.length > 0 ? joined : [join('poll')]));
    }
    for (let step = 0; step < 1_000 && joined.some(isWaiting); step += 1) {
      for (const ticket of entered) leave(ticket);
      clock.runUntil(clock.now() + 2_000);
    }
    expectWithinRate(entered, { perSecond, burst, seed });
    expectPriorities(joined, `seed ${seed}`);
    expect(joined.filter(isWaiting), `seed ${seed}`).toEqual([]);
  }
});

function isWaiting({ place, enteredAt }: Ticket): boolean {
  return place !== undefined && enteredAt === undefined;
}

function leave(ticket: Ticket): void {
  ticket.place?.leave();
  delete ticket.place;
}

function expectWithinRate(entered: readonly Ticket[], limit: { perSecond: number; burst: number; seed: number }): void {
  const times = entered.map(({ enteredAt = 0 }) => enteredAt);
  for (let from = 0; from < times.length; from += 1)
    for (let to = from; to < times.length; to += 1) {
      const passed = ((times[to] ?? 0) - (times[from] ?? 0)) / 1_000;
      if (to - from + 1 > limit.burst + passed * limit.perSecond + 1e-6)
        expect.fail(`seed ${limit.seed}: ${to - from + 1} requests within ${passed} s`);
    }
}

/** No request of a lower priority enters while one of a higher priority waits. */
function expectPriorities(joined: readonly Ticket[], where: string): void {
  for (const low of joined)
    for (const high of joined) {
      if (low.enteredAt === undefined || high.enteredAt === undefined) continue;
      if (PRIORITIES.indexOf(high.priority) > PRIORITIES.indexOf(low.priority)) continue;
      const isFirst = high.priority !== low.priority || joined.indexOf(high) < joined.indexOf(low);
      if (isFirst && high !== low && high.joinedAt < low.enteredAt && high.enteredAt > low.enteredAt)
        expect.fail(`${where}: a ${high.priority} of ${high.joinedAt} waited behind a ${low.priority}`);
    }
}
