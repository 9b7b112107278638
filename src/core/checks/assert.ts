/** Assertions: a failed one is a bug of oddsmith, never the user's mistake, and ends the run. */

/** Thrown by a failed assertion. The process reports it as a bug of oddsmith and exits with code 1. */
export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}

/** Reports a bug unless the claim holds. @throws AssertionFailure with the message */
export function assert(claim: boolean, message: string): asserts claim {
  if (!claim) throw new AssertionFailure(message);
}

/** Reports a bug where a check has found one: `if (!x) fail(…)` builds its message only when it is needed. */
export function fail(message: string): never {
  throw new AssertionFailure(message);
}

/**
 * The value, where the caller has already shown that it is not undefined: an index within bounds, a key known to be in
 * a map. @throws AssertionFailure with the message where it is undefined
 */
export function defined<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new AssertionFailure(message);
  return value;
}
