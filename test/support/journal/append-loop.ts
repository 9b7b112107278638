/**
 * A process that opens a journal and appends until it is killed. It prints each number it committed on a line of its own,
 * after the commit; first of all how it found the journal. Arguments: the file, a seed, and how many commits at most.
 */

import { writeSync } from 'node:fs';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import { Random } from '../random.ts';
import { sentOrder } from './made-records.ts';

const [file = '', seed = '1', commitsMax = 'Infinity'] = process.argv.slice(2);
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
  const journal = openRunJournal({ file, run: 'r1', acceptCorrupt: false });
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
  }
  journal.close();
  say({ closed: true });
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  say({ failed: code, message });
  process.exitCode = 1;
}
