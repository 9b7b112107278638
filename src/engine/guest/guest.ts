/** A strategy as foreign code: what it throws is inspected with care, and told apart from other errors. */

import { thrownText } from '../../core/checks/thrown.ts';
import { WINDOWS, type Windows } from '../windows/windows.ts';
import { NotComeBack } from './stuck-call.ts';

export interface Guest {
  /** Makes what it is given, of its own realm. */
  readonly windows: Windows;
  /** Text of what was thrown, with the strategy's own file, line and column if they are known. Never throws. */
  describe(thrown: unknown): string;
  /** Whether an error comes from this strategy. `promise` is the promise that was rejected with it, if one was. Never throws. */
  isFrom(thrown: unknown, promise?: unknown): boolean;
}

/** For a plugin that was made in our own realm, as in tests. */
export const NOBODY: Guest = { windows: WINDOWS, describe: thrownText, isFrom: () => false };

export interface StrategyFailure {
  readonly code: 'STRATEGY_THROW' | 'STRATEGY_BAD_RESULT' | 'STRATEGY_STUCK';
  readonly error: unknown;
}

/** Thrown when a strategy's answer is no decision; the strategy is halted like one that throws. */
export class BadResult extends Error {
  override readonly name = 'BadResult';
  readonly #isOurs = true;

  /** Calls no code of the value, which may be a proxy of the strategy's. */
  static is(thrown: unknown): thrown is BadResult {
    return typeof thrown === 'object' && thrown !== null && #isOurs in thrown;
  }
}

/** The failure that an error in a call of a strategy stands for. */
export function failureOf(error: unknown): StrategyFailure {
  if (NotComeBack.is(error)) return { code: 'STRATEGY_STUCK', error };
  return { code: BadResult.is(error) ? 'STRATEGY_BAD_RESULT' : 'STRATEGY_THROW', error };
}
