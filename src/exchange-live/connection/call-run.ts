/** One call from start to outcome: session, budget, sending, deadline and further attempts. */

import type { Subscription } from 'rxjs';
import type { Random } from '../../core/number/random.ts';
import type { Clock } from '../../time/clock.ts';
import type { Budget, Place } from './budget.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { Priority } from './priority.ts';
import type { Redaction } from './redaction.ts';
import { backoffMs, type RetrySettings, retryAfterMs } from './retry.ts';
import type { SessionState, Token, TokenSource } from './session.ts';
import { dateOf } from './token-lifetime.ts';
import type { Sending, Transport, WireReply, WireRequest } from './transport.ts';

/**
 * What sending a call twice would do. `reads`: it changes nothing. `repeatable`: doing it twice has the same effect as doing it once. `once`: doing it twice would
 * do two things, such as create two orders, so it is sent again only if it certainly had no effect.
 */
export type Effect = 'reads' | 'repeatable' | 'once';

/** What a reply means for its call. */
export interface Verdict {
  readonly outcome: CallOutcome<unknown>;
  /** Whether another attempt may succeed and is allowed, as far as this reply shows. */
  readonly mayRepeat: boolean;
  /** Whether the call may be sent again with another token: the exchange did not take this one, and did nothing. */
  readonly isUnauthorised?: boolean;
}

/** What becomes of a call on its way, with the `operation` as its exchange calls it. */
export type CallEvent<O extends string> =
  | {
      readonly kind: 'retried';
      readonly operation: O;
      readonly attempts: number;
      readonly delayMs: number;
      readonly details: string;
    }
  | { readonly kind: 'throttled'; readonly pauseMs: number }
  | { readonly kind: 'overloaded'; readonly priority: Priority };

/** What all calls of one client share. */
export interface CallParts<O extends string> {
  readonly transport: Transport;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly random: Random;
  /** Times of a call, of one attempt that may be followed by another one, and before the first sending, ms. */
  readonly timeouts: { readonly requestMs: number; readonly attemptMs: number; readonly waitMs: number };
  readonly retry: RetrySettings;
  readonly redaction: Redaction;
  readonly onEvent: (event: CallEvent<O>) => void;
}

/** What one call sends, and under which conditions. */
export interface CallPlan<O extends string> {
  readonly operation: O;
  readonly effect: Effect;
  /** All but the headers by which we say who we are. */
  readonly request: WireRequest;
  readonly priority: Priority;
  readonly timeoutMs: number;
  /** Whose access token is sent: the session's, a given one, or none. */
  readonly authorization: TokenSource | string | undefined;
  /** Names and values of the headers with a token. */
  readonly tokenHeaders: (token: string) => readonly string[];
  /** Called just before each sending; if it returns false, nothing is sent. */
  readonly mayLeave: (() => boolean) | undefined;
  readonly verdict: (reply: WireReply) => Verdict;
}

/** `date` is the answer's Date header, in ms since 1970; undefined where the answer has none. */
export type Settle = (outcome: CallOutcome<unknown>, date: number | undefined) => void;

type Failed = CallOutcome<unknown> & { readonly kind: 'failed' };

/**
 * A timer that fires later than this shows that the process was busy. It is then given the same time to read what arrived
 * meanwhile.
 */
const STALL_MS = 50;

/** A call under way. It settles exactly once with an outcome, unless `cancel` comes first. */
export class CallRun<O extends string> {
  readonly #parts: CallParts<O>;
  readonly #plan: CallPlan<O>;
  readonly #effect: Effect;
  readonly #settleWith: Settle;
  readonly #startedAt: number;
  #deadline: number | undefined;
  #failures = 0;
  #mayHaveActed = false;
  #hasReauthorised = false;
  #token: Token | undefined;
  #timer: Subscription | undefined;
  #leaveSession: (() => void) | undefined;
  #place: Place | undefined;
  #sending: Sending | undefined;
  #isOver = false;

  constructor(parts: CallParts<O>, plan: CallPlan<O>, settle: Settle) {
    this.#parts = parts;
    this.#plan = plan;
    this.#effect = plan.effect;
    this.#settleWith = settle;
    this.#startedAt = parts.clock.now();
  }

  start(): void {
    const { authorization } = this.#plan;
    if (typeof authorization !== 'object') return this.#queue();
    this.#token = authorization.token();
    if (this.#token !== undefined) return this.#queue();
    this.#limitWait('a session');
    this.#leaveSession = authorization.whenOpen((state) => this.#authorised(state));
  }

  /** Ends the call without an outcome, because its caller has unsubscribed. */
  cancel(): void {
    this.#isOver = true;
    this.#stop();
  }

  close(): void {
    const mayHaveActed = this.#mayHaveActed || (this.#effect !== 'reads' && this.#sending?.hasBegun === true);
    this.#settle({ kind: 'failed', code: 'CLOSED', details: 'the client was closed', mayHaveActed });
  }

  #authorised(state: SessionState): void {
    this.#leaveSession = undefined;
    if (state.kind === 'failed') return this.#fail(state.code, `opening a session: ${state.details}`, false);
    this.#token = state.token;
    this.#queue();
  }

  #queue(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    const place = this.#parts.budget.join(this.#plan.priority, () => this.#send());
    if (place === undefined) return this.#turnAway();
    this.#place = place;
    if (this.#sending === undefined) this.#limitWait('the request budget');
  }

  #turnAway(): void {
    this.#parts.onEvent({ kind: 'overloaded', priority: this.#plan.priority });
    this.#timer = this.#parts.clock.schedule(() =>
      this.#fail('OVERLOADED', `too many calls of the priority ${this.#plan.priority} wait`, false),
    );
  }

  #send(): void {
    const { clock, transport } = this.#parts;
    this.#timer?.unsubscribe();
    if (this.#plan.mayLeave?.() === false) return this.#withhold();
    this.#deadline ??= clock.now() + this.#plan.timeoutMs;
    const limitMs = Math.min(this.#leftMs(), this.#attemptMs());
    const dueAt = clock.now() + limitMs;
    this.#timer = clock.schedule(() => this.#expire(limitMs, dueAt), limitMs);
    const { request } = this.#plan;
    const headers = [...request.headers, ...this.#tokenHeaders()];
    this.#sending = transport.send({ ...request, headers }, (reply) => this.#onReply(reply));
  }

  #withhold(): void {
    this.#timer = this.#parts.clock.schedule(() => this.#fail('WITHHELD', 'taken back before it left', false));
  }

  /**
   * The time limit of one attempt, ms. An order, which is sent once, gets the whole call's time; a read gets at least half of
   * it, since a long list may be slow to come.
   */
  #attemptMs(): number {
    const { attemptMs } = this.#parts.timeouts;
    const { timeoutMs } = this.#plan;
    if (this.#effect === 'once') return timeoutMs;
    return this.#effect === 'reads' ? Math.max(attemptMs, Math.ceil(timeoutMs / 2)) : attemptMs;
  }

  #tokenHeaders(): readonly string[] {
    const { authorization, tokenHeaders } = this.#plan;
    const token = typeof authorization === 'object' ? this.#currentToken(authorization) : authorization;
    return token === undefined ? [] : tokenHeaders(token);
  }

  /** The token to send now, which may be a newer one than the call had when it began to wait. */
  #currentToken(session: TokenSource): string | undefined {
    this.#token = session.token() ?? this.#token;
    return this.#token?.value.reveal();
  }

  #onReply(reply: WireReply): void {
    this.#leave();
    const { outcome, mayRepeat, isUnauthorised } = this.#plan.verdict(reply);
    if (outcome.kind === 'answered') return this.#settle(outcome, reply);
    this.#mayHaveActed ||= outcome.mayHaveActed;
    if (isUnauthorised === true && this.#reauthorises()) return;
    const askedMs = this.#pauseAskedFor(reply);
    if (mayRepeat && this.#repeats(faultLine(outcome), askedMs)) return;
    this.#settle(outcome, reply);
  }

  #reauthorises(): boolean {
    const { authorization } = this.#plan;
    if (typeof authorization !== 'object' || this.#hasReauthorised || this.#token === undefined) return false;
    if (!authorization.rejected(this.#token)) return false;
    this.#hasReauthorised = true;
    this.start();
    return true;
  }

  /**
   * The pause that an answer asks for, ms. A 429 pauses all calls of the client; a Retry-After with another status delays this
   * call only.
   */
  #pauseAskedFor(reply: WireReply): number {
    if (reply.kind !== 'reply') return 0;
    const { clock, retry, random, budget, onEvent } = this.#parts;
    const asked = retryAfterMs(reply.retryAfter, dateOf(reply.date) ?? clock.now());
    const pauseMs = Math.min(retry.pauseMaxMs, asked ?? 0);
    if (reply.status !== 429) return pauseMs;
    const wholeMs = asked === undefined ? backoffMs(this.#failures + 1, retry, random) : pauseMs;
    budget.pause(wholeMs);
    onEvent({ kind: 'throttled', pauseMs: wholeMs });
    return wholeMs;
  }

  /**
   * Schedules another attempt, at least `atLeastMs` from now. Returns false if no attempt is left, or if the call's deadline
   * leaves no time for one.
   */
  #repeats(details: string, atLeastMs: number): boolean {
    const { clock, random, retry, onEvent } = this.#parts;
    this.#failures += 1;
    if (this.#failures >= retry.attemptsMax) return false;
    const delayMs = Math.max(atLeastMs, backoffMs(this.#failures, retry, random));
    if (delayMs >= this.#leftMs()) return false;
    onEvent({
      kind: 'retried',
      operation: this.#plan.operation,
      attempts: this.#failures,
      delayMs,
      details: this.#parts.redaction.clean(details),
    });
    this.#timer = clock.schedule(() => this.start(), delayMs);
    return true;
  }

  /**
   * Ends an attempt whose time is over. If our own process stood still, an answer that came in time may lie unread: it is given
   * a moment to be read first.
   */
  #expire(limitMs: number, dueAt: number): void {
    const { clock } = this.#parts;
    if (clock.now() - dueAt < STALL_MS) return this.#giveUp(limitMs);
    this.#timer = clock.schedule(() => this.#giveUp(limitMs), STALL_MS);
  }

  #giveUp(limitMs: number): void {
    const hasBegun = this.#sending?.hasBegun === true;
    this.#sending?.cancel();
    this.#leave();
    const acted = hasBegun && this.#effect !== 'reads';
    this.#mayHaveActed ||= acted;
    const details = `no ${hasBegun ? 'answer' : 'connection'} within ${limitMs} ms`;
    if (this.#effect !== 'once' && this.#repeats(details, 0)) return;
    this.#fail('TIMEOUT', details, acted);
  }

  /**
   * Limits how long the call may wait for a session and a place in the budget: `waitMs` before its first sending, afterwards
   * what is left of its time.
   */
  #limitWait(what: string): void {
    const { clock, timeouts } = this.#parts;
    const leftMs = this.#deadline === undefined ? this.#startedAt + timeouts.waitMs - clock.now() : this.#leftMs();
    this.#timer?.unsubscribe();
    this.#timer = clock.schedule(
      () => this.#fail('TIMEOUT', `waited too long for ${what}`, false),
      Math.max(0, leftMs),
    );
  }

  #leftMs(): number {
    const { timeoutMs } = this.#plan;
    return Math.max(0, Math.min(timeoutMs, (this.#deadline ?? 0) - this.#parts.clock.now()));
  }

  #fail(code: Failed['code'], details: string, mayHaveActed: boolean): void {
    this.#settle({ kind: 'failed', code, details, mayHaveActed });
  }

  /** Ends the call. If any attempt may have acted, the outcome says so, whatever the last attempt returned. */
  #settle(outcome: CallOutcome<unknown>, reply?: WireReply): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
    const date = reply?.kind === 'reply' ? dateOf(reply.date) : undefined;
    this.#settleWith(this.#cleaned(outcome), date);
  }

  #cleaned(outcome: CallOutcome<unknown>): CallOutcome<unknown> {
    if (outcome.kind === 'answered') return outcome;
    const { redaction } = this.#parts;
    const mayHaveActed = outcome.mayHaveActed || this.#mayHaveActed;
    if (outcome.kind === 'failed') return { ...outcome, details: redaction.clean(outcome.details), mayHaveActed };
    return {
      ...outcome,
      title: redaction.clean(outcome.title),
      details: outcome.details.map((each) => redaction.clean(each)),
      mayHaveActed,
    };
  }

  #leave(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    this.#sending = undefined;
    this.#place?.leave();
    this.#place = undefined;
  }

  #stop(): void {
    this.#leaveSession?.();
    this.#leaveSession = undefined;
    this.#sending?.cancel();
    this.#leave();
  }
}

function faultLine(outcome: Exclude<CallOutcome<unknown>, { kind: 'answered' }>): string {
  return outcome.kind === 'failed' ? `${outcome.code}: ${outcome.details}` : `${outcome.status} ${outcome.title}`;
}
