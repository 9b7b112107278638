/** One line of the daemon's log: level, text and fields. */

import { ALERTS, type AlertCode } from '../../cli/codes/alert.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  /** Stable code, for programs that read the log. */
  readonly alert?: AlertCode;
  /** What the line is about: a journal record's kind, or a part of the daemon. Written as `about`. */
  readonly subject: string;
  /** The text that people read. */
  readonly text: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The key of lines of which one a minute is written, with the number of those that were left out. */
  readonly throttled?: string;
}

/** A line without what it is about. */
export type Message = Omit<LogLine, 'subject' | 'fields'>;

/** `throttled`: such alerts may come in floods, so those with the same key are reduced to one a minute. */
export function alert(code: AlertCode, text: string, throttled?: string): Message {
  const message = { level: ALERTS[code].level, alert: code, text };
  return throttled === undefined ? message : { ...message, throttled: `${code} ${throttled}` };
}
