/** What a person reads when a run has ended, and of the commands that end or reduce it. */

import { beforeEach, expect, test } from 'vitest';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});

test('the end of a run prints what it brought, its strategies, its wallets and what is left', async () => {
  const child = stage.spawn(['run', stage.config()]);
  await child.until('"to":"trading"');
  await expect.poll(() => stage.live()).toBeGreaterThan(5);
  child.kill('SIGTERM');
  expect(await child.ended()).toBe(0);
  const lines = child.said.out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^settled: today [+-]?\d+\.\d\d, in all [+-]?\d+\.\d\d, below the peak \d+\.\d\d$/);
  expect(lines[1]).toMatch(/^strategy \S+: 0 orders live, can lose \d+\.\d\d$/);
  expect(lines[2]).toMatch(/^wallet main: balance [\d,]+\.\d\d, available [\d,]+\.\d\d$/);
  expect(lines.at(-1)).toMatch(/^live-\S+ ended: .*; live orders left: 0; exit code 0$/);
});

test('halt --reduce-only --help says that it cancels what is unmatched', async () => {
  const { code, out } = await run('halt', '--reduce-only', '--help');
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(/--reduce-only .*cancel/);
});
