/** How often the settlement test and the line of luck fire for worthless strategies that trade, and how often they find an edge. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { luckOf } from '../../../src/research/chance/luck.ts';
import type { MarketOfTrials } from '../../../src/research/chance/settlement-test.ts';
import { budget } from '../../support/budget.ts';
import { fairTrading, type Judging, SHAPES, type Shape } from '../../support/research/fair-trading.ts';
import { settledAtOnce } from '../../support/research/settled-at-once.ts';

const TIMEOUT = { timeout: 600_000 };
const SEED = 20_261_127;
const LEVEL = 0.05;
const TRIALS = 4;
const PRICES = [2, 5, 15];
const isDeep = budget({ each: false, deep: true });
/** The standard error of a share of 500 is 1 %, of 4,000 it is 0.34 %. */
const NULLS = budget({ each: 500, deep: 4_000 });
const HIGHEST = budget({ each: 0.086, deep: 0.065 });

interface Shares {
  readonly settlement: number;
  readonly luck: number;
}

function sharesOf(shape: Shape, price: number, nulls: number, judging: Judging = 'preOff'): Shares {
  const random = Random.fromSeed(SEED);
  let [settlement, luck] = [0, 0];
  for (let seed = 0; seed < nulls; seed += 1) {
    const markets = fairTrading(shape, { price, trials: TRIALS, random, judging });
    const tested = settledAtOnce({ markets, trials: TRIALS, seed, redraws: 99 });
    const own = luckOf({ markets: markets.map(ofFirst), seed, redraws: 199 });
    if (tested.kind === 'settlementTest' && tested.pValue <= LEVEL) settlement += 1 / nulls;
    if (own.kind === 'luck' && own.pValue <= LEVEL) luck += 1 / nulls;
  }
  return { settlement, luck };
}

function ofFirst({ closing, winners, profits }: MarketOfTrials) {
  return { closing, winners, profit: profits.map((row) => row[0] ?? 0) };
}

/** In the long proof, the figures of docs/statistics.md. */
function print(line: string): void {
  if (isDeep) console.log(line);
}

test.each(SHAPES)('$name: both fire in one of twenty', TIMEOUT, (shape) => {
  for (const price of PRICES) {
    const { settlement, luck } = sharesOf(shape, price, NULLS);
    print(`${shape.name}, ${price}: settlement ${(settlement * 100).toFixed(1)} %, luck ${(luck * 100).toFixed(1)} %`);
    expect(settlement, `${price}`).toBeLessThanOrEqual(HIGHEST);
    expect(luck, `${price}`).toBeLessThanOrEqual(HIGHEST);
  }
});

test('markets left out because of bets in play would make skill of a stop, and ruin of a target', TIMEOUT, () => {
  const named = (name: string) => ({ ...(SHAPES.find((shape) => shape.name === name) ?? expect.fail()), markets: 200 });
  const cut = sharesOf(named('cuts losses in play'), 2, 60, 'marketsWithoutInPlay');
  const taken = sharesOf(named('takes profits in play'), 2, 60, 'marketsWithoutInPlay');
  expect(cut.settlement).toBeGreaterThan(0.8);
  expect(taken.settlement).toBe(0);
  expect(taken.luck).toBeGreaterThan(0.8);
});

/** Whether so many of the backs of one at `odds` that won are more than luck. */
function isFound(won: number, { odds, bets }: { readonly odds: number; readonly bets: number }): boolean {
  const [closing, profits] = [
    [1 / odds, 1 - 1 / odds],
    [[odds - 1], [-1]],
  ];
  const markets = Array.from({ length: bets }, (_, bet) => ({ closing, profits, winners: [bet < won ? 0 : 1] }));
  const tested = settledAtOnce({ markets, trials: 1, seed: SEED, redraws: budget({ each: 199, deep: 999 }) });
  return tested.kind === 'settlementTest' && tested.pValue <= LEVEL;
}

/** How often an edge of 3 % is found: outcomes win so much more often than the closing prices say. Exact, from the fewest wins that are found. */
function powerOf(odds: number, bets: number): number {
  let [low, high] = [0, bets];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isFound(middle, { odds, bets })) high = middle;
    else low = middle + 1;
  }
  const chance = 1.03 / odds;
  // Chances of each number of wins over that of the likeliest one.
  const likeliest = Math.floor(bets * chance);
  const upwards = (won: number): number => ((bets - won) / (won + 1)) * (chance / (1 - chance));
  const weights = new Float64Array(bets + 1);
  weights[likeliest] = 1;
  for (let won = likeliest; won < bets; won += 1) weights[won + 1] = weights[won]! * upwards(won);
  for (let won = likeliest; won > 0; won -= 1) weights[won - 1] = weights[won]! / upwards(won - 1);
  const sum = (all: Float64Array) => all.reduce((total, each) => total + each, 0);
  return sum(weights.subarray(low)) / sum(weights);
}

test('an edge of 3 % is found by half at about 3,000 × (odds − 1) bets', TIMEOUT, () => {
  // 53 % with infinitely many redraws; the level of some hundred lies up to a tenth of a deviation beside it.
  const at6500 = powerOf(3, 6_500);
  expect(at6500).toBeGreaterThan(0.45);
  expect(at6500).toBeLessThan(0.6);
  expect(powerOf(3, 1_000)).toBeLessThan(0.25);
  if (!isDeep) return;
  for (const odds of [1.5, 2, 3, 5, 10]) {
    const half = 3_000 * (odds - 1);
    const shares = [6_500, half].map((bets) => [bets, powerOf(odds, bets)] as const);
    print(`power at ${odds}: ${shares.map(([bets, share]) => `${bets}: ${(share * 100).toFixed(0)} %`).join(', ')}`);
    expect(shares.at(-1)?.[1]).toBeGreaterThan(0.42);
    expect(shares.at(-1)?.[1]).toBeLessThan(0.58);
  }
});
