/** Plays one unit of many backtests: some markets of tapes that are open already, by strategies that are bundled already. */

import type { LoadedStrategy } from '../../loader/strategy-loader.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { BacktestHooks, BacktestOptions } from '../options/backtest-options.ts';
import { type UnitResult, unitResult } from '../result/backtest-result.ts';
import type { Piece } from '../result/kept-piece.ts';
import type { SourceMarket } from '../simulation/backtest-source.ts';
import type { Cut } from './cut.ts';
import { type PieceParts, playPiece } from './play-piece.ts';
import type { RunStrategies } from './run-strategies.ts';

export interface UnitRun extends Pick<BacktestHooks, 'mark' | 'watchGuests' | 'onWords'> {
  readonly options: BacktestOptions;
  /** The worlds in which it is played, whatever `fills` of the options says. */
  readonly bounds: readonly Bound[];
  /** The markets in the order of the tapes. They are numbered anew, so that nothing of the result depends on other markets of the tapes. */
  readonly markets: readonly SourceMarket[];
  readonly known: RunStrategies;
  /**
   * The strategies as they were loaded once, for other units too. They give the names, and say where in their code something was thrown.
   */
  readonly strategies: readonly LoadedStrategy[];
  /** Called now and then while it plays. */
  readonly onPlayed: () => void;
}

/**
 * The figures are those that a backtest of the same markets has in a piece of its own. @throws OddsmithError STRATEGY_…
 */
export async function runUnit(unit: UnitRun): Promise<UnitResult> {
  const { options, bounds, strategies, known, mark, watchGuests, onWords, onPlayed } = unit;
  const markets = unit.markets.map((market, index) => ({ ...market, index }));
  const parts: PieceParts = {
    options,
    bounds,
    strategies,
    known,
    mark,
    watchGuests,
    onWords,
    onPlayed,
    heading: '',
    isEnded: () => false,
  };
  const pieces: Piece[] = [];
  for (const cut of cutsOfUnit(markets, options)) pieces.push(await playPiece(parts, cut));
  return unitResult({ options, pieces });
}

/** Its markets are played together, by all strategies or by one after the other. */
function cutsOfUnit(markets: readonly SourceMarket[], { isolate, strategies }: BacktestOptions): readonly Cut[] {
  return isolate === 'strategy' ? strategies.map((_, only) => ({ markets, only })) : [{ markets }];
}
