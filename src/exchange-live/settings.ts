/** The settings of a live gateway: wallets, markets, how often each feed is read, and timeouts. */

import { assert } from '../core/checks/assert.ts';

/** The settings of a gateway that trades. */
export interface TradingSettings {
  /** The ids of the run's wallets; the index of each is its number in the port. */
  readonly wallets: readonly string[];
  /** The currency of the markets and of the wallets' balances. */
  readonly currency: string;
  /** Which markets are followed; `follow` adds others. */
  readonly watch: MarketWatch;
  /**
   * The run's own name: order `client` is placed under the reference `<prefix>-<strategy>-<client>`. No other run may use it. A
   * restart of the same run uses it again and continues the numbers.
   */
  readonly referencePrefix: string;
  /** The strategies' names, by the port's index. */
  readonly strategies: readonly string[];
  /** How each feed is read: `markets` (facts and states), `prices`, `orders` and `wallets`. */
  readonly feeds: {
    readonly markets: FeedChoice;
    readonly prices: PricesChoice;
    readonly orders: FeedChoice;
    readonly wallets: FeedChoice;
  };
  /** Whether results count what others bet in the wallets, since the run adopts it. Results of a BetDEX wallet always do. */
  readonly countsOthers?: boolean;
  /** Calls a second, in the long run, that repeated readings may take. Adaptive polling requires it. */
  readonly pollsPerSecond?: number;
  /** Waiting times; `TIMEOUTS` where nothing speaks against them. */
  readonly timeouts: Timeouts;
}

/** The settings that following markets needs. */
export interface WatchSettings {
  readonly currency: string;
  readonly watch: MarketWatch;
  readonly feeds: { readonly markets: FeedChoice; readonly prices: PricesChoice };
  /**
   * Calls a second, in the long run, that repeated readings may take: the rest of the client's budget is kept for orders,
   * cancels and heartbeats. Adaptive polling requires it and keeps to it.
   */
  readonly pollsPerSecond?: number;
  readonly timeouts: Pick<Timeouts, 'resultEveryMs'>;
}

/** What an exchange with very many markets selects by as well. */
export interface WideWatch extends MarketWatch {
  /** Ids of sports. */
  readonly eventTypeIds?: readonly string[];
  /** Two letters by ISO 3166. */
  readonly countries?: readonly string[];
  readonly venues?: readonly string[];
  /** Markets that start within this time from now, ms, or have started. */
  readonly startsWithinMs?: number;
}

/** Selects markets that match all of the given lists; without any list, every market of the currency. */
export interface MarketWatch {
  /** Ids of markets. */
  readonly marketIds?: readonly string[];
  /** Ids of events: all their markets. */
  readonly eventIds?: readonly string[];
  /** Market types, such as `WIN`. */
  readonly marketTypeIds?: readonly string[];
}

/**
 * `poll` reads over REST every `everyMs`. `stream` applies changes as they are streamed and also reads over REST every
 * `rereadMs`. Where the stream numbers nothing, as that of BetDEX, it cannot show that it lost something, and what is
 * streamed makes nothing fresher: the feed's message `read`, and `freshAt` and `statusFreshAt` of a market, move on with REST
 * readings alone, so that `rereadMs` must be shorter than the freshness that is required of the feed.
 */
export type FeedChoice =
  | { readonly kind: 'poll'; readonly everyMs: number }
  | { readonly kind: 'stream'; readonly rereadMs: number };

/**
 * Each market is read every `urgentMs` while it is urgent, and every `everyMs` otherwise. A market is urgent if it is in play,
 * if it is within `nearOffMs` of its lock or of its event's expected start, or if an order of ours in it is live, being placed
 * or of unknown fate. If the budget (`pollsPerSecond`) does not suffice, both times are stretched, `urgentMs` last, and a
 * notice reports it. Freshness: the feed's message `read` gives the moment since which every market was read, so it is at most
 * about `everyMs` old; each market's `updatedAt` is when its prices came, and `freshAt` since when they are known to be
 * current.
 */
export interface AdaptiveChoice {
  readonly kind: 'adaptive';
  /** How often a market is read that is not urgent, ms. */
  readonly everyMs: number;
  /** How often an urgent market is read, ms; at most `everyMs`. */
  readonly urgentMs: number;
  /** How long before its lock or start a market becomes urgent, ms. */
  readonly nearOffMs: number;
}
/** How prices are read: polled, streamed, or polled more often where it matters. */
export type PricesChoice = FeedChoice | AdaptiveChoice;

/** Waiting times and timeouts, all in ms. */
export interface Timeouts {
  /** Time for the answer to a new order, in addition to the market's in-play delay. */
  readonly placeTimeoutMs: number;
  /** How long after its deadline and the in-play delay a lost order may still appear. */
  readonly absenceMs: number;
  /** Time between two look-ups of an order of unknown fate. */
  readonly lookUpEveryMs: number;
  /** Time between look-ups of an order that was proven absent, as long as its market is not over. */
  readonly absentEveryMs: number;
  /** Time between readings of markets that have a result, which may still change. */
  readonly resultEveryMs: number;
  /** How long after a settlement its commission may be posted. */
  readonly commissionMs: number;
}

/** The waiting times that live runs use. */
export const TIMEOUTS: Timeouts = {
  placeTimeoutMs: 10_000,
  absenceMs: 5_000,
  lookUpEveryMs: 5_000,
  absentEveryMs: 60_000,
  resultEveryMs: 60_000,
  commissionMs: 5_000,
};

/** Throws an AssertionFailure if the settings make no sense. Code that takes settings from a user validates them before. */
export function checkTradingSettings(settings: TradingSettings): void {
  const { wallets, timeouts } = settings;
  assert(wallets.length > 0 && new Set(wallets).size === wallets.length, 'a gateway has wallets, each once');
  checkWatch(settings);
  for (const ms of Object.values(timeouts)) checkTime(ms);
}

/** Checks the settings for following markets. Throws an AssertionFailure if they make no sense. */
export function checkWatch({ watch, feeds, pollsPerSecond }: WatchSettings): void {
  const selected: readonly unknown[] = Object.values(watch);
  for (const ids of selected) assert(!Array.isArray(ids) || ids.length > 0, 'an empty list watches nothing');
  for (const feed of Object.values<PricesChoice>(feeds)) {
    checkTime(readEveryMs(feed));
    if (feed.kind !== 'adaptive') continue;
    checkTime(feed.urgentMs);
    assert(feed.urgentMs <= feed.everyMs, 'urgent markets are read as often as others at least');
    assert(feed.nearOffMs >= 0, 'nearness to the off is a time');
    assert(pollsPerSecond !== undefined && pollsPerSecond > 0, 'adaptive polling needs a budget');
  }
}

function checkTime(ms: number): void {
  assert(ms > 0 && Number.isFinite(ms), `no time: ${ms} ms`);
}

/** How often a feed reads over REST, ms. */
export function readEveryMs(feed: PricesChoice): number {
  return feed.kind === 'stream' ? feed.rereadMs : feed.everyMs;
}
