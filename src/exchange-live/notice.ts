/** What the live gateway tells of itself besides the feed: faults at the edge, and orders that are not this run's. */

export type GatewayNotice =
  /** A reading failed; it is tried again in its turn. */
  | { readonly kind: 'readFailed'; readonly what: string; readonly code: string; readonly details: string }
  /** Part of what came makes no sense: it was left out, or read as the more careful of what it may mean. */
  | { readonly kind: 'unreadable'; readonly what: string; readonly details: string }
  /** An order in one of our wallets that this run did not place: of another run, or of another program. */
  | { readonly kind: 'stray'; readonly order: string; readonly wallet: string; readonly reference: string | undefined }
  /** Markets that are to be followed by name and that the exchange does not show: what is held in them stays untold. */
  | { readonly kind: 'notFound'; readonly markets: readonly string[] }
  /**
   * The budget for polling does not suffice for the prices of all markets as often as they should be read, or suffices
   * again (`isStretched` false): each is read within so many ms now. Told once for each change.
   */
  | {
      readonly kind: 'pollingStretched';
      readonly isStretched: boolean;
      readonly everyMs: number;
      readonly urgentMs: number;
    }
  /** Subscriptions beyond the stream's limits: these ids are read over REST alone. */
  | { readonly kind: 'notStreamed'; readonly what: string; readonly ids: readonly string[] }
  /** A winning market whose commission was not posted in time is told without it. */
  | { readonly kind: 'commissionUnproven'; readonly market: string; readonly wallet: string };
