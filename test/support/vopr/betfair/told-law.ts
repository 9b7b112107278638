/** No order is approved on prices older than the run may trade on, whoever told them: an answer, or what the stream proves. */

import type { WireReply, WireRequest } from '../../../../src/exchange-live/connection/transport.ts';
import type { FaceScenario } from './face-scenario.ts';

/** The bot's clock counts whole milliseconds. */
const ROUNDING_MS = 2;

export class ToldLaw {
  readonly #oldestMs: number;
  readonly #isStreamed: boolean;
  /** By market: when the newest prices that the living process was given in an answer were made. */
  readonly #answered = new Map<string, number>();
  /** When the newest line about prices was sent that the living process read. */
  #streamedAt = Number.NEGATIVE_INFINITY;
  /** The least time, ms, that a line was on its way: no clock of ours can tell it from a difference of the clocks. */
  #quickestMs = Number.POSITIVE_INFINITY;

  constructor({ limits, bot, feeds }: Pick<FaceScenario, 'limits' | 'bot' | 'feeds'>) {
    this.#oldestMs = Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, bot.freshness.prices);
    this.#isStreamed = feeds.prices.kind === 'stream';
  }

  heard(operation: string, { body = '{}' }: WireRequest, reply: WireReply, madeAt: number): void {
    if (operation !== 'listMarketBook' || reply.kind !== 'reply' || reply.status !== 200) return;
    const { params = {} } = JSON.parse(body);
    if ((params.priceProjection?.priceData ?? []).length === 0) return;
    for (const market of params.marketIds ?? [])
      this.#answered.set(market, Math.max(madeAt, this.#answered.get(market) ?? madeAt));
  }

  /** A connection that is slow tells what was so when the line was sent. */
  heardLine(line: string, sentAt: number, now: number): void {
    // The status 503 says that the exchange is late itself.
    const proves = line.includes('"op":"mcm"') && !line.includes('"status":503');
    if (!this.#isStreamed || !proves) return;
    this.#streamedAt = Math.max(this.#streamedAt, sentAt);
    this.#quickestMs = Math.min(this.#quickestMs, now - sentAt);
  }

  died(): void {
    this.#answered.clear();
    this.#streamedAt = Number.NEGATIVE_INFINITY;
  }

  /** What is wrong with an order approved now. */
  broken(market: string, now: number): string | undefined {
    const answeredMs = now - (this.#answered.get(market) ?? Number.NEGATIVE_INFINITY);
    const streamedMs = now - this.#streamedAt;
    const ageMs = Math.min(answeredMs, streamedMs);
    const isFresh = answeredMs <= this.#oldestMs + ROUNDING_MS;
    if (isFresh || streamedMs <= this.#oldestMs + ROUNDING_MS + this.#quickestMs) return undefined;
    return `an order is approved in market ${market} on prices ${ageMs} ms old; at most ${this.#oldestMs}`;
  }
}
