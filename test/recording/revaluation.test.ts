/** Volume that Betfair revalues is no trade: on small synthetic streams, and where recordings show it. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tapeInfo, tapeInfoText } from '../../src/app/output/tape-info.ts';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { ladder } from '../support/made-stream.ts';
import { recordingFile, testWithRecordings } from '../support/shared.ts';
import { type PicturedTrade, TapePicture } from '../support/tape-picture.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = temporaryDirectory('revaluation');
  path = join(folder, 'out.tape');
});

const DEFINITION = {
  status: 'OPEN',
  bettingType: 'ODDS',
  numberOfWinners: 1,
  runners: [{ id: 1, status: 'ACTIVE', name: 'One' }],
};
/** A book of 2 to 2.04, and volume at six prices. */
const BEFORE = {
  atb: ladder('2 100, 1.99 50, 1.98 60'),
  atl: ladder('2.04 100, 2.06 80'),
  trd: ladder('1.9 500, 1.98 100, 2 40, 2.04 900, 2.2 3000, 2.4 10'),
  ltp: 2.04,
};

/** The trades of the last of the given changes of the only runner, as price and stake. */
async function tradesOf(...changes: readonly object[]): Promise<readonly string[]> {
  const lines = [
    { marketDefinition: DEFINITION },
    ...[BEFORE, ...changes].map((change) => ({ rc: [{ id: 1, ...change }] })),
  ];
  const file = join(folder, 'made');
  writeFileSync(
    file,
    lines.map((line, i) => JSON.stringify({ op: 'mcm', pt: i + 1, mc: [{ id: '1.5', ...line }] })).join('\n'),
  );
  rmSync(path, { force: true });
  await importBetfair({ files: [file], tape: path });
  return (
    updatesOf()
      .at(-1)
      ?.trades.map(({ price, stake }) => `${price} ${stake}`) ?? []
  );
}

function updatesOf(): readonly { readonly at: number; readonly trades: readonly PicturedTrade[] }[] {
  const tape = Tape.open(path);
  try {
    const picture = new TapePicture(tape, 0);
    const cursor = tape.cursor({ markets: [0] });
    const updates = [];
    for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
      picture.apply(update);
      updates.push({ at: update.publishedAt, trades: picture.trades });
    }
    return updates;
  } finally {
    tape.close();
  }
}

test('a message in which most known prices rise by little is no trade; a large rise in it is one', async () => {
  const trd = ladder('1.9 500.3, 1.98 100.06, 2 80, 2.04 900.6, 2.2 3002, 2.4 10.02');
  expect(await tradesOf({ trd })).toEqual(['2 20']);
  const info = tapeInfo(path);
  const revaluations = { messages: 1, rises: 5, stake: 1.49 };
  expect(info).toMatchObject({ revaluations, markets: [{ revaluations }] });
  expect(info.markets[0]?.losses).toBeUndefined();
  expect(tapeInfoText(info)).toContain(
    'revalued   5 rises of volume in 1 message were no trades but currencies valued anew (stake 1.49), in 1 market',
  );
});

test('a rise by pennies at a price that the book excludes before and after is no trade', async () => {
  expect(await tradesOf({ trd: [[2.2, 3000.04]] })).toEqual([]);
  expect(await tradesOf({ trd: [[1.98, 100.04]], ltp: 2.04 })).toEqual([]);
  // Where no other sign of a sweep exists, a large rise is no trade either, and is reported as a loss.
  expect(await tradesOf({ trd: [[2.2, 4000]] })).toEqual([]);
  expect(tapeInfo(path).markets[0]).toMatchObject({ losses: { risesOffTouch: 1 } });
});

test('trades at, inside and through the touch stay, also where the touch is back after the message', async () => {
  expect(await tradesOf({ trd: [[2, 40.04]] }), 'at the touch').toEqual(['2 0.02']);
  expect(await tradesOf({ trd: [[2.02, 6]] }), 'inside').toEqual(['2.02 3']);
  const sweep = { atl: [[2.04, 0]], trd: ladder('2.06 20, 2.04 1100') };
  expect(await tradesOf(sweep), 'swept').toEqual(['2.04 100', '2.06 10']);
  const back = { atb: [[1.98, 58]], trd: [[1.98, 104]] };
  expect(await tradesOf(back), 'its stake fell').toEqual(['1.98 2']);
  expect(await tradesOf({ trd: [[1.98, 104]], ltp: 1.98 }), 'the last price moved').toEqual(['1.98 2']);
  const run = { trd: ladder('2 90, 1.99 30, 1.98 130') };
  expect(await tradesOf(run), 'it began at the touch').toEqual(['2 25', '1.99 15', '1.98 15']);
});

test('a large rise beyond the touch is a trade where more than pennies traded at the touch, however much had traded there before', async () => {
  const ran = (atTouch: number) => ({
    trd: [
      [2.04, atTouch],
      [2.06, 300],
    ],
  });
  // 0.4 % of what had traded at 2.04.
  expect(await tradesOf(ran(903.6))).toEqual(['2.04 1.8', '2.06 150']);
  expect(tapeInfo(path).markets[0]?.losses).toBeUndefined();
  expect(await tradesOf(ran(900.1)), 'pennies at the touch say nothing').toEqual(['2.04 0.05']);
  const revalued = { trd: ladder('1.9 500.6, 1.98 100.1, 2 40.05, 2.04 903.6, 2.2 3004, 2.06 300') };
  expect(await tradesOf(revalued), 'nor does volume that is valued anew').toEqual([]);
  expect(tapeInfo(path).markets[0]).toMatchObject({ losses: { risesOffTouch: 1 } });
});

test('where a side is empty nothing is excluded by it', async () => {
  const empty = { atl: ladder('2.04 0, 2.06 0') };
  expect(await tradesOf(empty, { trd: [[2.4, 10.06]] })).toEqual(['2.4 0.03']);
});

testWithRecordings('the revaluation four seconds after an hour in a recorded market fills no order', async () => {
  const file = recordingFile('profitbox__self_recorded__1.248821929.jsonl.gz');
  await importBetfair({ files: [file], tape: path });
  const trades = updatesOf().find(({ at }) => at === 1_760_050_804_646)?.trades ?? [];
  expect(trades.filter(({ stake }) => stake < 0.5)).toEqual([]);
  expect(tapeInfo(path).revaluations).toMatchObject({ messages: 1 });
});

testWithRecordings(
  'stake that ran through levels in play within one second is traded, though the touch is back',
  async () => {
    const files = ['1.231172884', '1.231174262'].map((id) => recordingFile(`profitbox__ADVANCED__${id}.bz2`));
    for (const file of files) {
      rmSync(path, { force: true });
      await importBetfair({ files: [file], tape: path });
      expect(tapeInfo(path).markets[0]?.losses?.['risesOffTouch']).toBeUndefined();
    }
    // 1.40 to 1.49 in a second, with 21,877.53 of both sides at 1.39; a second later 1.55.
    const trades = updatesOf().find(({ at }) => at === 1_722_509_999_407)?.trades ?? [];
    expect(trades).toContainEqual(expect.objectContaining({ price: 1.39, stake: 10_938.765 }));
  },
);
