/** The default world over quick restarts: quotes that are already on their way are not placed again. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';

test('orders of the house that wait for an in-play delay are placed once, however often it starts', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'oddsmith-house-'));
  // A moment when a market of the default world is in play.
  const clock = new SimulatedClock(Date.UTC(2026, 10, 20, 17, 14, 20));
  const bugs: unknown[] = [];
  const options = { clock, version: '0', file: join(directory, 'world'), onBug: (bug: unknown) => bugs.push(bug) };
  const made: number[] = [];
  for (let start = 0; start < 3; start += 1) {
    const sandbox = await openSandbox(options);
    made.push(sandbox.context.world.exchange.inspect().orders.created);
    await sandbox.close();
    clock.runUntil(clock.now() + 10);
  }
  expect(new Set(made).size, made.join(' ')).toBe(1);
  clock.runUntil(clock.now() + 600_000);
  const sandbox = await openSandbox(options);
  expect(sandbox.context.world.exchange.inspect().orders.created).toBeGreaterThanOrEqual(made[0] ?? 0);
  await sandbox.close();
  expect(bugs).toEqual([]);
  rmSync(directory, { recursive: true });
});
