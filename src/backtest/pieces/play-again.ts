/** Plays a piece in this thread, and again for each call that a strategy does not come back from: played again, it is halted there. */

import type { StuckCall } from '../../engine/guest/stuck-call.ts';
import type { Piece } from '../result/kept-piece.ts';
import type { Cut } from './cut.ts';
import { type PieceParts, playPiece } from './play-piece.ts';

/** What can be done with a piece at play while a strategy hangs in it. */
export interface PieceAtPlay {
  /** Ends it, with what was played. */
  endNow(): Piece;
  /** Plays it again; to be called when the thread has left the call. Absent where as many calls as there may be are left out already. */
  readonly again: ((stuck: StuckCall) => void) | undefined;
}

/** How many calls of a piece can hang: a strategy that did is halted in that world. */
export function stuckMax({
  bounds,
  strategies,
}: {
  readonly bounds: ArrayLike<unknown>;
  readonly strategies: ArrayLike<unknown>;
}): number {
  return bounds.length * strategies.length;
}

/** `onBegun` receives each playing of it. */
export async function playAgain(
  parts: Omit<PieceParts, 'onBegun' | 'stuckCalls'>,
  cut: Cut,
  onBegun: (atPlay: PieceAtPlay) => void,
): Promise<Piece> {
  const told = { updates: 0, lines: 0 };
  const stuckCalls: StuckCall[] = [];
  for (;;) {
    const { promise, resolve: again } = Promise.withResolvers<StuckCall>();
    const mayAgain = stuckCalls.length < stuckMax(parts);
    const watching = watchedParts(toldOnce(parts, told));
    const playing = playPiece(
      {
        ...watching.parts,
        stuckCalls,
        onBegun: (endNow) => onBegun({ endNow, again: mayAgain ? again : undefined }),
      },
      cut,
    );
    // A playing that was given up never comes to its end: the call in which it hung took its stack with it.
    const outcome = await Promise.race([playing, promise]);
    if ('ends' in outcome) return outcome;
    watching.stop();
    stuckCalls.push(outcome);
  }
}

/** What a piece tells is told once: an earlier playing told the same up to the call at which it was given up. */
function toldOnce<Parts extends Pick<PieceParts, 'onWords' | 'onPlayed'>>(
  parts: Parts,
  told: { updates: number; lines: number },
): Parts {
  const { onWords, onPlayed } = parts;
  let updates = 0;
  let lines = 0;
  return {
    ...parts,
    onWords:
      onWords &&
      ((line: string): void => {
        lines += 1;
        if (lines <= told.lines) return;
        told.lines = lines;
        onWords(line);
      }),
    onPlayed: (played: number, at: number): void => {
      updates += played;
      if (updates <= told.updates) return;
      onPlayed(updates - told.updates, at);
      told.updates = updates;
    },
  };
}

/** A playing that is given up cannot end its watch over the process by itself. */
function watchedParts<Parts extends Pick<PieceParts, 'watchGuests'>>(
  parts: Parts,
): { readonly parts: Parts; readonly stop: () => void } {
  const { watchGuests } = parts;
  let stop = (): void => undefined;
  if (watchGuests === undefined) return { parts, stop };
  const watched = { ...parts, watchGuests: (watch: Parameters<typeof watchGuests>[0]) => (stop = watchGuests(watch)) };
  return { parts: watched, stop: () => stop() };
}
