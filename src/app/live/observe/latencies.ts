/** How long things take in a running daemon, as histograms for Prometheus, all on the run's own clock. */

import { Histogram, type Registry } from 'prom-client';
import type { MarketState } from '../../../core/market-state.ts';
import type { JournalRecord } from '../../../core/run/journal.ts';
import { FEED_NAMES, type FeedMessage } from '../../../exchange/gateway.ts';
import type { TimedCall } from '../../../exchange-live/adapter/edge-event.ts';

/** Seconds. What is slower than the last is counted there: a deadline has passed then. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const FEED_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const LAG_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const ACKNOWLEDGED = ['placed', 'failed'] as const;
/** Every order is answered for, by a failure at least: more than this are never under way. */
const UNDER_WAY_MAX = 10_000;

export class Latencies {
  readonly #requests: Histogram<'request' | 'outcome'>;
  readonly #acknowledgements: Histogram<'outcome'>;
  readonly #feeds: Histogram<'feed'>;
  readonly #lag: Histogram;
  /** When the decision was made that led to each order whose answer has not come. */
  readonly #decidedAt = new Map<number, number>();
  /** Since when the prices of each market are known to be as they are, ms. Markets that the run has forgotten are forgotten here. */
  readonly #freshAt = new WeakMap<MarketState, number>();

  constructor(registry: Registry) {
    const made = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: readonly number[]) =>
      new Histogram<L>({
        name: `oddsmith_${name}`,
        help,
        labelNames: [...labelNames],
        buckets: [...buckets],
        registers: [registry],
      });
    this.#requests = made(
      'request_seconds',
      'From a call of the exchange to its outcome, waiting and repeats included.',
      ['request', 'outcome'],
      REQUEST_BUCKETS,
    );
    this.#acknowledgements = made(
      'decision_to_acknowledgement_seconds',
      'From a decision to the answer to its order.',
      ['outcome'],
      REQUEST_BUCKETS,
    );
    this.#feeds = made(
      'feed_delay_seconds',
      'From publishing (streamed prices) or asking (readings) until processed.',
      ['feed'],
      FEED_BUCKETS,
    );
    this.#lag = made('loop_lag_seconds', 'How late a timer fired.', [], LAG_BUCKETS);
    for (const outcome of ACKNOWLEDGED) this.#acknowledgements.zero({ outcome });
    for (const feed of FEED_NAMES) this.#feeds.zero({ feed });
  }

  call({ request, outcome, ms }: TimedCall): void {
    this.#requests.observe({ request, outcome }, seconds(ms));
  }

  lag(ms: number): void {
    this.#lag.observe(seconds(ms));
  }

  /** `at` is when the step was made that wrote the record: for an order, the one that decided it. */
  record(at: number, record: JournalRecord): void {
    if (record.kind === 'sent') this.#sent(record.client, at);
    else if (record.kind === 'replied' && record.request === 'place')
      for (const client of record.clients) this.#answered(client, at, record.outcome);
  }

  /** Called when the bot has processed the message. */
  message(message: FeedMessage, now: number): void {
    if (message.kind === 'market') {
      const { market, cause } = message;
      if (cause === 'prices') this.#prices(market, now);
    } else if (message.kind === 'read' && message.feed !== 'prices')
      this.#feeds.observe({ feed: message.feed }, seconds(now - message.at));
  }

  #sent(client: number, at: number): void {
    if (this.#decidedAt.size < UNDER_WAY_MAX) this.#decidedAt.set(client, at);
  }

  #answered(client: number, at: number, outcome: string): void {
    const decidedAt = this.#decidedAt.get(client);
    if (decidedAt === undefined) return;
    this.#decidedAt.delete(client);
    this.#acknowledgements.observe({ outcome: outcome === 'placed' ? 'placed' : 'failed' }, seconds(at - decidedAt));
  }

  /** A snapshot that shows nothing new says when prices were published long ago, and nothing about how long they took. */
  #prices(market: MarketState, now: number): void {
    const freshAt = market.freshAt ?? market.updatedAt;
    const before = this.#freshAt.get(market);
    this.#freshAt.set(market, freshAt);
    if (before !== undefined && freshAt > before) this.#feeds.observe({ feed: 'prices' }, seconds(now - freshAt));
  }
}

/** Clocks that differ a little can make a time negative. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1_000;
}
