/** What goes wrong at the command line, as one block with a stable code and an exit code. */

import { type ErrorParts, OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { IMPORT_FAILURE_CODES, type ImportFailureCode } from '../../recording/betfair/decompress/import-failure.ts';
import { TAPE_FAILURE_CODES, type TapeFailureCode } from '../../recording/tape/tape-failure.ts';
import type { WorldLogFailureCode } from '../../sandbox/world-log/world-log-failure.ts';
import { printableLines } from '../../words/printable.ts';

/** Exit codes of cli.md. */
export const EXIT = {
  done: 0,
  bug: 1,
  usage: 2,
  haltedByRisk: 3,
  unreachable: 4,
  data: 5,
  /** A strategy of a daemon was stuck: started again, the daemon goes on without it. */
  stuck: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Codes with their exit codes. Those of tapes, recordings and worlds that are not here mean missing or corrupt data: 5. */
export const CLI_ERRORS = {
  INTERNAL_BUG: EXIT.bug,
  OUT_OF_MEMORY: EXIT.bug,
  USAGE: EXIT.usage,
  NODE_TOO_OLD: EXIT.usage,
  FILE_NOT_WRITABLE: EXIT.usage,
  PROJECT_EXISTS: EXIT.usage,
  NOT_A_PACKAGE: EXIT.usage,
  TAPE_EXISTS: EXIT.usage,
  TAPE_BUSY: EXIT.usage,
  TAPE_NOT_REPLACEABLE: EXIT.usage,
  TAPE_NOT_WRITABLE: EXIT.usage,
  PIECES_EXIST: EXIT.usage,
  EXCHANGE_UNREACHABLE: EXIT.unreachable,
  EXCHANGE_NOT_AUTHORISED: EXIT.unreachable,
  CONFIG_SECRET_UNSET: EXIT.usage,
  CONFIG_NOT_FOUND: EXIT.usage,
  CONFIG_NOT_READABLE: EXIT.usage,
  CONFIG_SYNTAX: EXIT.usage,
  CONFIG_UNKNOWN_KEY: EXIT.usage,
  CONFIG_INVALID: EXIT.usage,
  STRATEGY_NOT_FOUND: EXIT.usage,
  STRATEGY_SYNTAX: EXIT.usage,
  STRATEGY_IMPORT: EXIT.usage,
  STRATEGY_NO_DEFAULT_EXPORT: EXIT.usage,
  STRATEGY_SHAPE: EXIT.usage,
  STRATEGY_PARAM: EXIT.usage,
  STRATEGY_THROW: EXIT.usage,
  STRATEGY_LOAD_TIMEOUT: EXIT.usage,
  STRATEGY_BAD_RESULT: EXIT.usage,
  STRATEGY_STUCK: EXIT.usage,
  SIGNAL_NOT_FOUND: EXIT.usage,
  SIGNAL_ROW: EXIT.usage,
  NO_MARKETS: EXIT.usage,
  LOOKAHEAD: EXIT.usage,
  PROOF_FILES: EXIT.usage,
  PROOF_IDS: EXIT.usage,
  PORT_IN_USE: EXIT.usage,
  ADDRESS_NOT_AVAILABLE: EXIT.usage,
  WORLD_LOG_BUSY: EXIT.usage,
  CLOCK_SKEW: EXIT.usage,
  SESSION_LOST: EXIT.unreachable,
  HEARTBEAT_OWNED: EXIT.usage,
  JOURNAL_NOT_FOUND: EXIT.data,
  NOT_A_JOURNAL: EXIT.data,
  JOURNAL_NEWER: EXIT.data,
  JOURNAL_NOT_READABLE: EXIT.data,
  JOURNAL_BUSY: EXIT.usage,
  JOURNAL_NOT_WRITABLE: EXIT.usage,
  JOURNAL_FULL: EXIT.usage,
  JOURNAL_CORRUPT: EXIT.data,
  RUN_DIRECTORY_OPEN: EXIT.usage,
  RUN_DIRECTORY_MISMATCH: EXIT.usage,
  RUN_NOT_FOUND: EXIT.data,
  RUN_NOT_READABLE: EXIT.data,
  REPORT_DATA_NOT_READABLE: EXIT.data,
  TAPE_CHANGED: EXIT.data,
  NOT_OPENED: EXIT.usage,
  DAEMON_NOT_RUNNING: EXIT.usage,
  DAEMON_NOT_ANSWERING: EXIT.unreachable,
  DAEMON_STILL_RUNS: EXIT.unreachable,
  CONTROL_REFUSED: EXIT.usage,
  SWEEP_NOT_FOUND: EXIT.usage,
  SWEEP_BUSY: EXIT.usage,
  SWEEP_NOT_WRITABLE: EXIT.usage,
  SWEEP_FULL: EXIT.usage,
  SWEEP_CORRUPT: EXIT.data,
  SWEEP_VERSION: EXIT.usage,
  NOT_A_SWEEP: EXIT.usage,
  UNIT_DIED: EXIT.usage,
  WORKER_DIED: EXIT.usage,
  JOB_FAILED: EXIT.data,
  TRIAL_NOT_FOUND: EXIT.usage,
  TRIAL_CHANGED: EXIT.usage,
  TRIAL_NOT_CHOSEN: EXIT.usage,
  FOLD_NOT_FOUND: EXIT.usage,
  NO_HOLDOUT: EXIT.usage,
  HOLDOUT_OPENED: EXIT.usage,
  TRIAL_DIFFERS: EXIT.data,
  PACKAGE_INCOMPLETE: EXIT.data,
  PIECE_UNREACHABLE: EXIT.unreachable,
  PIECE_DAMAGED: EXIT.data,
  CACHE_FULL: EXIT.usage,
  CACHE_NOT_WRITABLE: EXIT.usage,
  MARKET_NOT_HELD: EXIT.data,
  UNIT_DIFFERS: EXIT.data,
  QUEUE_NOT_INSTALLED: EXIT.usage,
  REDIS_ADDRESS: EXIT.usage,
  REDIS_UNREACHABLE: EXIT.unreachable,
  REDIS_NOT_AUTHORISED: EXIT.unreachable,
  REDIS_UNFIT: EXIT.usage,
  REDIS_FULL: EXIT.unreachable,
  BUILD_REFUSED: EXIT.usage,
  BUNDLE_DAMAGED: EXIT.data,
} as const satisfies Readonly<Record<string, ExitCode>>;
export type CliErrorCode = keyof typeof CLI_ERRORS | TapeFailureCode | ImportFailureCode | WorldLogFailureCode;

/** Whether an error of the library is one that a command ends with. */
export function isCliErrorCode(code: string): code is CliErrorCode {
  return [CLI_ERRORS, TAPE_FAILURE_CODES, IMPORT_FAILURE_CODES].some((codes) => Object.hasOwn(codes, code));
}

export type CliErrorParts = ErrorParts<CliErrorCode>;

/** Thrown by commands for everything that the user can do something about; all else that is thrown is our own bug. */
export class CliError extends OddsmithError<CliErrorCode> {
  override readonly name = 'CliError';
  readonly #exitCode: ExitCode | undefined;

  /** `exitCode`: where one command ends with another code than others for this error. */
  constructor(parts: CliErrorParts, exitCode?: ExitCode) {
    super(parts);
    this.#exitCode = exitCode;
  }

  get exitCode(): ExitCode {
    if (this.#exitCode !== undefined) return this.#exitCode;
    const own: Readonly<Partial<Record<CliErrorCode, ExitCode>>> = CLI_ERRORS;
    return own[this.parts.code] ?? EXIT.data;
  }
}

/** The block as lines; `paint` may colour the code. */
export function errorBlock(parts: ErrorParts, paint: (text: string) => string = (text) => text): string {
  const lines = [`${paint(`error ${parts.code}`)}  ${printableLines(parts.what)}`];
  if (parts.where !== undefined) lines.push(row('where', parts.where));
  if (parts.why !== undefined) lines.push(row('why', parts.why));
  if (parts.next !== undefined) lines.push(row('next', parts.next));
  return `${lines.join('\n')}\n`;
}

/** The error as an object with the key `error`, for `--json`. */
export function errorJson(parts: ErrorParts): string {
  const { code, what, where, why, next } = parts;
  return `${JSON.stringify({ error: { code, what, where, why, next } })}\n`;
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(6)} ${printableLines(text).replaceAll('\n', `\n${' '.repeat(9)}`)}`;
}
