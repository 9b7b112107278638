/** SIGHUP beside a configuration that cannot be read: the daemon says where it is wrong, and goes on with the limits that it has. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { run } from '../fake-terminal.ts';

/** What stands in place of the line with the limit: the code of the error. */
const BROKEN: Readonly<Record<string, string>> = {
  '  order: [1': 'CONFIG_SYNTAX',
  '\torder: 1': 'CONFIG_SYNTAX',
  '  order: "1" 2': 'CONFIG_SYNTAX',
  '  order: *none': 'CONFIG_SYNTAX',
  '  order: &a [*a]': 'CONFIG_SYNTAX',
  '  order: 1\n  order: 2': 'CONFIG_SYNTAX',
  '  order: many': 'CONFIG_INVALID',
  '  order: -1': 'CONFIG_INVALID',
  '  ordr: 1': 'CONFIG_UNKNOWN_KEY',
};

test('a file that is broken is reported with its line, one that is not there with its path, and no limit changes', async () => {
  const stage = await DaemonStage.open();
  const daemon = await stage.trading('spawn', { limits: { order: 50 } });
  const config = stage.config({ limits: { order: 50 } });
  const text = readFileSync(config, 'utf8');
  const line = text.slice(0, text.indexOf('  order: 50')).split('\n').length;
  for (const [broken, code] of Object.entries(BROKEN)) {
    writeFileSync(config, text.replace('  order: 50', broken));
    const said = await saidOf(daemon);
    expect(said, broken).toContain(code);
    expect(said, broken).toMatch(new RegExp(`run\\.yaml:(${line}|${line + 1}):\\d+`));
  }
  rmSync(config);
  expect(await saidOf(daemon)).toMatch(/CONFIG_NOT_FOUND .*run\.yaml/);
  mkdirSync(config);
  expect(await saidOf(daemon)).toMatch(/CONFIG_NOT_READABLE .*run\.yaml/);
  // With a limit of 1, or with none of its own any more, its orders of 2 would be refused.
  await run('halt', '--dir', stage.dir);
  await expect.poll(() => stage.live()).toBe(0);
  await run('resume', '--dir', stage.dir);
  await expect.poll(() => stage.live()).toBeGreaterThan(5);
  rmSync(config, { recursive: true });
  writeFileSync(config, text.replace('  order: 50', '  order: 1'));
  daemon.kill('SIGHUP');
  await daemon.until(/"about":"limits".*"order":1[,}0]/);
  expect(await run('stop', '--dir', stage.dir)).toMatchObject({ code: 0 });
});

/** The daemon's alert for a SIGHUP. */
async function saidOf(daemon: RunningDaemon): Promise<string> {
  const alerts = () => daemon.lines().filter(({ alert }) => alert === 'LIMITS_NOT_RELOADED');
  const before = alerts().length;
  daemon.kill('SIGHUP');
  await expect.poll(() => alerts().length).toBe(before + 1);
  return alerts().at(-1)?.msg ?? '';
}
