/** The contract of a strategy plugin: a name, parameters, the markets it watches, and one pure decision function. */

import type { Observable } from 'rxjs';
import type { Intent } from '../core/intent.ts';
import type { MarketFacts } from '../core/market.ts';
import type { ParamsSpec, ParamValues } from './params.ts';
import type { MarketView, OrderView, PositionView, WalletView } from './views/views.ts';

/**
 * Why `decide` is called: prices moved, an own order changed, a timer fired, prices became stale, the market's state
 * changed, or the window of a backtest ends in this market, and this is its last call there.
 */
export type Why = 'prices' | 'order' | 'timer' | 'stale' | 'status' | 'windowEnd';

/**
 * Everything a strategy may know at this instant. Views show the present and are valid during the call only;
 * `market.snapshot()` makes a copy to keep. Prices are decimal odds, stakes decimals in the market's currency, times ms
 * UTC.
 */
export interface DecideInput<P extends ParamsSpec = ParamsSpec, S = unknown> {
  readonly why: Why;
  /** The market that triggered the call. */
  readonly market: MarketView;
  /** The prices of every market that the strategy watches, by id. */
  readonly markets: { get(id: string): MarketView | undefined; all(): readonly MarketView[] };
  /** Own orders in the triggering market that are still live or on their way, oldest first. */
  readonly orders: readonly OrderView[];
  /** Own position in the triggering market. */
  readonly position: PositionView;
  /**
   * The other markets of the same event that the strategy watches, with its own orders, position and state in each: of a race those that
   * were to start at the same time (win and place), of a match all. A decision may hold intents for them; risk judges each as ever. Under
   * `isolate: market` there are none.
   */
  readonly linked: readonly LinkedMarket<S>[];
  readonly wallet: WalletView;
  readonly params: ParamValues<P>;
  /** The `state` that the last decision on this market returned, or the initial state. */
  readonly state: S;
  readonly now: number;
  /** The newest value of a declared signal for this outcome with availableAt ≤ now. */
  signal(name: string, outcome: string): number | undefined;
  /**
   * Keeps values of the strategy's own by time, for the report and plots.csv: `plot({ fair: 2.31, trend })`. A value holds until the next
   * one of its name; undefined (or NaN) ends the line there. It changes no decision.
   */
  plot(values: Readonly<Record<string, number | undefined>>): void;
}

/** Another market of the same event, as the strategy stands in it now. */
export interface LinkedMarket<S = unknown> {
  readonly market: MarketView;
  /** Own orders there that are still live or on their way, oldest first. */
  readonly orders: readonly OrderView[];
  readonly position: PositionView;
  /** The `state` that the last decision on that market returned, or its initial state. */
  readonly state: S;
}

export interface Decision<S = unknown> {
  readonly intents?: readonly Intent[];
  readonly state?: S;
  /** Call `decide` again for this market at this time, ms UTC; replaces an earlier `wakeAt`. */
  readonly wakeAt?: number;
}

/**
 * A series of numbers from outside, such as model probabilities: CSV or JSON lines with availableAt, market, outcome,
 * value.
 */
export interface SignalSource {
  readonly name: string;
  /** Path, relative to the strategy file. */
  readonly file: string;
}

/**
 * A strategy. Its functions are declared as methods, so that a plugin of any params and state is assignable to
 * `StrategyPlugin`.
 */
export interface StrategyPlugin<P extends ParamsSpec = ParamsSpec, S = unknown> {
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  readonly params?: P;
  /** Which markets to watch; all when absent. */
  watches?(market: MarketFacts): boolean;
  readonly signals?: readonly SignalSource[];
  /** The state of a market before its first decision. */
  state?(market: MarketFacts): S;
  /**
   * Decides; pure, called for each change of a watched market or of an own order in it. A plugin has `decide` or `run`.
   */
  decide?(input: DecideInput<P, S>): Decision<S> | readonly Intent[];
  /**
   * The stream form of `decide`: inputs in, intents out. Emit synchronously; a later emission counts as made at that
   * time.
   */
  run?(inputs$: Observable<DecideInput<P, S>>): Observable<readonly Intent[]>;
}
