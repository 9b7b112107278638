/** What is kept of a piece of a run when it was played: what its result is made of, and nothing of the strategies that ran in it. */

import { describeThrown } from '../../core/checks/thrown.ts';
import { BadResult } from '../../engine/guest/guest.ts';
import { NotComeBack } from '../../engine/guest/stuck-call.ts';
import type { StrategyHalt } from '../../engine/log/run-log.ts';
import type { LoadedStrategy } from '../../loader/strategy-loader.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { StrategyHalted } from '../../result/result.ts';
import type { RunCollector } from '../simulation/backtest-collector.ts';
import type { SimulationEnd } from '../simulation/simulated-world.ts';
import type { StrategyCounts } from '../simulation/strategy-tally.ts';

/** One cut of the run, in each of its worlds. */
export interface Piece {
  readonly ends: readonly PieceEnd[];
  /** The market, event group or strategy of the piece, where the run is cut. */
  readonly name?: string | undefined;
  readonly transcriptSha256: string;
  readonly interrupted: boolean;
}

/** One world of one piece: its bound, the end of its simulation, and the hash of its transcript. */
export type PieceEnd = readonly [bound: Bound, end: KeptEnd, transcriptSha256: string];

/** The end of a simulation, in whichever thread it was. */
export interface KeptEnd extends Omit<SimulationEnd, 'collector'> {
  readonly collector: Collected;
}

/** What a simulation's collector has, as plain data and rows that are made on demand. */
export interface Collected
  extends Pick<
    RunCollector,
    | 'tally'
    | 'refusals'
    | 'refused'
    | 'rejections'
    | 'markets'
    | 'plots'
    | 'prices'
    | 'orderRows'
    | 'fillRows'
    | 'packedRows'
    | 'heldRows'
  > {
  readonly strategies: readonly StrategyCounts[];
  readonly halts: readonly DescribedHalt[];
}

/** A halt in words: what was thrown may be any object of the strategy's realm. */
export interface DescribedHalt
  extends Pick<StrategyHalted, 'at' | 'market' | 'where' | 'why' | 'next'>,
    Pick<StrategyHalt, 'strategy' | 'name' | 'code'> {}

/** `strategies` read what their code threw. */
export function keptEnd({ collector, ...end }: SimulationEnd, strategies: readonly LoadedStrategy[]): KeptEnd {
  const { tally, refusals, refused, rejections, markets, plots, prices } = collector;
  return {
    ...end,
    collector: {
      tally,
      refusals,
      refused,
      rejections,
      markets,
      plots,
      prices,
      strategies: collector.strategies.map((tally) => tally.counts()),
      halts: collector.halts.map((halt) => describedHalt(halt, strategies[halt.strategy])),
      orderRows: (run) => collector.orderRows(run),
      fillRows: (run) => collector.fillRows(run),
      packedRows: () => collector.packedRows(),
      heldRows: () => collector.heldRows(),
    },
  };
}

const BAD_RESULT_NEXT = 'Let decide return a list of intents, or { intents, state, wakeAt }, at once.';

function describedHalt(halt: StrategyHalt, loaded: LoadedStrategy | undefined): DescribedHalt {
  const { strategy, name, market, at, code, error } = halt;
  if (NotComeBack.is(error)) {
    const { where, why, next } = error.call;
    return { strategy, name, market, at, code, where, why, next };
  }
  const fault = loaded?.faultOf(error);
  const isBadResult = code === 'STRATEGY_BAD_RESULT';
  return {
    strategy,
    name,
    market,
    at,
    code,
    where: [fault?.file, fault?.line, fault?.column].filter((part) => part !== undefined).join(':'),
    why: BadResult.is(error) ? error.message : (fault?.why ?? describeThrown(error).text),
    next: isBadResult ? BAD_RESULT_NEXT : (fault?.next ?? 'Correct the strategy and run again.'),
  };
}
