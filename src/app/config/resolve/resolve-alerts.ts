/** Finds where alerts are sent, from the block `alerts` and the environment; no error shows a value. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { Secret } from '../../../exchange-live/connection/secret.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { AlertOptions, AlertWay, DeadManOptions } from '../../run/alert-options.ts';
import { ALERTS_PER_MINUTE, type AlertsConfig, DEAD_MAN_EVERY, REPEAT_AFTER } from '../schema/alerts-block.ts';
import { type RunConfig, RunConfigSchema } from '../schema/run-schema.ts';
import { type Environment, valuesFor, withEnvironment } from '../yaml/environment.ts';
import { parseConfig } from '../yaml/yaml-config.ts';
import { durationMs } from './duration.ts';

type Loaded = LoadedConfig<Pick<RunConfig, 'alerts' | 'dir'>>;
type Way<K extends AlertWay['kind']> = AlertWay & { readonly kind: K };

const TELEGRAM = 'https://api.telegram.org';
const NTFY = 'https://ntfy.sh';
/** What the request itself decides: with another value it could not be sent. */
const OWN_HEADERS = ['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'expect'];
/** A line feed in a value would begin another header. */
const HEADER_VALUE = /^[\t\x20-\x7e\u0080-\u00ff]*$/;
const DURATION_MIN_MS = 1_000;
const DURATION_MAX_MS = 86_400_000;
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const TOKEN = /^[\x21-\x7e]+$/;
const CHAT = /^(-?\d+|@\w+)$/;

/** The alerts of a whole configuration, whatever else of the environment it needs. @throws CliError CONFIG_… */
export function alertsOfFile(source: { readonly text: string; readonly file: string }, environment: Environment) {
  const loaded = parseConfig(source.text, source.file, RunConfigSchema);
  return { alerts: alertsOf(loaded, environment), where: loaded.where(['alerts']) };
}

/** @throws CliError CONFIG_INVALID or CONFIG_SECRET_UNSET, with the line and no value */
export function alertsOf(loaded: Loaded, environment: Environment): AlertOptions | undefined {
  const { alerts, dir } = loaded.value;
  if (alerts === 'none') return undefined;
  const reader = new Reader(loaded, environment);
  const { name = dir, perMinute = ALERTS_PER_MINUTE, repeatAfter = REPEAT_AFTER } = alerts;
  const { webhook, telegram, ntfy, deadMan } = alerts;
  const ways = [
    ...(webhook === undefined ? [] : [webhookOf(webhook, reader)]),
    ...(telegram === undefined ? [] : [telegramOf(telegram, reader)]),
    ...(ntfy === undefined ? [] : [ntfyOf(ntfy, reader)]),
  ];
  const pinged = deadMan === undefined ? undefined : deadManOf(deadMan, reader);
  const repeatMs = reader.duration(['repeatAfter'], repeatAfter);
  return { name, ways, perMinute, repeatMs, deadMan: pinged, secrets: reader.secrets };
}

function webhookOf({ url, headers = {}, from = 'warn' }: NonNullable<AlertsConfig['webhook']>, reader: Reader) {
  const way: Way<'webhook'> = {
    kind: 'webhook',
    url: reader.address(['webhook', 'url'], url),
    headers: Object.entries(headers).map(([name, value]) => reader.header(name, value)),
    from,
  };
  return way;
}

function telegramOf(block: NonNullable<AlertsConfig['telegram']>, reader: Reader) {
  const { token, chat, url = TELEGRAM, from = 'warn' } = block;
  const way: Way<'telegram'> = {
    kind: 'telegram',
    url: reader.address(['telegram', 'url'], url),
    token: reader.text(['telegram', 'token'], token, { fits: TOKEN, is: 'a token without blanks' }),
    chat: reader.text(['telegram', 'chat'], String(chat), { fits: CHAT, is: 'the id of a chat, or @channel' }),
    from,
  };
  return way;
}

function ntfyOf({ topic, url = NTFY, token, from = 'warn' }: NonNullable<AlertsConfig['ntfy']>, reader: Reader) {
  const rule = { fits: TOPIC, is: 'a topic of at most 64 letters, digits, _ and -' };
  const way: Way<'ntfy'> = {
    kind: 'ntfy',
    url: reader.address(['ntfy', 'url'], url),
    topic: reader.text(['ntfy', 'topic'], topic, rule),
    token:
      token === undefined
        ? undefined
        : reader.text(['ntfy', 'token'], token, { fits: TOKEN, is: 'a token without blanks' }),
    from,
  };
  return way;
}

function deadManOf(block: NonNullable<AlertsConfig['deadMan']>, reader: Reader): DeadManOptions {
  const { url, every = DEAD_MAN_EVERY, method = 'GET' } = block;
  const everyMs = reader.duration(['deadMan', 'every'], every);
  return { url: reader.address(['deadMan', 'url'], url), everyMs, method };
}

type Path = readonly (string | number)[];

/** Reads texts with their place, so that an error can name it. */
class Reader {
  readonly #loaded: Loaded;
  readonly #environment: Environment;
  /** Every value of the environment that was read. */
  readonly secrets: Secret[] = [];

  constructor(loaded: Loaded, environment: Environment) {
    this.#loaded = loaded;
    this.#environment = environment;
  }

  text(path: Path, text: string, { fits, is }: { readonly fits: RegExp; readonly is: string }): Secret {
    const value = this.#value(path, text);
    if (fits.test(value)) return new Secret(value);
    throw this.#fault(path, `The value of alerts.${path.join('.')} must be ${is}.`);
  }

  address(path: Path, text: string): Secret {
    const value = this.#value(path, text);
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
      return new Secret(value);
    throw this.#fault(
      path,
      `The value of alerts.${path.join('.')} must be an address that begins with http:// or https://, without name and password.`,
    );
  }

  /** Milliseconds of what the schema has taken for a number with a unit. */
  duration(path: Path, text: string): number {
    const ms = durationMs(text);
    if (ms >= DURATION_MIN_MS && ms <= DURATION_MAX_MS) return ms;
    throw this.#fault(path, `The value of alerts.${path.join('.')} must be a time from 1s to 24h.`);
  }

  header(name: string, text: string): { readonly name: string; readonly value: Secret } {
    const path = ['webhook', 'headers', name];
    if (OWN_HEADERS.includes(name.toLowerCase()))
      throw this.#fault(path, `The header ${name} is the request’s own and cannot be set.`);
    return { name, value: this.text(path, text, { fits: HEADER_VALUE, is: 'a header’s value, on one line' }) };
  }

  #value(path: Path, text: string): string {
    const value = withEnvironment(text, this.#where(path), this.#environment);
    for (const secret of valuesFor(text, this.#environment)) this.secrets.push(new Secret(secret));
    return value;
  }

  #where(path: Path): string {
    return this.#loaded.where(['alerts', ...path]);
  }

  #fault(path: Path, what: string): CliError {
    const next = 'Change the value, or the variable of the environment that it names.';
    return new CliError({ code: 'CONFIG_INVALID', what, where: this.#where(path), next });
  }
}
