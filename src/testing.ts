/** `oddsmith/testing`: puts a strategy before a market written in three lines and shows what it decides. */

import { Subject } from 'rxjs';
import { defined } from './core/checks/assert.ts';
import type { Intent } from './core/intent.ts';
import type { MarketState } from './core/market-state.ts';
import { tickOfDecimal } from './core/number/ladder.ts';
import { moneyFromDecimal, ZERO } from './core/number/units.ts';
import type { RefusalCode } from './core/refusal.ts';
import { sideIndex } from './core/side.ts';
import type { DecideInput, Decision, LinkedMarket, StrategyPlugin, Why } from './strategy/contract.ts';
import { checkIntent } from './strategy/decision/check-intent.ts';
import { readDecision } from './strategy/decision/read-decision.ts';
import { readPlot } from './strategy/decision/read-plot.ts';
import type { ParamsSpec, ParamValues } from './strategy/params.ts';
import { readParams } from './strategy/read-params.ts';
import { createFixedMarket, type MarketSetup } from './strategy/testing/fixed-market.ts';
import { type Bet, createFixedPosition } from './strategy/testing/fixed-position.ts';
import { createMarketView, payoutMinOf, stakeMinOf } from './strategy/views/market-view.ts';
import { checkOpen, ViewGate } from './strategy/views/view-gate.ts';
import type { MarketView, OrderView, WalletView } from './strategy/views/views.ts';

export type { LevelTable, MarketSetup, OutcomeSetup } from './strategy/testing/fixed-market.ts';
export type { Bet } from './strategy/testing/fixed-position.ts';

/** A market for `decideOnce`, made by `testMarket`. */
export interface TestMarket {
  /** The market as the engine sees it; a test has no need to look at it. */
  readonly state: MarketState;
}

/** An own order; what is left out follows from the rest: all unmatched, acknowledged, nothing in flight. */
export interface TestOrder {
  /** Id of an outcome of the market. */
  readonly outcome: string;
  /** `For` backs it, `Against` lays it. */
  readonly side: OrderView['side'];
  /** Limit, decimal odds. */
  readonly price: number;
  /** Backer's stake that was asked for, decimal currency. */
  readonly stake: number;
  /** Left out: counted from 1, through the linked markets as well. */
  readonly id?: number;
  /** Of `stake`, matched at `price`. Left out: 0. An order that is matched whole is in the position and no longer among `orders`. */
  readonly stakeMatched?: number;
  /** A request under way. Left out: none. */
  readonly inFlight?: OrderView['inFlight'];
  /** Whether it is not known that the order exists. Left out: false. */
  readonly unknown?: boolean;
  /** Left out: whether a cancellation is in flight. */
  readonly cancelling?: boolean;
  /** Ms UTC. Left out: when the market was updated. */
  readonly placedAt?: number;
  /** The note of its intent. Left out: none. */
  readonly note?: string;
}

/** Another market of the same event; what is left out is as in a market that the strategy has not touched. */
export interface TestLinked<S> {
  /** Made by `testMarket`. */
  readonly market: TestMarket;
  /** Own orders there. Left out: none. */
  readonly orders?: readonly TestOrder[];
  /** Bets matched there, besides what `orders` say is matched. Left out: none. */
  readonly position?: readonly Bet[];
  /** The state of that market. Left out: the strategy's own initial state. */
  readonly state?: S;
}

/** What a strategy is shown in one call; all but the market may be left out. */
export interface DecideOnceOptions<P extends ParamsSpec, S> {
  /** The market that the call is for, made by `testMarket`. */
  readonly market: TestMarket;
  /** Those not given have their defaults. */
  readonly params?: Partial<ParamValues<P>>;
  /** Own orders in the market. Left out: none. */
  readonly orders?: readonly TestOrder[];
  /** Bets matched so far, besides what `orders` say is matched. */
  readonly position?: readonly Bet[];
  /** Left out: 10,000, all of it available. */
  readonly wallet?: WalletView;
  /** Left out: the strategy's own initial state. */
  readonly state?: S;
  /** Left out: `prices`. */
  readonly why?: Why;
  /** Ms UTC. Left out: when the market was updated. */
  readonly now?: number;
  /** Other markets that the strategy watches; those of `linked` are among them. */
  readonly markets?: readonly TestMarket[];
  /** Other markets of the same event, with what the strategy has there. */
  readonly linked?: readonly TestLinked<S>[];
  /** Values by signal name, then outcome id. */
  readonly signals?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What became of one call. */
export interface DecidedOnce<S> {
  /** What the strategy asked for, in its order. */
  readonly intents: readonly Intent[];
  /** What oddsmith would refuse before risk is asked: each such `intent` with the `code` of its refusal. */
  readonly refusals: readonly { readonly intent: Intent; readonly code: RefusalCode }[];
  /** The state after the decision. */
  readonly state: S | undefined;
  /** When it asked to be called again, ms UTC; undefined where it did not. */
  readonly wakeAt: number | undefined;
  /** What it plotted, by name: the last value of each; NaN where it ended the line. */
  readonly plotted: Readonly<Record<string, number>>;
}

/**
 * A market that stands still, for `decideOnce`.
 *
 * @throws RangeError for a price off the ladder, and for a stake that is no amount
 *
 * @example
 * const market = testMarket({ outcomes: [{ id: 'a', against: [[2, 100]], for: [[2.02, 50]] }] });
 */
export function testMarket(setup: MarketSetup): TestMarket {
  return { state: createFixedMarket(setup) };
}

/**
 * One decision, as the engine would ask for it.
 *
 * @throws what the strategy throws; a TypeError for params that are not allowed and for a return value that is no decision
 *
 * @example
 * const market = testMarket({ outcomes: [{ id: 'a', against: [[2, 100]], for: [[2.02, 50]] }] });
 * const { intents, refusals } = decideOnce(strategy, { market, params: { stake: 5 } });
 */
export function decideOnce<P extends ParamsSpec, S>(
  strategy: StrategyPlugin<P, S>,
  options: DecideOnceOptions<P, S>,
): DecidedOnce<S> {
  const gate = new ViewGate();
  gate.open();
  const plotted: Record<string, number> = {};
  const plot = (values: unknown): void => {
    checkOpen(gate);
    readPlot(values, (name, value) => {
      plotted[name] = value;
    });
  };
  const input = { ...inputOf(strategy, options, gate), plot };
  const decision = strategy.run === undefined ? readDecision(strategy.decide?.(input)) : runOnce(strategy, input);
  gate.close();
  if (decision.kind === 'bad') throw new TypeError(decision.why);
  const intents = decision.intents ?? [];
  const watched = marketsOf(options);
  return {
    intents,
    refusals: intents.flatMap((intent) => refusalOf(intent, watched)),
    state: ('state' in decision ? decision.state : input.state) as S | undefined,
    wakeAt: decision.wakeAt,
    plotted,
  };
}

/** Each market that the strategy watches, once; that of the call is the first. */
function marketsOf<P extends ParamsSpec, S>(options: DecideOnceOptions<P, S>): readonly TestMarket[] {
  const linked = (options.linked ?? []).map(({ market }) => market);
  return [...new Set([options.market, ...(options.markets ?? []), ...linked])];
}

function inputOf<P extends ParamsSpec, S>(
  strategy: StrategyPlugin<P, S>,
  options: DecideOnceOptions<P, S>,
  gate: ViewGate,
): Omit<DecideInput<P, S>, 'plot'> {
  const { state: market } = options.market;
  const params = readParams(strategy.params, options.params);
  if (params.kind === 'problems') throw new TypeError(params.problems.map(({ message }) => message).join(' '));
  const linked = options.linked ?? [];
  const standings = [options, ...linked];
  const views = new Map(
    marketsOf(options).map((each) => {
      const orders = standings.flatMap(({ market, orders = [] }) => (market === each ? orders : []));
      return [each, createMarketView(holding(each.state, orders), gate)];
    }),
  );
  const all = [...views.values()];
  let orders = 0;
  const [here, ...others] = standings.map((of) => {
    const standing = standingIn(strategy, of, { view: views.get(of.market), ordersBefore: orders });
    orders += of.orders?.length ?? 0;
    return standing;
  });
  return {
    ...defined(here, 'the market of the call is the first'),
    why: options.why ?? 'prices',
    markets: { get: (id) => all.find((view) => view.id === id), all: () => all },
    linked: others,
    wallet: options.wallet ?? { balance: 10_000, balanceAvailable: 10_000 },
    params: params.values,
    now: options.now ?? market.updatedAt,
    signal: (name, outcome) => options.signals?.[name]?.[outcome],
  };
}

/** The market, in whose book the test has written the strategy's own orders with those of the others. */
function holding(state: MarketState, orders: readonly TestOrder[]): MarketState {
  const resting = orders.filter((order) => order.inFlight !== 'place' && order.unknown !== true);
  return {
    ...state,
    ownAt: (outcome, side, tick) =>
      resting.flatMap((order) => {
        const isThere = order.outcome === state.facts.outcomes[outcome]?.id && sideIndex(order.side) === side;
        if (!isThere || tickOfDecimal(order.price) !== tick) return [];
        return [{ strategy: 0, stake: moneyFromDecimal(order.stake - (order.stakeMatched ?? 0)) ?? ZERO }];
      }),
  };
}

/** How the strategy stands in a market. */
function standingIn<P extends ParamsSpec, S>(
  strategy: StrategyPlugin<P, S>,
  of: TestLinked<S>,
  { view, ordersBefore }: { readonly view: MarketView | undefined; readonly ordersBefore: number },
): LinkedMarket<S> {
  const { state: market } = of.market;
  const orders = (of.orders ?? []).map((order, at) => orderView(market, order, ordersBefore + at));
  const matched = orders.filter((order) => order.stakeMatched > 0).map(betOf);
  return {
    market: defined(view, 'each watched market has a view'),
    orders: orders.filter((order) => order.stakeUnmatched > 0),
    position: createFixedPosition(market, [...(of.position ?? []), ...matched], orders),
    state: ('state' in of ? of.state : strategy.state?.(market.facts)) as S,
  };
}

function runOnce<P extends ParamsSpec, S>(
  strategy: StrategyPlugin<P, S>,
  input: DecideInput<P, S>,
): Decision<S> & { readonly kind?: never } {
  const inputs$ = new Subject<DecideInput<P, S>>();
  const intents: Intent[] = [];
  let thrown: { readonly error: unknown } | undefined;
  const subscription = strategy.run?.(inputs$).subscribe({
    next: (emitted) => intents.push(...emitted),
    error: (error: unknown) => {
      thrown = { error };
    },
  });
  inputs$.next(input);
  subscription?.unsubscribe();
  if (thrown !== undefined) throw thrown.error;
  return { intents };
}

function orderView(market: MarketState, order: TestOrder, at: number): OrderView {
  const { stakeMatched = 0 } = order;
  return {
    id: order.id ?? at + 1,
    marketId: market.facts.id,
    outcomeId: order.outcome,
    side: order.side,
    price: order.price,
    stake: order.stake,
    stakeMatched,
    stakeUnmatched: order.stake - stakeMatched,
    stakeVoided: 0,
    averagePrice: stakeMatched > 0 ? order.price : undefined,
    status: statusOf(order),
    inFlight: order.inFlight,
    unknown: order.unknown ?? false,
    cancelling: order.cancelling ?? order.inFlight === 'cancel',
    placedAt: order.placedAt ?? market.updatedAt,
    stakeMin: stakeMinOf(market),
    payoutMin: payoutMinOf(market),
    note: order.note,
  };
}

function statusOf({ inFlight, stake, stakeMatched = 0 }: TestOrder): OrderView['status'] {
  if (inFlight === 'place') return undefined;
  if (stakeMatched === 0) return 'Unmatched';
  return stakeMatched < stake ? 'PartiallyMatched' : 'Matched';
}

function betOf(order: OrderView): Bet {
  return { outcome: order.outcomeId, side: order.side, price: order.price, stake: order.stakeMatched };
}

function refusalOf(intent: Intent, markets: readonly TestMarket[]): DecidedOnce<never>['refusals'] {
  const checked = checkIntent(intent, {
    marketIndex: (id) => markets.findIndex(({ state }) => state.facts.id === id),
    outcomeIndex: (market, id) => markets[market]?.state.facts.outcomes.findIndex((outcome) => outcome.id === id) ?? -1,
  });
  return checked.kind === 'refused' ? [{ intent, code: checked.refusal.code }] : [];
}
