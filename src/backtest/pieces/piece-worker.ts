/** The thread that plays pieces of a run, one after another, from the bundles and tapes that it was started with. */

import { parentPort, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { isAskedToEnd } from '../../engine/guest/decision-mark.ts';
import { closeConstructors } from '../../loader/realm/second-wall.ts';
import type { LoadedStrategy } from '../../loader/strategy-loader.ts';
import { Tape } from '../../recording/tape/tape.ts';
import { TapeFailure } from '../../recording/tape/tape-failure.ts';
import { worldsOf } from '../options/worlds.ts';
import type { Piece } from '../result/kept-piece.ts';
import { chooseMarkets } from '../simulation/backtest-source.ts';
import { type Cut, cutsOf } from './cut.ts';
import { outliveGuests, watchGuests } from './guest-watch.ts';
import { buffersOf, packedPiece } from './packed-piece.ts';
import { playPiece } from './play-piece.ts';
import { RunStrategies } from './run-strategies.ts';
import {
  answerOf,
  PIECE_WORDS,
  type PieceAnswer,
  type PieceLine,
  type PieceTask,
  type ThreadSetup,
} from './thread-messages.ts';

interface Ready {
  readonly setup: ThreadSetup;
  readonly known: RunStrategies;
  readonly strategies: readonly LoadedStrategy[];
  readonly cuts: readonly Cut[];
}

let ready: Promise<Ready> | undefined;

closeConstructors();
// Its sentence belongs to no piece: the one that is played may be another's.
outliveGuests((line) => parentPort?.postMessage({ place: undefined, givenUp: 0, line } satisfies PieceLine));

/** Plays one piece. An error that is no failure of strategies or tapes is a bug: it is thrown in the coordinator. */
export async function play(task: PieceTask): Promise<unknown> {
  try {
    ready ??= prepare(workerData);
    const piece = packedPiece(await playTask(await ready, task));
    return move({
      [transferableSymbol]: buffersOf(piece),
      [valueSymbol]: { kind: 'played', piece } satisfies PieceAnswer,
    });
  } catch (error) {
    const answer = answerOf(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

async function prepare(setup: ThreadSetup): Promise<Ready> {
  const { options, bundles } = setup;
  const tapes = setup.tapes.map(({ path, sha256 }) => {
    const tape = Tape.open(path);
    if (tape.sha256 === sha256) return tape;
    throw new TapeFailure(
      'TAPE_BUSY',
      path,
      `${path} was written to since the run began`,
      'play a tape that is being recorded with one job',
    );
  });
  const known = new RunStrategies(options, bundles);
  const strategies = await known.load();
  const names = strategies.map(({ plugin }) => plugin.name);
  return { setup, known, strategies, cuts: cutsOf(chooseMarkets(tapes, options.markets).markets, options, names) };
}

async function playTask(
  { setup, known, strategies, cuts }: Ready,
  { place, stuckCalls, words }: PieceTask,
): Promise<Piece> {
  const cut = cuts[place];
  if (cut === undefined) throw new Error(`the run has no piece ${place}`);
  const { options, heading } = setup;
  return await playPiece(
    {
      options,
      bounds: worldsOf(options),
      heading,
      known,
      strategies,
      mark: words,
      stuckCalls,
      watchGuests,
      isEnded: () => isAskedToEnd(words),
      onBegun: () => Atomics.store(words, PIECE_WORDS.isPlaying, 1),
      onPlayEnd: () => Atomics.store(words, PIECE_WORDS.isPlaying, 0),
      onWords: (line) => {
        parentPort?.postMessage({ place, givenUp: stuckCalls.length, line } satisfies PieceLine);
        Atomics.add(words, PIECE_WORDS.lines, 1);
      },
      onPlayed: (played, at) => {
        Atomics.add(words, PIECE_WORDS.turns, 1);
        Atomics.add(words, PIECE_WORDS.played, played);
        Atomics.store(words, PIECE_WORDS.atSeconds, Math.floor(at / 1000));
      },
    },
    cut,
  );
}
