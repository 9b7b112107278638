/** What a live gateway is told about its run: whose money, which markets, how often, and how patient it is. */

import { assert } from '../core/checks/assert.ts';

export interface TradingSettings {
  /** The ids of the run's wallets; their index is the port's wallet. */
  readonly wallets: readonly string[];
  /** Of the markets and of the wallets' balances. */
  readonly currency: string;
  readonly watch: MarketWatch;
  /**
   * The run's own name: order `client` is placed under the reference `<prefix>-<strategy>-<client>`. Another run never
   * uses it; a restart of the same run does, and goes on counting.
   */
  readonly referencePrefix: string;
  /** Names by the port's strategy. */
  readonly strategies: readonly string[];
  readonly feeds: {
    readonly markets: FeedChoice;
    readonly prices: PricesChoice;
    readonly orders: FeedChoice;
    readonly wallets: FeedChoice;
  };
  readonly pollsPerSecond?: number;
  readonly timeouts: Timeouts;
}

/** The part of the settings that following markets needs. */
export interface WatchSettings {
  readonly currency: string;
  readonly watch: MarketWatch;
  readonly feeds: { readonly markets: FeedChoice; readonly prices: PricesChoice };
  /**
   * Calls a second, in the long run, that reading everything again and again may take: what the client's budget holds
   * beyond them is kept for orders, cancels and heartbeats. Adaptive polling needs it and keeps to it.
   */
  readonly pollsPerSecond?: number;
  readonly timeouts: Pick<Timeouts, 'resultEveryMs'>;
}

/** Markets that all of the given lists allow; without any list, every market of the currency. */
export interface MarketWatch {
  readonly marketIds?: readonly string[];
  readonly eventIds?: readonly string[];
  readonly marketTypeIds?: readonly string[];
}

/**
 * `poll` reads over REST every so often. `stream` hears of changes as they happen and reads over REST all the same, now
 * and then, because the stream numbers nothing and so cannot show that it lost something. For the same reason a stream
 * that is alive proves nothing: the feed's message `read` comes of the readings over REST alone, so that `rereadMs` must
 * be shorter than whatever freshness of that feed is asked for.
 */
export type FeedChoice =
  | { readonly kind: 'poll'; readonly everyMs: number }
  | { readonly kind: 'stream'; readonly rereadMs: number };

/**
 * Each market is read every `urgentMs` while it is urgent, and every `everyMs` else. Urgent is one in play, one within
 * `nearOffMs` of its lock or of its event's expected start, and one in which an order of ours is live, under way or of
 * unknown fate. Where the budget (`pollsPerSecond`) does not suffice, both stretch, `urgentMs` last, and a notice says
 * so. Freshness: the feed's message `read` tells the moment since which every market was read, so that it is about
 * `everyMs` old at most; each market's own `updatedAt` tells when its prices came, `freshAt` since when they are known to be so.
 */
export interface AdaptiveChoice {
  readonly kind: 'adaptive';
  readonly everyMs: number;
  readonly urgentMs: number;
  readonly nearOffMs: number;
}
export type PricesChoice = FeedChoice | AdaptiveChoice;

export interface Timeouts {
  /** For the answer to a new order, on top of the market's in-play delay. */
  readonly placeTimeoutMs: number;
  /** How long after its deadline and the in-play delay an order that was lost may still appear. */
  readonly absenceMs: number;
  /** Between two look-ups of an order of unknown fate. */
  readonly lookUpEveryMs: number;
  /** Between look-ups of an order already taken for absent, as long as its market is not over. */
  readonly absentEveryMs: number;
  /** Between readings of markets that are over, whose result may still change. */
  readonly resultEveryMs: number;
  /** How long after a settlement its commission may be posted. */
  readonly commissionMs: number;
}

export const TIMEOUTS: Timeouts = {
  placeTimeoutMs: 10_000,
  absenceMs: 5_000,
  lookUpEveryMs: 5_000,
  absentEveryMs: 60_000,
  resultEveryMs: 60_000,
  commissionMs: 5_000,
};

/** Throws an AssertionFailure: whoever reads settings from a user checks them before. */
export function checkTradingSettings(settings: TradingSettings): void {
  const { wallets, timeouts } = settings;
  assert(wallets.length > 0 && new Set(wallets).size === wallets.length, 'a gateway has wallets, each once');
  checkWatch(settings);
  for (const ms of Object.values(timeouts)) checkTime(ms);
}

/** The same of the part that following markets needs. */
export function checkWatch({ watch, feeds, pollsPerSecond }: WatchSettings): void {
  for (const ids of Object.values(watch)) assert(ids === undefined || ids.length > 0, 'an empty list watches nothing');
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

/** How often a feed reads over REST. */
export function readEveryMs(feed: PricesChoice): number {
  return feed.kind === 'stream' ? feed.rereadMs : feed.everyMs;
}
