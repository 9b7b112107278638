/** A coordinator that is killed loses no unit that it had computed, and the next one computes none of them again. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { builtCommand, type Ended, type RunningCommand, startProcess } from '../support/running-command.ts';
import { SweepStage } from '../support/sweep/sweep-stage.ts';

const UNITS = 300;

/** Rows in the store, seen by a process that only reads. */
function kept(file: string): number {
  if (!existsSync(file)) return 0;
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare('SELECT count(*) FROM unit').pluck().get() as number;
  } catch (error) {
    // The tables are not made yet.
    if (error instanceof Database.SqliteError && /no such table/.test(error.message)) return 0;
    throw error;
  } finally {
    database.close();
  }
}

/** Waits until so many rows are there; fails where the process ends before. */
async function reaches(running: RunningCommand, file: string, least: number): Promise<void> {
  let ended: Ended | undefined;
  void running.ended.then((end) => {
    ended = end;
  });
  while (kept(file) < least) {
    if (ended !== undefined) throw new Error(`it ended before: ${JSON.stringify(ended)}`);
    await pass(10);
  }
}

function play(config: string, jobs: number) {
  return startProcess(builtCommand(['sweep', config, '--jobs', String(jobs), '--json']), { patienceMs: 600_000 });
}

test('killed twice and started again: nothing is lost, nothing computed twice, and the hash is the same', async () => {
  const whole = new SweepStage({ trials: 20, races: 15 });
  whole.writeConfig();
  const { trialsSha256 } = JSON.parse((await play(whole.config, 1).ended).out);
  const stage = new SweepStage({ trials: 20, races: 15 });
  stage.writeConfig();
  const file = join(stage.out, 'small', 'trials.sqlite');
  let before = 0;
  for (const least of [60, 140]) {
    const running = play(stage.config, 2);
    await reaches(running, file, least);
    running.kill('SIGKILL');
    const { code, out } = await running.ended;
    expect({ code, out }).toEqual({ code: null, out: '' });
    expect(kept(file)).toBeGreaterThanOrEqual(least);
    before = kept(file);
  }
  expect(before).toBeLessThan(UNITS);
  const { code, out, note } = await play(stage.config, 2).ended;
  expect({ code, note }).toEqual({ code: 0, note: '' });
  const result = JSON.parse(out);
  expect(result.units).toEqual({ total: UNITS, known: before, computed: UNITS - before, failed: 0 });
  expect(result.trialsSha256).toBe(trialsSha256);
  const database = new Database(file, { readonly: true });
  expect(database.prepare('SELECT count(*), max(computed) FROM unit').raw().get()).toEqual([UNITS, 1]);
  database.close();
});

test('Ctrl-C leaves all that was computed, and a second coordinator is refused meanwhile', async () => {
  const stage = new SweepStage({ trials: 20, races: 15 });
  stage.writeConfig();
  const file = join(stage.out, 'small', 'trials.sqlite');
  const running = play(stage.config, 1);
  await reaches(running, file, 20);
  const second = await play(stage.config, 1).ended;
  expect(second.code).toBe(2);
  expect(JSON.parse(second.out).error).toMatchObject({ code: 'SWEEP_BUSY', next: expect.stringMatching(/Wait/) });
  running.kill('SIGINT');
  const { code, out } = await running.ended;
  expect(code).toBe(130);
  const { units, interrupted } = JSON.parse(out);
  expect(interrupted).toBe(true);
  expect(kept(file)).toBe(units.computed);
  expect(units.computed).toBeLessThan(UNITS);
  const after = JSON.parse((await play(stage.config, 2).ended).out);
  expect(after.units).toMatchObject({ known: units.computed, computed: UNITS - units.computed });
});
