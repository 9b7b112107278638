/** The client of Betfair's API: one login for all its calls, and JSON-RPC over few connections. */

import { defer, map, Observable, of, tap } from 'rxjs';
import type { Frozen } from '../../codec/notation.ts';
import type { EdgeEvent } from '../../exchange-live/adapter/edge-event.ts';
import { timedCall } from '../../exchange-live/adapter/timed-call.ts';
import { Budget } from '../../exchange-live/connection/budget.ts';
import type { CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import { type CallParts, type CallPlan, CallRun, type Settle } from '../../exchange-live/connection/call-run.ts';
import { Redaction } from '../../exchange-live/connection/redaction.ts';
import type { HeldToken, Session, SessionState } from '../../exchange-live/connection/session.ts';
import { skewMs } from '../../exchange-live/connection/token-lifetime.ts';
import type { Transport } from '../../exchange-live/connection/transport.ts';
import { API_PATHS } from '../wire/envelope.ts';
import { OPERATIONS, type Operation, type Params } from '../wire/operations.ts';
import { weightOf } from '../wire/weights.ts';
import { type AnswerOf, type BetfairCaller, type CallOptions, effectOf, kindOf, priorityOf } from './call.ts';
import { type BetfairClientOptions, BUDGET, CONNECTIONS, RETRY, TIMEOUTS } from './client-options.ts';
import { ConcurrentCalls } from './concurrent-calls.ts';
import { hostsTransport } from './hosts.ts';
import { headersWith, type IdentityPath, type IdentityReply, identityPlan, openSession } from './login.ts';
import { loginAdvice } from './login-statuses.ts';
import { Transactions } from './transactions.ts';
import { verdictOn } from './verdict.ts';

export class BetfairClient implements BetfairCaller {
  readonly transactions: Transactions;
  readonly #options: BetfairClientOptions;
  readonly #parts: CallParts<string>;
  readonly #session: Session<HeldToken>;
  readonly #concurrent = new ConcurrentCalls();
  readonly #runs = new Set<CallRun<string>>();
  #calls = 0;
  #skewMs: number | undefined;
  #isClosed = false;
  #heaviest = 0;

  /** `transport` replaces the network in tests. */
  constructor(options: BetfairClientOptions, transport?: Transport) {
    const { credentials, clock, random, url, authority, proxy } = options;
    this.#options = options;
    this.transactions = new Transactions(clock);
    const redaction = new Redaction();
    for (const secret of [credentials.password, credentials.appKey]) redaction.add(secret);
    const hosts = { clock, url, authority, proxy, certificate: credentials.certificate, connections: CONNECTIONS };
    this.#parts = {
      ...{ clock, random, redaction, timeouts: { ...TIMEOUTS, ...options.timeouts } },
      transport: transport ?? hostsTransport(hosts),
      budget: new Budget(clock, { ...BUDGET, ...options.budget }, CONNECTIONS),
      retry: { ...RETRY, ...options.retry },
      onEvent: (event) => this.#announce(event),
    };
    this.#session = openSession({
      ...{ clock, random, credentials, redaction },
      ask: (path, token) => this.#ask(path, token),
      skewMs: () => this.#skewMs,
      onEvent: (event) => {
        if (event.kind !== 'sessionFailed') return this.#announce(event);
        const { status, ...told } = event;
        const { isFinal, details } = told;
        const named = isFinal === true ? `${details}. ${loginAdvice(details)}` : details;
        this.#announce({ ...told, details: named, isRefused: status !== undefined });
      },
    });
  }

  call<O extends Operation>(
    operation: O,
    params: Frozen<Params<O>>,
    options: CallOptions = {},
  ): Observable<CallOutcome<AnswerOf<O>>> {
    this.#heaviest = Math.max(this.#heaviest, weightOf(operation, params));
    const run$ = new Observable<CallOutcome<AnswerOf<O>>>((subscriber) =>
      this.#start(this.#plan(operation, params, options), (outcome) => {
        // The outcome was read by the schema of this operation, so it has this operation's type.
        subscriber.next(outcome as CallOutcome<AnswerOf<O>>);
        subscriber.complete();
      }),
    );
    return timedCall(this.#concurrent.limited(operation, params, run$), {
      request: kindOf(operation),
      clock: this.#parts.clock,
      onCall: (call) => this.#announce(call),
    }).pipe(tap((outcome) => this.transactions.noteOutcome(operation, outcome)));
  }

  /** The weight of the heaviest request of data. */
  get heaviest(): number {
    return this.#heaviest;
  }

  /** Opens a session, or finds out why none can be had. */
  access(): Observable<SessionState> {
    return new Observable((subscriber) =>
      this.#session.whenOpen((state) => {
        subscriber.next(state);
        subscriber.complete();
      }),
    );
  }

  /**
   * The token of the session, for the stream: another one where the exchange did not take the last (`isRefused`). Fails where none can be had.
   */
  token(isRefused: boolean): Observable<string> {
    return defer(() => {
      const held = this.#session.token();
      if (isRefused && held !== undefined) this.#session.rejected(held);
      const token = this.#session.token();
      if (token !== undefined) return of(token.value.reveal());
      return this.access().pipe(
        map((state) => {
          if (state.kind === 'open') return state.token.value.reveal();
          // The stream treats it as a session that could not be had, and tries again.
          throw new Error(state.details);
        }),
      );
    });
  }

  /** By how many ms our clock is at least ahead of the exchange's, by its newest answer; negative if it is behind. */
  get skewMs(): number | undefined {
    return this.#skewMs;
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

  #plan<O extends Operation>(operation: O, params: Frozen<Params<O>>, options: CallOptions): CallPlan<string> {
    const { api } = OPERATIONS[operation];
    this.#calls += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', method: `${api}/v1.0/${operation}`, params, id: this.#calls });
    const effect = options.effect ?? effectOf(operation);
    const { appKey } = this.#options.credentials;
    return {
      ...{
        operation,
        effect,
        timeoutMs: options.timeoutMs ?? this.#parts.timeouts.requestMs,
        mayLeave: options.mayLeave,
      },
      request: { method: 'POST', path: API_PATHS[api].rpc, headers: headersWith(appKey, 'application/json'), body },
      priority: options.priority ?? priorityOf(operation),
      authorization: this.#session,
      tokenHeaders: (token) => ['X-Authentication', token],
      verdict: (reply) => verdictOn(operation, effect, reply),
    };
  }

  /** A login or a keepAlive: the form is empty where the session says who we are. */
  #ask(path: IdentityPath, token: string | undefined): Observable<CallOutcome<IdentityReply>> {
    return new Observable((subscriber) =>
      this.#start(identityPlan(this.#options.credentials, path, token), (outcome) => {
        subscriber.next(outcome as CallOutcome<IdentityReply>);
        subscriber.complete();
      }),
    );
  }

  /** Starts a call and returns the function that cancels it. */
  #start(plan: CallPlan<string>, settle: (outcome: CallOutcome<unknown>) => void): () => void {
    const { clock } = this.#parts;
    const askedAt = clock.now();
    const settled: Settle = (outcome, date) => {
      this.#runs.delete(run);
      if (date !== undefined) this.#skewMs = skewMs(date, { askedAt, answeredAt: clock.now() });
      settle(outcome);
    };
    const run = new CallRun(this.#parts, plan, settled);
    this.#runs.add(run);
    if (this.#isClosed) clock.schedule(() => run.close());
    else run.start();
    return () => {
      this.#runs.delete(run);
      run.cancel();
    };
  }

  /** Reports an event after the current work, so that an exception in the listener cannot break a call. */
  #announce(event: EdgeEvent): void {
    const { clock, onEvent } = this.#options;
    if (onEvent !== undefined) clock.schedule(() => onEvent(event));
  }
}
