/** Which cancellation model fills orders at rest as a run had them filled, as plain data: `oddsmith parity --fit-cancellations --json`. */

/** Why an order that rested is not compared. */
export const LEFT_OUT_REASONS = [
  'unsure',
  'notRecorded',
  'noTrades',
  'gap',
  'tookOnArrival',
  'sharedQueue',
  'crossMatched',
  'notShown',
  'metOtherwise',
  'noTime',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A cancellation model as the configuration writes it. */
export type ModelChoice = string | { readonly power: number };

/** Decimals in the run's currency; errors are shares, from 0 to 1. */
export interface FittedModel {
  readonly model: ModelChoice;
  /** The part of the stake that rested which this model had filled by the end of each comparison. */
  readonly stakeFilled: number;
  /** The mean over all orders of the difference between the filled shares, itself a mean over time. */
  readonly error: number;
  /** How much more that is than the best model's, in 99 of 100 other draws of the units. */
  readonly worseBy: { readonly low: number; readonly high: number };
  /** Whether the data cannot distinguish it from the best model. */
  readonly isLike: boolean;
}

/** `tooFew`: there are too few orders for a result. `told`: the best model; `alike` has those that the data cannot distinguish from it. */
export type FitVerdict =
  | { readonly kind: 'tooFew'; readonly tellingLeast: number }
  | {
      readonly kind: 'told';
      readonly best: ModelChoice;
      /** Others that the data cannot distinguish from the best. */
      readonly alike: readonly ModelChoice[];
      /** What to configure: the default where it is the best or alike, else the best. */
      readonly choose: ModelChoice;
    };

export interface CancellationFit {
  readonly mode: 'live' | 'paper';
  /** The model by which the simulated exchange of a paper run filled. */
  readonly madeBy?: { readonly fills: string; readonly model: ModelChoice };
  /** The time of the tapes. */
  readonly from: number;
  readonly to: number;
  readonly updates: number;
  /** Orders of the run that rested. */
  readonly rested: number;
  readonly compared: number;
  readonly leftOut: Readonly<Record<LeftOutReason, number>>;
  /** How many markets the compared orders are in. */
  readonly markets: number;
  readonly stakeRested: number;
  /** What the run had filled of it by the end of each comparison. */
  readonly stakeFilled: number;
  /** What is drawn: markets, or stays of orders in one queue. `telling`: those in which the models differ. */
  readonly units: { readonly kind: 'market' | 'queue'; readonly count: number; readonly telling: number };
  readonly draws: number;
  readonly seed: number;
  /** Empty where no order can be compared. */
  readonly models: readonly FittedModel[];
  readonly verdict: FitVerdict;
}
