/** The named choices of the counterfactual replay: what a recording cannot tell, decided here and nowhere else. */

/**
 * Which answer a lane gives. The five belong to one flow of orders, and while none of them meets another of the flow, their
 * matched stakes are ordered as they stand here, for every order (law 5).
 *
 * - `lowest`: what is barely conceivable: all recorded stake at our price is ahead of us at all times, later arrivals included,
 *   and only trades fill us.
 * - `pessimistic`: first in, first out: we joined behind what rested then, and all that was cancelled stood behind us.
 * - `central`: the same, and the cancellation rule says how far we moved up.
 * - `optimistic`: the same, and all that was cancelled stood ahead of us.
 * - `highest`: nobody is ever ahead of us.
 */
export type FillBound = 'lowest' | 'pessimistic' | 'central' | 'optimistic' | 'highest';

/**
 * Where in the queue of its price an order of ours stands.
 *
 * - `last`: behind all recorded stake, also behind what arrives later.
 * - `in-turn`: behind what rested on its arrival, ahead of what arrives later.
 * - `first`: ahead of all.
 */
export type QueueRule = 'last' | 'in-turn' | 'first';

/**
 * What recorded stake does whose price crosses an order of ours: on the exchange it would have met us.
 *
 * - `fills`: it does.
 * - `reserved`: it fills nobody, and takers of ours do not find it either.
 */
export type CrossingRule = 'fills' | 'reserved';

/**
 * Where, seen from our order, the stake stood that left a level without a trade. The tape does not say who cancelled.
 *
 * - `pro-rata`: evenly over the queue, rounded against us: nobody is favoured.
 * - `ahead`: in front of us first: an upper bound of what cancellations can do for us.
 * - `behind`: behind us first: a lower bound.
 * - `log`, `{ power }`: the share f(ahead) ÷ (f(ahead) + f(behind)) of it in front of us, where f(x) is log(1 + x), x in units of
 *   the currency, or x to a power in quarters. A power of 1 is `pro-rata`; below, the smaller part of the queue loses more than
 *   its share, above less.
 */
export type CancellationRule = 'pro-rata' | 'ahead' | 'behind' | 'log' | { readonly power: number };

/**
 * Which side an order's own size is counted for, where it shifts its place in the queue (`marginOfSize`).
 *
 * - `ignored`: neither.
 * - `against-us`: the first stake that reaches the order is that of others.
 * - `for-us`: it joins so much further in front.
 */
export type SizeRule = 'ignored' | 'against-us' | 'for-us';

/**
 * When, within the time that a message sums up, an order of ours arrived. A message tells of what happened since the one before it,
 * and an order that arrives in between may have come after all of that.
 *
 * - `at-once`: before all that the next message tells.
 * - `after-next`: after it: its trades passed us by, and what rests after it is ahead of us.
 */
export type ArrivalRule = 'at-once' | 'after-next';

/**
 * What comes back of crowd stake that we matched with.
 *
 * - `never`: nothing, until the level falls below what is left of it: what was recorded later at the price is the stake we took.
 * - `next-change`: all, once the recording next sets the level: others quoted anew there.
 * - `{ halfLifeMs }`: half of what is missing in each such time.
 */
export type RefillRule = 'never' | 'next-change' | { readonly halfLifeMs: number };

/**
 * What stake is worth that the source showed once and shows no more, where it shows the best few levels of each side: a better
 * level pushed it out of the window, and nobody says what became of it. Sources that show all levels have none.
 *
 * - `never`: it is not there. Only levels in the window are matched.
 * - `always`: it is there as it was shown last, until the window covers its price again.
 * - `{ maxAgeMs }`: it is there for so long after it left the window, and then not.
 */
export type OutOfSightRule = 'never' | 'always' | { readonly maxAgeMs: number };

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
 * - `through`: a last price strictly beyond an order's price fills it whole, where what crosses fills at all. Crude: it knows
 *   no queue and no volume, and such fills are outside the volume bound that the others keep.
 */
export type LastPriceRule = 'ignored' | 'through';

/**
 * Whether our own orders may match each other.
 *
 * - `meet`: as on the exchange: a taker of ours meets resting orders of ours in their turn.
 * - `pass`: they do not. For a lane that follows the order flow of another: an order that was filled there is never
 *   cancelled here, and what would cross it here is an artefact of the frozen flow, not a trade anybody wanted. With
 *   `meet`, the answers below the central one would hold fills that it does not have.
 */
export type OwnOrdersRule = 'meet' | 'pass';

export interface FillRules {
  readonly bound: FillBound;
  readonly queue: QueueRule;
  readonly crossing: CrossingRule;
  readonly cancellations: CancellationRule;
  readonly size: SizeRule;
  readonly arrival: ArrivalRule;
  readonly refill: RefillRule;
  readonly levelsOutOfSight: OutOfSightRule;
  readonly hiddenVolume: HiddenVolumeRule;
  readonly lastPrice: LastPriceRule;
  readonly ownOrders: OwnOrdersRule;
}

type OfBound = Pick<FillRules, 'queue' | 'crossing' | 'size' | 'arrival'>;

const OF_BOUND: Readonly<Record<FillBound, OfBound>> = {
  lowest: { queue: 'last', crossing: 'reserved', size: 'against-us', arrival: 'after-next' },
  pessimistic: { queue: 'in-turn', crossing: 'fills', size: 'against-us', arrival: 'after-next' },
  central: { queue: 'in-turn', crossing: 'fills', size: 'ignored', arrival: 'at-once' },
  optimistic: { queue: 'in-turn', crossing: 'fills', size: 'for-us', arrival: 'at-once' },
  highest: { queue: 'first', crossing: 'fills', size: 'ignored', arrival: 'at-once' },
};

/** The rules of a bound. `cancellations` are the central answer's: the bounds around it know their own. */
export function fillRulesOf(bound: FillBound, cancellations: CancellationRule = 'pro-rata'): FillRules {
  const below = bound === 'lowest' || bound === 'pessimistic';
  return {
    bound,
    ...OF_BOUND[bound],
    cancellations: bound === 'central' ? cancellations : below ? 'behind' : 'ahead',
    refill: 'never',
    levelsOutOfSight: 'always',
    hiddenVolume: 'through-queue',
    lastPrice: 'ignored',
    ownOrders: 'meet',
  };
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
 *   message takes away was not there to be matched. (Where it is reserved, that happens at once.)
 * - In-play switch and removal: no rule. The exchange withdraws our orders; the recording takes the crowd's stake
 *   away or leaves it, level by level, and what we ate of a level goes with the level.
 * - Settlement: `OverlayLiquidity.release` forgets what was eaten; nothing is reserved afterwards.
 */
