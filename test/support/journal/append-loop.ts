/**
 * A process that opens a journal and appends until it is killed. It prints each number it committed on a line of its own,
 * after the commit; first of all how it found the journal. Arguments: the file, a seed, how many commits at most, and whether
 * it compacts the journal all the while.
 */

import { writeSync } from 'node:fs';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import { Random } from '../random.ts';
import { sentOrder } from './made-records.ts';

const [file = '', seed = '1', commitsMax = 'Infinity', compacts = ''] = process.argv.slice(2);
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

try {
  const journal = openRunJournal({ file, run: 'r1', acceptCorrupt: false, checkpointAt: CHECKPOINT_AT });
  say({ opening: journal.opening });
  let client = journal.restored?.lastClient ?? 0;
  for (let commit = 0; commit < Number(commitsMax); commit++) {
    // Often one record, sometimes so many that the log grows by hundreds of pages at once.
    const count = random.weighted({ '1': 70, '7': 20, '300': 3 });
    for (let left = Number(count); left > 0; left--) {
      client += 1;
      journal.append(client, {
        kind: 'sent',
        ...sentOrder(client, { outcomeTitle: 'x'.repeat(random.between(0, 900)) }),
      });
    }
    say({ sending: client });
    journal.commit();
    say({ committed: client });
    if (compacts === '') continue;
    // The market is over with each commit, so that a checkpoint stays short.
    journal.append(client, { kind: 'marketDone', market: 'm1' });
    journal.commit();
    journal.compact();
  }
  journal.close();
  say({ closed: true });
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  say({ failed: code, message });
  process.exitCode = 1;
}
