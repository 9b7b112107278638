/** Plays one piece of a run: each flow of orders through it is a simulation of its own, with wallets and strategies of its own. */

import { createHash } from 'node:crypto';
import { Transcript } from '../../engine/log/transcript.ts';
import type { LoadedStrategy } from '../../loader/strategy-loader.ts';
import { windowMemoryMs } from '../../simulator/overlay/out-of-sight.ts';
import type { BacktestHooks, BacktestOptions } from '../options/backtest-options.ts';
import { keptEnd, type Piece, type PieceEnd } from '../result/kept-piece.ts';
import { type SimulationEnd, simulate } from '../simulation/backtest-simulation.ts';
import { MergedUpdates, type UnseenUpdates } from '../simulation/backtest-source.ts';
import { type Cut, flowsOf } from './cut.ts';
import type { RunStrategies } from './run-strategies.ts';

export interface PieceParts extends Pick<BacktestHooks, 'mark' | 'watchGuests' | 'sliceMs' | 'onWords'> {
  readonly options: BacktestOptions;
  /** What determines the result and does not differ between machines: the beginning of every transcript. */
  readonly heading: string;
  readonly known: RunStrategies;
  /** As they were loaded first. */
  readonly strategies: readonly LoadedStrategy[];
  /** Called with the updates played since, and the simulated time. */
  readonly onPlayed: (played: number, at: number) => void;
  /** Whether the run is to end. */
  readonly isEnded: () => boolean;
  /** Receives what ends the piece at once, in the middle of a call if need be. */
  readonly onBegun?: (endNow: () => Piece) => void;
  /** Called when a flow was played to its end: no code of strategies runs from then on. */
  readonly onFlowEnd?: () => void;
}

export async function playPiece(parts: PieceParts, cut: Cut): Promise<Piece> {
  const { options, heading, known, strategies, mark, watchGuests, sliceMs, onWords } = parts;
  const ids = cut.markets.map(({ market }) => market.facts.id);
  const ends: PieceEnd[] = [];
  const { name, only } = cut;
  for (const bounds of flowsOf(options)) {
    const transcript = new Transcript(`${heading}\n${JSON.stringify([bounds, ids])}\n`);
    // Every simulation loads its strategies anew, so that nothing a module remembers reaches from one into the next.
    const instances =
      only === undefined
        ? await known.instances({}, onWords)
        : await known.instanceAt(only, strategies, { say: onWords });
    const endOf = (end: SimulationEnd): PieceEnd => [bounds, keptEnd(end, strategies), transcript.close()];
    const end = await simulate({
      options,
      instances,
      bounds,
      transcript,
      mark,
      watchGuests,
      sliceMs,
      source: new MergedUpdates(cut.markets, unseenUpdates(options)),
      onSlice: (played, at) => {
        parts.onPlayed(played, at);
        return parts.isEnded();
      },
      onBegun: (endNow) => parts.onBegun?.(() => pieceOf([...ends, endOf(endNow())], { name, interrupted: true })),
    });
    parts.onFlowEnd?.();
    ends.push(endOf(end));
  }
  return pieceOf(ends, { name, interrupted: parts.isEnded() });
}

/** Without a window every update is seen. */
function unseenUpdates({ markets, fillRules }: BacktestOptions): UnseenUpdates | undefined {
  return markets.window && { rule: markets.window, memoryMs: windowMemoryMs([fillRules]) };
}

function pieceOf(ends: readonly PieceEnd[], of: Pick<Piece, 'name' | 'interrupted'>): Piece {
  return { ends, transcriptSha256: joined(ends.map(([, , hash]) => hash)), ...of };
}

function joined(hashes: readonly string[]): string {
  return hashes.length === 1 ? (hashes[0] ?? '') : createHash('sha256').update(hashes.join('\n')).digest('hex');
}
