/** A daemon that fails while it trades: nothing of it stays live at the exchange, and it says so, or what is left. */

import { spawnSync } from 'node:child_process';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { openSkewedProxy } from '../../support/daemon/skewed-proxy.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});

/** Nothing lapses meanwhile, however slow the machine. */
const CALM = { heartbeat: { timeoutMs: 120_000 } };

const alerts = (child: RunningDaemon) => child.lines().flatMap(({ alert }) => (alert === undefined ? [] : [alert]));

test('a disk that fills up ends it: 2, and all that is live is cancelled past the journal', async () => {
  // As a full disk does, a limit on the size of files stops the journal in the middle of the run.
  const child = stage.spawn(['run', stage.config(CALM), '--json'], { fileKilobytes: 400 });
  await child.until('"to":"trading"');
  for (let step = 0; step < 20 && !child.said.note.includes('RUN_FAILED'); step += 1) {
    await run('halt', '--dir', stage.dir);
    await run('resume', '--dir', stage.dir);
    await pass(700);
  }
  await child.until('RUN_FAILED');
  expect(await child.ended()).toBe(2);
  expect(JSON.parse(child.said.out)).toMatchObject({ error: { code: 'JOURNAL_FULL' } });
  expect((await stage.orders()).length).toBeGreaterThan(0);
  expect(await stage.live()).toBe(0);
});

test('orders whose answers had not come when the journal failed are found by their references, and cancelled', async () => {
  const proxy = await openSkewedProxy(stage.sandbox.url);
  proxy.withholds = 'POST /orders/batch';
  // No reading tells the run of them, either.
  const rare = { feeds: { orders: { mode: 'poll', everyMs: 30_000 } }, freshness: { orders: 60_000 } };
  const child = stage.spawn(['run', stage.config({ ...CALM, ...rare }, { url: proxy.url }), '--json']);
  await child.until('"to":"trading"');
  await expect.poll(() => stage.live(), { interval: 20 }).toBeGreaterThan(0);
  const { daemon } = JSON.parse((await run('status', '--dir', stage.dir, '--json')).out);
  expect(spawnSync('prlimit', ['--pid', String(daemon.pid), '--fsize=1']).status).toBe(0);
  await run('halt', '--dir', stage.dir);
  await child.until('RUN_FAILED');
  expect(await child.ended()).toBe(2);
  expect(JSON.parse(child.said.out)).toMatchObject({ error: { code: 'JOURNAL_FULL' } });
  expect(await stage.live()).toBe(0);
  expect(alerts(child)).not.toContain('END_INCOMPLETE');
});

test('where the exchange is not there any more, it says what may be live', async () => {
  const proxy = await openSkewedProxy(stage.sandbox.url);
  const child = stage.spawn(['run', stage.config(CALM, { url: proxy.url }), '--json']);
  await child.until('"to":"trading"');
  await expect.poll(() => stage.live()).toBeGreaterThan(5);
  const live = await stage.live();
  const { daemon } = JSON.parse((await run('status', '--dir', stage.dir, '--json')).out);
  proxy.refuses = true;
  expect(spawnSync('prlimit', ['--pid', String(daemon.pid), '--fsize=1']).status).toBe(0);
  await run('halt', '--dir', stage.dir);
  expect(await child.ended()).toBe(2);
  expect(alerts(child)).toContain('END_INCOMPLETE');
  const left = child.lines().find(({ alert }) => alert === 'END_INCOMPLETE');
  expect(left?.msg).toContain(
    `${live} orders may still be live at the exchange, which did not say in time what is live`,
  );
});
