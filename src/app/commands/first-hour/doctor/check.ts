/** One thing that the doctor looked at: how it is, what was found, and what to do about it. */

import { knownError } from '../../../cli/known-error.ts';

export type CheckStatus = 'ok' | 'warning' | 'failed';

export interface Check {
  readonly check: string;
  readonly status: CheckStatus;
  /** What was found: a clause or a sentence. */
  readonly found: string;
  readonly where?: string | undefined;
  readonly next?: string | undefined;
  /** The error's code, where there is one. */
  readonly code?: string | undefined;
  /** The exit code that it asks for. */
  readonly exitCode: 0 | 2 | 4 | 5;
}

export function ok(check: string, found: string): Check {
  return { check, status: 'ok', found, exitCode: 0 };
}

export function warning(check: string, found: string, next: string): Check {
  return { check, status: 'warning', found, next, exitCode: 0 };
}

/** It could not be looked at, because something else failed, which is in the list as well. */
export function notKnown(check: string, found: string): Check {
  return warning(check, `not known: ${found}`, 'Mend what failed, then ask again.');
}

export function failed(check: string, found: string, next: string, exitCode: 2 | 4 | 5 = 2): Check {
  return { check, status: 'failed', found, next, exitCode };
}

/** @throws what is a fault of our own */
export function failedBy(check: string, error: unknown): Check {
  const known = knownError(error);
  if (known === undefined) throw error;
  const { code, what, where, why, next } = known.parts;
  const found = why === undefined ? what : `${what} ${why}`;
  const { exitCode } = known;
  return {
    check,
    status: 'failed',
    found,
    where,
    next,
    code,
    exitCode: exitCode === 4 || exitCode === 5 ? exitCode : 2,
  };
}

/** What `look` found, or its error as a check that failed. */
export async function tried(check: string, look: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await look();
  } catch (error) {
    return failedBy(check, error);
  }
}

/** The worst of all: damaged data before an exchange that cannot be reached, and both before what stands in a file. */
export function worstOf(checks: readonly Check[]): Check['exitCode'] {
  return checks.reduce<Check['exitCode']>((worst, { exitCode }) => (exitCode > worst ? exitCode : worst), 0);
}
