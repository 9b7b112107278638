/** Integers in which the engine marks which strategy it is calling, for another thread to read, and in which that thread can stop further calls. */

/**
 * Written at every call, whether it is read or not: plain stores cost less than to check. In shared memory (`SharedArrayBuffer`) the
 * main thread can read them while this thread hangs in a call.
 */
export type DecisionMark = Int32Array;

/** The index of each integer. */
export const MARK = {
  /** How many calls were begun in the piece at play; if it does not change while a call goes on, the strategy may hang. */
  calls: 0,
  /** Index of the strategy that is being called, plus one; 0 between calls. */
  instance: 1,
  /** Index of the market for which it is called. */
  market: 2,
  /** Written by the other thread: not 0 if no strategy is to be called any more. */
  ends: 3,
  /** Index of the world in which it is called, among those of the run. */
  world: 4,
} as const;

/** How many integers the engine uses; further ones belong to the code that shares the memory. */
export const MARK_WORDS = 5;

export function newMark(): DecisionMark {
  return new Int32Array(MARK_WORDS);
}

export function beginCall(
  mark: DecisionMark,
  { index, world }: { readonly index: number; readonly world: number },
  market: number,
): void {
  mark[MARK.calls] = (mark[MARK.calls] ?? 0) + 1;
  mark[MARK.market] = market;
  mark[MARK.world] = world;
  mark[MARK.instance] = index + 1;
}

export function endCall(mark: DecisionMark): void {
  mark[MARK.instance] = 0;
}

/** A piece begins: its calls are counted from 0, so that each has the same number whenever it is played. */
export function beginPiece(mark: DecisionMark): void {
  mark[MARK.calls] = 0;
  mark[MARK.instance] = 0;
}

export function isAskedToEnd(mark: DecisionMark): boolean {
  return mark[MARK.ends] !== 0;
}
