/** A REST client on a simulated clock in front of a scripted exchange that handles sessions. */

import type { CallInput } from '../../../src/betdex/client/call.ts';
import type { ClientEvent } from '../../../src/betdex/client/client-event.ts';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import type { RestClientOptions } from '../../../src/betdex/client/rest-options.ts';
import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { CallOutcome } from '../../../src/exchange-live/connection/call-outcome.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { problem, replied, type Scripted, ScriptedTransport, type Sent } from './scripted-transport.ts';
import { RIGHT_KEY, TokenOffice } from './token-office.ts';

export const START = Date.UTC(2026, 2, 24, 14, 45, 1);

export interface StageSettings {
  readonly options?: Partial<RestClientOptions>;
  readonly accessMs?: number;
  readonly refreshMs?: number;
  /** The exchange's clock is ahead of ours by this many ms. */
  readonly skewMs?: number;
  readonly sendsDate?: boolean;
  /** Answers requests other than session requests; unless `isOpen`, only those with a valid token. */
  readonly script?: (request: Sent, count: number) => Scripted;
  /** Answers any request before everything else, if it returns a reply. */
  readonly before?: (request: Sent) => Scripted | undefined;
}

export interface Stage {
  readonly clock: SimulatedClock;
  readonly client: RestClient;
  readonly transport: ScriptedTransport;
  readonly office: TokenOffice;
  readonly events: ClientEvent[];
  /** The requests other than session requests. */
  readonly sent: () => readonly Sent[];
  /** Subscribes to a call and returns the list to which its outcomes are added. */
  readonly call: <O extends Operation>(operation: O, input: CallInput<O>) => CallOutcome<unknown>[];
  readonly run: (ms: number) => void;
}

export const EMPTY_CATEGORIES = { _meta: { _primary_document: 'categories', _count: 0 }, categories: [] };

export function stage(settings: StageSettings = {}): Stage {
  const { options = {}, accessMs = 1_800_000, refreshMs = 604_800_000, skewMs = 0, sendsDate = true } = settings;
  const clock = new SimulatedClock(START);
  const office = new TokenOffice({ accessMs, refreshMs, sendsDate, now: () => clock.now() + skewMs });
  const events: ClientEvent[] = [];
  const sent: Sent[] = [];
  const transport = new ScriptedTransport(clock, (request) => {
    const before = settings.before?.(request);
    if (before !== undefined) return before;
    const session = office.answer(request);
    if (session !== undefined) return { reply: session };
    sent.push(request);
    if (!office.takes(request.token)) return { reply: problem(401) };
    return settings.script?.(request, sent.length) ?? { reply: replied(200, EMPTY_CATEGORIES) };
  });
  const client = new RestClient(
    {
      baseUrl: 'http://stub.invalid',
      credentials: { appId: 'app-1', apiKey: RIGHT_KEY },
      clock,
      random: Random.fromSeed(7),
      onEvent: (event) => events.push(event),
      ...options,
    },
    transport,
  );
  const call = <O extends Operation>(operation: O, input: CallInput<O>) => {
    const outcomes: CallOutcome<unknown>[] = [];
    client.call(operation, input).subscribe((outcome) => outcomes.push(outcome));
    return outcomes;
  };
  return {
    clock,
    client,
    transport,
    office,
    events,
    sent: () => sent,
    call,
    run: (ms) => clock.runUntil(clock.now() + ms),
  };
}
