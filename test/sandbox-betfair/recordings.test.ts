/**
 * Recordings through the Betfair face: the tape driver plays them at their own pace in simulated time, a market subscription
 * with all fields reads them, and our importer folds what was read. The result is held against the recording after every
 * update of every market that can be played.
 *
 * Compared while a market is open, and equal: all levels of all runners (in hundredths; less is not shown), last prices and
 * projected starting prices that are recorded, the backers' stake traded on each runner, and definitions with their times moved
 * to the time of playing.
 * Compared while a market is suspended: the same but the levels, of which none shows more than was recorded.
 *
 * Not the same, or not compared:
 * - Increases that are recorded while a market is suspended show when it resumes, since nobody may place then: in 139 of the
 *   231 suspended moments of all recordings something is missing. While markets are open nothing is (282,000 moments).
 * - Stake traded while a market is suspended is not played. That is the matching of starting prices: 2.0 and 3.6 % of what was
 *   traded in two recordings, nothing in the others.
 * - Stake is traded by real orders, and a taker gets the best price: so up to 3.2 % of it is traded at another price of the
 *   same runner (up to 1.4 % in all recordings but one).
 * - What the importer takes for a revaluation in what was read is not in its volume: 29.79 of 11.6 million in one recording,
 *   0.005 of 48,547 in another. It is the whole difference.
 * - Before its first recorded last price, a runner shows the one of its trades. A projected starting price that is gone in the
 *   recording stays: Betfair's stream has no word for that.
 * - Starting prices have three decimals. A runner that only a later definition lists is there from the beginning, and one that a
 *   recording brings back stays removed: the exchange cannot bring it back (one runner of one recording each).
 * - A market whose recording ends without a result is voided at its last update, which is not compared.
 * - The importer reads full ladders where there are any, so best offers (`batb`, `bdatb`) are left to other tests; so are own
 *   bets, conflation and what comes after a market's end.
 */

import { expect } from 'vitest';
import { EXPECTED } from '../support/betfair-manifest.ts';
import { budget } from '../support/budget.ts';
import { comparedRecording } from '../support/sandbox-betfair/compared-recording.ts';
import { testWithRecordings } from '../support/shared.ts';

/** Non-runners and three winners, a void market, several markets, full and best-few ladders, last prices alone, damage. */
const FEW = [
  'betfair_parser__1.205822330.bz2',
  'betfair-adapter-rs__29788457',
  'corrupt__1.206063952.gz',
  'flumine__BASIC-1.132153978.gz',
  'mzaja-betfair-database__1.230478683.bz2',
  'profitbox__ADVANCED__1.231242248.bz2',
  'profitbox__self_recorded__1.248821929.jsonl.gz',
];
const IMPORTED = EXPECTED.filter(({ imported }) => imported > 0);
const PLAYED = budget({ each: IMPORTED.filter(({ file }) => FEW.includes(file)), deep: IMPORTED });
const ELSEWHERE_MOST = 0.032;
const PATIENCE_MS = 900_000;
const NOTHING = { levels: 0, prices: 0, definitions: 0, volumes: 0, first: {} };

for (const { file, markets, refusal } of PLAYED)
  testWithRecordings(
    `${file} comes back through the Betfair face as it was`,
    async () => {
      const compared = await comparedRecording(file);
      expect(compared).toHaveLength(refusal === undefined ? markets : 0);
      for (const { open, suspended, tooMuch, traded } of compared) {
        expect(open.all).toBeGreaterThan(0);
        expect(open).toMatchObject(NOTHING);
        const { levels: _named, ...first } = suspended.first;
        expect({ ...suspended, levels: 0, first }).toMatchObject(NOTHING);
        expect(tooMuch).toEqual([]);
        expect(traded.recorded - traded.read).toBe(traded.revalued);
        expect(traded.elsewhere).toBeLessThanOrEqual(ELSEWHERE_MOST * traded.recorded);
      }
    },
    PATIENCE_MS,
  );
