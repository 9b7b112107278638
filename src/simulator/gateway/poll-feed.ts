/** Simulates polling: between two polls the bot knows what the last one returned, and nothing newer. */

import type { FeedMessage, MarketCause } from '../../exchange/gateway.ts';
import type { SimulatedClock } from '../../time/simulated-clock.ts';
import type { ReplayMarket } from '../replay/replay-market.ts';
import { PolledMarket } from './polled-market.ts';

/** Polls happen at whole multiples of the interval; a poll that could see nothing new is skipped. */
export class PollFeed {
  readonly #clock: SimulatedClock;
  readonly #everyMs: number;
  readonly #emit: (message: FeedMessage) => void;
  readonly #polled = new Map<ReplayMarket, PolledMarket>();
  readonly #changed = new Map<ReplayMarket, MarketCause>();
  /** Markets whose window ended since the last poll. */
  readonly #ending = new Set<ReplayMarket>();
  #waiting: FeedMessage[] = [];
  #isScheduled = false;

  constructor(clock: SimulatedClock, everyMs: number, emit: (message: FeedMessage) => void) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#emit = emit;
  }

  /** Notes that the market changed: the next poll will show it. */
  changed(market: ReplayMarket, cause: MarketCause): void {
    const before = this.#changed.get(market);
    if (cause === 'windowEnds') this.#ending.add(market);
    else if (before === undefined || before === 'prices') this.#changed.set(market, cause);
    // A market is freed right after it closed, so its last state is copied now.
    if (market.status === 'Closed') this.#of(market).refresh();
    this.#schedule();
  }

  /** Holds a message about orders, wallets or results back until the next poll, which reads them too. */
  holdBack(message: FeedMessage): void {
    this.#waiting.push(message);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // At the very instant of a change, a poll might come just before or just after it; it is taken to come before.
    const due = (Math.floor(this.#clock.now() / this.#everyMs) + 1) * this.#everyMs;
    this.#clock.at(due, () => this.#poll());
  }

  #poll(): void {
    this.#isScheduled = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    const changed = this.#takeChanged();
    for (const [market] of changed) if (market.status !== 'Closed') this.#of(market).refresh();
    for (const message of waiting) this.#emit(this.#polledMessage(message));
    for (const [market, cause] of changed) {
      this.#emit({ kind: 'market', market: this.#of(market), cause });
      if (market.status === 'Closed') this.#polled.delete(market);
    }
  }

  /** What changed, in the order in which it did. A market that was listed and whose window ended since is shown twice. */
  #takeChanged(): readonly (readonly [ReplayMarket, MarketCause])[] {
    const changed = [...this.#changed].filter(([market, cause]) => cause === 'listed' || !this.#ending.has(market));
    const ending = [...this.#ending].map((market) => [market, 'windowEnds'] as const);
    this.#changed.clear();
    this.#ending.clear();
    return [...changed, ...ending];
  }

  #polledMessage(message: FeedMessage): FeedMessage {
    if (message.kind !== 'settled') return message;
    const market = [...this.#polled.values()].find(({ index }) => index === message.market.index) ?? message.market;
    return { ...message, market };
  }

  #of(market: ReplayMarket): PolledMarket {
    const known = this.#polled.get(market);
    if (known !== undefined) return known;
    const polled = new PolledMarket(market);
    this.#polled.set(market, polled);
    return polled;
  }
}
