/** The client of the exchange's REST API: `call` sends a request to any endpoint of the table. */

import { Observable } from 'rxjs';
import { type Instant, instant } from '../../core/number/units.ts';
import { Budget } from '../../exchange-live/connection/budget.ts';
import type { CallFaultCode, CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import { type CallParts, type CallPlan, CallRun, type Settle } from '../../exchange-live/connection/call-run.ts';
import { PoolTransport } from '../../exchange-live/connection/pool-transport.ts';
import type { Priority } from '../../exchange-live/connection/priority.ts';
import { Redaction } from '../../exchange-live/connection/redaction.ts';
import type { Secret } from '../../exchange-live/connection/secret.ts';
import type { Token } from '../../exchange-live/connection/session.ts';
import type { Transport } from '../../exchange-live/connection/transport.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';
import type { Reading } from './answer-reader.ts';
import type { AnswerOf, CallInput, LenientCaller } from './call.ts';
import { type AnyInput, callText } from './call-text.ts';
import type { ClientEvent } from './client-event.ts';
import { effectOf, priorityOf } from './operation-facts.ts';
import { secretsIn } from './request-secrets.ts';
import {
  ANSWER_MAX,
  assertDurations,
  DEFAULT_BUDGET,
  DEFAULT_CONNECTIONS,
  DEFAULT_KEEP_ALIVE_MS,
  DEFAULT_RETRY,
  DEFAULT_TIMEOUTS,
  type RestClientOptions,
} from './rest-options.ts';
import { openSession, type SessionAnswer } from './session.ts';
import { verdictOn } from './verdict.ts';

/** The outcome of asking for an access token. */
export type AccessOutcome =
  /** `token`: its `reveal()` is the text to send to the exchange, valid until `expiresAt` (ms UTC on our clock). */
  | {
      readonly kind: 'granted';
      readonly token: Secret;
      readonly expiresAt: Instant;
      /**
       * Our clock was ahead of the exchange's by at least this many ms when the token was given; negative if it was behind,
       * undefined if unknown.
       */
      readonly skewMs: number | undefined;
    }
  /** There is none: `code` says why, `details` is a text for people. `status`: HTTP status of the exchange's refusal, if it refused. */
  | { readonly kind: 'failed'; readonly code: CallFaultCode; readonly details: string; readonly status?: number };

/**
 * A client for one app. All its calls share one session, one request budget and one pool of connections.
 *
 * @example
 * const client = new RestClient({
 *   baseUrl: 'http://127.0.0.1:8640',
 *   credentials: { appId: 'my-app', apiKey: process.env['API_KEY'] ?? '' },
 *   clock: wallClock,
 *   random: Random.fromSeed(1),
 * });
 * client.call('listMarkets', { query: { statuses: ['Open'] } }).subscribe((outcome) => {
 *   if (outcome.kind === 'answered') console.log(outcome.answer.markets.map(({ name }) => name));
 *   else console.error(outcome.details);
 * });
 */
export class RestClient {
  readonly #parts: CallParts<Operation>;
  readonly #session: ReturnType<typeof openSession>;
  readonly #prefix: string;
  readonly #runs = new Set<CallRun<Operation>>();
  #isClosed = false;

  /**
   * `transport` replaces the network in tests.
   * @throws TypeError where `baseUrl` is not a URL, AssertionFailure for times that cannot be
   */
  constructor(options: RestClientOptions, transport?: Transport) {
    const { baseUrl, proxy, credentials, clock, random, connections = DEFAULT_CONNECTIONS } = options;
    const { origin, pathname } = new URL(baseUrl);
    this.#prefix = pathname.replace(/\/+$/, '');
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    const retry = { ...DEFAULT_RETRY, ...options.retry };
    assertDurations({ ...timeouts, ...retry });
    const onEvent = (event: ClientEvent) => this.#announce(event, options);
    const redaction = new Redaction();
    redaction.add(credentials.apiKey);
    this.#parts = {
      transport:
        transport ??
        new PoolTransport({
          origin,
          ...(proxy === undefined ? {} : { proxy }),
          clock,
          connections,
          connectTimeoutMs: timeouts.connectMs,
          keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
          answerMax: ANSWER_MAX,
        }),
      budget: new Budget(clock, { ...DEFAULT_BUDGET, ...options.budget }, connections),
      clock,
      random,
      timeouts,
      retry,
      redaction,
      onEvent,
    };
    this.#session = openSession({
      clock,
      random,
      credentials,
      redaction,
      ask: (operation, input, token) => this.#ask(operation, input, token),
      onEvent,
    });
  }

  /**
   * Calls an endpoint. Emits one outcome and completes; failures are outcomes too. Cold: each subscription is a separate call,
   * sent on subscription and answered later. Unsubscribing gives the call up, but does not undo what was already sent. An answer that lacks
   * anything that its type promises is a failure, `BAD_ANSWER`.
   */
  call<O extends Operation>(operation: O, input: CallInput<O>): Observable<CallOutcome<AnswerOf<O>>> {
    return this.#run<AnswerOf<O>>(this.#plan(operation, input, 'strict'));
  }

  /**
   * The same calls, for a program that must go on beside one odd document: each document of an answer is read by itself. A field that the gateway can
   * do without may be absent, and a document that could not be read stands as an `Unreadable` in its list.
   *
   * @example
   * client.lenient.call('listMarkets', { query: { statuses: ['Open'] } }).subscribe((outcome) => {
   *   if (outcome.kind !== 'answered') return;
   *   const { read, unreadable } = sortedOut(outcome.answer.markets);
   *   console.log(read.map(({ id, lockAt }) => `${id} ${lockAt ?? ''}`), unreadable.map(({ faults }) => faults));
   * });
   */
  readonly lenient: LenientCaller = {
    reading: 'lenient',
    call: (operation, input) => this.#run(this.#plan(operation, input, 'lenient')),
  };

  /** Gets an access token for the stream, with a good part of its life still ahead. Emits one outcome and completes. */
  accessToken(): Observable<AccessOutcome> {
    return new Observable((subscriber) => {
      const settle = (outcome: AccessOutcome) => {
        subscriber.next(outcome);
        subscriber.complete();
      };
      if (this.#isClosed) {
        const closed = { kind: 'failed', code: 'CLOSED', details: 'the client was closed' } as const;
        return this.#parts.clock.schedule(() => settle(closed));
      }
      const token = this.#session.freshToken();
      if (token !== undefined) return this.#parts.clock.schedule(() => settle(granted(token)));
      return this.#session.whenOpen((state) => settle(state.kind === 'failed' ? state : granted(state.token)));
    });
  }

  /**
   * By how many ms our clock is at least ahead of the exchange's, measured when the newest token was given; negative if it is
   * behind, undefined if unknown.
   */
  get skewMs(): number | undefined {
    return this.#session.skewMs;
  }

  /** Ends all calls under way as `CLOSED` and closes the connections. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#session.close();
    for (const run of [...this.#runs]) run.close();
    this.#parts.budget.close();
    await this.#parts.transport.close();
  }

  #plan(operation: Operation, input: PlanInput, reading: Reading, token?: string): CallPlan<Operation> {
    const endpoint: Endpoint = ENDPOINTS[operation];
    const timeoutMs = input.timeoutMs ?? this.#parts.timeouts.requestMs;
    assertDurations({ timeoutMs });
    for (const secret of secretsIn(input.body)) this.#parts.redaction.add(secret);
    const { method, path, body } = callText(operation, input, this.#prefix);
    const headers = ['accept', 'application/json', 'user-agent', 'oddsmith'];
    if (body !== undefined) headers.push('content-type', 'application/json');
    const effect = effectOf(operation);
    return {
      ...{ operation, effect, timeoutMs, mayLeave: input.mayLeave },
      request: { method, path, headers, ...(body !== undefined && { body }) },
      priority: input.priority ?? priorityOf(operation),
      authorization: endpoint.open ? token : this.#session,
      tokenHeaders: (value) => ['authorization', `Bearer ${value}`],
      verdict: (reply) => verdictOn(operation, effect, reply, reading),
    };
  }

  #run<A>(plan: CallPlan<Operation>): Observable<CallOutcome<A>> {
    return new Observable((subscriber) =>
      this.#start(plan, (outcome) => {
        // The outcome was read by the schema of this operation, so it has this operation's type.
        subscriber.next(outcome as CallOutcome<A>);
        subscriber.complete();
      }),
    );
  }

  #ask(operation: 'createSession' | 'refreshSession', input: PlanInput, token: string | undefined) {
    const plan = this.#plan(operation, input, 'strict', token);
    return new Observable<SessionAnswer>((subscriber) =>
      this.#start(plan, (outcome, date) => {
        subscriber.next({ outcome: outcome as SessionAnswer['outcome'], date });
        subscriber.complete();
      }),
    );
  }

  /** Starts a call and returns the function that cancels it. */
  #start(plan: CallPlan<Operation>, settle: Settle): () => void {
    const run = new CallRun(this.#parts, plan, (outcome, date) => {
      this.#runs.delete(run);
      settle(outcome, date);
    });
    this.#runs.add(run);
    if (this.#isClosed) this.#parts.clock.schedule(() => run.close());
    else run.start();
    return () => {
      this.#runs.delete(run);
      run.cancel();
    };
  }

  /** Reports an event after the current work, so that an exception in the listener cannot break a call. */
  #announce(event: ClientEvent, { onEvent, clock }: RestClientOptions): void {
    if (onEvent !== undefined) clock.schedule(() => onEvent(event));
  }
}

type PlanInput = AnyInput & {
  readonly priority?: Priority;
  readonly timeoutMs?: number;
  readonly mayLeave?: () => boolean;
};

function granted({ value, expiresAt, skewMs }: Token): AccessOutcome {
  return { kind: 'granted', token: value, expiresAt: instant(expiresAt), skewMs };
}
