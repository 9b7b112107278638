/** A process that is killed at any moment loses no record that it had committed, and its journal opens again. */

import { expect, test } from 'vitest';
import { AppendProcess } from '../support/journal/append-process.ts';
import { journalFolder, open, recordsOf, rowsIn } from '../support/journal/journal-folder.ts';
import { Random } from '../support/random.ts';

const newJournal = journalFolder();
const KILLS = Number(process.env['ODDSMITH_JOURNAL_KILLS'] ?? '30');
const SEED = Number(process.env['ODDSMITH_JOURNAL_SEED'] ?? '1');

test.each([
  ['that only grows', false],
  ['that is compacted all the while', true],
])(
  `SIGKILL ${KILLS} times, seed ${SEED}: every commit that returned is in a journal %s`,
  { timeout: 3_600_000 },
  async (_, compacts) => {
    const file = newJournal();
    const random = new Random(SEED);
    const states: Record<string, number> = {};
    let before = 0;
    for (let round = 1; round <= KILLS; round++) {
      const child = new AppendProcess({ file, seed: SEED * 1_000 + round, compacts });
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
    if (compacts) expect(rowsIn(file)).toBeLessThan(before);
    console.log(`openings: ${JSON.stringify(states)}`);
  },
);
