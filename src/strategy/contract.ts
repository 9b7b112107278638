/** The contract of a strategy plugin: a name, parameters, the markets it watches, and one pure decision function. */

import type { Observable } from 'rxjs';
import type { Intent } from '../core/intent.ts';
import type { MarketFacts } from '../core/market.ts';
import type { ParamsSpec, ParamValues } from './params.ts';
import type { MarketView, OrderView, PositionView, WalletView } from './views/views.ts';

/**
 * Why `decide` is called: prices moved, an own order changed, a timer fired, prices or status became stale or too little is known for orders
 * to rest in the market (which are cancelled then), the market's state changed, or the window of a backtest ends in this market, and this is its last call there.
 */
export type Why = 'prices' | 'order' | 'timer' | 'stale' | 'status' | 'windowEnd';

/**
 * Everything a strategy may know at this instant. Views show the present and are valid during the call only;
 * `market.snapshot()` makes a copy to keep. Prices are decimal odds, stakes decimals in the market's currency, times ms
 * UTC.
 */
export interface DecideInput<P extends ParamsSpec = ParamsSpec, S = unknown> {
  /** What brought this call about. */
  readonly why: Why;
  /** The market that triggered the call. */
  readonly market: MarketView;
  /** Every market that the strategy watches: `get` finds one by its id, `all` lists them. Of each the prices can be read; own orders are in `linked`. */
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
  /** The wallet of this strategy. */
  readonly wallet: WalletView;
  /** The parameters that it declares, with the values of this run or their defaults. */
  readonly params: ParamValues<P>;
  /** The `state` that the last decision on this market returned, or the initial state. */
  readonly state: S;
  /** This instant, ms UTC: the recording's time in a backtest, the bot's clock live. Take it instead of `Date.now()`. */
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
  /** That market as it is now. */
  readonly market: MarketView;
  /** Own orders there that are still live or on their way, oldest first. */
  readonly orders: readonly OrderView[];
  /** Own position there. */
  readonly position: PositionView;
  /** The `state` that the last decision on that market returned, or its initial state. */
  readonly state: S;
}

/** What a strategy decides. A list of intents alone is a decision too, and `[]` says that nothing is to be done. */
export interface Decision<S = unknown> {
  /** What is to be sent, in this order. Each is judged by the limits with those before it counted; at most 100 are looked at. */
  readonly intents?: readonly Intent[];
  /** What the next call for this market gets as `state`. Left out: the state stays as it is. */
  readonly state?: S;
  /** Call `decide` again for this market at this time, ms UTC; replaces an earlier `wakeAt`. */
  readonly wakeAt?: number;
}

/**
 * A series of numbers from outside, such as model probabilities: CSV or JSON lines with availableAt, market, outcome,
 * value.
 */
export interface SignalSource {
  /** The name under which `signal(name, outcome)` asks for it; each once in a strategy. */
  readonly name: string;
  /** Path, relative to the strategy file. */
  readonly file: string;
}

/**
 * A strategy. Its functions are declared as methods, so that a plugin of any params and state is assignable to
 * `StrategyPlugin`.
 */
export interface StrategyPlugin<P extends ParamsSpec = ParamsSpec, S = unknown> {
  /** The name in results, references and journals: lower-case letters, digits and dashes. */
  readonly name: string;
  /** Parameters by name, each made by `param`. Their values come from the configuration, `--param` or a sweep. */
  readonly params?: P;
  /** Which markets to watch; all when absent. */
  watches?(market: MarketFacts): boolean;
  /** Numbers from outside, such as the chances of a model, that it may ask for by `signal`. */
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
