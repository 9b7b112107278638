/** Market catalogues beside recordings: what they say of markets whose recordings do not say it. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { MarketFacts } from '../../src/core/market.ts';
import { catalogueOf } from '../../src/recording/betfair/catalogue.ts';
import { type BetfairImport, type ImportReport, importBetfair } from '../../src/recording/betfair/import.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { sharedDir, testWithRecordings } from '../support/shared.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryDirectory('catalogue');
});

/** As a recorder of the stream gets it: without names. */
const DEFINITION = {
  status: 'OPEN',
  bettingType: 'ODDS',
  marketType: 'WIN',
  eventId: '30',
  marketTime: '2026-03-01T14:30:00.000Z',
  numberOfWinners: 1,
  runners: [
    { id: 11, status: 'ACTIVE', sortPriority: 1 },
    { id: 12, status: 'ACTIVE', sortPriority: 2 },
    { id: 12, hc: -0.5, status: 'HIDDEN', sortPriority: 3 },
  ],
};
const CATALOGUE = {
  marketId: '1.5',
  marketName: '2m Hcap',
  marketStartTime: '2026-03-01T15:00:00.000Z',
  description: { marketType: 'WIN' },
  event: { id: '30', name: 'Ayr 1st Mar', countryCode: 'GB', venue: 'Ayr' },
  runners: [
    {
      selectionId: 11,
      runnerName: 'Alpha',
      handicap: 0,
      sortPriority: 1,
      metadata: { runnerId: '11', JOCKEY_NAME: 'A. Rider', STALL_DRAW: '4', TRAINER_NAME: null },
    },
    { selectionId: 12, runnerName: 'Bravo', handicap: 0, sortPriority: 2, metadata: { runnerId: '12' } },
    { selectionId: 12, runnerName: 'Bravo -0.5', handicap: -0.5, sortPriority: 3 },
  ],
};

function written(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function recording(definition: object, id = '1.5'): string {
  const line = (pt: number, change: object) => JSON.stringify({ op: 'mcm', pt, mc: [{ id, ...change }] });
  return `${line(1, { marketDefinition: definition })}\n${line(2, { rc: [{ id: 11, atb: [[2, 5]] }] })}\n`;
}

async function imported(
  files: readonly string[],
  options: Partial<BetfairImport> = {},
): Promise<{ readonly report: ImportReport; readonly facts: readonly MarketFacts[] }> {
  const tape = join(folder, 'out.tape');
  const report = await importBetfair({ files, tape, mode: 'overwrite', ...options });
  const opened = Tape.open(tape);
  const facts = opened.markets.map((market) => market.facts);
  opened.close();
  return { report, facts };
}

const NAMED = {
  id: '1.5',
  name: '2m Hcap',
  eventId: '30',
  eventName: 'Ayr 1st Mar',
  marketTypeId: 'WIN',
  venue: 'Ayr',
  countryCode: 'GB',
  expectedStartTime: Date.parse(DEFINITION.marketTime),
  outcomes: [
    { id: '11', title: 'Alpha', ordering: 1, metadata: { JOCKEY_NAME: 'A. Rider', STALL_DRAW: '4' } },
    { id: '12', title: 'Bravo', ordering: 2 },
    { id: '12@-0.5', title: 'Bravo -0.5', ordering: 3 },
  ],
};

test.each([
  ['an array', JSON.stringify([CATALOGUE])],
  ['one market, indented, with a byte order mark', `\ufeff${JSON.stringify(CATALOGUE, null, 2)}`],
  ['an answer over JSON-RPC', JSON.stringify({ jsonrpc: '2.0', result: [CATALOGUE], id: 1 })],
  ['answers over JSON-RPC', JSON.stringify([{ jsonrpc: '2.0', result: [CATALOGUE] }])],
  ['one market a line', `${JSON.stringify({ ...CATALOGUE, marketId: '1.9' })}\n${JSON.stringify(CATALOGUE)}\n`],
  ['keys in another order', JSON.stringify({ competition: { name: 'x'.repeat(2000) }, ...CATALOGUE })],
])('a catalogue names a market whose recording has no names: %s', async (_, text) => {
  const recorded = written('b', recording(DEFINITION));
  for (const [name, bytes] of [
    ['a.json', Buffer.from(text)],
    ['c.gz', gzipSync(text)],
  ] as const) {
    const { report, facts } = await imported([recorded, written(name, bytes)]);
    expect(facts).toEqual([NAMED]);
    expect(report).toMatchObject({ markets: 1, named: 1, faulty: 0 });
  }
});

test('threads hand on what a catalogue says', async () => {
  const files = [written('a', JSON.stringify(CATALOGUE)), written('b', recording(DEFINITION))];
  expect((await imported(files, { jobs: 2 })).facts).toEqual([NAMED]);
});

test('what the recording says stays', async () => {
  const runners = DEFINITION.runners.map((runner) => ({ ...runner, name: `Own ${runner.id}` }));
  const own = { ...DEFINITION, runners, name: 'Own name', eventName: 'Own event', venue: 'Own venue' };
  const { facts } = await imported([written('a', JSON.stringify(CATALOGUE)), written('b', recording(own))]);
  expect(facts[0]).toMatchObject({ name: 'Own name', eventName: 'Own event', venue: 'Own venue', countryCode: 'GB' });
  expect(facts[0]?.outcomes.map(({ title }) => title)).toEqual(['Own 11', 'Own 12', 'Own 12']);
  expect(facts[0]?.outcomes[0]?.metadata).toEqual({ JOCKEY_NAME: 'A. Rider', STALL_DRAW: '4' });
});

test('a catalogue may come later, for the markets that a tape holds', async () => {
  await imported([written('b', recording(DEFINITION))]);
  const catalogue = written('a', JSON.stringify([CATALOGUE]));
  const { report, facts } = await imported([catalogue], { mode: 'append' });
  expect(facts).toEqual([NAMED]);
  expect(report).toMatchObject({ markets: 0, named: 1 });
  const other = written('a', JSON.stringify([{ ...CATALOGUE, marketId: '1.7' }]));
  await expect(imported([other], { mode: 'append' })).rejects.toMatchObject({ code: 'NOTHING_IMPORTED' });
});

test('a market book is no catalogue, and is named as what it is', async () => {
  const book = JSON.stringify({ jsonrpc: '2.0', result: [{ marketId: '1.5', runners: [{ selectionId: 11 }] }] });
  await expect(imported([written('a', book)])).rejects.toMatchObject({
    problem: { code: 'NOT_A_RECORDING', why: expect.stringMatching(/betting API/) },
  });
});

test('a strategy sees the names and what the catalogue says beside', async () => {
  const strategy = written(
    'reader.ts',
    `import { defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'reader', decide({ market }) {
  const outcomes = market.outcomes.map(({ title, metadata }) => [title, metadata]);
  console.log(JSON.stringify([market.name, market.venue, ...outcomes, market.snapshot().outcomes[0].metadata]));
  return [];
} });
`,
  );
  await imported([written('b', recording(DEFINITION)), written('a', JSON.stringify(CATALOGUE))]);
  const said: string[] = [];
  await backtestOf([strategy], { tapes: [join(folder, 'out.tape')] }, { onWords: (line) => said.push(line) });
  const metadata = { JOCKEY_NAME: 'A. Rider', STALL_DRAW: '4' };
  expect(JSON.parse(said[0]?.replace('reader: ', '') ?? 'null')).toEqual([
    '2m Hcap',
    'Ayr',
    ['Alpha', metadata],
    ['Bravo', {}],
    ['Bravo -0.5', {}],
    metadata,
  ]);
});

testWithRecordings('an answer of the exchange itself is read', () => {
  const text = readFileSync(join(sharedDir() ?? '', 'data/betfair-api/answers/list_market_catalogue.json'), 'utf8');
  const [market] = catalogueOf(text) ?? [];
  expect(market).toMatchObject({ id: '1.125818641', facts: { name: 'Winner 2016/17', marketTypeId: 'WINNER' } });
  expect(market?.outcomes[0]).toEqual({ id: '3158851', title: 'Red Bull Salzburg' });
});
