/** Which alerts wait to be sent by one way, and which are only counted because they were sent a short while ago. */

import type { AlertNotice } from './alert-notice.ts';

export interface AlertQueueSettings {
  /** An alert of the same code and subject is only counted for this long after it was sent. */
  readonly repeatMs: number;
  /** How many different alerts may wait. */
  readonly waitingMax: number;
}

interface Sent {
  readonly until: number;
  /** The newest of those that came since, with their number. */
  again: AlertNotice | undefined;
}

/** Beyond so many kinds of alerts that were sent, the oldest is forgotten: it would be sent again. */
const SENT_MAX = 1_000;

export class AlertQueue {
  readonly #settings: AlertQueueSettings;
  readonly #waiting = new Map<string, AlertNotice>();
  readonly #sent = new Map<string, Sent>();

  constructor(settings: AlertQueueSettings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Returns how many alerts were dropped for it: there is room for so many. */
  take(notice: AlertNotice): number {
    const key = keyOf(notice);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      this.#waiting.set(key, { ...notice, count: waiting.count + notice.count });
      return 0;
    }
    const sent = this.#sent.get(key);
    if (sent !== undefined && notice.at < sent.until) {
      sent.again = { ...notice, count: (sent.again?.count ?? 0) + notice.count };
      return 0;
    }
    if (this.#waiting.size < this.#settings.waitingMax) {
      this.#waiting.set(key, notice);
      return 0;
    }
    const victim = this.#leastGrave(notice);
    if (victim === undefined) return notice.count;
    const { count = 0 } = this.#waiting.get(victim) ?? {};
    this.#waiting.delete(victim);
    this.#waiting.set(key, notice);
    return count;
  }

  /** The oldest that wait, at most so many, as sent now: those like them are only counted from here on. */
  next(max: number, now: number): readonly AlertNotice[] {
    const notices: AlertNotice[] = [];
    for (const [key, notice] of this.#waiting) {
      if (notices.length === max) break;
      this.#waiting.delete(key);
      this.#remember(key, now + this.#settings.repeatMs);
      notices.push(notice);
    }
    return notices;
  }

  /**
   * These could not be sent: those like them that were only counted since wait now, and the next ones will. Returns how many alerts
   * were dropped.
   */
  forget(notices: readonly AlertNotice[]): number {
    let dropped = 0;
    for (const notice of notices) {
      const { again } = this.#sent.get(keyOf(notice)) ?? {};
      this.#sent.delete(keyOf(notice));
      if (again !== undefined) dropped += this.take(again);
    }
    return dropped;
  }

  /**
   * What was only counted waits to be sent once its time has passed, with its count; `atOnce`: without waiting for that. Returns how
   * many alerts were dropped.
   */
  release(now: number, atOnce = false): number {
    let dropped = 0;
    for (const [key, { until, again }] of this.#sent) {
      if (!atOnce && now < until) continue;
      this.#sent.delete(key);
      if (again !== undefined) dropped += this.take(again);
    }
    return dropped;
  }

  /** When `release` will next have something to say; undefined where nothing was counted. */
  get releaseAt(): number | undefined {
    let earliest: number | undefined;
    for (const { until, again } of this.#sent.values())
      if (again !== undefined && until < (earliest ?? Number.POSITIVE_INFINITY)) earliest = until;
    return earliest;
  }

  #remember(key: string, until: number): void {
    if (this.#sent.size >= SENT_MAX) this.#forgetOldest();
    this.#sent.set(key, { until, again: undefined });
  }

  #forgetOldest(): void {
    for (const [oldest, { again }] of this.#sent) {
      this.#sent.delete(oldest);
      if (again !== undefined) this.#waiting.set(oldest, again);
      return;
    }
  }

  /** The oldest warning; where only errors wait, a new error is in nobody's place. */
  #leastGrave({ level }: AlertNotice): string | undefined {
    if (level === 'warn') return undefined;
    for (const [key, waiting] of this.#waiting) if (waiting.level === 'warn') return key;
    return undefined;
  }
}

function keyOf({ code, subject }: AlertNotice): string {
  return `${code} ${subject}`;
}
