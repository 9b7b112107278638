/** Sends alerts by one way: together what came together, no more messages a minute than allowed, again what failed. */

import type { Subscription } from 'rxjs';
import type { Random } from '../../../core/number/random.ts';
import { Backoff } from '../../../exchange-live/connection/backoff.ts';
import type { Clock } from '../../../time/clock.ts';
import type { AlertOptions, AlertWay } from '../../run/alert-options.ts';
import type { AlertNotice } from './alert-notice.ts';
import { AlertQueue } from './alert-queue.ts';
import type { PostOutcome } from './post-outcome.ts';
import type { Poster } from './poster.ts';
import { wayRequest } from './way-request.ts';

export interface WaySenderParts {
  readonly way: AlertWay;
  readonly options: Pick<AlertOptions, 'name' | 'perMinute' | 'repeatMs'>;
  readonly clock: Clock;
  /** The chance in the pauses between attempts; it serves nothing else. */
  readonly random: Random;
  readonly poster: Poster;
  /** Called with words about what could not be sent, so far or for good. */
  readonly onTrouble: (words: string) => void;
}

export interface WayCounts {
  /** Messages that were received, and attempts that failed. */
  readonly sent: number;
  readonly failed: number;
  /** Alerts that were given up: too many waited, or the way did not take them for too long. */
  readonly dropped: number;
}

/** What is said within this time goes in one message. */
const GATHER_MS = 500;
/** Alerts in one message; more of them wait for the next. */
const BATCH_MAX = 20;
const WAITING_MAX = 200;
/** A message is tried again for this long. */
const TRY_MS = 1_800_000;
const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
/** A service that asks for a longer pause is asked again after this one. */
const ASKED_PAUSE_MAX_MS = 600_000;
/** The pause at the end of the run, where there is no time for long ones. */
const FLUSH_PAUSE_MS = 500;
const MINUTE_MS = 60_000;

export class WaySender {
  readonly #parts: WaySenderParts;
  readonly #queue: AlertQueue;
  readonly #backoff: Backoff;
  readonly #counts = { sent: 0, failed: 0, dropped: 0 };
  /** What is being sent, until it was received or given up. */
  #batch: readonly AlertNotice[] = [];
  #attempts = 0;
  #triedSince = 0;
  #retryAt = 0;
  /** Messages that may be sent now. */
  #tokens: number;
  #tokensAt: number;
  #wake: Subscription | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;
  #giveUp: (() => void) | undefined;
  #onFlushed: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: WaySenderParts) {
    const { options, clock, random } = parts;
    this.#parts = parts;
    this.#queue = new AlertQueue({ repeatMs: options.repeatMs, waitingMax: WAITING_MAX });
    this.#backoff = new Backoff({ firstMs: PAUSE_FIRST_MS, maxMs: PAUSE_MAX_MS, random });
    this.#tokens = options.perMinute;
    this.#tokensAt = clock.now();
  }

  get counts(): WayCounts {
    return this.#counts;
  }

  /** Alerts that wait, those that are being sent included. */
  get waiting(): number {
    return this.#queue.size + this.#batch.length;
  }

  /** Called in the middle of trading: it only notes the alert, whatever the way is doing. */
  take(notice: AlertNotice): void {
    if (this.#isClosed) return;
    this.#noteDropped(this.#queue.take(notice), 'too many wait already');
    this.#wakeBy(this.#parts.clock.now() + (this.#onFlushed === undefined ? GATHER_MS : 0));
  }

  /** Sends what waits without further delay; resolves when nothing does. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.#onFlushed = resolve;
      const now = this.#parts.clock.now();
      this.#noteDropped(this.#queue.release(now, true), 'too many wait already');
      this.#retryAt = Math.min(this.#retryAt, now);
      this.#wakeBy(now);
    });
  }

  close(): void {
    this.#noteDropped(sum(this.#queue.next(WAITING_MAX, 0)) + sum(this.#batch), 'the run has ended');
    this.#isClosed = true;
    this.#wake?.unsubscribe();
    this.#giveUp?.();
    this.#batch = [];
  }

  #wakeBy(at: number): void {
    if (this.#isClosed || this.#giveUp !== undefined || at >= this.#wakeAt) return;
    this.#wake?.unsubscribe();
    this.#wakeAt = at;
    const { clock } = this.#parts;
    this.#wake = clock.schedule(() => this.#act(), Math.max(0, at - clock.now()));
  }

  #act(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    const now = this.#parts.clock.now();
    this.#noteDropped(this.#queue.release(now), 'too many wait already');
    const dueAt = this.#dueAt(now);
    if (dueAt === undefined) return this.#onFlushed?.();
    if (now < dueAt) return this.#wakeBy(dueAt);
    if (this.#batch.length === 0) this.#nextBatch(now);
    this.#send(now);
  }

  /** When something is to be done next; undefined where nothing waits. */
  #dueAt(now: number): number | undefined {
    if (this.#batch.length > 0) return this.#retryAt;
    if (this.#onFlushed !== undefined) return this.#queue.size > 0 ? now : undefined;
    return this.#queue.size > 0 ? this.#tokenAt(now) : this.#queue.releaseAt;
  }

  /** When the next message may be sent. */
  #tokenAt(now: number): number {
    const { perMinute } = this.#parts.options;
    const perMs = perMinute / MINUTE_MS;
    this.#tokens = Math.min(perMinute, this.#tokens + Math.max(0, now - this.#tokensAt) * perMs);
    this.#tokensAt = now;
    return this.#tokens >= 1 ? now : now + Math.ceil((1 - this.#tokens) / perMs);
  }

  #nextBatch(now: number): void {
    this.#batch = this.#queue.next(BATCH_MAX, now);
    this.#tokens -= 1;
    this.#attempts = 0;
    this.#triedSince = now;
    this.#backoff.reset();
  }

  #send(now: number): void {
    const { way, options, poster } = this.#parts;
    const request = wayRequest(way, { name: options.name, notices: this.#batch, at: now });
    this.#giveUp = poster.post(request, (outcome) => this.#onOutcome(outcome));
  }

  #onOutcome(outcome: PostOutcome): void {
    this.#giveUp = undefined;
    if (outcome.isSent) {
      this.#counts.sent += 1;
      this.#batch = [];
    } else this.#onFailure(outcome);
    this.#wakeBy(this.#parts.clock.now());
  }

  #onFailure(outcome: PostOutcome): void {
    const { clock, onTrouble } = this.#parts;
    this.#counts.failed += 1;
    this.#attempts += 1;
    const why = wordsOf(outcome);
    if (!outcome.mayRetry || clock.now() - this.#triedSince >= TRY_MS) return this.#drop(why);
    const pauseMs = this.#onFlushed === undefined ? this.#backoff.next() : FLUSH_PAUSE_MS;
    const askedMs = Math.min(outcome.retryAfterMs ?? 0, ASKED_PAUSE_MAX_MS);
    this.#retryAt = clock.now() + Math.max(pauseMs, askedMs);
    if (this.#attempts === 1) onTrouble(`not received yet, and tried again: ${why}`);
  }

  #drop(why: string): void {
    const given = this.#batch;
    this.#batch = [];
    // Two ways that fail would go on telling each other so.
    const others = given.filter(({ code }) => code !== 'ALERT_NOT_SENT');
    this.#noteDropped(sum(given) + this.#queue.forget(others), why);
  }

  #noteDropped(alerts: number, why: string): void {
    if (alerts === 0) return;
    this.#counts.dropped += alerts;
    this.#parts.onTrouble(`${alerts} dropped: ${why}`);
  }
}

/** What an attempt ended with, for people. */
export function wordsOf({ status, details }: PostOutcome): string {
  return [...(status === undefined ? [] : [`HTTP ${status}`]), ...(details === '' ? [] : [details])].join(', ');
}

function sum(notices: readonly AlertNotice[]): number {
  return notices.reduce((alerts, { count }) => alerts + count, 0);
}
