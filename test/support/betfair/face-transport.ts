/** A transport whose other end is the Betfair face, on a simulated clock: answers take their time, and may be lost. */

import type { Sending, Transport, WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { BetfairFace } from '../../../src/sandbox-betfair/face/betfair-face.ts';
import type { Clock } from '../../../src/time/clock.ts';

/** What becomes of a request: it is carried out, or not, and something else than the answer comes back. */
export interface Struck {
  readonly isCarriedOut: boolean;
  /** `silence`: nothing comes. Absent: the face's answer. */
  readonly reply?: WireReply | 'silence';
  /** What is carried out instead. */
  readonly request?: WireRequest;
  /** What becomes of the text of the answer. */
  readonly answer?: (text: string) => string;
}

export interface FaceTransportParts {
  readonly face: BetfairFace;
  readonly clock: Clock;
  /** The way to the face, and the way back, ms. */
  readonly wayMs?: number;
  readonly strike?: (request: WireRequest) => Struck | undefined;
}

export class FaceTransport implements Transport {
  readonly sent: WireRequest[] = [];
  readonly #parts: FaceTransportParts;

  constructor(parts: FaceTransportParts) {
    this.#parts = parts;
  }

  send(request: WireRequest, onReply: (reply: WireReply) => void): Sending {
    const { face, clock, wayMs = 5, strike } = this.#parts;
    this.sent.push(request);
    const struck = strike?.(request);
    let isCancelled = false;
    const deliver = (reply: WireReply) =>
      clock.schedule(() => {
        if (!isCancelled) onReply(reply);
      }, wayMs);
    clock.schedule(() => {
      if (struck?.isCarriedOut !== false)
        face.answer(faceRequest(struck?.request ?? request)).subscribe(({ status, text }) => {
          if (struck?.reply === undefined)
            deliver({
              kind: 'reply',
              status,
              body: struck?.answer?.(text) ?? text,
              date: new Date(clock.now()).toUTCString(),
            });
        });
      if (typeof struck?.reply === 'object') deliver(struck.reply);
    }, wayMs);
    return {
      hasBegun: true,
      cancel: () => {
        isCancelled = true;
      },
    };
  }

  async close(): Promise<void> {}
}

export function faceRequest({ method, path, headers, body = '' }: WireRequest) {
  const header = (name: string) => {
    const at = headers.indexOf(name);
    return at < 0 ? undefined : headers[at + 1];
  };
  const authentication = header('X-Authentication');
  return { method, path, body, application: header('X-Application'), authentication, hasCertificate: true };
}

/** The operation that a request calls; its path where it is none. */
export function operationIn({ path, body = '' }: WireRequest): string {
  return /"method":"[A-Za-z]+\/v1\.0\/(\w+)"/.exec(body)?.[1] ?? path;
}
