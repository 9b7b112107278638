/** What the live gateway reports besides the feed: faults, and orders that this run did not place. */

/** A notice by its `kind`. `what` and `details` are texts for people. */
export type GatewayNotice =
  /** A reading failed, for the reason in `code`; it is repeated at its next turn. */
  | { readonly kind: 'readFailed'; readonly what: string; readonly code: string; readonly details: string }
  /** Part of the data makes no sense: it was left out, or read as the more careful of its possible meanings. */
  | { readonly kind: 'unreadable'; readonly what: string; readonly details: string }
  /** A foreign `order`, in one of our wallets (`wallet` and `order` are the exchange's ids), under this `reference`: one that this run did not place, but another run or another program. */
  | {
      readonly kind: 'foreignOrder';
      readonly order: string;
      readonly wallet: string;
      readonly reference: string | undefined;
    }
  /** `markets`: those that are followed by name and that the exchange does not show: what the run holds in them cannot be reported. */
  | { readonly kind: 'notFound'; readonly markets: readonly string[] }
  /**
   * The polling budget no longer allows reading the prices of all markets as often as the settings ask (`isStretched`), or
   * allows it again. While it is stretched, each market is read within `everyMs` at the latest, urgent ones within `urgentMs`;
   * else these are as often as the settings ask. Emitted once for each change.
   */
  | {
      readonly kind: 'pollingStretched';
      readonly isStretched: boolean;
      readonly everyMs: number;
      readonly urgentMs: number;
    }
  /** By readings, so many `levels` of the prices of a `market` changed between `from` and `to` (ms on our clock), and the stream did not tell. */
  | {
      readonly kind: 'streamGap';
      readonly market: string;
      readonly from: number;
      readonly to: number;
      readonly levels: number;
    }
  /** The exchange shows this session prices of a while ago alone, and lets it place nothing. Emitted once. */
  | { readonly kind: 'delayedPrices' }
  /** Subscriptions beyond the stream's limits: these `ids` are read over REST alone. */
  | { readonly kind: 'notStreamed'; readonly what: string; readonly ids: readonly string[] }
  /** The result of a winning `market` for a `wallet` (the exchange's ids) is reported without its commission, which was not posted in time. */
  | { readonly kind: 'commissionUnproven'; readonly market: string; readonly wallet: string };
