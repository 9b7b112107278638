/** A network on a simulated clock: each request is answered as a script says, after a time, or never. */

import type { Transport, WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';

export interface Sent {
  /** Since the start of the test, ms. */
  readonly afterMs: number;
  readonly request: WireRequest;
}

export interface ScriptedTransport extends Transport {
  readonly sent: readonly Sent[];
  readonly cancelled: number;
  /** Undefined: no answer ever comes. `number` counts requests from 1. */
  script: (number: number) => WireReply | undefined;
}

export const OK: WireReply = { kind: 'reply', status: 200, body: 'ok' };

export function scriptedTransport(clock: SimulatedClock, tookMs = 20): ScriptedTransport {
  const startedAt = clock.now();
  const sent: Sent[] = [];
  const transport = {
    sent,
    cancelled: 0,
    script: (_number: number): WireReply | undefined => OK,
    send(request: WireRequest, onReply: (reply: WireReply) => void) {
      sent.push({ afterMs: clock.now() - startedAt, request });
      const reply = transport.script(sent.length);
      const answering = reply === undefined ? undefined : clock.schedule(() => onReply(reply), tookMs);
      return {
        hasBegun: true,
        cancel: () => {
          transport.cancelled += 1;
          answering?.unsubscribe();
        },
      };
    },
    close: () => Promise.resolve(),
  };
  return transport;
}
