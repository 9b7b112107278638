/** The luck of one run: its profit as settled less the one expected at closing, judged by winners drawn from closing prices. */

import { assert } from '../../core/checks/assert.ts';
import { Random } from '../../core/number/random.ts';
import type { Meaning } from '../figure/meaning.ts';
import type { Figures } from '../figure/moments.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';
import type { SettledMarket } from './settlement-test.ts';
import { type WinnerDraw, winnerDraw } from './winners.ts';

/** One settled market with the position of the run in it. */
export interface MarketOfRun extends SettledMarket {
  /** The profit of each outcome if it wins; with several winners, a sum over them as in `MarketOfTrials`. */
  readonly profit: Figures;
}

/** How much of a profit came from who won, judged by winners drawn from the closing prices. All amounts in the unit of the profits. */
export interface Luck extends Meaning {
  readonly kind: 'luck';
  /** What the positions brought at settlement. */
  readonly settled: number;
  /** What the positions were worth at closing. */
  readonly expected: number;
  /** Settled less expected. */
  readonly luck: number;
  /** Exact deviation of the settled profit, if the closing probabilities are true. */
  readonly deviation: number;
  /** Luck over deviation. */
  readonly z: number;
  /** The chance of at least the settled profit, by redraws of winners: (1 + count) ÷ (1 + redraws). */
  readonly chanceAbove: number;
  /** The chance of at most the settled profit, by the same redraws. */
  readonly chanceBelow: number;
  /** Of luck this far to either side: twice the smaller chance. Not from z, whose normal tails are wrong at long odds. */
  readonly pValue: number;
}

const LUCK_MEANING: Meaning = {
  says:
    'Luck says how much of the profit came from who won, and not from the prices got: it is 0 on average, and its ' +
    'chance says how unusual this much of it is.',
  doesNotSay:
    'It takes the closing prices for true: whoever knows more than they do looks lucky here, again and again. It takes ' +
    'markets for independent, so that win and place bets on one race vary more than it says.',
};

export function luckOf({
  markets,
  seed,
  redraws,
}: {
  readonly markets: readonly MarketOfRun[];
  readonly seed: number;
  readonly redraws: number;
}): Luck | NotKnown {
  assert(Number.isInteger(redraws) && redraws >= 19, `luck takes 19 redraws or more, got ${redraws}`);
  if (markets.length === 0) return notKnown('No settled market has closing prices.');
  const draws = markets.map(({ closing }) => winnerDraw(closing));
  let settled = 0;
  let expected = 0;
  let variance = 0;
  let largest = 0;
  markets.forEach(({ profit, winners, closing }, at) => {
    const draw = draws[at]!;
    assert(profit.length === closing.length, 'the profit is known for each outcome');
    assert(winners.length === draw.winners, 'as many outcomes won as the closing probabilities sum to');
    for (const winner of winners) settled += profit[winner]!;
    expected += draw.expectation(profit);
    variance += draw.variance(profit);
    for (let outcome = 0; outcome < profit.length; outcome += 1)
      largest = Math.max(largest, Math.abs(profit[outcome]!));
  });
  const deviation = Math.sqrt(variance);
  if (deviation <= 1e-9 * largest) return notKnown('The profit does not depend on who wins: there is no luck in it.');
  const tie = 1e-9 * deviation;
  let above = 0;
  let below = 0;
  forEachRedraw({ markets, draws, redraws, random: Random.fromSeed(seed) }, (profit) => {
    if (profit >= settled - tie) above += 1;
    if (profit <= settled + tie) below += 1;
  });
  const chanceAbove = (1 + above) / (1 + redraws);
  const chanceBelow = (1 + below) / (1 + redraws);
  const luck = settled - expected;
  return {
    kind: 'luck',
    settled,
    expected,
    luck,
    deviation,
    z: luck / deviation,
    chanceAbove,
    chanceBelow,
    pValue: Math.min(1, 2 * Math.min(chanceAbove, chanceBelow)),
    ...LUCK_MEANING,
  };
}

function forEachRedraw(
  {
    markets,
    draws,
    redraws,
    random,
  }: {
    readonly markets: readonly MarketOfRun[];
    readonly draws: readonly WinnerDraw[];
    readonly redraws: number;
    readonly random: Random;
  },
  take: (profit: number) => void,
): void {
  const winners = new Uint32Array(draws.reduce((most, draw) => Math.max(most, draw.winners), 1));
  for (let redraw = 0; redraw < redraws; redraw += 1) {
    let sum = 0;
    for (let at = 0; at < markets.length; at += 1) {
      const draw = draws[at]!;
      const { profit } = markets[at]!;
      draw.draw(random, winners);
      for (let winner = 0; winner < draw.winners; winner += 1) sum += profit[winners[winner]!]!;
    }
    take(sum);
  }
}
