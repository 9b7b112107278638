/** Where a run sends its alerts, and whom it tells that it still works, after file and environment are resolved. */

import type { Secret } from '../../exchange-live/connection/secret.ts';

export const WAY_KINDS = ['webhook', 'telegram', 'ntfy'] as const;
export type WayKind = (typeof WAY_KINDS)[number];

/** The least grave level that a way is told. */
export type FromLevel = 'warn' | 'error';

/** Addresses may hold keys in their path, and a topic of ntfy is as good as a password: none of them is ever printed. */
export type AlertWay =
  | {
      readonly kind: 'webhook';
      readonly url: Secret;
      readonly headers: readonly { readonly name: string; readonly value: Secret }[];
      readonly from: FromLevel;
    }
  | {
      readonly kind: 'telegram';
      readonly url: Secret;
      readonly token: Secret;
      readonly chat: Secret;
      readonly from: FromLevel;
    }
  | {
      readonly kind: 'ntfy';
      readonly url: Secret;
      readonly topic: Secret;
      readonly token: Secret | undefined;
      readonly from: FromLevel;
    };

export interface DeadManOptions {
  readonly url: Secret;
  readonly everyMs: number;
  readonly method: 'GET' | 'POST';
}

export interface AlertOptions {
  /** What messages call this bot. */
  readonly name: string;
  readonly ways: readonly AlertWay[];
  /** Messages a minute by each way; what comes beyond that waits, and is sent together. */
  readonly perMinute: number;
  /** So long an alert of the same code and subject is only counted after it was sent. */
  readonly repeatMs: number;
  readonly deadMan: DeadManOptions | undefined;
}

/**
 * What no line of a log may hold. A header such as `application/json` is no secret, and is taken for one all the same; shorter
 * values would spoil ordinary lines.
 */
export function secretsOfAlerts(alerts: AlertOptions | undefined): readonly string[] {
  if (alerts === undefined) return [];
  const addresses = alerts.deadMan === undefined ? [] : addressParts(alerts.deadMan.url);
  return [...addresses, ...alerts.ways.flatMap(secretsOfWay)].filter(({ length }) => length >= SECRET_LENGTH_MIN);
}

/** Of one way, for the words about its failures: its topic and chat as well, which may be ordinary words elsewhere. */
export function privateWordsOf(way: AlertWay): readonly string[] {
  const words = way.kind === 'telegram' ? [way.chat] : way.kind === 'ntfy' ? [way.topic] : [];
  return [...secretsOfWay(way), ...words.map((word) => word.reveal())];
}

export function addressParts(address: Secret): readonly string[] {
  const { pathname, search } = new URL(address.reveal());
  const tail = `${pathname}${search}`;
  return tail.length >= SECRET_LENGTH_MIN ? [address.reveal(), tail] : [];
}

/** Shorter paths such as `/hook` hold no key. */
const SECRET_LENGTH_MIN = 8;

function secretsOfWay(way: AlertWay): readonly string[] {
  switch (way.kind) {
    case 'webhook':
      return [...addressParts(way.url), ...way.headers.map(({ value }) => value.reveal())];
    case 'telegram':
      return [...addressParts(way.url), way.token.reveal()];
    case 'ntfy':
      return [...addressParts(way.url), ...(way.token === undefined ? [] : [way.token.reveal()])];
  }
}
