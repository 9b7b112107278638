/** What watches over a daemon: the halt file, the session, the process's own signs of life. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClockWatch, watchVitalSigns } from '../../../src/app/live/observe/health.ts';
import { SessionWatch } from '../../../src/app/live/observe/session-watch.ts';
import { HaltFile } from '../../../src/app/live/process/directory-watch.ts';
import { instant } from '../../../src/core/number/units.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { AT } from '../../support/daemon/made-status.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

describe('the halt file', () => {
  let dir = '';
  let path = '';
  beforeEach(() => {
    dir = temporaryDirectory('halt');
    path = join(dir, 'halt');
  });

  test('halts once, when it appears, by its own words; again only after it was away', () => {
    const file = new HaltFile(path);
    expect([file.look(), file.isThere]).toEqual([undefined, false]);
    writeFileSync(path, '  wrong\n team news \n');
    expect([file.look(), file.isThere, file.look()]).toEqual(['wrong team news', true, undefined]);
    rmSync(path);
    expect([file.look(), file.isThere]).toEqual([undefined, false]);
    writeFileSync(path, '');
    expect(file.look()).toBe('the halt file is there');
  });

  test('halts all the same where it cannot be read', () => {
    mkdirSync(path);
    expect(new HaltFile(path).look()).toMatch(/^the halt file is there, and cannot be read/);
  });
});

describe('the session', () => {
  function stage() {
    const clock = { now: AT };
    const told: string[] = [];
    const watch = new SessionWatch({
      ...{ now: () => clock.now, skewMaxMs: 5_000, refusedMs: 60_000 },
      onSkew: (skewMs) => told.push(`skew ${skewMs}`),
      onLost: (details) => told.push(`lost ${details}`),
    });
    const failed = (isRefused: boolean, isFinal = false) =>
      watch.onEvent({ kind: 'sessionFailed', details: 'no', retryInMs: 1, isRefused, isFinal });
    const opened = (skewMs: number | undefined) =>
      watch.onEvent({ kind: 'sessionOpened', expiresAt: instant(AT), skewMs });
    return { clock, told, watch, failed, opened };
  }

  test('is lost for good once the key was refused for long enough without a break, and reported once', () => {
    const { clock, told, watch, failed } = stage();
    failed(true);
    clock.now += 59_999;
    failed(true);
    expect(told).toEqual([]);
    clock.now += 1;
    failed(true);
    failed(true);
    expect({ told, isLost: watch.isLost, away: watch.awaySince }).toEqual({
      told: ['lost no'],
      isLost: true,
      away: AT,
    });
  });

  test('is lost at once where the exchange says that it is for good: no other try would come for a day', () => {
    const { told, watch, failed } = stage();
    failed(true, true);
    expect({ told, isLost: watch.isLost }).toEqual({ told: ['lost no'], isLost: true });
  });

  test('is not lost by an exchange that is away, however long, nor by a refusal in between', () => {
    const { clock, told, failed, watch, opened } = stage();
    for (let minutes = 0; minutes < 600; minutes += 1) {
      clock.now += 60_000;
      failed(minutes % 3 === 0);
    }
    expect(told).toEqual([]);
    expect(watch.awaySince).toBe(AT + 60_000);
    opened(0);
    expect(watch.awaySince).toBeUndefined();
  });

  test('reports clocks that drift apart once for each time, in both directions', () => {
    const { told, watch, opened } = stage();
    for (const skewMs of [5_000, -5_001, -6_000, undefined, 0, 5_001]) opened(skewMs);
    expect(told).toEqual(['skew -5001', 'skew 5001']);
    expect(watch.skewMs).toBe(5_001);
  });
});

describe('the signs of life', () => {
  function stage(aliveEveryMs?: number) {
    const simulated = new SimulatedClock(AT);
    const told: string[] = [];
    const state = { steadyMs: 0, polls: 0 };
    const schedule = simulated.schedule.bind(simulated);
    const clock: Clock = { now: () => AT + state.steadyMs, schedule };
    const watching = watchVitalSigns({
      ...{ clock, aliveEveryMs, polled: () => state.polls },
      onLate: (ms) => told.push(`late ${ms}`),
      onAlive: () => told.push('alive'),
      onLook: () => undefined,
      onLag: () => undefined,
    });
    /** Seconds of an even life. */
    const live = (seconds: number, polls: number) => {
      for (let second = 0; second < seconds; second += 1) {
        state.steadyMs += 1_000;
        state.polls += polls;
        simulated.runUntil(simulated.now() + 1_000);
      }
    };
    return { told, state, live, watching };
  }

  test('come only while polls are processed', () => {
    const { told, live } = stage(10_000);
    live(30, 1);
    expect(told).toEqual(['alive', 'alive', 'alive']);
    live(600, 0);
    expect(told).toHaveLength(3);
    live(1, 1);
    expect(told).toHaveLength(4);
  });

  test('do not come late for what was processed before the pipeline stood still', () => {
    const { told, live } = stage(10_000);
    live(15, 1);
    live(600, 0);
    expect(told, 'the second one would have been due five seconds later').toEqual(['alive']);
  });

  test('are not given where they are not asked for', () => {
    const { told, live } = stage();
    live(60, 1);
    expect(told).toEqual([]);
  });

  test('a process that stood still is late', () => {
    const { told, live, state } = stage();
    live(3, 1);
    state.steadyMs += 3_000;
    live(1, 1);
    expect(told).toEqual(['late 3000']);
  });
});

describe('the clocks', () => {
  function stage() {
    const state = { steadyMs: AT, wallMs: AT };
    const told: string[] = [];
    const watch: ClockWatch = new ClockWatch({
      ...{ clock: { now: () => state.steadyMs }, wallMs: () => state.wallMs, skewMaxMs: 5_000 },
      onJump: (ms) => {
        told.push(`jump ${ms}`);
        // The receiver gives commands, and each of them checks the clock again.
        watch.look();
      },
      onOff: (words) => told.push(`off: ${words}`),
      onRight: () => told.push('right'),
    });
    const pass = (ms: number, { wallMs = ms } = {}) => {
      state.steadyMs += ms;
      state.wallMs += wallMs;
      watch.look();
      return told.splice(0);
    };
    return { pass };
  }

  test('report every sleep, once, at the first check after it', () => {
    const { pass } = stage();
    expect(pass(60_000)).toEqual([]);
    expect(pass(5, { wallMs: 4_005 })).toEqual(['jump 4000']);
    expect(pass(5)).toEqual([]);
    expect(pass(1_000, { wallMs: 0 })).toEqual([]);
    expect(pass(0, { wallMs: -2_000 })).toEqual(['jump -2000']);
  });

  test('corrected by little they do not jump, and are wrong once that adds up to more than is allowed', () => {
    const { pass } = stage();
    const told = Array.from({ length: 60 }, () => pass(1_000, { wallMs: 1_100 })).flat();
    expect(told).toEqual(['off: the run’s clock is 5100 ms behind the system’s']);
    expect(pass(6_000, { wallMs: 3_000 })).toEqual(['jump -3000', 'right']);
  });
});
