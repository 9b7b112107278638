/** A process that is killed at any moment loses no record that it had committed, and its journal opens again. */

import { expect, test } from 'vitest';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { budget } from '../support/budget.ts';
import { type Appended, AppendProcess } from '../support/journal/append-process.ts';
import { journalFolder, open, recordsOf, rowsIn } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';
import { COMPACTION_STEP_NAMES, diesAt } from '../support/kill/compaction-steps.ts';
import { Random } from '../support/random.ts';

const newJournal = journalFolder();
const KILLS = Number(process.env['ODDSMITH_JOURNAL_KILLS'] ?? budget({ each: 8, deep: 100 }));
const SEED = Number(process.env['ODDSMITH_JOURNAL_SEED'] ?? '1');
/** As `append-loop.ts` makes them. */
const MADE_SEED = 1;
const MADE_MAX = 100_000;
/** So often may a process come to a step before it dies there. */
const TIMES_MAX = 3;
const COMMITS_MAX = 2_000;

test(`SIGKILL ${KILLS} times, seed ${SEED}: every commit that returned is in the journal`, {
  timeout: 3_600_000,
}, async () => {
  const file = newJournal();
  const random = new Random(SEED);
  const states: Record<string, number> = {};
  let before = 0;
  for (let round = 1; round <= KILLS; round++) {
    const child = new AppendProcess({ file, seed: SEED * 1_000 + round });
    await child.said(random.between(1, random.pick([3, 40, 200])));
    child.kill();
    const { opening, committed, sending, failed } = await child.end();
    const said = `seed ${SEED}, round ${round}`;
    expect(failed, said).toBeUndefined();
    if (opening !== undefined) states[opening.state] = (states[opening.state] ?? 0) + 1;

    const journal = open(file, { run: 'r1' });
    const kept = journal.restored?.lastClient ?? 0;
    expect(kept, said).toBeGreaterThanOrEqual(Math.max(before, committed));
    expect([Math.max(before, committed), sending], `${said}: half a commit`).toContain(kept);
    before = kept;
    states[journal.opening.state] = (states[journal.opening.state] ?? 0) + 1;
    journal.close();
    const clients = recordsOf(file).flatMap(({ record }) => (record.kind === 'sent' ? record.client : []));
    expect(clients, said).toEqual(Array.from({ length: kept }, (_, index) => index + 1));
  }
  console.log(`openings: ${JSON.stringify(states)}`);
});

const MADE = MadeRecords.of(MADE_SEED, MADE_MAX);

/** The journal of a process that died: all orders, fills, results and halts are there; the number of its records. */
function judged(file: string, before: number, { committed, sending, failed }: Appended, said: string): number {
  expect(failed, said).toBeUndefined();
  const journal = open(file, { run: 'r1' });
  const { restored } = journal;
  journal.close();
  const records = recordsOf(file).filter(({ record }) => record.kind !== 'checkpoint');
  const kept = records.length;
  expect([Math.max(before, committed), sending], `${said}: half a commit, or a lost one`).toContain(kept);
  const made = MADE.slice(0, kept);
  expect(records, said).toEqual(made);
  expect(restored, said).toEqual(kept === 0 ? undefined : rebuild('r1', made));
  return kept;
}

test(`SIGKILL ${KILLS} times, seed ${SEED}, while the journal is compacted all the while: it holds all`, {
  timeout: 3_600_000,
}, async () => {
  const file = newJournal();
  const random = new Random(SEED);
  let kept = 0;
  for (let round = 1; round <= KILLS; round++) {
    const child = new AppendProcess({ file, seed: SEED * 1_000 + round, made: kept });
    await child.said(random.between(1, random.pick([3, 40, 200])));
    child.kill();
    kept = judged(file, kept, await child.end(), `seed ${SEED}, round ${round}`);
  }
  expect(rowsIn(file)).toBeLessThan(kept);
});

test(`a process that dies at each step of a compaction, ${KILLS} times, seed ${SEED}: its journal holds all`, {
  timeout: 3_600_000,
}, async () => {
  const random = new Random(SEED);
  const deaths: Record<string, number> = {};
  let [file, kept] = ['', 0];
  for (let round = 0; round < KILLS; round++) {
    const step = COMPACTION_STEP_NAMES[round % COMPACTION_STEP_NAMES.length] ?? '';
    if (step === COMPACTION_STEP_NAMES[0]) [file, kept] = [newJournal(), 0];
    // A process makes the file for packets once.
    const times = step === 'the file for packets is there' ? 1 : random.between(1, TIMES_MAX);
    const said = `seed ${SEED}, round ${round}: ${step}, time ${times}`;
    const env = diesAt(step, times);
    const seed = SEED * 1_000 + round;
    const ended = await new AppendProcess({ file, seed, made: kept, commits: COMMITS_MAX, env }).end();
    expect(ended.signal, said).toBe('SIGKILL');
    kept = judged(file, kept, ended, said);
    deaths[step] = (deaths[step] ?? 0) + 1;
  }
  console.log(`deaths: ${JSON.stringify(deaths)}`);
});
