/** The store of a sweep over a strategy that is pure chance: fair bets at closing prices, settled by winners that are drawn from them. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/core/number/random.ts';
import type { Money } from '../../../src/core/number/units.ts';
import type { MarketOfTrials } from '../../../src/research/chance/settlement-test.ts';
import { TrialStore } from '../../../src/sweep/store/trial-store.ts';
import { packRow, type UnitMarket, type UnitRow } from '../../../src/sweep/unit/unit-row.ts';
import { DAY, MINUTE } from '../made-races.ts';
import { fairSearch, type Setting } from '../research/fair-search.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { COUNTS } from './unit-counts.ts';

export interface ChanceStore {
  readonly directory: string;
  /** What the store is made of. */
  readonly markets: readonly MarketOfTrials[];
}

const STAKES = 10;

interface ChanceChoices {
  readonly out?: string;
  readonly name?: string;
  readonly strategy?: string;
  /** A trial that bets one on each winner, at the fair price. */
  readonly knows?: number;
  /** A trial whose bets were matched in play. */
  readonly inPlay?: number;
  /** Of the block `sweep` of the configuration. */
  readonly folds?: unknown;
}

/** Params `a` and `b` of trial n are n ÷ 10 and n modulo 10, in whole numbers; neither decides anything. */
export function chanceStore(
  setting: Setting,
  seed: number,
  {
    out = temporaryDirectory('chance'),
    name = 'chance',
    strategy = 'dice.ts',
    knows,
    inPlay,
    folds,
  }: ChanceChoices = {},
): ChanceStore {
  const markets = fairSearch(setting, Random.fromSeed(seed)).map((market) => {
    const made = inMillionths(market);
    return knows === undefined ? made : wonBy(made, knows);
  });
  const directory = join(out, name);
  mkdirSync(directory, { recursive: true });
  const store = TrialStore.open(join(directory, 'trials.sqlite'), { isReadOnly: false });
  const objective = { figure: 'profitNet', bound: 'central', goal: 'maximize', per: 'run' };
  const last = Math.max(1, Math.ceil(setting.trials / STAKES) - 1);
  const space = { 'params.a': { from: 0, to: last, step: 1 }, 'params.b': { from: 0, to: STAKES - 1, step: 1 } };
  const config = {
    strategies: [{ file: strategy }],
    tapes: ['a.tape'],
    sweep: { name, space, search: 'grid', folds },
    isolate: 'event',
  };
  const { id } = store.configuration({ config, objective }, 0);
  for (let trial = 0; trial < setting.trials; trial += 1) {
    const rows = markets.map((market, index) => rowOf(market, { trial, index, isLate: trial === inPlay }));
    const keys = rows.map((_, index) => `${seed}f${trial}f${index}`.padStart(64, '0'));
    store.keep(rows.map((row, index) => ({ kind: 'played', key: keys[index] ?? '', row: packRow(row), elapsedMs: 1 })));
    const assignment = {
      'strategies[0].params.a': Math.floor(trial / STAKES),
      'strategies[0].params.b': trial % STAKES,
    };
    store.keepTrials(id, [{ number: trial, assignment, state: 'played', keys }]);
  }
  store.close();
  return { directory, markets };
}

/** As results have them. */
function inMillionths(market: MarketOfTrials): MarketOfTrials {
  const profits = market.profits.map((row) => Float64Array.from(row, (profit) => Math.round(profit * 1e6) / 1e6));
  return { ...market, profits };
}

function wonBy(market: MarketOfTrials, trial: number): MarketOfTrials {
  const profits = market.profits.map((row, outcome) => {
    const changed = Float64Array.from(row);
    changed[trial] = market.winners.includes(outcome) ? 1 / (market.closing[outcome] ?? 1) - 1 : -1;
    return changed;
  });
  return { ...market, profits };
}

function rowOf(
  { closing, winners, profits }: MarketOfTrials,
  { trial, index, isLate }: { trial: number; index: number; isLate: boolean },
): UnitRow {
  const amounts = profits.map((row) => row[trial] ?? 0);
  const isBet = amounts.some((amount) => amount !== 0);
  const net = amounts[winners[0] ?? 0] ?? 0;
  const startsAt = DAY + index * 5 * MINUTE;
  const market: UnitMarket = {
    ...{ id: `m${index}`, status: 'Settled', eventId: `e${index}`, startsAt, settledAt: startsAt + MINUTE },
    ...{ winnerCount: 1, orders: 1 },
    profit: [money(isBet ? 1 : 0, net)],
    matchedLate: [isBet && isLate],
    outcomes: isBet
      ? amounts.map((amount, outcome) => ({
          ...({ id: `o${outcome}`, result: winners.includes(outcome) ? 'Winner' : 'Loser' } as const),
          ...{ winShare: Number(winners.includes(outcome)), startingPrice: 1 / (closing[outcome] ?? 1) },
          positions: [positionOf(amount, isLate)],
        }))
      : [],
  };
  return { counts: COUNTS, bounds: ['central'], markets: [market] };
}

/** Bets in play leave none before the off. */
function positionOf(amount: number, isLate: boolean) {
  const preOff = { ifWins: isLate ? 0 : amount, ifLoses: 0 };
  return { profitIfWins: amount, profitIfWinsNet: amount, betsIfWins: amount, betsIfLoses: 0, preOff };
}

function money(staked: number, net: number) {
  const stakeMatched = (staked * 1e6) as Money;
  return { stakeMatched, profitGross: Math.round(net * 1e6) as Money, commission: 0 as Money };
}
