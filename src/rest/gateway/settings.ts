/** What a live gateway is told about its run: whose money, which markets, how often, and how patient it is. */

import { assert } from '../../core/assert.ts';

export interface GatewaySettings {
  readonly appId: string;
  /** The ids of the run's wallets; their index is the port's wallet. */
  readonly wallets: readonly string[];
  /** Of the markets and of the wallets' balances. */
  readonly currency: string;
  readonly watch: MarketWatch;
  /** The run's own name: order `client` is placed under the reference `<prefix>-<client>`. Never use one twice. */
  readonly referencePrefix: string;
  /** The app's default where absent. */
  readonly commissionRateId?: string;
  readonly feeds: {
    readonly markets: FeedChoice;
    readonly prices: FeedChoice;
    readonly orders: FeedChoice;
    readonly wallets: FeedChoice;
  };
  readonly margins: Margins;
}

/** The part of the settings that following markets needs. */
export interface WatchSettings {
  readonly currency: string;
  readonly watch: MarketWatch;
  readonly feeds: { readonly markets: FeedChoice; readonly prices: FeedChoice };
  readonly margins: Pick<Margins, 'resultEveryMs'>;
}

/** Markets that all of the given lists allow; without any list, every market of the currency. */
export interface MarketWatch {
  readonly marketIds?: readonly string[];
  readonly eventIds?: readonly string[];
  readonly marketTypeIds?: readonly string[];
}

/**
 * `poll` reads over REST every so often. `stream` hears of changes as they happen and reads over REST all the same, now
 * and then, because the stream numbers nothing and so cannot show that it lost something.
 */
export type FeedChoice =
  | { readonly kind: 'poll'; readonly everyMs: number }
  | { readonly kind: 'stream'; readonly rereadMs: number };

export interface Margins {
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

export const MARGINS: Margins = {
  placeTimeoutMs: 10_000,
  absenceMs: 5_000,
  lookUpEveryMs: 5_000,
  absentEveryMs: 60_000,
  resultEveryMs: 60_000,
  commissionMs: 5_000,
};

/** A reference stands in a path, and `/` and `\` are refused there (profile section 2). */
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Throws an AssertionFailure: whoever reads settings from a user checks them before. */
export function checkSettings({ appId, wallets, watch, referencePrefix, feeds, margins }: GatewaySettings): void {
  assert(appId !== '', 'a gateway has an app');
  assert(wallets.length > 0 && new Set(wallets).size === wallets.length, 'a gateway has wallets, each once');
  checkWatch(watch);
  assert(PREFIX.test(referencePrefix), `no reference prefix: ${referencePrefix}`);
  const everyMs = Object.values(feeds).map((feed) => (feed.kind === 'poll' ? feed.everyMs : feed.rereadMs));
  for (const ms of [...everyMs, ...Object.values(margins)]) assert(ms > 0 && Number.isFinite(ms), `no time: ${ms} ms`);
}

/** The same of the markets watched. */
export function checkWatch(watch: MarketWatch): void {
  for (const ids of Object.values(watch)) assert(ids === undefined || ids.length > 0, 'an empty list watches nothing');
}

/** How often a feed reads over REST. */
export function readEveryMs(feed: FeedChoice): number {
  return feed.kind === 'poll' ? feed.everyMs : feed.rereadMs;
}
