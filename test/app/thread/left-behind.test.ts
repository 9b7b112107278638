/** What a strategy leaves behind never runs, and changes nothing of how its run ends. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { WAYS } from '../../support/left-behind/left-behind.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { builtCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const folder = temporaryDirectory('left-behind');
const RUNNER = fileURLToPath(new URL('../../support/left-behind/run-ways.ts', import.meta.url));

test('what would run later in any way that the language has never does, and what is rejected at once halts it', async () => {
  const args = ['--expose-gc', '--conditions=oddsmith-source', RUNNER, folder];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe('');
  const reports: Record<string, { halts: number; heard: readonly string[] }> = JSON.parse(stdout);
  expect(Object.keys(reports)).toEqual(Object.keys(WAYS));
  for (const [way, { halts, heard }] of Object.entries(reports)) {
    expect(heard, way).toEqual([]);
    expect(halts, way).toBe(WAYS[way]?.[1] === 'halted' ? 1 : 0);
  }
});

/** It rejects a promise in each call. */
const HAUNTING = `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'haunting', decide() {
  void Promise.reject(new Error('left behind'));
  return [];
} });
`;
const haunting = join(folder, 'haunting.js');
writeFileSync(haunting, HAUNTING);

test.each(['none', 'event'])('the exit code of a backtest is the run’s (isolate: %s)', async (isolate) => {
  const config = join(folder, `${isolate}.yaml`);
  const wallets = { main: { currency: 'USDC', balance: 1000 } };
  writeFileSync(config, JSON.stringify({ strategies: [{ file: haunting }], tapes: [SAMPLE_TAPE], wallets, isolate }));
  const args = [
    'backtest',
    config,
    '--out',
    join(folder, 'out'),
    '--json',
    ...(isolate === 'none' ? [] : ['--jobs', '2']),
  ];
  const { code, out, note } = await startProcess(builtCommand(args)).ended;
  expect(note).not.toContain('INTERNAL_BUG');
  const { halts } = JSON.parse(out);
  expect(halts[0].what).toContain("'haunting' was halted outside of a call, and");
  expect(halts.length).toBeGreaterThan(0);
  expect(new Set(halts.map((halt: { code: string }) => halt.code))).toEqual(new Set(['STRATEGY_THROW']));
  expect(code).toBe(2);
});

test('a daemon that is stopped exits with 0, whatever a strategy left behind', async () => {
  const stage = await DaemonStage.open();
  const child = stage.spawn(['run', stage.config({ strategies: [{ file: haunting }] }), '--json']);
  await child.until('haunting was halted');
  child.kill('SIGTERM');
  expect(await child.ended()).toBe(0);
  expect(JSON.parse(child.said.out)).toMatchObject({ exitCode: 0, liveOrders: 0 });
  expect(child.said.note).not.toMatch(/INTERNAL_BUG|RUN_FAILED/);
  for (const line of child.said.note.trim().split('\n')) expect(line).toMatch(/^\{.*\}$/);
});
