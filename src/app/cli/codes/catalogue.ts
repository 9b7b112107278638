/** Every code that oddsmith prints, by what prints it: errors of commands, refusals, alerts, notices of a result. */

import { REFUSALS } from '../../../core/refusal.ts';
import { NOTICE_CODES } from '../../../result/notices.ts';
import { CLI_ERRORS, type CliErrorCode, EXIT, type ExitCode } from '../cli-error.ts';
import { ALERTS } from './alert.ts';
import { COMMAND_CODES } from './command-codes.ts';
import { DATA_CODES } from './data-codes.ts';
import type { Explained } from './entry.ts';
import { RUN_CODES } from './run-codes.ts';
import { SWEEP_CODES } from './sweep-codes.ts';

/** Errors with which commands end. A code without an entry does not compile. */
export const ERRORS: Readonly<Record<CliErrorCode, Explained>> = {
  ...COMMAND_CODES,
  ...DATA_CODES,
  ...RUN_CODES,
  ...SWEEP_CODES,
};

export const ERROR_GROUPS: readonly (readonly [title: string, codes: Readonly<Record<string, Explained>>])[] = [
  ['Commands, configuration, strategies', COMMAND_CODES],
  ['Tapes, recordings, worlds of the sandbox', DATA_CODES],
  ['Live and paper runs', RUN_CODES],
  ['Sweeps', SWEEP_CODES],
];

/** What a code is: who prints it, and what is known of it. */
export interface FoundCode {
  readonly code: string;
  readonly kind: 'error' | 'refusal' | 'alert' | 'notice';
  readonly means: string;
  readonly cause: string | undefined;
  readonly next: string | undefined;
  /** The exit code of most commands that end with an error. */
  readonly exitCode: ExitCode | undefined;
  /** The level of an alert. */
  readonly level: 'warn' | 'error' | undefined;
  /** The document that has more. */
  readonly document: string;
}

/** All meanings of a code; a code may be an error and an alert at once. */
export function findCode(wanted: string): readonly FoundCode[] {
  return ALL.filter(({ code }) => code === wanted);
}

export function everyCode(): readonly string[] {
  return [...new Set(ALL.map(({ code }) => code))].sort();
}

/** The exit code of an error; those of tapes, recordings and worlds that have none of their own mean missing or corrupt data. */
export function exitCodeOf(code: string): ExitCode {
  const own: Readonly<Partial<Record<string, ExitCode>>> = CLI_ERRORS;
  return own[code] ?? EXIT.data;
}

const NO_ADVICE = { cause: undefined, next: undefined, exitCode: undefined, level: undefined };

const ALL: readonly FoundCode[] = [
  ...Object.entries(ERRORS).map(
    ([code, { means, cause, next }]): FoundCode => ({
      code,
      kind: 'error',
      means,
      cause,
      next,
      exitCode: exitCodeOf(code),
      level: undefined,
      document: 'docs/errors.md',
    }),
  ),
  ...Object.entries(REFUSALS).map(
    ([code, { means }]): FoundCode => ({
      ...NO_ADVICE,
      code,
      kind: 'refusal',
      means: sentence(means),
      document: 'docs/operations.md, "Refusals"',
    }),
  ),
  ...Object.entries(ALERTS).map(
    ([code, { level, means }]): FoundCode => ({
      ...NO_ADVICE,
      code,
      kind: 'alert',
      means: sentence(means),
      level,
      document: 'docs/operations.md, "Alerts"',
    }),
  ),
  ...Object.entries(NOTICE_CODES).map(
    ([code, means]): FoundCode => ({
      ...NO_ADVICE,
      code,
      kind: 'notice',
      means: sentence(means),
      document: 'docs/errors.md, "Notices of a result"',
    }),
  ),
];

function sentence(clause: string): string {
  const plain = clause.replaceAll('`', '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
