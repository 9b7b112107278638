/** Searches over strategies that are pure chance: bets at fair prices on random outcomes, of which the nulls are made. */

import type { Random } from '../../../src/core/number/random.ts';
import type { MarketOfTrials } from '../../../src/research/chance/settlement-test.ts';
import { winnerDraw } from '../../../src/research/chance/winners.ts';

/** One bet at a fair price: the profit of the trial, on the outcome that the market is about, if it wins and if it loses. */
export interface FairBet {
  readonly side: 'back' | 'lay';
  readonly stake: number;
}

export interface Setting {
  readonly name: string;
  readonly markets: number;
  readonly trials: number;
  /** The fair price of the outcome that is bet on. */
  priceOf(random: Random): number;
  /** What a trial does in a market; undefined: nothing. */
  betOf(random: Random, trial: number, market: number): FairBet | undefined;
}

const half = (bet: FairBet) => (random: Random) => (random.chance(0.5) ? bet : undefined);
const at = (price: number) => () => price;
const size = { markets: 60, trials: 20 };
const BACK: FairBet = { side: 'back', stake: 1 };
const LAY: FairBet = { side: 'lay', stake: 1 };

/** Ten kinds of pure chance, from short to long odds. */
export const SETTINGS: readonly Setting[] = [
  { name: 'backs at 3', ...size, priceOf: at(3), betOf: half(BACK) },
  { name: 'backs at 8', ...size, priceOf: at(8), betOf: half(BACK) },
  { name: 'backs at 20', ...size, priceOf: at(20), betOf: half(BACK) },
  { name: 'lays at 3', ...size, priceOf: at(3), betOf: half(LAY) },
  { name: 'lays at 8', ...size, priceOf: at(8), betOf: half(LAY) },
  { name: 'lays at 20', ...size, priceOf: at(20), betOf: half(LAY) },
  {
    name: 'mixed stakes',
    ...size,
    priceOf: (random) => 1.5 + 10 * random.uniform(),
    betOf: (random) => (random.chance(0.5) ? { side: 'back', stake: 2 ** random.below(8) } : undefined),
  },
  {
    name: 'backs and lays at prices from 2 to 20',
    ...size,
    priceOf: (random) => 2 + 18 * random.uniform(),
    betOf: (random) => (random.chance(0.5) ? { side: random.chance(0.5) ? 'back' : 'lay', stake: 1 } : undefined),
  },
  {
    name: 'shared winners: trials that nearly all hold the same bets',
    ...size,
    priceOf: at(5),
    betOf: (random, _trial, market) => (market % 2 === 0 && !random.chance(0.05) ? BACK : undefined),
  },
  {
    name: 'few markets and 100 trials',
    markets: 25,
    trials: 100,
    priceOf: at(4),
    betOf: (random) => (random.chance(0.3) ? { side: random.chance(0.5) ? 'back' : 'lay', stake: 1 } : undefined),
  },
];

/** A search of pure chance, settled by winners from the closing probabilities: outcome 0 is bet on, one of three others wins else. */
export function fairSearch(setting: Setting, random: Random): readonly MarketOfTrials[] {
  return Array.from({ length: setting.markets }, (_, market) => {
    const price = setting.priceOf(random);
    const rest = 1 - 1 / price;
    const closing = [1 / price, rest * 0.5, rest * 0.3, rest * 0.2];
    const wins = new Float64Array(setting.trials);
    const loses = new Float64Array(setting.trials);
    for (let trial = 0; trial < setting.trials; trial += 1) {
      const bet = setting.betOf(random, trial, market);
      if (bet === undefined) continue;
      const sign = bet.side === 'back' ? bet.stake : -bet.stake;
      wins[trial] = sign * (price - 1);
      loses[trial] = -sign;
    }
    const winner = new Uint32Array(1);
    winnerDraw(closing).draw(random, winner);
    return { closing, winners: [winner[0] ?? 0], profits: [wins, loses, loses, loses] };
  });
}

/** For each trial, its profit in each market as settled. */
export function profitsByTrial(markets: readonly MarketOfTrials[], trials: number): readonly Float64Array[] {
  return Array.from({ length: trials }, (_, trial) =>
    Float64Array.from(markets, ({ winners, profits }) => profits[winners[0] ?? 0]?.[trial] ?? 0),
  );
}
