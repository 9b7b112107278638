/** The session with the exchange: one token for all calls, renewed before its end by one request for all who wait. */

import type { Observable, Subscription } from 'rxjs';
import type { Random } from '../../core/number/random.ts';
import { instant } from '../../core/number/units.ts';
import { type CallFaultCode, type CallOutcome, NOT_OWN } from '../../exchange-live/connection/call-outcome.ts';
import type { Redaction } from '../../exchange-live/connection/redaction.ts';
import { backoffMs, type RetrySettings } from '../../exchange-live/connection/retry.ts';
import { Secret } from '../../exchange-live/connection/secret.ts';
import { lifetimeMs, renewAfterMs, skewMs } from '../../exchange-live/connection/token-lifetime.ts';
import type { Clock } from '../../time/clock.ts';
import { instantFromWire } from '../wire/codec/instants.ts';
import type { AnswerOf, CallInput } from './call.ts';
import type { ClientEvent } from './client-event.ts';

export interface Credentials {
  readonly appId: string;
  readonly apiKey: string;
  /** With a wallet's key only: an app's key is refused with one. */
  readonly walletId?: string;
}

export type SessionOperation = 'createSession' | 'refreshSession';

export interface SessionReply {
  readonly outcome: CallOutcome<AnswerOf<SessionOperation>>;
  /** The answer's Date header, ms. */
  readonly date: number | undefined;
}

export interface SessionParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly credentials: Credentials;
  /** Hears of every token. */
  readonly redaction: Redaction;
  /** Sends a session request; `accessToken` goes along where one is held. */
  readonly ask: <O extends SessionOperation>(
    operation: O,
    input: CallInput<O>,
    accessToken: string | undefined,
  ) => Observable<SessionReply>;
  readonly onEvent: (event: ClientEvent) => void;
}

/** A token: `value` to be sent, until `expiresAt` on our clock. */
export interface Token {
  readonly value: Secret;
  readonly expiresAt: number;
  /** As far as the answer that brought it proves, our clock is ahead of the exchange's by so much; negative: behind. */
  readonly skewMs: number | undefined;
}

export type SessionState =
  | { readonly kind: 'open'; readonly token: Token }
  | {
      readonly kind: 'failed';
      readonly code: CallFaultCode;
      readonly details: string;
      /** Of the exchange's refusal. */
      readonly status?: number;
    };

interface Held extends Token {
  readonly refresh: Secret;
  readonly refreshExpiresAt: number;
}

type Waiter = (state: SessionState) => void;

/** Waits after log-ins that were refused: a wrong key must not hammer the exchange. */
const BACKOFF: RetrySettings = { attemptsMax: 1, delayMs: 1_000, delayMaxMs: 60_000, pauseMaxMs: 0 };
/** A token that is refused so soon after it was given is not the reason: asking for the next would go on for ever. */
const REJECTED_AGAIN_MS = 1_000;
/** A timer of the platform cannot be set further ahead: it would go off at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export class Session {
  readonly #parts: SessionParts;
  readonly #waiters = new Set<Waiter>();
  #held: Held | undefined;
  #renewAt = 0;
  #isUsed = false;
  #renewal: Subscription | undefined;
  #timer: Subscription | undefined;
  #failures = 0;
  #blocked: { readonly from: number; readonly until: number; readonly state: SessionState } | undefined;
  #rejectedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** As of the newest token. */
  get skewMs(): number | undefined {
    return this.#held?.skewMs;
  }

  /** The token to send now; undefined where one must be waited for. */
  token(): Token | undefined {
    const held = this.#live();
    if (held !== undefined) this.#isUsed = true;
    return held;
  }

  /** A token with a good part of its life before it; undefined where one must be waited for. */
  freshToken(): Token | undefined {
    const held = this.token();
    return held !== undefined && this.#parts.clock.now() < this.#renewAt ? held : undefined;
  }

  /**
   * Tells when there is a token or none is to be had, never while it is being called: it opens or renews the session
   * unless that is under way already. Gives what takes the question back.
   */
  whenOpen(onState: Waiter): () => void {
    const blocked = this.#renewal === undefined ? this.#blockedNow() : undefined;
    if (blocked !== undefined) {
      const soon = this.#parts.clock.schedule(() => onState(blocked));
      return () => soon.unsubscribe();
    }
    this.#isUsed = true;
    // A function of its own: the same one may wait twice.
    const waiter: Waiter = (state) => onState(state);
    this.#waiters.add(waiter);
    this.#renew();
    return () => {
      this.#waiters.delete(waiter);
    };
  }

  /** The exchange answered 401 to a token. False where another one would fare no better. */
  rejected(token: Token): boolean {
    if (token !== this.#held) return true;
    const now = this.#parts.clock.now();
    if (Math.abs(now - this.#rejectedAt) < REJECTED_AGAIN_MS) return false;
    this.#rejectedAt = now;
    // It counts as ended at once; with its refresh token another one may still be had.
    this.#held = { ...this.#held, expiresAt: Number.NEGATIVE_INFINITY };
    this.#parts.onEvent({ kind: 'sessionRejected' });
    return true;
  }

  close(): void {
    this.#timer?.unsubscribe();
    this.#renewal?.unsubscribe();
    this.#notify({ kind: 'failed', code: 'CLOSED', details: 'the client was closed' });
  }

  #live(): Held | undefined {
    const held = this.#held;
    return held !== undefined && this.#parts.clock.now() < held.expiresAt ? held : undefined;
  }

  /** A clock that was set back does not lengthen the wait. */
  #blockedNow(): SessionState | undefined {
    const blocked = this.#blocked;
    const now = this.#parts.clock.now();
    return blocked !== undefined && now >= blocked.from && now < blocked.until ? blocked.state : undefined;
  }

  #renew(): void {
    if (this.#renewal !== undefined) return;
    this.#timer?.unsubscribe();
    const held = this.#held;
    if (held === undefined || this.#parts.clock.now() >= held.refreshExpiresAt) this.#open();
    else this.#refresh(held);
  }

  #open(): void {
    const { appId, apiKey, walletId } = this.#parts.credentials;
    const body = walletId === undefined ? { appId, apiKey } : { appId, apiKey, walletId };
    const askedAt = this.#parts.clock.now();
    this.#renewal = this.#parts.ask('createSession', { body }, undefined).subscribe((reply) => {
      const held = this.#heldFrom(reply, askedAt);
      if (held.kind === 'failed') return this.#fail(held);
      this.#hold(held.token, 'sessionOpened');
    });
  }

  /** Whatever stands against a refresh, a log-in may still succeed. */
  #refresh(before: Held): void {
    const input = { body: { refreshToken: before.refresh.reveal() } };
    const askedAt = this.#parts.clock.now();
    this.#renewal = this.#parts.ask('refreshSession', input, before.value.reveal()).subscribe((reply) => {
      const held = this.#heldFrom(reply, askedAt);
      if (held.kind === 'failed') return this.#open();
      this.#hold(held.token, 'sessionRefreshed');
    });
  }

  #hold(held: Held, kind: 'sessionOpened' | 'sessionRefreshed'): void {
    this.#held = held;
    this.#failures = 0;
    this.#blocked = undefined;
    this.#isUsed = this.#waiters.size > 0;
    const { clock, onEvent } = this.#parts;
    const now = clock.now();
    const renewInMs = Math.min(TIMER_MAX_MS, renewAfterMs(held.expiresAt - now));
    this.#renewAt = now + renewInMs;
    this.#renewIn(renewInMs);
    onEvent({ kind, expiresAt: instant(held.expiresAt), skewMs: held.skewMs });
    this.#notify({ kind: 'open', token: held });
  }

  #fail(state: SessionState & { readonly kind: 'failed' }): void {
    const { clock, random, onEvent } = this.#parts;
    this.#failures += 1;
    const now = clock.now();
    const retryInMs = backoffMs(this.#failures, BACKOFF, random);
    // A refused key is refused again, and so is a page's reader; a lost connection may be back for the next call.
    if (state.code === 'NO_SESSION' || state.code === 'BAD_ANSWER')
      this.#blocked = { from: now, until: now + retryInMs, state };
    if (this.#live() !== undefined) this.#renewIn(retryInMs);
    const { details, status } = state;
    onEvent({ kind: 'sessionFailed', details, retryInMs, ...(status === undefined ? {} : { status }) });
    this.#notify(state);
  }

  /** A session that nobody used since its last renewal is left to end; the next call opens another. */
  #renewIn(delayMs: number): void {
    this.#timer?.unsubscribe();
    this.#timer = this.#parts.clock.schedule(() => {
      if (this.#isUsed) this.#renew();
    }, delayMs);
  }

  #notify(state: SessionState): void {
    this.#renewal = undefined;
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter(state);
  }

  #heldFrom(
    { outcome, date }: SessionReply,
    askedAt: number,
  ): { kind: 'held'; token: Held } | (SessionState & { kind: 'failed' }) {
    if (outcome.kind === 'failed') return { kind: 'failed', code: outcome.code, details: outcome.details };
    if (outcome.kind === 'refused') return refused(outcome);
    const [session] = outcome.answer.sessions;
    const access = instantFromWire(session?.accessExpiresAt);
    const refresh = instantFromWire(session?.refreshExpiresAt);
    if (session === undefined || access.kind === 'faults' || refresh.kind === 'faults')
      return { kind: 'failed', code: 'BAD_ANSWER', details: 'the answer holds no session' };
    this.#parts.redaction.add(session.accessToken);
    this.#parts.redaction.add(session.refreshToken);
    const now = this.#parts.clock.now();
    return {
      kind: 'held',
      token: {
        value: new Secret(session.accessToken),
        refresh: new Secret(session.refreshToken),
        expiresAt: now + lifetimeMs(access.value, now, date),
        refreshExpiresAt: now + lifetimeMs(refresh.value, now, date),
        skewMs: date === undefined ? undefined : skewMs(date, { askedAt, answeredAt: now }),
      },
    };
  }
}

/** What is not the exchange's own says nothing of our key: it may be right all the same. */
function refused(outcome: CallOutcome<unknown> & { readonly kind: 'refused' }): SessionState & { kind: 'failed' } {
  const details = [`${outcome.status} ${outcome.title}`, ...outcome.details].join('; ');
  if (!outcome.isOwn) return { kind: 'failed', code: 'BAD_ANSWER', details: `${details} (${NOT_OWN})` };
  return { kind: 'failed', code: 'NO_SESSION', details, status: outcome.status };
}
