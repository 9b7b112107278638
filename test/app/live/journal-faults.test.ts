/** What a run can do without in its journal costs an alert where it cannot be written, and no trading. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rebuild } from '../../../src/journal/history/rebuild.ts';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { run } from '../fake-terminal.ts';

/** Of an earlier day: what is before its first checkpoint waits to be packed once there are two. */
function writeJournal(file: string): void {
  const journal = openRunJournal({ file, run: 'live-before', acceptCorrupt: false });
  const at = Date.now() - 60_000;
  for (let record = 0; record < 20; record += 1) journal.append(at, { kind: 'marketDone', market: String(record) });
  for (let checkpoint = 0; checkpoint < 2; checkpoint += 1)
    journal.append(at, { kind: 'checkpoint', state: rebuild('live-before', []) });
  journal.commit();
  journal.close();
}

test('decisions and older records that cannot be written are alerts, and it trades on', async () => {
  const stage = await DaemonStage.open();
  mkdirSync(stage.dir, { mode: 0o700 });
  const journal = join(stage.dir, 'journal.sqlite');
  writeJournal(journal);
  writeFileSync(`${journal}.explain`, 'a file where a folder is to be');
  mkdirSync(`${journal}.past`);
  const daemon = await stage.trading('start');
  const said = (code: string) => daemon.lines().filter(({ alert }) => alert === code);
  for (const [code, why] of [
    ['EXPLAIN_FAILED', 'EEXIST'],
    ['PACKING_FAILED', 'EISDIR'],
  ] as const) {
    await expect.poll(() => said(code).length).toBe(1);
    expect(said(code)[0]).toMatchObject({ level: 'warn', msg: expect.stringContaining(why) });
  }
  rmSync(`${journal}.explain`);
  // Its orders are gone, so that it decides anew.
  await run('halt', '--dir', stage.dir);
  await expect.poll(() => stage.live()).toBe(0);
  await run('resume', '--dir', stage.dir);
  await daemon.until('decisions and refusals are written again');
  expect(existsSync(`${journal}.explain`)).toBe(true);
  expect(said('EXPLAIN_FAILED'), 'once, however many lines were lost').toHaveLength(1);
});
