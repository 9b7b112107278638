/** The error about a strategy that does not return from a call. */

import type { ErrorParts } from '../core/checks/oddsmith-error.ts';

export interface StuckParts extends ErrorParts<'STRATEGY_STUCK'> {
  readonly where: string;
  readonly why: string;
  readonly next: string;
}

export interface Stuck {
  readonly name: string;
  /** file:line:column, as far as known. */
  readonly place: string;
  readonly limitMs: number;
  /** What was being called, innermost first; absent if the thread could not be interrupted. */
  readonly stack?: string | undefined;
  /** Said where `stack` is absent. */
  readonly unknown?: string;
  /** What the run does about it. */
  readonly consequence: string;
}

/** The error about a strategy that ended the thread in which it was called. */
export function exitParts({ name, place, consequence }: Stuck): ErrorParts<'STRATEGY_THROW'> {
  return {
    code: 'STRATEGY_THROW',
    what: `Strategy '${name}' ended the process that it runs in. ${consequence}`,
    where: place,
    why: 'It was being asked when the thread of the command ended without a word, as process.exit ends it.',
    next: 'Take process.exit out of it. A strategy decides; when a run ends is the run’s.',
  };
}

const NATIVE = 'where in it is not known: it is inside native code';
/** Lines of the stack that are shown. */
const FRAMES_SHOWN = 10;

export function stuckParts({ name, place, limitMs, stack, unknown = NATIVE, consequence }: Stuck): StuckParts {
  const frames = stack?.split('\n').slice(0, FRAMES_SHOWN) ?? [unknown];
  return {
    code: 'STRATEGY_STUCK',
    what: `Strategy '${name}' did not come back within ${limitMs / 1000} s. ${consequence}`,
    where: place,
    why: ['It was at work here:', ...frames.map((frame) => frame.trim())].join('\n'),
    next: 'Look for a loop that does not end. strategyTimeoutMs in the configuration says how long a strategy may take.',
  };
}
