/** Checks what the code relies on; a failure is our own bug and ends the run. */

/** Our own bug, never the user's: the process reports it and exits with code 1. */
export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}

/** Reports a bug unless the claim holds. */
export function assert(claim: boolean, message: string): asserts claim {
  if (!claim) throw new AssertionFailure(message);
}

/** Reports a bug where a check has found one: `if (!x) fail(…)` builds its message only when it is needed. */
export function fail(message: string): never {
  throw new AssertionFailure(message);
}

/** Turns an absent value into a bug report, for indexes and look-ups that the caller has proved. */
export function present<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new AssertionFailure(message);
  return value;
}
