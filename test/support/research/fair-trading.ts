/**
 * Worthless strategies that trade: every bet is at the fair price of its moment, before the off and in play, and some of them close what
 * they hold by how the race goes. Chances move as martingales from the open to the close, once more in play, and to the winner.
 */

import { isBeforeOff } from '../../../src/backtest/result/pre-off-bets.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { positionProfits } from '../../../src/research/chance/position-profits.ts';
import type { MarketOfTrials } from '../../../src/research/chance/settlement-test.ts';

/** Chances of the outcomes at the three times at which a strategy may bet; the first outcome is the one that most are about. */
interface FairRace {
  readonly open: readonly number[];
  readonly close: readonly number[];
  readonly inPlay: readonly number[];
  readonly winner: number;
}

/** `stake` is the backer's, negative for a lay. */
interface FairFill {
  readonly at: 'open' | 'close' | 'inPlay';
  readonly outcome: number;
  readonly stake: number;
}

export interface Shape {
  readonly name: string;
  readonly markets: number;
  fillsOf(race: FairRace, random: Random): readonly FairFill[];
}

const MARKETS = 40;
const OFF = { preOffAt: 2_000, inPlayAt: 3_000 };
const TIMES = { open: 1_000, close: 2_000, inPlay: 4_000 };

const entry: FairFill = { at: 'open', outcome: 0, stake: 1 };
const isBehind = ({ close, inPlay }: FairRace): boolean => inPlay[0]! < close[0]!;

/** Brings the same whoever wins, at the chances of that moment. */
function greened({ at, outcome, stake }: FairFill, race: FairRace, when: FairFill['at']): readonly FairFill[] {
  const first = { at, outcome, stake };
  return [first, { at: when, outcome, stake: (-stake * race[when][outcome]!) / race[at][outcome]! }];
}

/** Ten ways to trade without an edge. */
export const SHAPES: readonly Shape[] = [
  { name: 'holds its backs', markets: MARKETS, fillsOf: () => [entry] },
  {
    name: 'cuts losses in play',
    markets: MARKETS,
    fillsOf: (race) => (isBehind(race) ? greened(entry, race, 'inPlay') : [entry]),
  },
  {
    name: 'takes profits in play',
    markets: MARKETS,
    fillsOf: (race) => (isBehind(race) ? [entry] : greened(entry, race, 'inPlay')),
  },
  {
    name: 'cuts losses and takes profits in play',
    markets: MARKETS,
    fillsOf: (race, random) => (random.chance(0.8) ? greened(entry, race, 'inPlay') : [entry]),
  },
  {
    name: 'greens up before the off what went its way',
    markets: MARKETS,
    fillsOf: (race) => (race.close[0]! > race.open[0]! ? greened(entry, race, 'close') : [entry]),
  },
  {
    name: 'enters in play what goes its way',
    markets: MARKETS,
    fillsOf: (race, random) => [
      ...(random.chance(0.5) ? [entry] : []),
      ...(isBehind(race) ? [] : [{ at: 'inPlay', outcome: 0, stake: 3 } as const]),
    ],
  },
  {
    name: 'lays, and cuts losses in play',
    markets: MARKETS,
    fillsOf: (race) => {
      const lay = { ...entry, stake: -1 };
      return isBehind(race) ? [lay] : greened(lay, race, 'inPlay');
    },
  },
  {
    name: 'backs two and lays a third, and cuts losses in play',
    markets: MARKETS,
    fillsOf: (race) => {
      const others: readonly FairFill[] = [
        { at: 'close', outcome: 1, stake: 0.7 },
        { at: 'open', outcome: 2, stake: -1.2 },
      ];
      return [...others, ...(isBehind(race) ? greened(entry, race, 'inPlay') : [entry])];
    },
  },
  {
    name: 'few bets, losses cut in play',
    markets: 8,
    fillsOf: (race) => (isBehind(race) ? greened(entry, race, 'inPlay') : [entry]),
  },
  {
    name: 'stakes of all sizes, on either side',
    markets: MARKETS,
    fillsOf: (race, random) => {
      const bet = { ...entry, stake: (random.chance(0.5) ? 1 : -1) * 2 ** random.below(6) };
      return isBehind(race) === bet.stake > 0 ? greened(bet, race, 'inPlay') : [bet];
    },
  },
];

/** Which of the bets of a market a test is given. */
export type Judging = 'preOff' | 'marketsWithoutInPlay';

/** Markets of one null, each with the positions of some trials of one shape: each trial is in three of four markets. */
export function fairTrading(
  { markets, fillsOf }: Shape,
  { price, trials, random, judging = 'preOff' }: { price: number; trials: number; random: Random; judging?: Judging },
): readonly MarketOfTrials[] {
  return Array.from({ length: markets }, () => {
    const race = fairRace(price, random);
    const amounts = Array.from({ length: trials }, () => {
      const fills = trials === 1 || random.chance(0.75) ? fillsOf(race, random) : [];
      return positionOf(race, judged(fills, judging));
    });
    const profits = race.close.map((_, outcome) => Float64Array.from(amounts, (own) => own[outcome]!));
    return { closing: race.close, winners: [race.winner], profits };
  });
}

function judged(fills: readonly FairFill[], judging: Judging): readonly FairFill[] {
  const early = fills.filter(({ at }) => isBeforeOff(OFF, TIMES[at]));
  if (judging === 'preOff') return early;
  return early.length === fills.length ? fills : [];
}

function positionOf(race: FairRace, fills: readonly FairFill[]): Float64Array {
  const ifWins = new Float64Array(race.close.length);
  const ifLoses = new Float64Array(race.close.length);
  for (const { at, outcome, stake } of fills) {
    ifWins[outcome]! += stake * (1 / race[at][outcome]! - 1);
    ifLoses[outcome]! -= stake;
  }
  return positionProfits({ winners: 1, ifWins, ifLoses });
}

function fairRace(price: number, random: Random): FairRace {
  const open = 1 / price;
  const close = open * (random.chance(0.5) ? 1.15 : 0.85);
  // Up or down by as much: the mean is the chance at the close.
  const step = 0.7 * Math.min(close, 1 - close);
  const inPlay = close + (random.chance(0.5) ? step : -step);
  const chances = (first: number) => [first, (1 - first) * 0.6, (1 - first) * 0.3, (1 - first) * 0.1];
  let place = random.uniform();
  const drawn = chances(inPlay);
  const winner = drawn.findIndex((chance) => {
    place -= chance;
    return place < 0;
  });
  return { open: chances(open), close: chances(close), inPlay: drawn, winner: Math.max(0, winner) };
}
