/** The session with the exchange: one token for all calls, renewed before it ends by one request for all calls that wait. */

import type { Observable, Subscription } from 'rxjs';
import { instantFromWire } from '../../codec/instants.ts';
import type { Random } from '../../core/number/random.ts';
import { instant } from '../../core/number/units.ts';
import { type CallFaultCode, type CallOutcome, NOT_OWN } from '../../exchange-live/connection/call-outcome.ts';
import type { Redaction } from '../../exchange-live/connection/redaction.ts';
import { backoffMs, type RetrySettings } from '../../exchange-live/connection/retry.ts';
import { Secret } from '../../exchange-live/connection/secret.ts';
import { lifetimeMs, renewAfterMs, skewMs } from '../../exchange-live/connection/token-lifetime.ts';
import type { Clock } from '../../time/clock.ts';
import type { AnswerOf, CallInput } from './call.ts';
import type { ClientEvent } from './client-event.ts';

/** The app and the key with which a session is opened. */
export interface Credentials {
  /** Id of the app, as the exchange gave it. */
  readonly appId: string;
  /** Its secret key. It appears in no event, error or inspection. */
  readonly apiKey: string;
  /** Only with the key of a wallet: the key of an app is refused if a wallet is named. */
  readonly walletId?: string;
}

export type SessionOperation = 'createSession' | 'refreshSession';

export interface SessionReply {
  readonly outcome: CallOutcome<AnswerOf<SessionOperation>>;
  /** The answer's Date header, in ms since 1970. */
  readonly date: number | undefined;
}

export interface SessionParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly credentials: Credentials;
  /** Every new token is added to it, so that no outcome or event shows one. */
  readonly redaction: Redaction;
  /** Sends a session request. `accessToken` is sent with it if there is one. */
  readonly ask: <O extends SessionOperation>(
    operation: O,
    input: CallInput<O>,
    accessToken: string | undefined,
  ) => Observable<SessionReply>;
  readonly onEvent: (event: ClientEvent) => void;
}

/** An access token: `value` is sent to the exchange, and it is valid until `expiresAt` on our clock. */
export interface Token {
  readonly value: Secret;
  readonly expiresAt: number;
  /**
   * Our clock is ahead of the exchange's by at least this many ms, as the answer with this token proves; negative if it is
   * behind.
   */
  readonly skewMs: number | undefined;
}

/** The result for a call that waited for a token: a token, or the reason why there is none. */
export type SessionState =
  | { readonly kind: 'open'; readonly token: Token }
  | {
      readonly kind: 'failed';
      readonly code: CallFaultCode;
      readonly details: string;
      /** HTTP status of the exchange's refusal. */
      readonly status?: number;
    };

interface Held extends Token {
  readonly refresh: Secret;
  readonly refreshExpiresAt: number;
}

type Waiter = (state: SessionState) => void;

/** Waiting times after refused log-ins: a wrong key must not make the client flood the exchange with requests. */
const BACKOFF: RetrySettings = { attemptsMax: 1, delayMs: 1_000, delayMaxMs: 60_000, pauseMaxMs: 0 };
/**
 * If a token is refused within this time after it was given, the token is not the reason, and asking for another one would go
 * on for ever.
 */
const REJECTED_AGAIN_MS = 1_000;
/** A timer of Node that is set further ahead than this fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Holds the newest token, renews it in time, and opens a new session if renewing fails. */
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

  /** By how many ms our clock is at least ahead of the exchange's, measured with the newest token. */
  get skewMs(): number | undefined {
    return this.#held?.skewMs;
  }

  /** The token to send now; undefined if the caller must wait for one (`whenOpen`). */
  token(): Token | undefined {
    const held = this.#live();
    if (held !== undefined) this.#isUsed = true;
    return held;
  }

  /** A token with a good part of its life still ahead; undefined if the caller must wait for one (`whenOpen`). */
  freshToken(): Token | undefined {
    const held = this.token();
    return held !== undefined && this.#parts.clock.now() < this.#renewAt ? held : undefined;
  }

  /**
   * Calls `onState` once there is a token, or once none can be had, but never during this call. It opens or renews the session
   * unless that is already under way. Returns a function that withdraws the request.
   */
  whenOpen(onState: Waiter): () => void {
    const blocked = this.#renewal === undefined ? this.#blockedNow() : undefined;
    if (blocked !== undefined) {
      const soon = this.#parts.clock.schedule(() => onState(blocked));
      return () => soon.unsubscribe();
    }
    this.#isUsed = true;
    // A new function for each request, since the caller may pass the same function twice.
    const waiter: Waiter = (state) => onState(state);
    this.#waiters.add(waiter);
    this.#renew();
    return () => {
      this.#waiters.delete(waiter);
    };
  }

  /** The exchange answered 401 to this token. Returns false if another token would be refused as well. */
  rejected(token: Token): boolean {
    if (token !== this.#held) return true;
    const now = this.#parts.clock.now();
    if (Math.abs(now - this.#rejectedAt) < REJECTED_AGAIN_MS) return false;
    this.#rejectedAt = now;
    // The token counts as expired at once, but its refresh token may still give another one.
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

  /** The failure that blocks log-ins now, if any. A clock that was set back does not lengthen the wait. */
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

  /** Renews the session. If the renewal fails for any reason, a log-in with the key may still succeed. */
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
    // A key that was refused would be refused again, and so would an answer that is no API answer; a lost connection may be
    // back for the next call.
    if (state.code === 'NO_SESSION' || state.code === 'BAD_ANSWER')
      this.#blocked = { from: now, until: now + retryInMs, state };
    if (this.#live() !== undefined) this.#renewIn(retryInMs);
    const { details, status } = state;
    onEvent({ kind: 'sessionFailed', details, retryInMs, ...(status === undefined ? {} : { status }) });
    this.#notify(state);
  }

  /** Plans the next renewal. A session that was not used since its last renewal is left to end; the next call opens another. */
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

/**
 * The state after a refusal. One that does not come from the exchange itself says nothing about our key, which may be right.
 */
function refused(outcome: CallOutcome<unknown> & { readonly kind: 'refused' }): SessionState & { kind: 'failed' } {
  const details = [`${outcome.status} ${outcome.title}`, ...outcome.details].join('; ');
  if (!outcome.isOwn) return { kind: 'failed', code: 'BAD_ANSWER', details: `${details} (${NOT_OWN})` };
  return { kind: 'failed', code: 'NO_SESSION', details, status: outcome.status };
}
