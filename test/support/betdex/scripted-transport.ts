/** A transport without a network: replies are scripted and take their time on a simulated clock. */

import type { Sending, Transport, WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';

export interface Sent extends WireRequest {
  readonly at: number;
  readonly token: string | undefined;
  isCancelled: boolean;
}

/** `silence`: the request begins and no reply comes. `stuck`: the request does not even begin. */
export type Scripted = { readonly afterMs?: number; readonly reply: WireReply | 'silence' | 'stuck' };

export class ScriptedTransport implements Transport {
  readonly sent: Sent[] = [];
  isClosed = false;
  readonly #clock: SimulatedClock;
  readonly #script: (request: Sent) => Scripted;

  constructor(clock: SimulatedClock, script: (request: Sent) => Scripted) {
    this.#clock = clock;
    this.#script = script;
  }

  /** Method and path of everything that was sent, in order. */
  get lines(): readonly string[] {
    return this.sent.map(({ method, path }) => `${method} ${path}`);
  }

  send(request: WireRequest, onReply: (reply: WireReply) => void): Sending {
    const at = request.headers.indexOf('authorization');
    const token = at < 0 ? undefined : request.headers[at + 1]?.replace('Bearer ', '');
    const sent: Sent = { ...request, at: this.#clock.now(), token, isCancelled: false };
    this.sent.push(sent);
    const { afterMs = 10, reply } = this.#script(sent);
    if (typeof reply === 'object')
      this.#clock.schedule(() => {
        if (!sent.isCancelled) onReply(reply);
      }, afterMs);
    return {
      hasBegun: reply !== 'stuck',
      cancel: () => {
        sent.isCancelled = true;
      },
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

export function replied(
  status: number,
  body: unknown,
  headers: { retryAfter?: string; date?: string; contentType?: string } = {},
): WireReply {
  return { kind: 'reply', status, body: typeof body === 'string' ? body : JSON.stringify(body), ...headers };
}

export function problem(status: number, headers: { retryAfter?: string } = {}): WireReply {
  return replied(status, { title: `problem ${status}`, details: ['because'] }, headers);
}
