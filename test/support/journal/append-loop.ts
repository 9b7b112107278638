/**
 * A process that opens a journal and appends until it is killed. It prints each number it committed on a line of its own,
 * after the commit; first of all how it found the journal. Arguments: the file, a seed, how many commits at most, and, where it
 * is to append made records and to compact the journal all the while, how many of them the journal has.
 */

import { writeSync } from 'node:fs';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import type { RunJournal } from '../../../src/journal/run-journal.ts';
import { Random } from '../random.ts';
import { MadeRecords, sentOrder } from './made-records.ts';

const [file = '', seed = '1', commitsMax = 'Infinity', made = ''] = process.argv.slice(2);
/** All processes of a journal append parts of one sequence. */
const MADE_SEED = 1;
const CHECKPOINT_AT = 40;
const random = new Random(Number(seed));

function say(word: object): void {
  const line = `${JSON.stringify(word)}\n`;
  for (;;)
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      // The pipe is full while the test that reads it is busy.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
}

/** Appends one more record, and gives the number that it has. */
function appending(journal: RunJournal): () => number {
  let last = made === '' ? (journal.restored?.lastClient ?? 0) : Number(made);
  if (made === '')
    return () => {
      last += 1;
      journal.append(last, { kind: 'sent', ...sentOrder(last, { outcomeTitle: 'x'.repeat(random.between(0, 900)) }) });
      return last;
    };
  const records = new MadeRecords(MADE_SEED);
  for (let skipped = 0; skipped < last; skipped += 1) records.next();
  return () => {
    const { at, record } = records.next();
    journal.append(at, record);
    last += 1;
    return last;
  };
}

try {
  const journal = openRunJournal({ file, run: 'r1', acceptCorrupt: false, checkpointAt: CHECKPOINT_AT });
  say({ opening: journal.opening });
  const append = appending(journal);
  for (let commit = 0; commit < Number(commitsMax); commit++) {
    // Often one record, sometimes so many that the log grows by hundreds of pages at once.
    const count = random.weighted({ '1': 70, '7': 20, '300': 3 });
    let last = 0;
    for (let left = Number(count); left > 0; left--) last = append();
    say({ sending: last });
    journal.commit();
    say({ committed: last });
    if (made !== '') journal.compact();
  }
  journal.close();
  say({ closed: true });
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  say({ failed: code, message });
  process.exitCode = 1;
}
