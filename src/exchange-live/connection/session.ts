/** The session with an exchange: one token for all calls, renewed before it ends by one request for all calls that wait. */

import type { Observable, Subscription } from 'rxjs';
import type { Random } from '../../core/number/random.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import type { Clock } from '../../time/clock.ts';
import type { CallFaultCode } from './call-outcome.ts';
import { backoffMs, type RetrySettings } from './retry.ts';
import type { Secret } from './secret.ts';

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

/** A token, and until when it can be renewed. */
export interface HeldToken extends Token {
  readonly renewableUntil: number;
}

/** Why there is no token. */
export interface SessionFailure {
  readonly kind: 'failed';
  readonly code: CallFaultCode;
  readonly details: string;
  /** HTTP status of the exchange's refusal. */
  readonly status?: number;
  /** How long the exchange wants to hear of no other try, ms. Absent: as long as tries are spread out. */
  readonly waitMs?: number;
  /** It stays so until a person acts: another try changes nothing. */
  readonly isFinal?: boolean;
}

/** The result for a call that waited for a token: a token, or the reason why there is none. */
export type SessionState = { readonly kind: 'open'; readonly token: Token } | SessionFailure;

export type SessionReply<H extends HeldToken> = { readonly kind: 'held'; readonly token: H } | SessionFailure;

export type SessionEvent =
  | {
      readonly kind: 'sessionOpened' | 'sessionRefreshed';
      readonly expiresAt: Instant;
      readonly skewMs: number | undefined;
    }
  | { readonly kind: 'sessionRejected' }
  | {
      readonly kind: 'sessionFailed';
      readonly details: string;
      readonly retryInMs: number;
      readonly status?: number;
      readonly isFinal?: boolean;
    };

export interface SessionParts<H extends HeldToken> {
  readonly clock: Clock;
  readonly random: Random;
  /** Opens a session with our key. */
  readonly open: () => Observable<SessionReply<H>>;
  /** Renews it before its end. */
  readonly renew: (held: H) => Observable<SessionReply<H>>;
  /** When to renew a token that lives so long, ms from now. */
  readonly renewAfterMs: (lifetimeMs: number) => number;
  readonly onEvent: (event: SessionEvent) => void;
}

type Waiter = (state: SessionState) => void;

/** A session as calls use it. */
export type TokenSource = Pick<Session, 'token' | 'whenOpen' | 'rejected'>;

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
export class Session<H extends HeldToken = HeldToken> {
  readonly #parts: SessionParts<H>;
  readonly #waiters = new Set<Waiter>();
  #held: H | undefined;
  #renewAt = 0;
  #isUsed = false;
  #renewal: Subscription | undefined;
  #timer: Subscription | undefined;
  #failures = 0;
  #blocked: { readonly from: number; readonly until: number; readonly state: SessionState } | undefined;
  #rejectedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SessionParts<H>) {
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

  #live(): H | undefined {
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
    if (held === undefined || this.#parts.clock.now() >= held.renewableUntil) this.#open();
    else this.#refresh(held);
  }

  #open(): void {
    this.#renewal = this.#parts.open().subscribe((reply) => {
      if (reply.kind === 'failed') return this.#fail(reply);
      this.#hold(reply.token, 'sessionOpened');
    });
  }

  /** Renews the session. If the renewal fails for any reason, a log-in with the key may still succeed. */
  #refresh(before: H): void {
    this.#renewal = this.#parts.renew(before).subscribe((reply) => {
      if (reply.kind === 'failed') return this.#open();
      this.#hold(reply.token, 'sessionRefreshed');
    });
  }

  #hold(held: H, kind: 'sessionOpened' | 'sessionRefreshed'): void {
    this.#held = held;
    this.#failures = 0;
    this.#blocked = undefined;
    this.#isUsed = this.#waiters.size > 0;
    const { clock, onEvent } = this.#parts;
    const now = clock.now();
    const renewInMs = Math.min(TIMER_MAX_MS, this.#parts.renewAfterMs(held.expiresAt - now));
    this.#renewAt = now + renewInMs;
    this.#renewIn(renewInMs);
    onEvent({ kind, expiresAt: instant(held.expiresAt), skewMs: held.skewMs });
    this.#notify({ kind: 'open', token: held });
  }

  #fail(state: SessionFailure): void {
    const { clock, random, onEvent } = this.#parts;
    this.#failures += 1;
    const now = clock.now();
    const retryInMs = state.waitMs ?? backoffMs(this.#failures, BACKOFF, random);
    // A key that was refused would be refused again, and so would an answer that is no API answer; a lost connection may be
    // back for the next call.
    if (state.code === 'NO_SESSION' || state.code === 'BAD_ANSWER')
      this.#blocked = { from: now, until: now + retryInMs, state };
    if (this.#live() !== undefined) this.#renewIn(retryInMs);
    const { details, status, isFinal } = state;
    const why = { ...(status === undefined ? {} : { status }), ...(isFinal === true && { isFinal }) };
    onEvent({ kind: 'sessionFailed', details, retryInMs, ...why });
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
}
