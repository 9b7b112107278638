/** The machine slept: the world's clocks went on, and the run's stood still. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
  Object.assign(process.env, stage.environment);
}, 30_000);
afterEach(async () => {
  vi.restoreAllMocks();
  for (const name of Object.keys(stage.environment)) delete process.env[name];
  await stage.close();
}, 30_000);

test('it refuses to resume by a clock that is an hour behind, and places nothing', { timeout: 90_000 }, async () => {
  const child = stage.start(['run', stage.config(), '--json']);
  await child.until('"to":"trading"');
  await expect.poll(() => stage.live(), { timeout: 15_000 }).toBeGreaterThan(5);
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  await child.until('CLOCK_JUMPED', 5_000);
  const resumed = await run('resume', '--dir', stage.dir);
  expect(resumed).toMatchObject({ code: 2, note: expect.stringContaining('CLOCK_WRONG') });
  expect(resumed.note).toMatch(/the run’s clock is 3\d{6} ms behind the system’s/);
  const status = JSON.parse((await run('status', '--dir', stage.dir, '--json')).out) as Record<string, unknown>;
  expect(status).toMatchObject({ phase: 'recovering', trading: 'reduceOnly' });
  vi.restoreAllMocks();
  await expect.poll(async () => (await run('resume', '--dir', stage.dir)).code, { timeout: 10_000 }).toBe(0);
});
