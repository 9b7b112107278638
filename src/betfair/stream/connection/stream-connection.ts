/** One connection from its start to its end: session, requests, the answers to them, silence, and the reason for its end. */

import { defer, Subscription as Timer, take } from 'rxjs';
import { documentReader } from '../../../codec/codec-read.ts';
import { isObject } from '../../../codec/schema-node.ts';
import { assert } from '../../../core/checks/assert.ts';
import { type Instant, instant } from '../../../core/number/units.ts';
import { StatusMessage } from '../../wire/stream/messages.ts';
import { envelopeOf, feedOf } from './change-envelope.ts';
import type { LineCarrier } from './line-carrier.ts';
import type { ChangeLine } from './segments.ts';
import { consequenceOf } from './status-codes.ts';
import type { StreamEndCode, StreamTroubleCode } from './stream-event.ts';
import type { StreamSession, StreamSettings } from './stream-settings.ts';
import type { Received, Subscription } from './subscription.ts';

/** Its functions are called in the order in which things happen; after `ended`, or after `drop`, none is called any more. */
export interface ConnectionListener {
  /** A message of a subscription that is in force. */
  received(subscription: Subscription, what: Received, receivedAt: Instant): void;
  refused(subscription: Subscription, details: string): void;
  trouble(code: StreamTroubleCode, details: string): void;
  ended(code: StreamEndCode, details: string): void;
}

export interface ConnectionParts {
  readonly settings: StreamSettings;
  readonly subscriptions: readonly Subscription[];
  /** Numbers requests over all connections, so that no answer is taken for another's. */
  readonly nextId: () => number;
  readonly listener: ConnectionListener;
}

const readStatus = documentReader(StatusMessage);
/** Longer texts of the exchange are cut to this many characters. */
const TEXT_MAX = 500;

/** It ends once, for a reason that it reports, and is never used again. */
export class StreamConnection {
  readonly #parts: ConnectionParts;
  #phase: 'new' | 'session' | 'opening' | 'open' | 'ended' = 'new';
  #carrier: LineCarrier | undefined;
  #session: StreamSession | undefined;
  #authenticationId: number | undefined;
  #connectionId = '';
  #waiting = new Timer();
  #timer = new Timer();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** The exchange's own name of it; empty until that has come. */
  get connectionId(): string {
    return this.#connectionId;
  }

  /** `refused` is passed to the source of sessions. */
  open(refused: boolean): void {
    assert(this.#phase === 'new', 'a connection is opened once');
    this.#phase = 'session';
    const { session, limits } = this.#parts.settings;
    this.#after(limits.connectTimeoutMs, () => this.#end('SESSION_UNAVAILABLE', 'none came in time'));
    this.#waiting = defer(() => session(refused))
      .pipe(take(1))
      .subscribe({
        next: (value) => this.#connect(value),
        error: (error: unknown) => this.#end('SESSION_UNAVAILABLE', textOf(error)),
        complete: () => {
          if (this.#phase === 'session') this.#end('SESSION_UNAVAILABLE', 'the source ended without one');
        },
      });
  }

  /** Subscribes anew on an open connection; before it is open, it subscribes to everything anyway. */
  subscribe(subscription: Subscription): void {
    if (this.#phase !== 'open') return;
    this.#ask(subscription);
    this.#watch();
  }

  /** Ends the connection without reporting it. */
  drop(): void {
    this.#phase = 'ended';
    this.#waiting.unsubscribe();
    this.#timer.unsubscribe();
    this.#carrier?.drop();
    for (const subscription of this.#parts.subscriptions) subscription.end();
  }

  #connect(session: StreamSession): void {
    if (this.#phase !== 'session') return;
    this.#phase = 'opening';
    this.#session = session;
    const { openCarrier, limits } = this.#parts.settings;
    const { connectTimeoutMs } = limits;
    this.#after(connectTimeoutMs, () => this.#end('CONNECT_TIMEOUT', `after ${connectTimeoutMs} ms`));
    this.#carrier = openCarrier({
      opened: () => this.#onOpened(session),
      lines: (lines) => this.#onLines(lines),
      ended: (code, details) => this.#end(code, details),
    });
  }

  /** All is sent at once: the exchange takes it in its order, and nothing waits for an answer (profile section 7). */
  #onOpened({ appKey, token }: StreamSession): void {
    if (this.#phase !== 'opening') return;
    this.#phase = 'open';
    this.#authenticationId = this.#parts.nextId();
    this.#send({ op: 'authentication', id: this.#authenticationId, appKey, session: token });
    for (const subscription of this.#parts.subscriptions) this.#ask(subscription);
    this.#watch();
  }

  #ask(subscription: Subscription): void {
    this.#send(subscription.request(this.#parts.nextId(), this.#now()));
  }

  #send(request: object): void {
    this.#carrier?.send(JSON.stringify(request));
  }

  #onLines(lines: readonly string[]): void {
    const receivedAt = instant(Math.floor(this.#now()));
    for (const line of lines) {
      // An earlier line may have ended the connection.
      if (this.#phase !== 'open') return;
      this.#onLine(line, receivedAt);
    }
  }

  #onLine(line: string, receivedAt: Instant): void {
    const message = parsed(line);
    if (!isObject(message)) return this.#end('BAD_LINE', `no message: ${line}`);
    const { op } = message;
    const feed = feedOf(op);
    if (feed !== undefined) {
      const envelope = envelopeOf(message);
      if (envelope === undefined) return this.#end('BAD_LINE', `no change: ${line}`);
      const subscription = this.#parts.subscriptions.find((each) => each.feed === feed);
      if (subscription !== undefined) this.#onChange(subscription, { envelope, line }, receivedAt);
    } else if (op === 'status') this.#onStatus(message, line);
    else if (op === 'connection') this.#connectionId = String(message['connectionId'] ?? '');
    else this.#trouble('UNKNOWN_MESSAGE', String(op));
  }

  #onChange(subscription: Subscription, next: ChangeLine, receivedAt: Instant): void {
    const wasTold = subscription.isTold;
    const what = subscription.receive(next, receivedAt);
    if (what.kind === 'foreign') return;
    if (what.kind === 'fault') return this.#end(what.code, what.details);
    // From now on it is due sooner.
    if (!wasTold && subscription.isTold) this.#watch();
    this.#parts.listener.received(subscription, what, receivedAt);
  }

  #onStatus(message: unknown, line: string): void {
    const status = readStatus(message);
    if (status.kind === 'faults') return this.#end('BAD_LINE', `no status: ${line}`);
    const { id, statusCode, errorCode = 'REFUSED', errorMessage = '', connectionClosed } = status.value;
    const subscription = this.#parts.subscriptions.find((each) => id !== undefined && each.id === id);
    if (statusCode === 'SUCCESS') return subscription?.hear(this.#now());
    const consequence = consequenceOf(errorCode);
    // The clocks of the other feed are as old.
    if (consequence === 'clock') for (const each of this.#parts.subscriptions) each.forgetClocks();
    const details = this.#safe(`${errorCode}: ${errorMessage}`);
    if (connectionClosed || consequence !== 'stays') {
      // A code that is newer than this client is reported as it came.
      return this.#end(errorCode as StreamEndCode, errorMessage);
    }
    if (subscription === undefined) return this.#trouble('NOT_CLOSED', details);
    subscription.refuse();
    this.#parts.listener.refused(subscription, details);
  }

  /** One timer at a time, which is set again only when it fires: so messages cost no scheduling. */
  #watch(): void {
    const { clock, limits } = this.#parts.settings;
    const { answerTimeoutMs } = limits;
    const next = this.#parts.subscriptions.reduce<{ readonly at: number; readonly of?: Subscription }>(
      (first, each) => {
        const at = each.dueAt(answerTimeoutMs);
        return at < first.at ? { at, of: each } : first;
      },
      { at: Number.POSITIVE_INFINITY },
    );
    const { at, of } = next;
    if (of === undefined) return this.#timer.unsubscribe();
    this.#after(at - clock.now(), () => {
      if (of.dueAt(answerTimeoutMs) > clock.now()) return this.#watch();
      // This process may have stood still itself: then what has come is read first.
      if (clock.now() - at > STOOD_STILL_MS) {
        of.hear(clock.now());
        return this.#watch();
      }
      this.#end(of.isTold ? 'SILENT' : 'NO_ANSWER', `the subscription to ${of.feed}`);
    });
  }

  #trouble(code: StreamTroubleCode, details: string): void {
    this.#parts.listener.trouble(code, this.#safe(details));
  }

  #end(code: StreamEndCode, details: string): void {
    if (this.#phase === 'ended') return;
    this.drop();
    this.#parts.listener.ended(code, this.#safe(details));
  }

  #now(): number {
    return this.#parts.settings.clock.now();
  }

  #after(ms: number, work: () => void): void {
    this.#timer.unsubscribe();
    this.#timer = this.#parts.settings.clock.schedule(work, Math.max(0, ms));
  }

  /** A text that may be reported: without token and key, and cut to TEXT_MAX. */
  #safe(text: string): string {
    const { token = '', appKey = '' } = this.#session ?? {};
    const clean = [token, appKey]
      .filter((secret) => secret !== '')
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text);
    return clean.length > TEXT_MAX ? `${clean.slice(0, TEXT_MAX)}…` : clean;
  }
}

/** A timer that fires so much later than it was due shows that the process stood still, ms. */
const STOOD_STILL_MS = 250;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
