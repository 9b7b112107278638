/** The public surface for strategies: what `import … from 'oddsmith'` gives. */

export type { CancelAllIntent, CancelIntent, Intent, PlaceIntent, ReduceIntent, ReplaceIntent } from './core/intent.ts';
export type { InPlayStatus, MarketFacts, MarketStatus, OutcomeFacts, OutcomeStatus } from './core/market.ts';
export type { Instant } from './core/number/units.ts';
export type { MatchBehavior, OrderStatus } from './core/order.ts';
export type { Side } from './core/side.ts';
export type { DecideInput, Decision, LinkedMarket, SignalSource, StrategyPlugin, Why } from './strategy/contract.ts';
export { defineStrategy } from './strategy/define-strategy.ts';
export { type DutchOptions, dutch, overround, type PriceOf } from './strategy/helpers/dutch.ts';
export { closeTrade, greenUp, type HedgeOptions } from './strategy/helpers/green-up.ts';
export { type KellyOptions, kelly } from './strategy/helpers/kelly.ts';
export { type Rounding, roundToLadder, ticksAway, ticksBetween } from './strategy/helpers/ladder-steps.ts';
export { back, cancel, cancelAll, lay, type PlaceOptions, reduce, replace } from './strategy/helpers/place.ts';
export { favourites, spread, weightOfMoney } from './strategy/helpers/read-book.ts';
export { requote } from './strategy/helpers/requote.ts';
export { exponentialAverage, type MovingAverage, simpleAverage } from './strategy/indicators/moving-average.ts';
export { type Range, type RangeOver, rangeOver } from './strategy/indicators/range-over.ts';
export { type Traded, type TradedOver, tradedOver, volumeWeightedPrice } from './strategy/indicators/traded-over.ts';
export {
  type ChoiceOptions,
  type Described as ParamOptions,
  type DurationOptions,
  type NumberOptions,
  type Param,
  type ParamsSpec,
  type ParamValues,
  param,
  type RangeOptions,
  type TextOptions,
} from './strategy/params.ts';
export type {
  BookView,
  Level,
  MarketView,
  OrderView,
  OutcomeView,
  PositionView,
  StartingPrices,
  WalletView,
} from './strategy/views/views.ts';
