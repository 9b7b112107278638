/** Folds that search by themselves: the same trials with one thread, two threads, after a kill in the middle, and on workers over Redis. */

import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../src/app/sweep/open-sweep.ts';
import { OddsmithError } from '../../../src/core/checks/oddsmith-error.ts';
import { describeWithRedis, startRedis } from '../../support/queue/redis-server.ts';
import { builtCommand, type RunningCommand, startProcess } from '../../support/running-command.ts';
import { CROSS, foldStage, TPE } from '../../support/sweep/fold-stage.ts';
import type { SweepStage } from '../../support/sweep/sweep-stage.ts';

const SCENARIO = { search: TPE, isolate: 'event', folds: CROSS };
/** Of the search over all events. */
const MAIN_UNITS = 54;

const running: RunningCommand[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.kill();
    await each.ended;
  }
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
  const command = startProcess(builtCommand(args), { env });
  running.push(command);
  return command;
}

function staged(): SweepStage {
  const stage = foldStage(SCENARIO);
  stage.writeConfig();
  return stage;
}

async function whole(stage: SweepStage, jobs: number) {
  const { code, out, note } = await start(['sweep', stage.config, '--jobs', String(jobs), '--json']).ended;
  expect({ code, note }).toEqual({ code: 0, note: '' });
  return JSON.parse(out);
}

/** Rows that are kept so far. */
function kept(stage: SweepStage): number {
  try {
    using opened = openStore(join(stage.out, 'small'));
    return opened.store.counts().units;
  } catch (error) {
    // It is not made yet, or not whole.
    if (error instanceof OddsmithError) return 0;
    throw error;
  }
}

test('one thread, two threads, and two that were killed while the folds searched', async () => {
  const one = await whole(staged(), 1);
  expect(one.units.computed).toBeGreaterThan(MAIN_UNITS + 15);
  expect((await whole(staged(), 2)).trialsSha256).toBe(one.trialsSha256);
  const stage = staged();
  const killed = start(['sweep', stage.config, '--jobs', '2', '--json']);
  while (kept(stage) <= MAIN_UNITS) await pass(10);
  killed.kill('SIGKILL');
  expect(await killed.ended).toMatchObject({ code: null, out: '' });
  const before = kept(stage);
  expect(before).toBeLessThan(one.units.computed);
  const again = await whole(stage, 2);
  expect(again.trialsSha256).toBe(one.trialsSha256);
  expect(again.units).toMatchObject({ total: one.units.total, computed: one.units.computed - before, failed: 0 });
  expect(again.statistics).toEqual(one.statistics);
});

describeWithRedis('workers over Redis', () => {
  test('play the folds as threads do', async () => {
    const redis = await startRedis();
    try {
      const [stage, alone] = [foldStage({ ...SCENARIO, isolate: 'none' }), foldStage({ ...SCENARIO, isolate: 'none' })];
      for (const each of [stage, alone]) each.writeConfig();
      const env = { ODDSMITH_REDIS: redis.address };
      start(['worker', '--jobs', '1', '--tapes', ...stage.tapes], env);
      const sweep = start(['sweep', stage.config, '--engine', 'bullmq', '--json'], env);
      const { code, out, note } = await sweep.ended;
      expect(code, note).toBe(0);
      const threads = await whole(alone, 1);
      expect(JSON.parse(out).trialsSha256).toBe(threads.trialsSha256);
      expect(JSON.parse(out).statistics.folds).toEqual(threads.statistics.folds);
    } finally {
      await redis.end();
    }
  });
});
