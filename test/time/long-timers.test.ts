/** Timers that are longer than the system's own: they wait, and do not fire at once. */

import { timer } from 'rxjs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LONGEST_DELAY_MS } from '../../src/time/long-timers.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { steadyClock } from '../../src/time/steady-clock.ts';
import { wallClock } from '../../src/time/wall-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clocks = [['steady', steadyClock()] as const, ['wall', wallClock] as const];

it.each(clocks)('the %s clock waits for longer than the system can', (_name, clock) => {
  const ran: number[] = [];
  const startedAt = Date.now();
  clock.schedule(() => ran.push(Date.now() - startedAt), 2 * LONGEST_DELAY_MS + 5);
  vi.advanceTimersByTime(2 * LONGEST_DELAY_MS + 4);
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ran).toEqual([2 * LONGEST_DELAY_MS + 5]);
  expect(vi.getTimerCount()).toBe(0);
});

it.each(clocks)('the %s clock keeps no timer that was cancelled, and repeats those that repeat', (_name, clock) => {
  const ticks: number[] = [];
  const ticking = timer(10, 20, clock).subscribe((tick) => ticks.push(tick));
  const never = clock.schedule(() => ticks.push(-1), 1e300);
  vi.advanceTimersByTime(60);
  expect(ticks).toEqual([0, 1, 2]);
  ticking.unsubscribe();
  vi.advanceTimersByTime(LONGEST_DELAY_MS);
  never.unsubscribe();
  expect(vi.getTimerCount()).toBe(0);
  expect(ticks).not.toContain(-1);
});

it.each([...clocks, ['simulated', new SimulatedClock(0)] as const])(
  'on the %s clock what is past, or no time, is due at once',
  (_name, clock) => {
    const ran: string[] = [];
    clock.schedule(() => ran.push('negative'), -1e300);
    clock.schedule(() => ran.push('no time'), Number.NaN);
    clock.schedule(() => ran.push('never'), Number.POSITIVE_INFINITY);
    if (clock instanceof SimulatedClock) clock.runUntil(1);
    else vi.advanceTimersByTime(1);
    expect(ran).toEqual(['negative', 'no time']);
  },
);
