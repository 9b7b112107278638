/** The proof against lookahead on recordings of several sports and grades: the sample strategies are never accused. */

import { expect, test } from 'vitest';
import { backtestOf } from '../support/backtest-of.ts';
import { budget } from '../support/budget.ts';
import { sampleStrategy } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { describeWithRecordings } from '../support/shared.ts';

const RECORDINGS = [
  'nautilus__1-206064380.bz2',
  'profitbox__ADVANCED__1.231242812.bz2',
  'betfair_parser__1.127236622.bz2',
  'flumine__BASIC-1.132153978.gz',
];
const SEEDS = budget({ each: 1, deep: 10 });
/** Each replays the recordings with other futures. */
const INSTANTS = budget({ each: 3, deep: 6 });
const files = ['passive-quoter', 'favourite-scalp', 'dutch-book'].map(sampleStrategy);

describeWithRecordings('a proof on a recording', () => {
  test.each(RECORDINGS)(
    'accuses none of the sample strategies, whatever the seed (%s)',
    async (recording) => {
      const tapes = [await recordedTape(recording)];
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const { proof } = await backtestOf(files, { tapes, seed, prove: INSTANTS });
        expect(proof?.instants).toHaveLength(INSTANTS);
      }
    },
    300_000,
  );
});
