/** Plays one piece of a run in all its worlds, each with wallets and strategies of its own. */

import { createHash } from 'node:crypto';
import { defined } from '../../core/checks/assert.ts';
import { beginPiece } from '../../engine/guest/decision-mark.ts';
import type { StuckCall } from '../../engine/guest/stuck-call.ts';
import type { StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../engine/log/transcript.ts';
import type { LoadedStrategy } from '../../loader/strategy-loader.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import { windowMemoryMs } from '../../simulator/overlay/out-of-sight.ts';
import type { BacktestHooks, BacktestOptions } from '../options/backtest-options.ts';
import { keptEnd, type Piece, type PieceEnd } from '../result/kept-piece.ts';
import { simulateWorlds } from '../simulation/backtest-simulation.ts';
import { MergedUpdates, type UnseenUpdates } from '../simulation/backtest-source.ts';
import type { SimulationEnd, WorldChoice } from '../simulation/simulated-world.ts';
import type { Cut } from './cut.ts';
import type { RunStrategies } from './run-strategies.ts';

export interface PieceParts extends Pick<BacktestHooks, 'mark' | 'watchGuests' | 'sliceMs' | 'onWords'> {
  readonly options: BacktestOptions;
  /** Whose fills the strategies live in each of its worlds. */
  readonly bounds: readonly Bound[];
  /** What determines the result and does not differ between machines: the beginning of every transcript. */
  readonly heading: string;
  readonly known: RunStrategies;
  /** The strategies as they were loaded first. */
  readonly strategies: readonly LoadedStrategy[];
  /** Called with the updates played since, and the simulated time. */
  readonly onPlayed: (played: number, at: number) => void;
  /** Whether the run is to end. */
  readonly isEnded: () => boolean;
  /** Receives what ends the piece at once, in the middle of a call if need be. */
  readonly onBegun?: (endNow: () => Piece) => void;
  /** Calls at which strategies are halted, each in its world: they did not come back from them when the piece was played before. */
  readonly stuckCalls?: readonly StuckCall[];
  /** Called when it was played to its end: no code of strategies runs from then on. */
  readonly onPlayEnd?: () => void;
}

export async function playPiece(parts: PieceParts, cut: Cut): Promise<Piece> {
  const { options, bounds, heading, strategies, mark, watchGuests, sliceMs } = parts;
  const ids = cut.markets.map(({ market }) => market.facts.id);
  const { name } = cut;
  const worlds: WorldChoice[] = [];
  for (const [index, bound] of bounds.entries()) {
    const transcript = new Transcript(`${heading}\n${JSON.stringify([[bound], ids])}\n`);
    worlds.push({ bound, transcript, instances: await instancesOf(parts, cut, index) });
  }
  if (mark !== undefined) beginPiece(mark);
  const endsOf = (ends: readonly SimulationEnd[]): readonly PieceEnd[] =>
    ends.map((end, index) => {
      const { bound, transcript } = defined(worlds[index], 'each world has an end');
      return [bound, keptEnd(end, strategies), transcript.close()];
    });
  const ends = await simulateWorlds({
    options,
    worlds,
    mark,
    watchGuests,
    sliceMs,
    source: new MergedUpdates(cut.markets, unseenUpdates(options)),
    onSlice: (played, at) => {
      parts.onPlayed(played, at);
      return parts.isEnded();
    },
    onBegun: (endNow) => parts.onBegun?.(() => pieceOf(endsOf(endNow()), { name, interrupted: true })),
  });
  parts.onPlayEnd?.();
  return pieceOf(endsOf(ends), { name, interrupted: parts.isEnded() });
}

/**
 * Every world of every piece loads its strategies anew, so that nothing a module remembers reaches from one into another. What they write
 * to their console is passed on from the first world.
 */
async function instancesOf(
  { known, strategies, onWords, stuckCalls = [] }: PieceParts,
  { only }: Cut,
  world: number,
): Promise<readonly StrategyInstance[]> {
  const say = world === 0 ? onWords : undefined;
  const instances =
    only === undefined ? await known.instances({}, say) : await known.instanceAt(only, strategies, { say });
  for (const stuck of stuckCalls) {
    const instance = stuck.world === world ? instances[stuck.instance] : undefined;
    if (instance !== undefined) instance.stuckCall = stuck;
  }
  return instances;
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
