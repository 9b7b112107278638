/** Logs in and keeps the session alive: one login for all calls of a process, and never one for each call. */

import { map, type Observable } from 'rxjs';
import { isObject } from '../../codec/schema-node.ts';
import type { Random } from '../../core/number/random.ts';
import { type CallOutcome, failureOf } from '../../exchange-live/connection/call-outcome.ts';
import type { CallPlan, Verdict } from '../../exchange-live/connection/call-run.ts';
import type { Redaction } from '../../exchange-live/connection/redaction.ts';
import { isPassing } from '../../exchange-live/connection/retry.ts';
import { Secret } from '../../exchange-live/connection/secret.ts';
import {
  type HeldToken,
  Session,
  type SessionEvent,
  type SessionFailure,
  type SessionReply,
} from '../../exchange-live/connection/session.ts';
import type { WireReply } from '../../exchange-live/connection/transport.ts';
import type { Clock } from '../../time/clock.ts';
import { type Credentials, TIMEOUTS } from './client-options.ts';
import { CERT_LOGIN, KEEP_ALIVE, LOGIN } from './hosts.ts';
import { loginProof } from './login-statuses.ts';
import { jsonOf } from './verdict.ts';

export type IdentityPath = typeof CERT_LOGIN | typeof LOGIN | typeof KEEP_ALIVE;

export interface IdentityReply {
  readonly status: string;
  readonly token: string | undefined;
}

/** A session lives up to a day since its last keepAlive, and half a day by older pages (profile section 1). */
const SESSION_MS = 12 * 3_600_000;
const KEEP_ALIVE_EVERY_MS = 20 * 60_000;

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly credentials: Credentials;
  /** Every new token is added to it, so that no outcome or event shows one. */
  readonly redaction: Redaction;
  readonly ask: (path: IdentityPath, token: string | undefined) => Observable<CallOutcome<IdentityReply>>;
  readonly skewMs: () => number | undefined;
  readonly onEvent: (event: SessionEvent) => void;
}

export function openSession(options: SessionOptions): Session<HeldToken> {
  const { clock, random, credentials, redaction, ask, skewMs, onEvent } = options;
  const held = (outcome: CallOutcome<IdentityReply>): SessionReply<HeldToken> => {
    const token = outcome.kind === 'answered' ? outcome.answer.token : undefined;
    if (token === undefined) return loginFailure(outcome);
    redaction.add(token);
    const expiresAt = clock.now() + SESSION_MS;
    const value = new Secret(token);
    return { kind: 'held', token: { value, expiresAt, renewableUntil: expiresAt, skewMs: skewMs() } };
  };
  return new Session({
    ...{ clock, random, onEvent },
    open: () => ask(credentials.certificate === undefined ? LOGIN : CERT_LOGIN, undefined).pipe(map(held)),
    renew: ({ value }) => ask(KEEP_ALIVE, value.reveal()).pipe(map(held)),
    renewAfterMs: (lifetimeMs) => Math.min(lifetimeMs / 2, KEEP_ALIVE_EVERY_MS),
  });
}

/** The headers of every request but those with a token: names and values alternate. */
export function headersWith(appKey: string, contentType: string): string[] {
  const own = ['X-Application', appKey, 'user-agent', 'oddsmith'];
  return ['accept', 'application/json', 'content-type', contentType, ...own];
}

/** Without a session no cancellation can be sent, so opening one has the priority of one. */
export function identityPlan(
  { appKey, username, password }: Credentials,
  path: IdentityPath,
  token: string | undefined,
): CallPlan<string> {
  const form = token === undefined ? { username, password } : {};
  const headers = headersWith(appKey, 'application/x-www-form-urlencoded');
  return {
    ...{ operation: path.slice(path.lastIndexOf('/') + 1), effect: 'reads', priority: 'cancel', mayLeave: undefined },
    request: { method: 'POST', path, headers, body: new URLSearchParams(form).toString() },
    timeoutMs: TIMEOUTS.requestMs,
    authorization: token,
    tokenHeaders: (value) => ['X-Authentication', value],
    verdict: identityVerdict,
  };
}

/** The certificate's login has words of its own for the same. */
function identityVerdict(reply: WireReply): Verdict {
  const failed = (code: 'NOT_SENT' | 'CONNECTION_LOST' | 'BAD_ANSWER', details: string): Verdict => ({
    outcome: { kind: 'failed', code, details, mayHaveActed: false },
    // Too many logins are banned: another try of one that may have arrived is for the session to decide.
    mayRepeat: code === 'NOT_SENT',
  });
  if (reply.kind === 'unsent') return failed('NOT_SENT', reply.details);
  if (reply.kind === 'lost') return failed('CONNECTION_LOST', reply.details);
  if (reply.kind === 'garbled') return failed('BAD_ANSWER', reply.details);
  if (reply.status >= 300) {
    const title = `status ${reply.status}`;
    const refusal = { status: reply.status, title, details: [], isOwn: false, mayHaveActed: false };
    return { outcome: { kind: 'refused', ...refusal }, mayRepeat: isPassing(reply.status) };
  }
  const value = jsonOf(reply.body);
  const status = isObject(value) ? (value['loginStatus'] ?? value['status']) : undefined;
  if (!isObject(value) || typeof status !== 'string') return failed('BAD_ANSWER', 'it has no status');
  const token = value['sessionToken'] ?? value['token'];
  const { error } = value;
  const why = typeof error === 'string' && error !== '' ? error : status;
  const isGiven = status === 'SUCCESS' && typeof token === 'string' && token !== '';
  const answer: IdentityReply = { status: isGiven ? status : why, token: isGiven ? token : undefined };
  return { outcome: { kind: 'answered', answer }, mayRepeat: false };
}

/** Too many logins are banned for so long, ms (profile section 1). */
const BAN_MS = 20 * 60_000;
/** A login that was refused for good stays refused until a person acts, and a wrong password that is tried again locks the account. */
const FINAL_MS = 24 * 3_600_000;

function loginFailure(outcome: CallOutcome<IdentityReply>): SessionFailure {
  if (outcome.kind !== 'answered') {
    const { details } = failureOf(outcome);
    const code = outcome.kind === 'failed' ? outcome.code : 'BAD_ANSWER';
    return { kind: 'failed', code, details };
  }
  const { status: details } = outcome.answer;
  switch (loginProof(details)) {
    case 'passing':
      return { kind: 'failed', code: 'CONNECTION_LOST', details };
    case 'banned':
      // Nothing is wrong with the key: it is waited for, as for an exchange that is away.
      return { kind: 'failed', code: 'NO_SESSION', details, waitMs: BAN_MS };
    case 'final':
      return { kind: 'failed', code: 'NO_SESSION', details, status: REFUSED, waitMs: FINAL_MS, isFinal: true };
  }
}

/** The status by which a refusal of our name or password is known to our own parts. */
const REFUSED = 401;
