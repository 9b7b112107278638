/** Work that a test expects to fail, with an error of a kind that it names. */

import { expect } from 'vitest';

/** What the work throws. Another kind of error is the test's failure, and so is none. */
export function thrownBy<E extends Error>(kind: abstract new (...args: never[]) => E, work: () => unknown): E {
  try {
    work();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
  return expect.fail(`no ${kind.name} was thrown`);
}
