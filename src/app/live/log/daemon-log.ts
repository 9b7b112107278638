/** The daemon's log: lines of JSON by pino, with secrets removed, and with floods of like lines reduced to one a minute. */

import { type Logger, pino } from 'pino';
import { Subject } from 'rxjs';
import { ALERTS, type AlertCode } from '../../cli/codes/alert.ts';
import type { ConsoleOf } from '../../run/strategy-instances.ts';
import type { LogLevel, LogLine } from './log-line.ts';

export interface DaemonLogParts {
  /** Writes a whole line, line end included. A reader of the log that does not read blocks the whole process. */
  readonly write: (line: string) => void;
  readonly now: () => number;
  readonly level: LogLevel;
  /** Fields of every line. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Texts that are replaced wherever they appear. */
  readonly secrets: readonly string[];
}

export type AlertLine = LogLine & { readonly alert: AlertCode };

/** Between two lines with the same `throttled` key. */
const REPEAT_EVERY_MS = 60_000;
/** Beyond so many `throttled` keys all are forgotten. */
const KEYS_MAX = 1_000;
/** Shorter texts are no secrets, and replacing them would spoil ordinary text. */
const SECRET_LENGTH_MIN = 4;

const SECRET_PATHS = ['apiKey', 'accessToken', 'refreshToken', 'authorization', 'token'].flatMap((key) => [
  key,
  `*.${key}`,
  `*.*.${key}`,
]);

export class DaemonLog {
  /** The line of every alert, also of those that are left out of the log. */
  readonly alerts$ = new Subject<AlertLine>();
  /** Every line, also those that are left out of the log: what the dashboard shows. */
  readonly lines$ = new Subject<LogLine>();
  #alerts = 0;
  readonly #parts: DaemonLogParts;
  readonly #pino: Logger;
  readonly #written = new Map<string, { at: number; skipped: number }>();

  constructor(parts: DaemonLogParts) {
    this.#parts = parts;
    const secrets = parts.secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN).map(inJson);
    this.#pino = pino(
      {
        level: parts.level,
        base: { ...parts.base },
        timestamp: () => `,"time":"${new Date(parts.now()).toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
        redact: { paths: SECRET_PATHS, censor: '[secret]' },
      },
      { write: (line) => parts.write(secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line)) },
    );
  }

  /** How many alerts there were. */
  get alerts(): number {
    return this.#alerts;
  }

  write(line: LogLine): void {
    const { level, alert, subject, text, fields, throttled } = line;
    this.lines$.next(line);
    if (alert !== undefined) {
      this.#alerts += 1;
      this.alerts$.next({ ...line, alert });
    }
    const skipped = throttled === undefined ? 0 : this.#skippedBefore(throttled);
    if (skipped === undefined) return;
    const repeats = skipped === 0 ? {} : { repeats: skipped };
    const head = { about: subject, ...(alert === undefined ? {} : { alert }), ...repeats };
    this.#pino[level]({ ...head, ...fields }, text);
  }

  info(subject: string, text: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.write({ level: 'info', subject, text, fields });
  }

  alert(code: AlertCode, text: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.write({ level: ALERTS[code].level, alert: code, subject: 'daemon', text, fields });
  }

  /** How many lines with this key were left out since the last one; undefined if this one is to be left out too. */
  #skippedBefore(key: string): number | undefined {
    const now = this.#parts.now();
    const last = this.#written.get(key);
    if (last !== undefined && now - last.at < REPEAT_EVERY_MS && now >= last.at) {
      last.skipped += 1;
      return undefined;
    }
    if (this.#written.size >= KEYS_MAX) this.#written.clear();
    this.#written.set(key, { at: now, skipped: 0 });
    return last?.skipped ?? 0;
  }
}

/** The text as it appears within a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Writes the console of a strategy into the run's log, line by line. */
export function consoleInLog(log: DaemonLog): ConsoleOf {
  return (speaker) => (line) => log.info('console', line, { strategy: speaker.name });
}
