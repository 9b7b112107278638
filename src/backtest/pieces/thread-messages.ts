/** What the coordinator of a run and the threads that play its pieces say to each other, and the memory that they share. */

import { type ErrorParts, OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { MARK_WORDS } from '../../engine/guest/decision-mark.ts';
import type { StuckCall } from '../../engine/guest/stuck-call.ts';
import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import { TapeFailure, type TapeFailureCode } from '../../recording/tape/tape-failure.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import type { PackedPiece } from './packed-piece.ts';

/** What each thread is started with. */
export interface ThreadSetup {
  readonly options: BacktestOptions;
  readonly heading: string;
  /** The bundles by index of the strategy. Each is made once, for all threads. */
  readonly bundles: readonly StrategyBundle[];
  readonly tapes: readonly TapeIdentity[];
}

export interface TapeIdentity {
  readonly path: string;
  readonly sha256: string;
}

export interface PieceTask {
  /** Index in the run's pieces. */
  readonly place: number;
  /** Calls at which strategies are halted in it: one of each playing that was given up. */
  readonly stuckCalls: readonly StuckCall[];
  /** Shared memory of `PIECE_WORDS_COUNT` integers: the decision mark, then `PIECE_WORDS`. */
  readonly words: Int32Array;
}

export const PIECE_WORDS = {
  /** Grows with each slice that was played. */
  turns: MARK_WORDS,
  /** The place of a number that is not 0 while updates are played, and so while code of strategies may be at work. */
  isPlaying: MARK_WORDS + 1,
  /** How many updates were played. */
  played: MARK_WORDS + 2,
  /** Simulated time, in seconds. */
  atSeconds: MARK_WORDS + 3,
  /** How many lines of strategies were sent. */
  lines: MARK_WORDS + 4,
} as const;

export const PIECE_WORDS_COUNT = MARK_WORDS + 5;

export type PieceAnswer =
  | { readonly kind: 'played'; readonly piece: PackedPiece }
  /** An error about which its reader can do something: the class of an error is lost between threads. */
  | { readonly kind: 'tapeFailed'; readonly failure: TapeParts }
  | { readonly kind: 'failed'; readonly parts: ErrorParts };

interface TapeParts extends Pick<TapeFailure, 'path' | 'detail' | 'next'> {
  readonly code: TapeFailureCode;
}

/** A line that a strategy wrote to its console. */
export interface PieceLine {
  readonly place: number | undefined;
  /** How many playings of the piece were given up before. */
  readonly givenUp: number;
  readonly line: string;
}

/** Undefined for a fault of our own. */
export function answerOf(error: unknown): PieceAnswer | undefined {
  if (error instanceof OddsmithError) return { kind: 'failed', parts: error.parts };
  if (!(error instanceof TapeFailure)) return undefined;
  const { code, path, detail, next } = error;
  return { kind: 'tapeFailed', failure: { code, path, detail, next } };
}

/** The piece that a thread has played. @throws OddsmithError or TapeFailure, as it was thrown there */
export function pieceOf(answer: PieceAnswer): PackedPiece {
  if (answer.kind === 'played') return answer.piece;
  if (answer.kind === 'failed') throw new OddsmithError(answer.parts);
  const { code, path, detail, next } = answer.failure;
  throw new TapeFailure(code, path, detail, next);
}
