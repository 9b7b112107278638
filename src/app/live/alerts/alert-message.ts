/** The words of a message about one or several alerts, for people. */

import type { AlertNotice } from './alert-notice.ts';

export interface AlertMessage {
  /** What the bot is called. */
  readonly name: string;
  /** The notices in the order in which they came; at least one. */
  readonly notices: readonly AlertNotice[];
  /** When the message was made, ms UTC. */
  readonly at: number;
}

export interface MessageText {
  readonly level: 'warn' | 'error';
  readonly title: string;
  readonly body: string;
}

/** The longest text of each alert where there are several. */
const SHORT_MAX = 300;

export function messageText({ name, notices }: AlertMessage): MessageText {
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
export function cut(text: string, max: number): string {
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
