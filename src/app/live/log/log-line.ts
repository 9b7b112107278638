/** What is said of one thing that happened: how loud, in which words, with which fields. */

import type { AlertCode } from './alert.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  /** Stable, to be matched on. */
  readonly alert?: AlertCode;
  /** What kind of line it is: a journal record's kind, or the part of the daemon that speaks. */
  readonly about: string;
  /** For people. */
  readonly words: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Lines with the same text here are said once a minute, with how many were not said. */
  readonly throttled?: string;
}
