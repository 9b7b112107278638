/** Which strategy a thread was at work in when it was asked, where in it, and by which calls. */

import type { LoadedStrategy } from './strategy-loader.ts';

/** What a thread was doing when it was asked. */
export interface Inquiry {
  /** Why it was asked: a strategy seems to be stuck, or a signal is not heard. */
  readonly reason: 'stuck' | 'unheard';
  /** Index of the strategy that is being asked; undefined between calls. */
  readonly instance: number | undefined;
  /** The market that it is asked about, by its index. */
  readonly market: number;
  /** What the thread was doing, innermost first, as an error that was thrown there would have it. */
  readonly at: Error;
}

export interface Found {
  readonly instance: number;
  /** file:line:column, as far as known. */
  readonly place: string;
  /** The strategy's part of the stack, in its own files and lines. */
  readonly stack: string | undefined;
}

/** Undefined where it was in no strategy: at work of our own, however long. */
export function findStuck(
  { instance, at }: Pick<Inquiry, 'instance' | 'at'>,
  strategies: readonly Pick<LoadedStrategy, 'file' | 'files' | 'faultOf'>[],
): Found | undefined {
  // Between calls a strategy may be at work all the same: in promises without end, or in a timer of a stream.
  const index = instance ?? strategies.findIndex((strategy) => strategy.faultOf(at).line !== undefined);
  const strategy = strategies[index];
  if (strategy === undefined) return undefined;
  const { file, line, column, stack } = strategy.faultOf(at);
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return { instance: index, place, stack: stack === undefined ? undefined : ownFrames(stack, strategy.files) };
}

/** From the innermost call of the strategy to its outermost, with what it had called of the language itself. */
function ownFrames(stack: string, files: readonly string[]): string | undefined {
  const frames = stack.split('\n');
  const isOwn = (frame: string): boolean => files.some((file) => frame.includes(`${file}:`));
  const first = frames.findIndex(isOwn);
  if (first < 0) return undefined;
  const above = frames[first - 1]?.endsWith('(<anonymous>)') === true ? 1 : 0;
  return frames.slice(first - above, frames.findLastIndex(isOwn) + 1).join('\n');
}
