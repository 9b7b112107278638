/** A market on two tapes of one recorder, joined: what both tapes say counts once. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseMarkets, MergedUpdates } from '../../../src/backtest/simulation/backtest-source.ts';
import { instant } from '../../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../../src/core/side.ts';
import { Recorder } from '../../../src/recording/live/recorder.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { MadeBook } from '../../support/record/made-book.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const MIDNIGHT = Date.UTC(2026, 10, 21);
const UNIT = 1_000_000;
const ALL = { types: [], ids: [], events: [] };

let directory = '';
const opened: Tape[] = [];
beforeEach(() => {
  directory = temporaryDirectory('joined');
});
afterEach(() => {
  for (const tape of opened.splice(0)) tape.close();
});

/** A market before and after midnight: one level stays, one goes, one comes, and there is a trade. */
function twoTapes(): readonly Tape[] {
  const settings = { directory, address: 'http://made', knowsTrades: true, commissionPpm: 0, silenceMaxMs: 9_000 };
  const recorder = new Recorder({ ...settings, times: 'received' }, instant(MIDNIGHT - 1_000));
  const book = new MadeBook('1').rests(0, FOR, 60, 5 * UNIT).rests(0, AGAINST, 50, UNIT);
  recorder.record(book, 'listed', instant(MIDNIGHT - 900));
  recorder.record(book.rests(1, FOR, 80, 3 * UNIT), 'prices', instant(MIDNIGHT - 800));
  recorder.commit(instant(MIDNIGHT + 1));
  book
    .rests(0, FOR, 61, 2 * UNIT)
    .rests(0, AGAINST, 50, 0)
    .matched(0, FOR, 60, UNIT);
  recorder.record(book, 'prices', instant(MIDNIGHT + 10));
  book.suspended = true;
  recorder.record(book, 'status', instant(MIDNIGHT + 20));
  book.status = 'Closed';
  recorder.record(book, 'status', instant(MIDNIGHT + 30));
  const tapes = recorder.finish(instant(MIDNIGHT + 40)).map(({ path }) => Tape.open(path));
  opened.push(...tapes);
  return tapes;
}

function updatesOf(tapes: readonly Tape[]): readonly string[] {
  const { markets } = chooseMarkets(tapes, ALL);
  const source = new MergedUpdates(markets);
  const lines: string[] = [];
  for (let update = source.next(); update !== undefined; update = source.next()) {
    const { count, kind, outcome, side, tick, amount } = update.columns();
    const events = Array.from({ length: count }, (_, i) =>
      [kind[i], outcome[i], side[i], tick[i], amount[i]].join(' '),
    );
    lines.push(`${update.sequence} at ${update.publishedAt - MIDNIGHT}: ${events.join(', ')}`);
  }
  return lines;
}

test('the picture at the head of the second tape says only what is new', () => {
  const tapes = twoTapes();
  expect(updatesOf(tapes)).toEqual([
    '0 at -900: 0 0 0 0 0, 2 0 0 60 5000000, 2 0 1 50 1000000',
    '1 at -800: 2 1 0 80 3000000',
    '2 at 10: 1 0 0 60 1000000, 2 0 1 50 0, 2 0 0 61 2000000',
    '3 at 20: 0 0 0 0 2',
    '4 at 30: ',
  ]);
  const { markets, leftOut } = chooseMarkets(tapes, ALL);
  expect(leftOut).toEqual([]);
  expect(markets.map(({ market }) => [market.updates, market.lastAt - MIDNIGHT])).toEqual([[5, 30]]);
  expect(new MergedUpdates(markets).recorded(0)).toMatchObject({ updates: 5, definitions: { length: 3 } });
});

test('the second tape stands for itself', () => {
  expect(updatesOf(twoTapes().slice(1))[0]).toBe(
    '0 at 10: 0 0 0 0 0, 1 0 0 60 1000000, 2 0 0 60 5000000, 2 0 0 61 2000000, 2 1 0 80 3000000',
  );
});

test('an earlier part after a later one does not go on, and is left out with the reason', () => {
  const { markets, leftOut } = chooseMarkets(twoTapes().toReversed(), ALL);
  expect(markets).toHaveLength(1);
  expect(leftOut[0]?.reason).toContain('in an earlier tape already');
});
