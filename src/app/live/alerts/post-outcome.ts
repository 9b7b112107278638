/** What became of a request with alerts, and whether another attempt may do better. */

import { retryAfterMs } from '../../../exchange-live/connection/retry.ts';
import type { WireReply } from '../../../exchange-live/connection/transport.ts';
import { printable } from '../../../words/printable.ts';

/** `status`: absent where no answer came. `details`: for people, without any secret; empty where it was received well. */
export interface PostOutcome {
  readonly isSent: boolean;
  readonly status: number | undefined;
  readonly details: string;
  /** Whether another attempt may succeed, and after how long at the earliest where the service said so. */
  readonly mayRetry: boolean;
  readonly retryAfterMs: number | undefined;
}

const DETAILS_MAX = 200;

/** `clean` removes secrets from the words of others, before they are shortened. */
export function outcomeOf(reply: WireReply, now: number, clean: (text: string) => string): PostOutcome {
  const plain = (text: string): string => printable(clean(text)).replaceAll(/\s+/g, ' ').trim().slice(0, DETAILS_MAX);
  if (reply.kind !== 'reply') {
    // What is no HTTP, or compressed, or endless, would be so again; and it may have been received.
    const mayRetry = reply.kind !== 'garbled';
    return { isSent: false, status: undefined, details: plain(reply.details), mayRetry, retryAfterMs: undefined };
  }
  const { status } = reply;
  if (status >= 200 && status < 300)
    return { isSent: true, status, details: '', mayRetry: false, retryAfterMs: undefined };
  const body = bodyOf(reply.body);
  return {
    isSent: false,
    status,
    details: plain(body.words),
    mayRetry: status >= 500 || status === 408 || status === 425 || status === 429,
    retryAfterMs: retryAfterMs(reply.retryAfter, now) ?? body.retryAfterMs,
  };
}

export function timedOut(limitMs: number): PostOutcome {
  const details = `no answer within ${limitMs / 1_000} s`;
  return { isSent: false, status: undefined, details, mayRetry: true, retryAfterMs: undefined };
}

/** Telegram says why in `description` and how long to wait in `parameters.retry_after` (seconds), ntfy why in `error`. */
function bodyOf(text: string): { readonly words: string; readonly retryAfterMs: number | undefined } {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return { words: text, retryAfterMs: undefined };
  }
  const { description, error, parameters } = Object(said);
  const words = [description, error].find((each) => typeof each === 'string');
  const seconds: unknown = Object(parameters).retry_after;
  const waits = typeof seconds === 'number' && seconds >= 0 ? seconds * 1_000 : undefined;
  return { words: words ?? text, retryAfterMs: waits };
}
