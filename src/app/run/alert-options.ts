/** Says where a run sends its alerts, and what service hears that it still works, after file and environment are resolved. */

import type { Secret } from '../../exchange-live/connection/secret.ts';

export type WayKind = 'webhook' | 'telegram' | 'ntfy';

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
  /** An alert of the same code and subject is only counted for this long after it was sent. */
  readonly repeatMs: number;
  readonly deadMan: DeadManOptions | undefined;
  /** Every value that came from the environment. */
  readonly secrets: readonly Secret[];
}

/**
 * What no line of a log may hold. A header such as `application/json` is no secret, and is taken for one all the same; shorter
 * values would spoil ordinary lines.
 */
export function secretsOfAlerts(alerts: AlertOptions | undefined): readonly string[] {
  return alerts === undefined ? [] : wordsOf(alerts).filter(({ length }) => length >= SECRET_LENGTH_MIN);
}

/** The words to hide in what services answer about a message: topics and chats as well, which may be ordinary words elsewhere. */
export function privateWordsOf(alerts: AlertOptions): readonly string[] {
  const names = alerts.ways.flatMap((way) =>
    way.kind === 'telegram' ? [way.chat] : way.kind === 'ntfy' ? [way.topic] : [],
  );
  const words = [...wordsOf(alerts), ...names.map((name) => name.reveal())];
  return words.filter(({ length }) => length >= WORD_LENGTH_MIN);
}

/** The shortest word that is hidden in the words of a service, where hiding spoils less than elsewhere. */
const WORD_LENGTH_MIN = 4;
/** Shorter paths such as `/hook` hold no key. */
const SECRET_LENGTH_MIN = 8;

function wordsOf({ ways, deadMan, secrets }: AlertOptions): readonly string[] {
  const addresses = [...ways, ...(deadMan === undefined ? [] : [deadMan])].flatMap(({ url }) => addressParts(url));
  const keys = [...secrets, ...ways.flatMap(keysOf)];
  return [...addresses, ...keys.map((key) => key.reveal())];
}

function addressParts(address: Secret): readonly string[] {
  const { pathname, search } = new URL(address.reveal());
  const tail = `${pathname}${search}`;
  return tail.length >= SECRET_LENGTH_MIN ? [address.reveal(), tail] : [];
}

function keysOf(way: AlertWay): readonly Secret[] {
  switch (way.kind) {
    case 'webhook':
      return way.headers.map(({ value }) => value);
    case 'telegram':
      return [way.token];
    case 'ntfy':
      return way.token === undefined ? [] : [way.token];
  }
}
