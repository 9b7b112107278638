/** Which markets the settlement test is given, with which chances and which positions. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Money } from '../../../src/core/number/units.ts';
import { settledMarkets } from '../../../src/sweep/statistics/settled-markets.ts';
import { trialProfits } from '../../../src/sweep/statistics/trial-profits.ts';
import { TrialStore } from '../../../src/sweep/store/trial-store.ts';
import { packRow, type UnitMarket, type UnitOutcome } from '../../../src/sweep/unit/unit-row.ts';
import { COUNTS } from '../../support/sweep/unit-counts.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const OBJECTIVE = { figure: 'profitNet', bound: 'central', goal: 'maximize', per: 'run', constraints: {} } as const;

function outcome(id: string, amount: number, rest: Partial<UnitOutcome> = {}): UnitOutcome {
  const preOff = { ifWins: amount, ifLoses: -1 };
  const worth = { profitIfWins: amount, profitIfWinsNet: amount * 0.95, betsIfWins: amount, betsIfLoses: -1 };
  const position = { ...worth, preOff };
  const made: UnitOutcome = { id, result: 'Loser', winShare: 0, startingPrice: 2, positions: [position], ...rest };
  return made;
}

/** Nothing was matched on it before the off. */
const FLAT = {
  ...{ profitIfWins: 0, profitIfWinsNet: 0, betsIfWins: 0, betsIfLoses: 0 },
  preOff: { ifWins: 0, ifLoses: 0 },
};

function unpriced({ startingPrice: _price, ...rest }: UnitOutcome): UnitOutcome {
  return rest;
}

function unsettled({ result: _result, winShare: _share, ...rest }: UnitOutcome): UnitOutcome {
  return rest;
}

const WON = { result: 'Winner', winShare: 1 } as const;

function market(id: string, outcomes: readonly UnitOutcome[], rest: Partial<UnitMarket> = {}): UnitMarket {
  const profit = { stakeMatched: 1_000_000 as Money, profitGross: 1_000_000 as Money, commission: 50_000 as Money };
  return {
    ...{ id, status: 'Settled', eventId: id, startsAt: 1_000, settledAt: 2_000, winnerCount: 1, orders: 1 },
    ...{ profit: [profit], matchedLate: [false], outcomes, ...rest },
  };
}

/** Markets of each trial; each is a unit of its own. */
function read(trials: readonly (readonly UnitMarket[])[]) {
  const store = TrialStore.open(join(temporaryDirectory('settled'), 'trials.sqlite'), { isReadOnly: false });
  const { id } = store.configuration({ config: {} }, 0);
  for (const [number, markets] of trials.entries()) {
    const keys = markets.map((_, index) => `${number}f${index}`.padStart(64, '0'));
    store.keep(
      markets.map((each, index) => {
        const row = packRow({ counts: COUNTS, bounds: ['central'], markets: [each] });
        return { kind: 'played', key: keys[index] ?? '', row, elapsedMs: 1 };
      }),
    );
    store.keepTrials(id, [{ number, assignment: {}, state: number === 0 ? 'played' : 'pruned', keys }]);
  }
  const table = trialProfits(store, id, { objective: OBJECTIVE, isApart: true });
  const count = { bet: 0, judged: 0, late: 0, positions: 0, positionsJudged: 0, untold: 0 };
  const found = [...settledMarkets(store, { trials: table.trials, bound: 'central', seen: new Map() }, count)].map(
    (each) => ({
      ...{ closing: Array.from(each.closing), winners: each.winners },
      profits: each.profits.map((row) => Array.from(row)),
    }),
  );
  const again = trialProfits(store, id, { objective: OBJECTIVE, isApart: true, heldMax: 0 });
  expect(again.trials.map(({ profits }) => profits)).toEqual(table.trials.map(({ profits }) => profits));
  // Trials in pieces of one: each market is counted once.
  const seen = new Map();
  const counted = { bet: 0, judged: 0, late: 0, positions: 0, positionsJudged: 0, untold: 0 };
  const places = table.trials.flatMap((trial) =>
    [...settledMarkets(store, { trials: [trial], bound: 'central', seen }, counted)].map(({ place }) => place),
  );
  expect(counted).toEqual(count);
  expect(new Set(places).size).toBe(count.judged);
  store.close();
  return { found, count, table };
}

test('positions are gross, and a trial without a bet in the market has none', () => {
  const one = market('m', [outcome('a', 10, WON), outcome('b', -10)]);
  const other = market('m', [outcome('a', -4, WON), outcome('b', 4)]);
  const idle = market('m', [], {
    profit: [{ stakeMatched: 0 as Money, profitGross: 0 as Money, commission: 0 as Money }],
  });
  const { found, count, table } = read([[one], [idle], [other]]);
  expect(count).toMatchObject({ bet: 1, judged: 1 });
  expect(found).toEqual([
    {
      closing: [0.5, 0.5],
      winners: [0],
      profits: [
        [9, 0, -5],
        [-11, 0, 3],
      ],
    },
  ]);
  expect(table.trials.map(({ isWhole, value }) => [isWhole, value])).toEqual([
    [true, 0.95],
    [false, undefined],
    [false, undefined],
  ]);
  expect(table.trials.map(({ profits }) => Array.from(profits))).toEqual([[0.95], [0], [0.95]]);
});

test('with several winners they are amounts whose sum is the profit, without who was removed', () => {
  const removed = { ...unsettled(unpriced(outcome('x', 0))), result: 'Removed' as const, positions: [undefined] };
  const outcomes = [outcome('a', 3, WON), removed, outcome('b', 5, WON), outcome('c', 7), outcome('d', 9)];
  const { found } = read([[market('place', outcomes, { winnerCount: 2 })]]);
  expect(found[0]).toMatchObject({ closing: [0.5, 0.5, 0.5, 0.5], winners: [0, 1] });
  // Bets on a and b win, those on c and d lose one each.
  const [a = [], b = []] = found[0]?.profits ?? [];
  expect((a[0] ?? 0) + (b[0] ?? 0)).toBeCloseTo(3 + 5 - 1 - 1, 12);
});

const BOOKS = [
  {
    name: 'the middle of the best prices',
    book: { bestFor: 2.1, bestAgainst: 2, lastPrice: 9 },
    chance: (1 / 2.1 + 1 / 2) / 2,
  },
  { name: 'the last price in a wide book', book: { bestFor: 3, bestAgainst: 2, lastPrice: 2.5 }, chance: 1 / 2.5 },
  { name: 'not beyond the best prices', book: { bestFor: 2.4, bestAgainst: 2, lastPrice: 9 }, chance: 1 / 2.4 },
  { name: 'the middle where nothing was traded', book: { bestFor: 3, bestAgainst: 2 }, chance: (1 / 3 + 1 / 2) / 2 },
  { name: 'the last price where a side was empty', book: { bestFor: 2.2, lastPrice: 2.1 }, chance: 1 / 2.1 },
];

test.each(BOOKS)('without all starting prices the close is $name', ({ book, chance }) => {
  const outcomes = [outcome('a', 1, { ...WON, preOff: book }), unpriced(outcome('b', 1, { preOff: { lastPrice: 2 } }))];
  expect(read([[market('m', outcomes)]]).found[0]?.closing[0]).toBeCloseTo(chance / (chance + 0.5), 12);
});

test.each([
  {
    name: 'a void one',
    rest: { status: 'Voided' },
    outcomes: [unsettled(outcome('a', 1)), outcome('b', 1)],
  },
  { name: 'one that is open', rest: { status: 'Open' }, outcomes: [outcome('a', 1, WON), outcome('b', 1)] },
  {
    name: 'one whose winners were not paid alike',
    rest: { winnerCount: 2 },
    outcomes: [
      outcome('a', 1, WON),
      outcome('b', 1, { ...WON, winShare: 0.5 }),
      outcome('c', 1, { ...WON, winShare: 0.5 }),
    ],
  },
  {
    name: 'one with fewer winners than it pays',
    rest: { winnerCount: 2 },
    outcomes: [outcome('a', 1, WON), outcome('b', 1)],
  },
  {
    name: 'one without a price for a runner',
    rest: {},
    outcomes: [outcome('a', 1, WON), unpriced(outcome('b', 1))],
  },
  {
    name: 'a book that is half empty',
    rest: {},
    outcomes: [outcome('a', 1, { ...WON, startingPrice: 10 }), outcome('b', 1)],
  },
] as const)('$name is left out and counted', ({ rest, outcomes }) => {
  const { found, count } = read([[market('m', outcomes, rest), market('n', [outcome('a', 1, WON), outcome('b', 1)])]]);
  expect(count).toMatchObject({ bet: 2, judged: 1 });
  expect(found).toHaveLength(1);
});

test('a dead heat has as many winners as there were, each paid its share', () => {
  const half = { ...WON, winShare: 0.5 };
  const outcomes = [
    outcome('a', 3, { ...half, startingPrice: 4 }),
    outcome('b', 0, { ...half, startingPrice: 4 }),
    outcome('c', 0, { startingPrice: 4 }),
    outcome('d', 0, { startingPrice: 4 }),
  ].map((each, at) => (at === 0 ? each : { ...each, positions: [{ ...FLAT }] }));
  const [found] = read([[market('m', outcomes)]]).found;
  expect(found).toMatchObject({ closing: [0.5, 0.5, 0.5, 0.5], winners: [0, 1] });
  // A bet of one at 4 on a winner that is paid half: 1.5 − 0.5.
  const amounts = (found?.profits ?? []).map(([amount = 0]) => amount);
  expect((amounts[0] ?? 0) + (amounts[1] ?? 0)).toBeCloseTo(1, 12);
  expect((amounts[2] ?? 0) + (amounts[3] ?? 0)).toBeCloseTo(-1, 12);
});

test('bets matched in play stay out of a position, and a trial with no others has none', () => {
  const [bet, flat] = [outcome('a', 10, WON), { ...outcome('b', 0), positions: [FLAT] }];
  const late = {
    ...outcome('a', 0, WON),
    positions: [{ ...FLAT, profitIfWins: 25, profitIfWinsNet: 25, betsIfWins: 25 }],
  };
  const some = market('m', [bet, flat], { matchedLate: [true] });
  const all = market('m', [late, flat], { matchedLate: [true] });
  const { found, count } = read([[some], [all]]);
  expect(found[0]?.profits).toEqual([
    [10, 0],
    [-1, 0],
  ]);
  expect(count).toEqual({ bet: 1, judged: 1, late: 1, positions: 1, positionsJudged: 1, untold: 0 });
});
