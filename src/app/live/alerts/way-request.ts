/** The request that brings alerts to each way, in the shape that its service asks for. */

import type { Secret } from '../../../exchange-live/connection/secret.ts';
import type { WireRequest } from '../../../exchange-live/connection/transport.ts';
import type { AlertWay, DeadManOptions } from '../../run/alert-options.ts';
import type { AlertNotice } from './alert-notice.ts';

/** Scheme, host and port of what is sent to: all of its address that is shown. */
export function originOf(address: Secret): string {
  return new URL(address.reveal()).origin;
}

export function wayRequest(way: AlertWay, message: AlertMessage): WireRequest {
  switch (way.kind) {
    case 'webhook':
      return posted(way.url, '', webhookBody(message), way.headers);
    case 'telegram':
      return posted(way.url, `/bot${way.token.reveal()}/sendMessage`, telegramBody(way.chat, message));
    case 'ntfy': {
      const { token } = way;
      const headers = token === undefined ? [] : [{ name: 'authorization', value: token, before: 'Bearer ' }];
      return posted(way.url, '', ntfyBody(way.topic, message), headers);
    }
  }
}

export function pingRequest({ url, method }: DeadManOptions): WireRequest {
  return {
    method,
    path: pathOf(url, ''),
    headers: headersOf([], method === 'POST'),
    ...(method === 'POST' && { body: '' }),
  };
}

/** Version of the webhook's body; it counts up when a field is removed or means something else. */
const WEBHOOK_FORMAT = 1;
/** Telegram takes 4,096 characters (Bot API, sendMessage). */
const TELEGRAM_MAX = 4_000;
/** ntfy makes an attachment of a message of more than 4,096 bytes; no character takes more than three for each of its UTF-16 units. */
const NTFY_MAX = 1_300;
/** ntfy: priorities from 1 to 5, 3 is ordinary, 5 rings on. */
const NTFY_PRIORITY = { warn: 3, error: 5 } as const;
const NTFY_TAGS = { warn: ['warning'], error: ['rotating_light'] } as const;

function webhookBody(message: AlertMessage): object {
  const { level, title, body } = messageText(message);
  return {
    format: WEBHOOK_FORMAT,
    source: 'oddsmith',
    name: message.name,
    at: new Date(message.at).toISOString(),
    level,
    title,
    text: `${title}\n${body}`,
    alerts: message.notices.map(({ at, ...notice }) => ({ ...notice, at: new Date(at).toISOString() })),
  };
}

/** Plain text, without a parse mode: nothing in it can be taken for marks. A warning makes no sound. */
function telegramBody(chat: Secret, message: AlertMessage): object {
  const { level, title, body } = messageText(message);
  const id = chat.reveal();
  return {
    chat_id: /^-?\d+$/.test(id) ? Number(id) : id,
    text: cut(`${title}\n${body}`, TELEGRAM_MAX),
    disable_notification: level === 'warn',
    link_preview_options: { is_disabled: true },
  };
}

/** Published as JSON to the server's root, since a header takes no letter beyond ASCII. */
function ntfyBody(topic: Secret, message: AlertMessage): object {
  const { level, title, body } = messageText(message);
  return {
    topic: topic.reveal(),
    title: cut(title, NTFY_MAX / 10),
    message: cut(body, NTFY_MAX),
    priority: NTFY_PRIORITY[level],
    tags: NTFY_TAGS[level],
  };
}

type Header = { readonly name: string; readonly value: Secret; readonly before?: string };

function posted(url: Secret, path: string, body: object, headers: readonly Header[] = []): WireRequest {
  return { method: 'POST', path: pathOf(url, path), headers: headersOf(headers, true), body: JSON.stringify(body) };
}

function pathOf(address: Secret, more: string): string {
  const { pathname, search } = new URL(address.reveal());
  return more === '' ? `${pathname}${search}` : `${pathname.replace(/\/+$/, '')}${more}${search}`;
}

/** A configured header goes instead of ours of the same name. */
function headersOf(configured: readonly Header[], hasBody: boolean): string[] {
  const names = new Set(configured.map(({ name }) => name.toLowerCase()));
  const own = [
    ['user-agent', 'oddsmith'],
    ['accept-encoding', 'identity'],
    ...(hasBody ? [['content-type', 'application/json']] : []),
  ];
  return [
    ...own.filter(([name = '']) => !names.has(name)),
    ...configured.map(({ name, value, before = '' }) => [name, `${before}${value.reveal()}`]),
  ].flat();
}

export interface AlertMessage {
  /** What the bot is called. */
  readonly name: string;
  /** The notices in the order in which they came; at least one. */
  readonly notices: readonly AlertNotice[];
  /** When the message was made, ms UTC. */
  readonly at: number;
}

interface MessageText {
  readonly level: 'warn' | 'error';
  readonly title: string;
  readonly body: string;
}

/** The longest text of each alert where there are several. */
const SHORT_MAX = 300;

/** The words of a message about one or several alerts, for people. */
function messageText({ name, notices }: AlertMessage): MessageText {
  const errors = notices.filter(({ level }) => level === 'error').length;
  const level = errors > 0 ? 'error' : 'warn';
  const [first] = notices;
  if (first !== undefined && notices.length === 1)
    return {
      level,
      title: `${name}: ${first.code}`,
      body: `${levelled(first)}\nIt means: ${first.means}.\n${times(first)}`,
    };
  const grave = errors === 0 ? 'none of them an error' : `${errors} of level error`;
  const lines = notices.map((notice) => `${cut(`${notice.code} ${levelled(notice)}`, SHORT_MAX)}, ${times(notice)}`);
  return { level, title: `${name}: ${notices.length} alerts, ${grave}`, body: lines.join('\n') };
}

/** The first characters, with a sign that there were more; never half of a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function levelled({ level, text }: AlertNotice): string {
  return `(${level}) ${text}`;
}

function times({ at, count }: AlertNotice): string {
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 19);
  return count === 1 ? `at ${when} UTC` : `${count} times, last at ${when} UTC`;
}
