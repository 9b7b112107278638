/** docs/operations.md and the daemon say the same: alerts, refusals, exit codes, commands, metrics, both ways. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLI_ERRORS } from '../../../src/app/cli/cli-error.ts';
import { ALERTS } from '../../../src/app/cli/codes/alert.ts';
import { Metrics } from '../../../src/app/live/observe/metrics.ts';
import { REFUSALS } from '../../../src/core/refusal.ts';
import { madeStatus } from '../../support/daemon/made-status.ts';
import { run } from '../fake-terminal.ts';

const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');

function section(title: string): string {
  const begin = text.indexOf(`\n## ${title}\n`);
  expect(begin, title).toBeGreaterThan(0);
  const end = text.indexOf('\n## ', begin + 1);
  return text.slice(begin, end < 0 ? undefined : end);
}

/** Cells of a table's rows. */
function rows(title: string): readonly (readonly string[])[] {
  const lines = section(title)
    .split('\n')
    .filter((line) => /^\| `/.test(line));
  return lines.map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));
}

test('every alert is there with its level and meaning, and says what to do; and no other', () => {
  const documented = rows('Alerts').map(([code = '', level, means, next]) => [
    code.replaceAll('`', ''),
    level,
    means,
    next,
  ]);
  expect(documented.map(([code, level, means]) => [code, level, means])).toEqual(
    Object.entries(ALERTS).map(([code, { level, means }]) => [code, level, means]),
  );
  for (const [code, , , next] of documented) expect(next?.length, code).toBeGreaterThan(10);
});

test('every refusal is there with its meaning, and no other', () => {
  const documented = rows('Refusals').map(([code = '', means]) => [code.replaceAll('`', ''), means]);
  expect(documented).toEqual(Object.entries(REFUSALS).map(([code, { means }]) => [code, means]));
});

test('every error it names exists and ends with the code it says', () => {
  let codes = 0;
  for (const line of section('Exit codes').split('\n')) {
    const exit = Number(/^\| (\d+) \|/.exec(line)?.[1]);
    if (Number.isNaN(exit)) continue;
    for (const [, code = ''] of line.matchAll(/`([A-Z_]{6,})`/g)) {
      codes += 1;
      expect([code, (CLI_ERRORS as Readonly<Record<string, number>>)[code]]).toEqual([code, exit]);
    }
  }
  expect(codes).toBeGreaterThan(12);
  for (const code of ['CLOCK_SKEW', 'JOURNAL_BUSY', 'SESSION_LOST', 'DAEMON_NOT_RUNNING', 'CONTROL_REFUSED'])
    expect(text).toContain(code);
});

test('every command and flag it names exists', async () => {
  const commands = [...text.matchAll(/`oddsmith (\w+)([^`]*)`/g)];
  expect(new Set(commands.map(([, name]) => name))).toEqual(
    new Set(['doctor', 'status', 'halt', 'cancel', 'resume', 'stop', 'run', 'alert', 'dashboard', 'report']),
  );
  for (const [, name = '', rest = ''] of commands) {
    const { code, out } = await run(name, '--help');
    expect(code, name).toBe(0);
    for (const flag of rest.match(/--[a-z-]+/g) ?? []) expect(out, name).toContain(flag);
  }
  for (const [name, flags] of [
    ['halt', ['--reason', '--reduce-only']],
    ['cancel', ['--reason']],
    ['stop', ['--keep-orders', '--now']],
    ['run', ['--paper', '--accept-corrupt', '--log-level']],
  ] as const) {
    const { out } = await run(name, '--help');
    for (const flag of flags) {
      expect(out).toContain(flag);
      expect(text).toContain(flag);
    }
  }
});

test('every metric is there, and no other', async () => {
  const metrics = new Metrics({
    ...{ status: () => madeStatus(), version: '0.1.0', clock: { now: () => 0 }, needsHeartbeat: true },
  });
  const served = [...(await metrics.text()).matchAll(/^# HELP (oddsmith_\w+)/gm)].map(([, name]) => name);
  const documented = [...section('Metrics').matchAll(/`(oddsmith_\w+)`/g)].map(([, name]) => name);
  expect(new Set(documented)).toEqual(new Set(served));
});
