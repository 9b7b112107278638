/** The result of a backtest so far, for when it is ended before its end. */

import { stuckParts } from '../loader/stuck-error.ts';
import type { Inquiry } from '../loader/stuck-strategy.ts';
import { findStuck } from '../loader/stuck-strategy.ts';
import type { BacktestResult, StrategyHalted } from '../result/result.ts';
import { worldsOf } from './options/worlds.ts';
import type { ResultParts } from './result/backtest-result.ts';
import { inWorlds } from './result/halts.ts';
import type { Piece } from './result/kept-piece.ts';
import { resultWithStatistics } from './statistics/run-statistics.ts';

export class RunSoFar {
  readonly pieces: Piece[] = [];
  /** Ends the piece at play; undefined between pieces. */
  current: (() => Piece) | undefined;
  readonly #facts: Omit<ResultParts, 'pieces' | 'elapsedMs'>;
  readonly #elapsedMs: () => number;

  constructor(facts: Omit<ResultParts, 'pieces' | 'elapsedMs'>, elapsedMs: () => number) {
    this.#facts = facts;
    this.#elapsedMs = elapsedMs;
  }

  /** See `BegunRun`. An inquiry because of a stuck thread ends nothing where no strategy is the cause. */
  end(inquiry: Inquiry): BacktestResult | undefined {
    const halt = inquiry.reason === 'stuck' ? this.#halt(inquiry) : undefined;
    if (inquiry.reason === 'stuck' && halt === undefined) return undefined;
    const current = this.current?.();
    const pieces = current === undefined ? this.pieces : [...this.pieces, current];
    const result = resultWithStatistics({ ...this.#facts, pieces, elapsedMs: this.#elapsedMs() });
    if (halt === undefined) return { ...result, interrupted: true };
    const [, end] = current?.ends[0] ?? [];
    return endedByStuck(result, { ...halt, at: end?.endedAt ?? 0 });
  }

  /** The strategy that is stuck; undefined where the thread hangs elsewhere. */
  #halt(inquiry: Inquiry): Omit<StrategyHalted, 'at'> | undefined {
    const { strategies, options, source } = this.#facts;
    const found = findStuck(inquiry, strategies);
    const name = strategies[found?.instance ?? -1]?.plugin.name;
    if (found === undefined || name === undefined) return undefined;
    const market =
      inquiry.instance === undefined ? undefined : source.markets.find(({ index }) => index === inquiry.market);
    const all = worldsOf(options);
    const worlds = all.slice(inquiry.world).slice(0, 1);
    const asked =
      market === undefined ? '' : ` It was asked about market ${market.market.facts.id}${inWorlds(worlds, all)}.`;
    const { what, where, why, next } = stuckParts({
      name,
      place: found.place,
      stack: found.stack,
      limitMs: options.strategyTimeoutMs,
      consequence: `The run ended there.${asked}`,
    });
    return {
      strategy: name,
      market: market?.market.facts.id ?? '',
      worlds,
      code: 'STRATEGY_STUCK',
      what,
      where,
      why,
      next,
    };
  }
}

/** The result of a run that a strategy ended by not coming back from a call. */
export function endedByStuck(result: BacktestResult, halt: StrategyHalted): BacktestResult {
  const { halts, warnings } = result;
  return { ...result, interrupted: true, halts: [...halts, halt], warnings: [...warnings, halt.what] };
}
