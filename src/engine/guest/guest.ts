/** A strategy as somebody else's code: what it throws is looked at with care, and told from what others throw. */

import { thrownText } from '../../core/checks/thrown.ts';

export interface Guest {
  /** What was thrown, with the strategy's own file, line and column where it is known. Never throws. */
  describe(thrown: unknown): string;
  /** Whether it comes from this strategy; `promise` is the one that was rejected with it, if one was. Never throws. */
  isFrom(thrown: unknown, promise?: unknown): boolean;
}

/** A plugin that was made in our own realm, as tests do. */
export const NOBODY: Guest = { describe: thrownText, isFrom: () => false };

export interface StrategyFailure {
  readonly code: 'STRATEGY_THROW' | 'STRATEGY_BAD_RESULT';
  readonly error: unknown;
}

/** A strategy gave what is no decision: halted like one that throws. */
export class BadResult extends Error {
  override readonly name = 'BadResult';
  readonly #isOurs = true;

  /** Asks nothing of the value, which may be a strategy's proxy. */
  static is(thrown: unknown): thrown is BadResult {
    return typeof thrown === 'object' && thrown !== null && #isOurs in thrown;
  }
}

/** What a call of a strategy ended with. */
export function failureOf(error: unknown): StrategyFailure {
  return { code: BadResult.is(error) ? 'STRATEGY_BAD_RESULT' : 'STRATEGY_THROW', error };
}
