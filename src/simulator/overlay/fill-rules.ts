/** The named choices of the counterfactual replay: what a recording cannot tell is decided here and nowhere else. */

/**
 * The fill models, as bounds of what can have happened. Of the same orders, while none of them meets another one, their
 * matched stakes are ordered as listed here, for every order that no other one was before on its side of its outcome
 * (law 5): what an earlier one matched, which differs by bound, decides what a later one finds before it.
 *
 * - `lowest`: what is barely conceivable: all recorded stake at our price is ahead of us at all times, later arrivals
 *   included, and only trades fill us.
 * - `pessimistic`: first in, first out: we joined behind the stake that rested then, and all that was cancelled stood
 *   behind us.
 * - `central`: first in, first out, and the cancellation rule says how far we moved up.
 * - `optimistic`: first in, first out, and all that was cancelled stood ahead of us.
 * - `highest`: no recorded stake is ever ahead of us.
 */
export type FillBound = 'lowest' | 'pessimistic' | 'central' | 'optimistic' | 'highest';

/**
 * Where an order of ours stands in the queue of its price.
 *
 * - `last`: behind all recorded stake, also behind stake that arrives later.
 * - `in-turn`: behind what rested on its arrival, ahead of what arrives later.
 * - `first`: ahead of all recorded stake.
 */
export type QueueRule = 'last' | 'in-turn' | 'first';

/**
 * What happens to recorded stake whose price crosses an order of ours. On the exchange it would have matched us.
 *
 * - `fills`: it fills our order.
 * - `reserved`: it fills no order, and takers of ours do not find it either.
 */
export type CrossingRule = 'fills' | 'reserved';

/**
 * Where stake that left a level without a trade stood, seen from our order. The tape does not say who cancelled.
 *
 * - `pro-rata`: evenly over the queue, rounded against us.
 * - `ahead`: in front of us first: an upper bound of what cancellations can do for us.
 * - `behind`: behind us first: a lower bound.
 * - `log`, `{ power }`: the share f(ahead) ÷ (f(ahead) + f(behind)) of it stood in front of us, where f(x) is log(1 +
 *   x), x in units of the currency, or x to a power in quarters. A power of 1 is `pro-rata`; below 1 the smaller part
 *   of the queue loses more than its share, above 1 less.
 */
export type CancellationRule = 'pro-rata' | 'ahead' | 'behind' | 'log' | { readonly power: number };

/**
 * How an order's own size, which can shift its place in the queue (`marginOfSize`), is counted.
 *
 * - `ignored`: not at all.
 * - `against-us`: the first stake that reaches the order fills others instead.
 * - `for-us`: the order joins the queue so much further in front.
 */
export type SizeRule = 'ignored' | 'against-us' | 'for-us';

/**
 * What becomes of recorded stake that an order of ours kept from being matched. On the tape it is gone, on the exchange it
 * would rest on, ahead of orders of ours that come later, and its owner would give it up some day.
 *
 * - `gone`: it is gone as the tape says.
 * - `lives-on`: it rests, and as large a share of it is given up as of the recorded stake of its level.
 */
export type DisplacedRule = 'gone' | 'lives-on';

/**
 * When an order of ours arrived, within the time that a message sums up. A message describes what happened since the
 * one before it, and an order that arrives in between may have come after all of that.
 *
 * - `at-once`: before everything that the next message describes.
 * - `after-next`: after it: its trades passed us by, and what rests after it is ahead of us.
 */
export type ArrivalRule = 'at-once' | 'after-next';

/**
 * How much of the recorded stake that we matched comes back.
 *
 * - `never`: none, until the level falls below what is left of it: what was recorded later at the price is the stake
 *   we took.
 * - `next-change`: all of it, once the recording next sets the level: others quoted again there.
 * - `{ halfLifeMs }`: half of what is missing in each such time.
 */
export type RefillRule = 'never' | 'next-change' | { readonly halfLifeMs: number };

/**
 * Whether stake is still there that the source showed once and shows no more. It concerns sources that show the best
 * few levels of each side: a better level pushed the stake out of the window, and what became of it is unknown.
 *
 * - `never`: it is not there. Only levels in the window are matched.
 * - `always`: it is there as it was shown last, until the window covers its price again.
 * - `{ maxAgeMs }`: it is there for this long after it left the window, and then not.
 */
export type OutOfSightRule = 'never' | 'always' | { readonly maxAgeMs: number };

/**
 * How traded volume beyond the stake displayed at its price counts (24 % of trades, 7 % of volume, measured in play).
 * `through-queue`: it passes the queue at its price like any other trade, since someone did trade there, and an order
 * of ours standing there had priority over stake that was never displayed.
 */
export type HiddenVolumeRule = 'through-queue';

/**
 * What a last price alone does, for recordings without ladders and volume (grade C).
 *
 * - `ignored`: nothing. Without volume it is unknown how much would have matched.
 * - `through`: a last price strictly beyond an order's price fills it whole, where crossing stake fills at all.
 *   Crude: it knows no queue and no volume, and such fills are outside the volume bound that the others keep.
 */
export type LastPriceRule = 'ignored' | 'through';

/**
 * Whether our own orders may match each other.
 *
 * - `meet`: as on the exchange: a taker of ours matches resting orders of ours in their turn.
 * - `pass`: they do not. It is meant for a fill model that plays the orders of a live run again: what would cross an
 *   own order here is an artefact of the fixed orders, not a trade that a trader chose to make.
 */
export type OwnOrdersRule = 'meet' | 'pass';

/** The rules of one fill model. */
export interface FillRules {
  readonly bound: FillBound;
  readonly queue: QueueRule;
  readonly crossing: CrossingRule;
  readonly cancellations: CancellationRule;
  readonly size: SizeRule;
  readonly arrival: ArrivalRule;
  readonly displaced: DisplacedRule;
  readonly refill: RefillRule;
  readonly levelsOutOfSight: OutOfSightRule;
  readonly hiddenVolume: HiddenVolumeRule;
  readonly lastPrice: LastPriceRule;
  readonly ownOrders: OwnOrdersRule;
}

type OfBound = Pick<FillRules, 'queue' | 'crossing' | 'size' | 'arrival' | 'displaced'>;

const OF_BOUND: Readonly<Record<FillBound, OfBound>> = {
  lowest: { queue: 'last', crossing: 'reserved', size: 'against-us', arrival: 'after-next', displaced: 'gone' },
  pessimistic: {
    queue: 'in-turn',
    crossing: 'fills',
    size: 'against-us',
    arrival: 'after-next',
    displaced: 'lives-on',
  },
  central: { queue: 'in-turn', crossing: 'fills', size: 'ignored', arrival: 'at-once', displaced: 'lives-on' },
  optimistic: { queue: 'in-turn', crossing: 'fills', size: 'for-us', arrival: 'at-once', displaced: 'lives-on' },
  highest: { queue: 'first', crossing: 'fills', size: 'ignored', arrival: 'at-once', displaced: 'gone' },
};

/**
 * The rules of a fill model. `cancellations` apply to the central one: the models around it have rules of their own.
 */
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
 * Fixed choices, the same for all fill models:
 *
 * - Displaced stake: where a trade fills us, what a level shows falls as recorded. What of it lives on (`DisplacedRule`)
 *   stands in the way of our later orders alone: takers of ours do not find it, and no view shows it.
 * - Trade side: the side that displayed stake at the price before the message; else the side on which we stand at or
 *   through it. Should a broken recording display both sides, the larger stake (Against when equal).
 * - Refill: a traded level that the message does not set again has the stake it had: what the trade took came back as
 *   new stake, which may cross our orders like any increase.
 * - Paused (suspended, or not open): nothing fills. The recording goes on: queues move up, levels rise. Stake that
 *   crosses us then is matched when the market resumes, after the resuming message's own changes, since what such a
 *   message takes away was not there to be matched. (Where it is reserved, that happens at once.)
 * - In-play switch and removal: no rule. The exchange withdraws our orders; the recording takes its stake away or
 *   leaves it, level by level, and what we consumed of a level goes with the level.
 * - Settlement: `OverlayLiquidity.release` forgets what was consumed; nothing is reserved afterwards.
 */
