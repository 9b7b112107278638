/** Finds where a strategy's `decide` stands: file, line and column. */

import { relative } from 'node:path';
import type { LoadedStrategy } from '../../loader/strategy-loader.ts';

/**
 * Nothing in JavaScript tells where a function stands. So it is called with an input that cannot be read, and what it throws names the
 * line at which it first reads it. Undefined where it reads nothing, or catches that.
 */
export function placeOfDecide(strategy: LoadedStrategy | undefined): string | undefined {
  if (strategy === undefined) return undefined;
  const { plugin, file } = strategy;
  const named = file === '' ? undefined : near(file);
  try {
    plugin.decide?.(UNREADABLE);
  } catch (thrown) {
    const place = strategy.faultOf(thrown);
    if (place.line !== undefined) return `${near(place.file)}:${place.line}:${place.column ?? 1}`;
  }
  return named;
}

function near(file: string): string {
  const path = relative('', file);
  return path === '' || path.startsWith('..') ? file : path;
}

const UNREADABLE = new Proxy(Object.create(null), {
  get: () => {
    throw new Error('This input cannot be read: it only finds out where it is read.');
  },
});
