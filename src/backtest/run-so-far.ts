/** What becomes of a backtest that is interrupted, or in which a strategy hangs: its result so far, or the piece at play once more. */

import { stuckParts } from '../loader/stuck-error.ts';
import { type Found, findStuck, type Inquiry } from '../loader/stuck-strategy.ts';
import type { BacktestResult, StrategyHalted } from '../result/result.ts';
import type { RunAnswer } from './options/backtest-options.ts';
import { worldsOf } from './options/worlds.ts';
import type { PieceAtPlay } from './pieces/play-again.ts';
import type { ResultParts } from './result/backtest-result.ts';
import { inWorlds } from './result/halts.ts';
import type { Piece } from './result/kept-piece.ts';
import { resultWithStatistics } from './statistics/run-statistics.ts';

export class RunSoFar {
  readonly pieces: Piece[] = [];
  /** The piece at play; undefined between pieces. */
  current: PieceAtPlay | undefined;
  readonly #facts: Omit<ResultParts, 'pieces' | 'elapsedMs'>;
  readonly #elapsedMs: () => number;

  constructor(facts: Omit<ResultParts, 'pieces' | 'elapsedMs'>, elapsedMs: () => number) {
    this.#facts = facts;
    this.#elapsedMs = elapsedMs;
  }

  /** See `BegunRun`. An inquiry because of a stuck thread ends nothing where no strategy is the cause. */
  asked(inquiry: Inquiry): RunAnswer | undefined {
    if (inquiry.reason === 'unheard') return { kind: 'ended', result: { ...this.#end(), interrupted: true } };
    const found = findStuck(inquiry, this.#facts.strategies);
    if (found === undefined) return undefined;
    return this.#again(inquiry, found) ?? { kind: 'ended', result: this.#endedBy(inquiry, found) };
  }

  /** Undefined where the strategy hangs in no call of a piece: in the proof, or in promises between calls. */
  #again({ instance, world, call }: Inquiry, found: Found): RunAnswer | undefined {
    const again = this.current?.again;
    if (instance === undefined || again === undefined) return undefined;
    const { where, why, next } = this.#parts(found, '');
    // Until the piece is begun again nothing of it can be ended.
    this.current = undefined;
    return { kind: 'again', goOn: () => again({ number: call, world, instance, where, why, next }) };
  }

  #end(current = this.current?.endNow()): BacktestResult {
    const pieces = current === undefined ? this.pieces : [...this.pieces, current];
    return resultWithStatistics({ ...this.#facts, pieces, elapsedMs: this.#elapsedMs() });
  }

  #endedBy({ instance, market, world }: Inquiry, found: Found): BacktestResult {
    const { strategies, options, source } = this.#facts;
    const current = this.current?.endNow();
    const [, end] = current?.ends[0] ?? [];
    const id =
      instance === undefined ? undefined : source.markets.find(({ index }) => index === market)?.market.facts.id;
    const all = worldsOf(options);
    const worlds = all.slice(world).slice(0, 1);
    const asked = id === undefined ? '' : ` It was asked about market ${id}${inWorlds(worlds, all)}.`;
    const { what, where, why, next } = this.#parts(found, `The run ended there.${asked}`);
    return endedByStuck(this.#end(current), {
      strategy: strategies[found.instance]?.plugin.name ?? '',
      market: id ?? '',
      worlds,
      at: end?.endedAt ?? 0,
      code: 'STRATEGY_STUCK',
      what,
      where,
      why,
      next,
    });
  }

  #parts({ instance, place, stack }: Found, consequence: string): ReturnType<typeof stuckParts> {
    const { strategies, options } = this.#facts;
    const name = strategies[instance]?.plugin.name ?? '';
    return stuckParts({ name, place, stack, limitMs: options.strategyTimeoutMs, consequence });
  }
}

/** The result of a run that a strategy ended by not coming back. */
export function endedByStuck(result: BacktestResult, halt: StrategyHalted): BacktestResult {
  const { halts, warnings } = result;
  return { ...result, interrupted: true, halts: [...halts, halt], warnings: [...warnings, halt.what] };
}
