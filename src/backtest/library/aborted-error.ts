/** What a call ends with when its signal is aborted: an error that holds what was done until then. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';

/**
 * What a call ends with when its `signal` is aborted: it holds what was done until then.
 *
 * @example
 * const signal = AbortSignal.timeout(60_000);
 * const run = await backtest({ tape: 'data/august.tape', strategies: [() => strategy], signal }).catch((error: unknown) => {
 *   if (error instanceof AbortedError) return error.partial as BacktestRun | undefined;
 *   throw error;
 * });
 */
export class AbortedError<Partial> extends OddsmithError<'ABORTED'> {
  /** The name that the web platform gives to aborted calls. */
  override readonly name = 'AbortError';
  /** Undefined where nothing had been done. */
  readonly partial: Partial | undefined;

  /** `call` is the function that was aborted. */
  constructor(call: string, signal: AbortSignal, partial?: Partial) {
    super(
      {
        code: 'ABORTED',
        what: `${call} was aborted.`,
        why: 'Its signal was aborted before it came to its end.',
        next: 'Look at `partial` for what was done until then, or call it again.',
      },
      { cause: signal.reason },
    );
    this.partial = partial;
  }
}
