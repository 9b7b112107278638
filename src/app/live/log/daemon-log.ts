/** The daemon's log: lines of JSON through pino, secrets blotted out, storms of lines that are alike counted instead. */

import { type Logger, pino } from 'pino';
import { Subject } from 'rxjs';
import { ALERTS, type AlertCode } from './alert.ts';
import type { LogLevel, LogLine } from './log-line.ts';

export interface DaemonLogParts {
  /** Takes a whole line, end included. A reader that does not read holds up the whole process, which is its bug. */
  readonly write: (line: string) => void;
  readonly now: () => number;
  readonly level: LogLevel;
  /** In every line. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Texts that never appear, wherever they come from. */
  readonly secrets: readonly string[];
}

/** Between two lines that are alike. */
const SAY_EVERY_MS = 60_000;
/** Kinds of lines kept in mind. */
const KINDS_MAX = 1_000;
/** Shorter ones are no secrets, and blotting them out would spoil plain words. */
const SECRET_LENGTH_MIN = 4;

const SECRET_PATHS = ['apiKey', 'accessToken', 'refreshToken', 'authorization', 'token'].flatMap((key) => [
  key,
  `*.${key}`,
  `*.*.${key}`,
]);

export class DaemonLog {
  /** Every alert, said or not. */
  readonly alerts$ = new Subject<AlertCode>();
  readonly #parts: DaemonLogParts;
  readonly #pino: Logger;
  readonly #said = new Map<string, { at: number; unsaid: number }>();

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

  say(line: LogLine): void {
    const { level, alert, about, words, fields, throttled } = line;
    if (alert !== undefined) this.alerts$.next(alert);
    const unsaid = throttled === undefined ? 0 : this.#unsaid(throttled);
    if (unsaid === undefined) return;
    const head = { about, ...(alert === undefined ? {} : { alert }), ...(unsaid === 0 ? {} : { repeats: unsaid }) };
    this.#pino[level]({ ...head, ...fields }, words);
  }

  info(about: string, words: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.say({ level: 'info', about, words, fields });
  }

  alert(code: AlertCode, words: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.say({ level: ALERTS[code].level, alert: code, about: 'daemon', words, fields });
  }

  /** How many like it were not said since the last; undefined where it is not its turn. */
  #unsaid(key: string): number | undefined {
    const now = this.#parts.now();
    const said = this.#said.get(key);
    if (said !== undefined && now - said.at < SAY_EVERY_MS && now >= said.at) {
      said.unsaid += 1;
      return undefined;
    }
    if (this.#said.size >= KINDS_MAX) this.#said.clear();
    this.#said.set(key, { at: now, unsaid: 0 });
    return said?.unsaid ?? 0;
  }
}

/** As it stands inside a text of JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
