/** The named choices of the counterfactual replay: what a recording cannot tell, decided here and nowhere else. */

/**
 * Which answer a lane gives. The three belong to one flow of orders and hold
 * pessimistic ≤ central ≤ optimistic matched stake for every order (law 5).
 *
 * - `pessimistic`: all recorded stake at our price is ahead of us at all times, later arrivals included, and only
 *   trades fill us; recorded stake that would cross us is reserved and fills nobody.
 * - `central`: we joined behind what rested then, and the cancellations rule says how far we moved up.
 * - `optimistic`: nobody is ever ahead of us.
 */
export type FillBound = 'pessimistic' | 'central' | 'optimistic';

/**
 * Where, seen from our order, the stake stood that left a level without a trade (central only).
 *
 * - `pro-rata`: evenly over the queue, rounded against us. The tape does not say who cancelled, so nobody is favoured.
 * - `ahead`: in front of us first: an upper bound of what cancellations can do for us.
 * - `behind`: behind us first: a lower bound.
 */
export type CancellationRule = 'pro-rata' | 'ahead' | 'behind';

/**
 * Traded volume beyond the stake displayed at its price (24 % of trades, 7 % of volume, measured in play).
 * `through-queue`: it passes the queue at its price like any other, since someone did trade there, and an order of
 * ours standing there had priority over stake that was never displayed.
 */
export type HiddenVolumeRule = 'through-queue';

/**
 * What a last price alone does, for recordings without ladders and volume (grade C).
 *
 * - `ignored`: nothing. Without volume nobody can say how much would have matched.
 * - `through`: a last price strictly beyond an order's price fills it whole, in the central and the optimistic lane.
 *   Crude: it knows no queue and no volume, and such fills are outside the volume bound that the others keep.
 */
export type LastPriceRule = 'ignored' | 'through';

/**
 * Whether our own orders may match each other.
 *
 * - `meet`: as on the exchange: a taker of ours meets resting orders of ours in their turn.
 * - `pass`: they do not. For a lane that follows the order flow of another: an order that was filled there is never
 *   cancelled here, and what would cross it here is an artefact of the frozen flow, not a trade anybody wanted. With
 *   `meet`, the pessimistic answer would hold fills that the central one does not have.
 */
export type OwnOrdersRule = 'meet' | 'pass';

export interface FillRules {
  readonly bound: FillBound;
  readonly cancellations: CancellationRule;
  readonly hiddenVolume: HiddenVolumeRule;
  readonly lastPrice: LastPriceRule;
  readonly ownOrders: OwnOrdersRule;
}

/** The rules of one lane where nothing is configured. */
export function defaultFillRules(bound: FillBound): FillRules {
  return { bound, cancellations: 'pro-rata', hiddenVolume: 'through-queue', lastPrice: 'ignored', ownOrders: 'meet' };
}

/*
 * Fixed choices, all lanes alike:
 *
 * - Displaced crowd: where a trade fills us, the crowd stake that it filled on tape is taken as gone with it: the
 *   level falls as recorded. The other reading (it stays and fills later) would need a second, invented history.
 * - Trade side: the side that displayed stake at the price before the message; else the side on which we stand at or
 *   through it. Should a broken recording display both sides, the larger stake (Against when equal).
 * - Refill: a traded level that the message does not set again has the stake it had: what the trade took came back as
 *   new stake, which may cross our orders like any increase.
 * - Paused (suspended, or not open): nothing fills. The recording goes on: queues move up, levels rise. Stake that
 *   crosses us then is met when the market resumes, after the resuming message's own changes, since what such a
 *   message takes away was not there to be matched. (The pessimistic lane, which fills nobody, reserves it at once.)
 * - In-play switch and removal: no rule. The exchange withdraws our orders; the recording takes the crowd's stake
 *   away or leaves it, level by level, and what we ate of a level goes with the level.
 * - Settlement: `OverlayLane.release` forgets what was eaten; nothing is reserved afterwards.
 */
