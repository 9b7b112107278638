/** Who is behind holds the tape, for a limited time, and one driver that is held is late by exactly that. */

import { expect, test } from 'vitest';
import { startTape } from '../../src/sandbox/traffic/tape.ts';
import { ExchangeTime } from '../../src/sandbox-betfair/server/exchange-time.ts';
import { Pace } from '../../src/sandbox-betfair/server/pace.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { rc, withTape } from '../support/imported-stream.ts';
import { START } from '../support/sandbox/world-builder.ts';
import { FaceStage } from '../support/sandbox-betfair/face-stage.ts';

const PATIENCE = 10_000;

function paced() {
  const wall = new SimulatedClock(0);
  const told: [number, boolean][] = [];
  const pace = new Pace({ wall, patienceMs: PATIENCE, onChange: (isHeld) => told.push([wall.now(), isHeld]) });
  return { wall, told, pace };
}

test('the tape waits while anybody is behind', () => {
  const { wall, told, pace } = paced();
  const [slow, slower] = [{ isBehindTape: true }, { isBehindTape: true }];
  for (const each of [slow, slower, slow]) pace.look(each);
  wall.runUntil(100);
  slow.isBehindTape = false;
  pace.look(slow);
  wall.runUntil(200);
  pace.forget(slower);
  wall.runUntil(20_000);
  expect(told).toEqual([
    [0, true],
    [200, false],
  ]);
});

test('who catches up at once holds nothing', () => {
  const { wall, told, pace } = paced();
  const client = { isBehindTape: true };
  pace.look(client);
  client.isBehindTape = false;
  pace.look(client);
  wall.runUntil(20_000);
  expect(told).toEqual([]);
});

test('who never reads is given up, until it has read', () => {
  const { wall, told, pace } = paced();
  const client = { isBehindTape: true };
  pace.look(client);
  wall.runUntil(15_000);
  pace.look(client);
  client.isBehindTape = false;
  pace.look(client);
  client.isBehindTape = true;
  wall.runUntil(16_000);
  pace.look(client);
  wall.runUntil(40_000);
  expect(told).toEqual([
    [0, true],
    [PATIENCE, false],
    [16_000, true],
    [16_000 + PATIENCE, false],
  ]);
});

test('a tape that was held is late by that, and its starts move with it', async () => {
  const definition = {
    ...{ status: 'OPEN', bettingType: 'ODDS', marketType: 'WIN', numberOfWinners: 1, eventId: '33', eventTypeId: '7' },
    marketTime: new Date(START + 3_600_000).toISOString(),
    runners: [{ id: 11, status: 'ACTIVE', sortPriority: 1 }],
  };
  const changes = [{ marketDefinition: definition }, ...[4, 4.1, 4.2, 4.3].map((ltp) => rc({ id: 11, ltp }))];
  await withTape(changes, (tape) => {
    const { context, world } = new FaceStage().builder;
    const clock = context.clock as SimulatedClock;
    const onBug = (error: unknown) => {
      throw error;
    };
    const traffic = startTape(context, { tape, speed: 0.01, showsRecorded: true, onBug });
    const startOf = () => [...world.catalogue.events.values()].at(-1)?.expectedStartTime ?? 0;
    clock.runUntil(START + 1);
    const before = startOf();
    traffic.hold();
    clock.runUntil(START + 5_001);
    expect(traffic.lagMs()).toBe(5_000);
    traffic.go();
    expect(startOf()).toBe(before + 5_000);
    clock.runUntil(START + 6_000);
    expect(traffic.lagMs()).toBe(5_000);
  });
});

test('an exchange whose process was busy holds the tape until its timers are on time again', () => {
  const wall = new SimulatedClock(START);
  const onBug = (error: unknown) => {
    throw error;
  };
  const time = new ExchangeTime({ wall, paceMs: PATIENCE, onBug });
  const calls: string[] = [];
  const paces = { hold: () => calls.push('hold'), go: () => calls.push('go'), lagMs: () => 7, stop() {} };
  time.startTraffic(() => ({ paced: [paces], others: [] }));
  // Something that takes 400 ms each time it runs, every 300 ms, for a while.
  let left = 5;
  time.clock.schedule(function busy() {
    left -= 1;
    wall.at(wall.now(), () => undefined);
    setNow(wall, wall.now() + 400);
    if (left > 0) this.schedule(undefined, 300);
  }, 300);
  wall.runUntil(START + 10_000);
  expect(calls).toEqual(['hold', 'go']);
  expect(time.lagMs()).toBe(7);
  time.stop();
});

/** Time passes while something runs. */
function setNow(wall: SimulatedClock, at: number): void {
  Object.defineProperty(wall, 'now', {
    value: () => Math.max(at, Object.getPrototypeOf(wall).now.call(wall)),
    configurable: true,
  });
}
