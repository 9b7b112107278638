/** Opens and renews sessions with the exchange. */

import { map, type Observable } from 'rxjs';
import { instantFromWire } from '../../codec/instants.ts';
import type { Random } from '../../core/number/random.ts';
import { type CallOutcome, NOT_OWN } from '../../exchange-live/connection/call-outcome.ts';
import type { Redaction } from '../../exchange-live/connection/redaction.ts';
import { Secret } from '../../exchange-live/connection/secret.ts';
import {
  type HeldToken,
  Session,
  type SessionEvent,
  type SessionFailure,
  type SessionReply,
} from '../../exchange-live/connection/session.ts';
import { lifetimeMs, renewAfterMs, skewMs } from '../../exchange-live/connection/token-lifetime.ts';
import type { Clock } from '../../time/clock.ts';
import type { AnswerOf, CallInput } from './call.ts';

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

export interface SessionAnswer {
  readonly outcome: CallOutcome<AnswerOf<SessionOperation>>;
  /** The answer's Date header, in ms since 1970. */
  readonly date: number | undefined;
}

export interface SessionOptions {
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
  ) => Observable<SessionAnswer>;
  readonly onEvent: (event: SessionEvent) => void;
}

interface Held extends HeldToken {
  readonly refresh: Secret;
}

export function openSession({ clock, random, credentials, redaction, ask, onEvent }: SessionOptions): Session<Held> {
  const asked = (send: () => Observable<SessionAnswer>): Observable<SessionReply<Held>> => {
    const askedAt = clock.now();
    return send().pipe(map((answer) => heldFrom(answer, { askedAt, now: clock.now(), redaction })));
  };
  const { appId, apiKey, walletId } = credentials;
  const body = walletId === undefined ? { appId, apiKey } : { appId, apiKey, walletId };
  return new Session({
    ...{ clock, random, onEvent, renewAfterMs },
    open: () => asked(() => ask('createSession', { body }, undefined)),
    renew: ({ refresh, value }) =>
      asked(() => ask('refreshSession', { body: { refreshToken: refresh.reveal() } }, value.reveal())),
  });
}

function heldFrom(
  { outcome, date }: SessionAnswer,
  { askedAt, now, redaction }: { readonly askedAt: number; readonly now: number; readonly redaction: Redaction },
): SessionReply<Held> {
  if (outcome.kind === 'failed') return { kind: 'failed', code: outcome.code, details: outcome.details };
  if (outcome.kind === 'refused') return refused(outcome);
  const [session] = outcome.answer.sessions;
  const access = instantFromWire(session?.accessExpiresAt);
  const refresh = instantFromWire(session?.refreshExpiresAt);
  if (session === undefined || access.kind === 'faults' || refresh.kind === 'faults')
    return { kind: 'failed', code: 'BAD_ANSWER', details: 'the answer holds no session' };
  redaction.add(session.accessToken);
  redaction.add(session.refreshToken);
  return {
    kind: 'held',
    token: {
      value: new Secret(session.accessToken),
      refresh: new Secret(session.refreshToken),
      expiresAt: now + lifetimeMs(access.value, now, date),
      renewableUntil: now + lifetimeMs(refresh.value, now, date),
      skewMs: date === undefined ? undefined : skewMs(date, { askedAt, answeredAt: now }),
    },
  };
}

/**
 * The state after a refusal. One that does not come from the exchange itself says nothing about our key, which may be right.
 */
function refused(outcome: CallOutcome<unknown> & { readonly kind: 'refused' }): SessionFailure {
  const details = [`${outcome.status} ${outcome.title}`, ...outcome.details].join('; ');
  if (!outcome.isOwn) return { kind: 'failed', code: 'BAD_ANSWER', details: `${details} (${NOT_OWN})` };
  return { kind: 'failed', code: 'NO_SESSION', details, status: outcome.status };
}
