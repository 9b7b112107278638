/** Tapes of earlier importers, which took parts of a message for updates: the result, and `tape info`, say so. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { tapeInfo, tapeInfoText } from '../../src/app/output/tape-info.ts';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { streamText } from '../support/made-stream.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const folder = temporaryDirectory('before');
const strategy = join(folder, 'watcher.ts');
writeFileSync(
  strategy,
  `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'watcher', decide: () => [] });
`,
);

/** A tape of two markets, the first of which is as version 1 described it. */
async function tapeOfBefore(): Promise<string> {
  const tape = join(folder, 'old.tape');
  const files = ['1.100000001', '1.100000002'].map((market) => {
    const file = join(folder, market);
    writeFileSync(file, streamText({ updates: 5, market }));
    return file;
  });
  await importBetfair({ files, tape });
  const database = new Database(tape);
  database.exec("UPDATE market SET description = json_remove(description, '$.importVersion') WHERE position = 0");
  database.close();
  return tape;
}

test('a market that was imported before messages were joined is named in the result and by tape info', async () => {
  const tape = await tapeOfBefore();
  const { notices } = await backtestOf([strategy], { tapes: [tape] });
  expect(notices.filter(({ code }) => code === 'IMPORTED_BEFORE').map(({ markets }) => markets)).toEqual([
    ['1.100000001'],
  ]);
  const info = tapeInfo(tape);
  expect(info.markets.map(({ importedBefore }) => importedBefore)).toEqual([true, undefined]);
  expect(tapeInfoText(info)).toContain('imported   1 market by an earlier version: import the recordings again');
});
