/** A result that is too good to be true says so, and an honest one does not, however good or adaptive it is. */

import { describe, expect, test } from 'vitest';
import { CHANCE_BANDS } from '../../src/backtest/statistics/forecasts.ts';
import { implausibleNotices, type TakenBets } from '../../src/backtest/statistics/implausible.ts';
import type { TakenOutcome } from '../../src/backtest/statistics/taken-prices.ts';
import { Random } from '../../src/core/number/random.ts';
import { notKnown } from '../../src/research/figure/not-known.ts';
import { calibrationOf, skillOf } from '../../src/research/run/calibration.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { known } from '../support/research/known.ts';
import { raceTape } from '../support/sweep/sweep-stage.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const EMPTY: TakenBets = { backs: [], lays: [], models: [] };

const ofBacks = (backs: readonly TakenOutcome[]) => implausibleNotices({ ...EMPTY, backs });
const ofLays = (lays: readonly TakenOutcome[]) => implausibleNotices({ ...EMPTY, lays });
const outcomes = <T>(count: number, of: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => ({ eventGroup: String(at), stake: 1, ...of(at) }));

/** Of made races the first outcome wins. */
const KNOWING = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'knowing',
  state: () => false,
  decide({ market, state }) {
    const [first] = market.outcomes;
    const price = first?.bestAgainst?.price;
    if (state || !market.tradable || price === undefined) return [];
    return { intents: [back(first, { stake: 1, price })], state: true };
  },
});
`;

test('a run whose strategy backs the winner of each race says so', async () => {
  const { notices, statistics } = await backtestOf([temporaryFile('knowing.ts', KNOWING)], {
    tapes: [raceTape(0, 40)],
  });
  const { outcomes: bet } = known(statistics.pricesTaken.backs);
  expect(bet).toBeGreaterThan(30);
  const found = notices.filter(({ code }) => code === 'RESULT_IMPLAUSIBLE');
  expect(found.map(({ what }) => what)).toEqual([
    `Of ${bet} outcomes that were bet on, ${bet} won: held to the end, these bets make 100 % of what they could have made, which at fair prices comes in fewer than 1 of 100,000 runs.`,
  ]);
});

describe('bets', () => {
  test('30 winners of 30 are implausible at even prices, 10 of 10 and 30 favourites are not', () => {
    const all = (count: number, chance: number) => ofBacks(outcomes(count, () => ({ chance, won: true })));
    expect(all(30, 0.5)).toMatchObject([{ code: 'RESULT_IMPLAUSIBLE' }]);
    expect(all(10, 0.5)).toEqual([]);
    expect(all(30, 0.9)).toEqual([]);
  });

  test('lays that nearly never lose are implausible at short prices', () => {
    const found = ofLays(outcomes(60, (at) => ({ chance: 0.5, won: at === 0 })));
    expect(found[0]?.what).toMatch(
      /^Of 60 outcomes that were bet against, 59 lost: held to the end, these bets make 97 %/,
    );
    expect(ofLays(outcomes(60, () => ({ chance: 0.03, won: false })))).toEqual([]);
  });

  test('a large honest edge over very many bets is not', () => {
    const random = Random.fromSeed(1);
    const taken = outcomes(50_000, () => ({ chance: 1 / 3, won: random.chance(1.1 / 3) }));
    expect(ofBacks(taken)).toEqual([]);
  });

  test('a worthless strategy that adds to bets as prices move against it is not', () => {
    const random = Random.fromSeed(2);
    const taken = outcomes(3_000, () => {
      // A fair price walks to its end in steps of a twentieth; each step down doubles the stake.
      let [chance, stake, paid, next] = [0.8, 0, 0, 1];
      for (let lowest = 1; chance > 0.001 && chance < 0.999; ) {
        if (chance < lowest - 0.001) {
          stake += next;
          paid += next / chance;
          next *= 2;
          lowest = chance;
        }
        chance += random.chance(0.5) ? 0.05 : -0.05;
      }
      return { chance: stake / paid, won: chance > 0.5, stake };
    });
    const due = taken.reduce((sum, { chance }) => sum + chance, 0);
    expect(taken.filter(({ won }) => won).length - due).toBeGreaterThan(300);
    expect(ofBacks(taken)).toEqual([]);
  });
});

describe('a signal', () => {
  const random = Random.fromSeed(3);
  const won = Array.from({ length: 120 }, () => random.chance(0.3));
  const noticesOf = (chanceOf: (won: boolean) => number) => {
    const of = (chance: (won: boolean) => number) =>
      outcomes(120, (at) => ({ chance: chance(won[at] === true), won: won[at] === true }));
    const [market, model] = [of(() => 0.3), of(chanceOf)];
    const logLossSkill = skillOf({ market, model, score: 'logLoss', seed: 1, resamples: 200, level: 0.95 });
    const calibration = calibrationOf(model, CHANCE_BANDS);
    return implausibleNotices({
      ...EMPTY,
      models: [
        { strategy: 'one', signal: 'model', calibration, brierSkill: notKnown('It is not asked for.'), logLossSkill },
      ],
    });
  };

  test('whose log loss is far below that of closing prices is implausible', () => {
    expect(noticesOf((wins) => (wins ? 0.9 : 0.05))).toMatchObject([
      {
        code: 'RESULT_IMPLAUSIBLE',
        strategy: 'one',
        what: expect.stringMatching(/^Signal 'model' has a log loss of 0\.0/),
      },
    ]);
  });

  test('that is somewhat better, or worse, is not', () => {
    expect(noticesOf((wins) => (wins ? 0.4 : 0.25))).toEqual([]);
    expect(noticesOf(() => 0.6)).toEqual([]);
  });
});
