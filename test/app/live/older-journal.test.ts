/** A daemon of an older build was killed with orders at the exchange: this one goes on from the journal that it left. */

import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TimedRecord } from '../../../src/core/run/journal.ts';
import { rebuild } from '../../../src/journal/history/rebuild.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { writeFormat1 } from '../../support/journal/format-1.ts';
import { recordsOf } from '../../support/journal/journal-folder.ts';
import { run } from '../fake-terminal.ts';

/** Nothing lapses between two starts, however slow the machine. */
const CALM = { heartbeat: { timeoutMs: 120_000 } };

/** What the run has recorded, as an older build would have it: in one file, which was never shortened. */
function inFormat1(journal: string): readonly TimedRecord[] {
  const reader = readJournal(journal);
  const records = [...reader.records()].map(({ at, record }) => ({ at, record }));
  reader.close();
  for (const file of globSync(`${journal}*`)) rmSync(file, { recursive: true });
  const { lastClient } = rebuild(reader.run, records);
  writeFormat1(journal, { run: reader.run, records, lastClient });
  return records;
}

test('a run in a journal of format 1 goes on with every order, none lost, none doubled', async () => {
  const stage = await DaemonStage.open();
  const journal = join(stage.dir, 'journal.sqlite');
  const killed = await stage.trading('spawn', CALM);
  killed.kill('SIGKILL');
  await killed.ended();
  const before = await stage.orders();
  const older = inFormat1(journal);

  const next = stage.start(['run', stage.config(CALM), '--json']);
  await next.until('the run goes on in format 2');
  await next.until('"to":"trading"');
  await pass(1_000);
  const after = await stage.orders();
  expect(after.map(({ reference }) => reference).sort()).toEqual(before.map(({ reference }) => reference).sort());
  const { out } = await run('status', '--dir', stage.dir, '--json');
  expect(JSON.parse(out).orders).toMatchObject({ live: before.length, unknown: 0 });
  expect((await run('stop', '--dir', stage.dir)).code).toBe(0);
  expect(await stage.live()).toBe(0);
  expect(existsSync(`${journal}.format-1`)).toBe(true);
  expect(recordsOf(journal).slice(0, older.length), 'what the older build recorded is read before the rest').toEqual(
    older,
  );
});
