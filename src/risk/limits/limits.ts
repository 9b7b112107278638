/**
 * The table of limits: all that there is to say of each, once. The types, the reading, the journal's form, the words of a
 * report, the configuration's block and the editor's schema are made from it. What a limit refuses is the rule of the
 * same name in rules.ts, or the stop of that name in stops.ts: a limit with neither does not compile.
 */

import { moneyToDecimal } from '../../core/number/units.ts';
import { ORDER_HOURS_MAX, RESULT_HOURS_MAX } from '../../core/run/risk-memory.ts';
import {
  amount,
  amountPart,
  flag,
  type GivenOf,
  type LimitForm,
  type PartForms,
  type PartsGiven,
  type PartsLimit,
  type PartValues,
  parts,
  ratioPart,
  type ValueOf,
  type WordLimit,
  whole,
  wholePart,
  word,
  wordPart,
} from './limit-forms.ts';

/**
 * An absent limit does not limit. A loss may reach its limit, not exceed it; those on settled results act when reached. A worst
 * loss is `possibleLoss` of core/exposure.ts: over every result, with each live order filled where that loses more.
 */
export const LIMITS = {
  /** The loss of one order alone: the stake of a For, stake × (limit price − 1) of an Against. */
  order: amount('Most that one order can lose.', 100),
  /** Worst loss of all bets on one outcome by themselves, over all strategies. */
  outcome: amount('Most that the bets on one outcome can lose.', 500),
  /** Worst loss on one market, over all strategies and wallets. */
  market: amount('Worst loss on one market, over every possible result.', 1000),
  /** Sum of the worst losses of an event's markets. */
  event: amount('Worst loss on one event.', 2000),
  /** Sum of the worst losses of a strategy's positions; each strategy has this much. */
  strategy: amount('Worst loss of one strategy.', 5000),
  /** Sum of the worst losses of a wallet's positions; each wallet has this much. */
  wallet: amount('Worst loss on one wallet.', 10_000),
  /** Orders approved in any span of one second, over all strategies. */
  ordersPerSecond: whole({
    about: 'Orders sent within one second.',
    usual: 50,
    least: 1,
    most: 100_000,
    text: (orders) => `${orders} orders a second`,
  }),
  /** Orders sent in the last hour, over all strategies; above it only reducing orders are placed. A stream of orders may cost: Betfair charges for more than 5,000 an hour. */
  ordersPerHour: whole({
    about: 'Orders sent within one hour, above which only orders that reduce risk are placed.',
    usual: 'none',
    least: 1,
    most: 100_000_000,
    text: (orders) => `${orders} orders an hour`,
  }),
  /** Orders live at once on one market, over all strategies: resting, on their way, or of unknown fate. */
  ordersPerMarket: whole({
    about: 'Orders live at once on one market.',
    usual: 'none',
    least: 1,
    most: 1_000_000,
    text: (orders) => `${orders} live orders a market`,
  }),
  /** Orders live at once, over all markets. */
  liveOrders: whole({
    about: 'Orders live at once, over all markets.',
    usual: 'none',
    least: 1,
    most: 1_000_000,
    text: (orders) => `${orders} live orders`,
  }),
  /** Orders sent in the last hours per order that matched in them; above it only reducing orders are placed. */
  orderToMatch: parts({
    about: 'Orders sent per order matched, above which only orders that reduce risk are placed.',
    example: '{ ratio: 50, minimumOrders: 1000, hours: 24 }',
    parts: {
      /** With no match at all, orders sent are compared with the ratio itself. */
      ratio: ratioPart(1, 1_000_000),
      /** Orders sent in the span up to which the ratio is not asked for. */
      minimumOrders: wholePart('Orders sent before the ratio counts.', 0, 1_000_000),
      hours: wholePart('How far back both are counted.', 1, ORDER_HOURS_MAX),
    },
    text: ({ ratio, minimumOrders, hours }) => `${ratio} orders per match after ${minimumOrders} in ${hours} h`,
  }),
  /** No order may reach a live order of ours on the same outcome, of any strategy or wallet. */
  selfMatch: word({
    about: 'Whether an order may reach a live order of our own on the same outcome.',
    words: ['refuse', 'allow'],
    lifting: 'allow',
    text: 'no order against our own',
  }),
  /** Age of the market's prices, in ms, above which nothing is placed on it. */
  staleMs: whole({
    about: 'Age of a market’s news above which nothing is placed on it, ms.',
    usual: 'none',
    least: 0,
    most: 86_400_000,
    text: (ms) => `prices at most ${ms} ms old`,
  }),
  /** How many ticks outside the best prices an order may be. */
  ticksFromBook: whole({
    about: 'Ticks outside the best prices that an order may be.',
    usual: 'none',
    least: 0,
    most: 349,
    text: (ticks) => `prices at most ${ticks} ticks from the book`,
  }),
  /** Whether orders need a heartbeat that is known to be active. */
  heartbeat: flag('an active heartbeat'),
  /** Settled loss of one UTC day, over all strategies, at which only orders that reduce risk pass: `OrderEffect.lossIncrease`. */
  dailyLoss: amount('Settled loss of a UTC day after which only orders that reduce risk are placed.', 1000),
  /** Settled loss of the last hours at which, as with `dailyLoss`, only orders that reduce risk pass. */
  rollingLoss: parts({
    about: 'Settled loss of the last hours after which only orders that reduce risk are placed.',
    example: '{ amount: 2000, hours: 72 }',
    parts: {
      amount: amountPart('The settled loss.'),
      /** Whole hours, looked back to the minute: up to one minute more counts, never less. */
      hours: wholePart('How far back it is counted.', 1, RESULT_HOURS_MAX),
    },
    text: ({ amount: loss, hours }) => `loss ${moneyToDecimal(loss)} in ${hours} h`,
  }),
  /**
   * A stop: once the settled total has fallen so far below its highest, trading moves to `action` and stays there until
   * it is resumed by hand, over restarts too. What falls after resuming is counted from there.
   */
  drawdown: parts({
    about: 'A stop: how far the settled total may fall from its highest.',
    example: '{ amount: 3000, action: reduceOnly } or { …, action: halted }',
    parts: {
      amount: amountPart('The fall of the settled total from its highest.'),
      /** `reduceOnly` lets open positions be closed; `halted` leaves them as they are. */
      action: wordPart('What trading moves to, until it is resumed by hand.', 'reduceOnly', 'halted'),
    },
    text: ({ amount: fall, action }) => `${action} at a drawdown of ${moneyToDecimal(fall)}`,
  }),
  /**
   * While the newest `losses` results were all losing, only reducing orders are placed for `minutes` after each of them.
   * A run of losses that outlives its pause goes on: the next loss begins another pause, the first profit ends it.
   */
  cooldown: parts({
    about: 'After so many losing results in a row only orders that reduce risk are placed for so long.',
    example: '{ losses: 5, minutes: 30 }',
    parts: {
      losses: wholePart('Losing results in a row.', 1, 1_000_000),
      minutes: wholePart('How long after the newest loss.', 1, 10_080),
    },
    text: ({ losses, minutes }) => `${minutes} minutes' pause after ${losses} losses in a row`,
  }),
} as const satisfies Readonly<Record<string, LimitForm>>;

export type LimitKey = keyof typeof LIMITS;

/** The table's rows by name, simple amounts first: the order of parsed limits and of reports. */
export const LIMIT_FORMS: readonly (readonly [name: string, form: LimitForm])[] = [
  ...Object.entries<LimitForm>(LIMITS).filter(([, { kind }]) => kind === 'amount'),
  ...Object.entries<LimitForm>(LIMITS).filter(([, { kind }]) => kind !== 'amount'),
];

type LimitValue<Form> =
  Form extends PartsLimit<infer Parts extends PartForms>
    ? PartValues<Parts>
    : Form extends WordLimit<infer Word, infer Lifting>
      ? Exclude<Word, Lifting>
      : ValueOf<Form>;
type LimitGiven<Form> = Form extends PartsLimit<infer Parts extends PartForms> ? PartsGiven<Parts> : GivenOf<Form>;

/** The limits that a user sets, as integers that risk compares. */
export type Limits = { readonly [Key in LimitKey]?: LimitValue<(typeof LIMITS)[Key]> };

/** Limits as they are configured: amounts are decimals. */
export type LimitsConfig = { readonly [Key in LimitKey]?: LimitGiven<(typeof LIMITS)[Key]> };
