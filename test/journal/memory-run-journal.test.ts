/** A journal in memory behaves like one in a file, and a kill of its writer can be simulated. */

import { expect, test } from 'vitest';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { journalFolder, written } from '../support/journal/journal-folder.ts';
import { MadeRecords } from '../support/journal/made-records.ts';
import { memoryRunJournal } from '../support/journal/memory-run-journal.ts';

const newJournal = journalFolder();

test('has the head that a file with the same records has', () => {
  const records = MadeRecords.of(3, 80);
  const memory = memoryRunJournal({ run: 'r1' });
  const journal = memory.open();
  for (const { at, record } of records) journal.append(at, record);
  journal.commit();
  const inFile = written(newJournal(), records);
  inFile.close();
  expect(journal.head).toBe(inFile.head);
  memory.close();
});

test('loses with its writer what was not committed, and nothing else', () => {
  const records = MadeRecords.of(4, 80);
  const memory = memoryRunJournal({ run: 'r1' });
  let kept = 0;
  for (let life = 0; life < 8; life++) {
    const journal = memory.open();
    expect(journal.opening).toEqual({ state: life === 0 ? 'new' : 'whole', droppedRecords: 0, records: kept });
    expect(journal.restored).toEqual(kept === 0 ? undefined : rebuild('r1', records.slice(0, kept)));
    for (const { at, record } of records.slice(kept, kept + 7)) journal.append(at, record);
    journal.commit();
    kept += 7;
    journal.append(1, { kind: 'marketDone', market: 'lost' });
  }
  memory.close();
});

test('silences the writer that was killed', () => {
  const memory = memoryRunJournal({ run: 'r1' });
  const killed = memory.open();
  memory.open();
  expect(() => killed.append(1, { kind: 'marketDone', market: 'm' })).toThrow('closed');
  expect(() => killed.commit()).toThrow('closed');
  memory.close();
});
