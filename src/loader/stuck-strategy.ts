/** Finds which strategy a thread was executing when it was asked, and where in it. */

import type { LoadedStrategy } from './strategy-loader.ts';

/** What a thread was doing when it was asked. */
export interface Inquiry {
  /** Why it was asked: a strategy seems to hang, or a signal does not take effect. */
  readonly reason: 'stuck' | 'unheard';
  /** Index of the strategy that is being called; undefined between calls. */
  readonly instance: number | undefined;
  /** Index of the market that it is called for. */
  readonly market: number;
  /** Index of the world of a backtest that it is called in; 0 where there is one. */
  readonly world: number;
  /** Which call it is, by how many were begun in the piece of a backtest that is played. */
  readonly call: number;
  /** What the thread was doing, innermost first, as an error that was thrown there would have it. */
  readonly at: Error;
}

export interface Found {
  readonly instance: number;
  /** Place as file:line:column, as far as known. */
  readonly place: string;
  /** The strategy's part of the stack, in its own files and lines. */
  readonly stack: string | undefined;
}

/** Undefined if the thread was executing our own code, however long that takes. */
export function findStuck(
  { instance, at }: Pick<Inquiry, 'instance' | 'at'>,
  strategies: readonly Pick<LoadedStrategy, 'file' | 'files' | 'faultOf'>[],
): Found | undefined {
  // Code of a strategy may run between calls too: in promises without end, or in a timer of a stream.
  const index = instance ?? strategies.findIndex((strategy) => strategy.faultOf(at).line !== undefined);
  const strategy = strategies[index];
  if (strategy === undefined) return undefined;
  const { file, line, column, stack } = strategy.faultOf(at);
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return { instance: index, place, stack: stack === undefined ? undefined : ownFrames(stack, strategy.files) };
}

/** The stack from the innermost call of the strategy to its outermost, with the built-in functions that it had called. */
function ownFrames(stack: string, files: readonly string[]): string | undefined {
  const frames = stack.split('\n');
  const isOwn = (frame: string): boolean => files.some((file) => frame.includes(`${file}:`));
  const first = frames.findIndex(isOwn);
  if (first < 0) return undefined;
  const above = frames[first - 1]?.endsWith('(<anonymous>)') === true ? 1 : 0;
  return frames.slice(first - above, frames.findLastIndex(isOwn) + 1).join('\n');
}
