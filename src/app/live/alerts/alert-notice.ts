/** One alert as it is sent, made from the line of the log that said it. */

import { printable } from '../../../words/printable.ts';
import { ALERTS, SUBJECT_FIELD } from '../../cli/codes/alert.ts';
import type { AlertLine } from '../log/daemon-log.ts';

export interface AlertNotice {
  readonly code: string;
  readonly level: 'warn' | 'error';
  /** What the code means, in general. */
  readonly means: string;
  /** What it is about: a market, a feed, a strategy; empty where it is about the whole run. */
  readonly subject: string;
  readonly text: string;
  /** When it was said last, ms UTC. */
  readonly at: number;
  /** How often it was said since it was last sent. */
  readonly count: number;
}

const TEXT_MAX = 1_500;

export function alertNotice(line: AlertLine, at: number): AlertNotice {
  const { alert: code, fields = {}, text } = line;
  const field = SUBJECT_FIELD[code];
  const subject = field === undefined ? '' : fields[field];
  const { level, means } = ALERTS[code];
  return { code, level, means, subject: plain(String(subject ?? '')), text: plain(text), at, count: 1 };
}

/** Names of markets and words of others may hold anything. */
function plain(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX);
}
