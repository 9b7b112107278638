/** systemd: the unit is one it takes, and our state is reported to it through its own program. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { CLI_ERRORS, EXIT } from '../../../src/app/cli/cli-error.ts';
import { systemdNotifier } from '../../../src/app/live/process/systemd-notify.ts';
import { testWith } from '../../support/daemon/test-with.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const unit = fileURLToPath(new URL('../../../packaging/oddsmith@.service', import.meta.url));
const directory = temporaryDirectory('systemd');

describe('the unit', () => {
  testWith('systemd-analyze', 'is one that systemd-analyze has nothing against', () => {
    const path = join(directory, 'oddsmith@main.service');
    copyFileSync(unit, path);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect({ status, said: stderr.split('\n').filter((line) => line.includes(path)) }).toEqual({ status: 0, said: [] });
  });

  test('does not restart what only a person can mend, and restarts the rest', () => {
    const codes = /RestartPreventExitStatus=(.*)/.exec(readFileSync(unit, 'utf8'))?.[1]?.split(' ').map(Number);
    expect(codes).toEqual([EXIT.usage, EXIT.haltedByRisk, EXIT.unreachable, EXIT.data]);
    expect(codes).not.toContain(CLI_ERRORS.INTERNAL_BUG);
  });

  test('does with each exit code what the manual says of it', () => {
    const manual = readFileSync(fileURLToPath(new URL('../../../docs/operations.md', import.meta.url)), 'utf8');
    const rows = [...manual.matchAll(/^\| (\d+) \| .* \| (restarts|stays down) \|$/gm)];
    const prevented = /RestartPreventExitStatus=(.*)/.exec(readFileSync(unit, 'utf8'))?.[1]?.split(' ') ?? [];
    const calm = [String(EXIT.done), String(EXIT.interrupted)];
    expect(rows.map(([, code]) => Number(code)).sort()).toEqual(Object.values(EXIT).sort());
    for (const [, code = '', does] of rows)
      expect([code, does]).toEqual([code, prevented.includes(code) || calm.includes(code) ? 'stays down' : 'restarts']);
  });
});

describe('what is reported to it', () => {
  const saved = process.env['PATH'];
  afterEach(() => {
    process.env['PATH'] = saved;
  });

  /** A systemd-notify that writes down its arguments. */
  function stub(): string {
    const log = join(directory, 'told');
    rmSync(log, { force: true });
    const program = join(directory, 'systemd-notify');
    writeFileSync(program, `#!/bin/sh\necho "$*" >> ${JSON.stringify(log)}\n`);
    chmodSync(program, 0o755);
    process.env['PATH'] = `${directory}:${saved}`;
    return log;
  }

  test('readiness, signs of life, words and the end, each by a child, in their order', async () => {
    const log = stub();
    const faults: string[] = [];
    const notifier = systemdNotifier({ NOTIFY_SOCKET: '/x', WATCHDOG_USEC: '60000000' }, (fault) => faults.push(fault));
    expect(notifier.everyMs).toBe(20_000);
    const told = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
    const tell = [notifier.ready, notifier.alive, () => notifier.status('trading: all is known'), notifier.stopping];
    for (const say of tell) say();
    await expect.poll(() => told().length).toBe(tell.length);
    expect(told()).toEqual(['--ready', 'WATCHDOG=1', '--status=trading: all is known', 'STOPPING=1']);
    expect(faults).toEqual([]);
  });

  test('nothing where it is not asked for', () => {
    const log = stub();
    const notifier = systemdNotifier({}, () => expect.fail('told'));
    notifier.ready();
    expect(notifier.everyMs).toBeUndefined();
    execFileSync('true');
    expect(existsSync(log)).toBe(false);
  });

  test('a systemd-notify that is not there is a fault, and nothing worse', async () => {
    process.env['PATH'] = directory;
    rmSync(join(directory, 'systemd-notify'), { force: true });
    const faults: string[] = [];
    systemdNotifier({ NOTIFY_SOCKET: '/x' }, (fault) => faults.push(fault)).ready();
    await expect.poll(() => faults.length).toBe(1);
    expect(faults[0]).toContain('ENOENT');
  });
});
