/** The machine slept: the world's clocks went on, and the run's stood still. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});

/** No test can make a machine sleep: the system's date of the process is an hour ahead for as long as the file is there. */
const DATE = (file: string): string => `import { existsSync } from 'node:fs';
const { now } = Date;
Date.now = () => now() + (existsSync(${JSON.stringify(file)}) ? 3_600_000 : 0);
`;

test('it refuses to resume by a clock that is an hour behind, and places nothing', async () => {
  const slept = join(stage.directory, 'slept');
  const preload = join(stage.directory, 'date.mjs');
  writeFileSync(preload, DATE(slept));
  const child = await stage.trading('spawn', {}, { preload });
  writeFileSync(slept, '');
  await child.until('CLOCK_JUMPED');
  const resumed = await run('resume', '--dir', stage.dir);
  expect(resumed).toMatchObject({ code: 2, note: expect.stringContaining('CLOCK_WRONG') });
  expect(resumed.note).toMatch(/the run’s clock is 3\d{6} ms behind the system’s/);
  await expect.poll(() => stage.live()).toBe(0);
  const status = JSON.parse((await run('status', '--dir', stage.dir, '--json')).out) as Record<string, unknown>;
  expect(status).toMatchObject({ phase: 'recovering', trading: 'reduceOnly' });
  rmSync(slept);
  await expect.poll(async () => (await run('resume', '--dir', stage.dir)).code).toBe(0);
  await expect.poll(() => stage.live()).toBeGreaterThan(5);
  child.kill('SIGTERM');
  expect(await child.ended()).toBe(0);
});
