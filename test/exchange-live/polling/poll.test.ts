/** How often a task is repeated that fails. */

import { NEVER, of } from 'rxjs';
import { expect, it } from 'vitest';
import { poll } from '../../../src/exchange-live/polling/poll.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';

it('tries a task that fails again every two seconds, however long it fails', () => {
  const clock = new SimulatedClock(0);
  const runs: number[] = [];
  const task = () => {
    runs.push(clock.now());
    return of(false);
  };
  const running = poll({ clock, everyMs: 3_000, wake$: NEVER, task, onComplete: () => undefined }).subscribe();
  clock.runUntil(60_000);
  expect(runs.slice(0, 5)).toEqual([0, 2_000, 3_000, 5_000, 6_000]);
  expect(runs.length).toBeLessThanOrEqual(60_000 / 1_000);
  running.unsubscribe();
  clock.runUntil(120_000);
  expect(runs.at(-1)).toBeLessThanOrEqual(60_000);
});
