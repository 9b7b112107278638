/** Sends single requests to one service, each with a time limit on the run's clock. */

import type { Subscription } from 'rxjs';
import { PoolTransport } from '../../../exchange-live/connection/pool-transport.ts';
import type { Transport, WireRequest } from '../../../exchange-live/connection/transport.ts';
import type { Clock } from '../../../time/clock.ts';
import { outcomeOf, type PostOutcome, timedOut } from './post-outcome.ts';

export interface PosterParts {
  readonly clock: Clock;
  readonly transport: Transport;
  /** Removed from the words of others, who may repeat what was sent to them. */
  readonly privateWords: readonly string[];
}

/** The longest time from the first byte to the last of an answer. */
const POST_MS = 10_000;
const CONNECT_MS = 5_000;
/** A connection is not kept for long: alerts are rare. */
const KEEP_ALIVE_MS = 4_000;
/** Bytes; services answer with a few. */
const ANSWER_MAX = 1_000_000;

export class Poster {
  readonly #parts: PosterParts;
  /** The longest first, since one may be the beginning of another. */
  readonly #words: readonly string[];

  constructor(parts: PosterParts) {
    this.#parts = parts;
    this.#words = [...new Set(parts.privateWords)].sort((one, other) => other.length - one.length);
  }

  /** `onOutcome` is called once, and never before this returns. Returns a function that gives the request up. */
  post(request: WireRequest, onOutcome: (outcome: PostOutcome) => void): () => void {
    const { clock, transport } = this.#parts;
    let limit: Subscription | undefined;
    const settle = (outcome: PostOutcome): void => {
      limit?.unsubscribe();
      onOutcome(outcome);
    };
    const clean = (text: string): string => this.#clean(text);
    const sending = transport.send(request, (reply) => settle(outcomeOf(reply, clock.now(), clean)));
    limit = clock.schedule(() => {
      sending.cancel();
      settle(timedOut(POST_MS));
    }, POST_MS);
    return () => {
      limit?.unsubscribe();
      sending.cancel();
    };
  }

  #clean(text: string): string {
    return this.#words.reduce((cleaned, word) => cleaned.replaceAll(word, '[secret]'), text);
  }

  async close(): Promise<void> {
    await this.#parts.transport.close();
  }
}

export function transportTo(origin: string, clock: Clock): Transport {
  return new PoolTransport({
    origin,
    clock,
    connections: 1,
    connectTimeoutMs: CONNECT_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    answerMax: ANSWER_MAX,
  });
}
