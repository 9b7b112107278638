/** `oddsmith/testing`: puts a strategy before a market written in three lines and shows what it decides. */

import { Subject } from 'rxjs';
import type { Intent } from './core/intent.ts';
import type { MarketState } from './core/market-state.ts';
import type { RefusalCode } from './core/refusal.ts';
import type { DecideInput, Decision, StrategyPlugin, Why } from './strategy/contract.ts';
import { checkIntent } from './strategy/decision/check-intent.ts';
import { readDecision } from './strategy/decision/read-decision.ts';
import type { ParamsSpec, ParamValues } from './strategy/params.ts';
import { readParams } from './strategy/read-params.ts';
import { createFixedMarket, type MarketSetup } from './strategy/testing/fixed-market.ts';
import { type Bet, createFixedPosition } from './strategy/testing/fixed-position.ts';
import { createMarketView } from './strategy/views/market-view.ts';
import { ViewGate } from './strategy/views/view-gate.ts';
import type { OrderView, WalletView } from './strategy/views/views.ts';

export interface TestMarket {
  readonly state: MarketState;
}

/** An own order; what is left out follows from the rest: all unmatched, acknowledged, nothing in flight. */
export interface TestOrder {
  readonly outcome: string;
  readonly side: OrderView['side'];
  readonly price: number;
  readonly stake: number;
  readonly id?: number;
  readonly stakeMatched?: number;
  readonly inFlight?: OrderView['inFlight'];
  readonly unknown?: boolean;
  /** Left out: whether a cancellation is in flight. */
  readonly cancelling?: boolean;
  readonly placedAt?: number;
  readonly note?: string;
}

export interface DecideOnceOptions<P extends ParamsSpec, S> {
  readonly market: TestMarket;
  /** Those not given have their defaults. */
  readonly params?: Partial<ParamValues<P>>;
  readonly orders?: readonly TestOrder[];
  /** Bets matched so far, besides what `orders` say is matched. */
  readonly position?: readonly Bet[];
  readonly wallet?: WalletView;
  /** Left out: the strategy's own initial state. */
  readonly state?: S;
  readonly why?: Why;
  readonly now?: number;
  readonly markets?: readonly TestMarket[];
  /** Values by signal name, then outcome id. */
  readonly signals?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface DecidedOnce<S> {
  readonly intents: readonly Intent[];
  /** What oddsmith would refuse before risk is asked: the code per refused intent. */
  readonly refusals: readonly { readonly intent: Intent; readonly code: RefusalCode }[];
  /** The state after the decision. */
  readonly state: S | undefined;
  readonly wakeAt: number | undefined;
}

/**
 * A market that stands still. Throws a RangeError for a price off the ladder.
 *
 * @example
 * const market = testMarket({ outcomes: [{ id: 'a', against: [[2, 100]], for: [[2.02, 50]] }] });
 */
export function testMarket(setup: MarketSetup): TestMarket {
  return { state: createFixedMarket(setup) };
}

/**
 * One decision, as the engine would ask for it. Throws what the strategy throws, and a TypeError for params that are
 * not allowed or a return value that is no decision.
 *
 * @example
 * const { intents } = decideOnce(strategy, { market, params: { stake: 5 } });
 */
export function decideOnce<P extends ParamsSpec, S>(
  strategy: StrategyPlugin<P, S>,
  options: DecideOnceOptions<P, S>,
): DecidedOnce<S> {
  const gate = new ViewGate();
  gate.open();
  const input = inputOf(strategy, options, gate);
  const decision = strategy.run === undefined ? readDecision(strategy.decide?.(input)) : runOnce(strategy, input);
  gate.close();
  if (decision.kind === 'bad') throw new TypeError(decision.why);
  const intents = decision.intents ?? [];
  return {
    intents,
    refusals: intents.flatMap((intent) => refusalOf(intent, [options.market, ...(options.markets ?? [])])),
    state: ('state' in decision ? decision.state : input.state) as S | undefined,
    wakeAt: decision.wakeAt,
  };
}

function inputOf<P extends ParamsSpec, S>(
  strategy: StrategyPlugin<P, S>,
  options: DecideOnceOptions<P, S>,
  gate: ViewGate,
): DecideInput<P, S> {
  const { state: market } = options.market;
  const params = readParams(strategy.params, options.params);
  if (params.kind === 'problems') throw new TypeError(params.problems.map(({ message }) => message).join(' '));
  const orders = (options.orders ?? []).map((order, at) => orderView(market, order, at));
  const matched = orders.filter((order) => order.stakeMatched > 0).map(betOf);
  const others = (options.markets ?? []).map(({ state }) => createMarketView(state, gate));
  return {
    why: options.why ?? 'prices',
    market: createMarketView(market, gate),
    markets: { get: (id) => others.find((view) => view.id === id), all: () => others },
    orders: orders.filter((order) => order.stakeUnmatched > 0),
    position: createFixedPosition(market, [...(options.position ?? []), ...matched], orders),
    wallet: options.wallet ?? { balance: 10_000, balanceAvailable: 10_000 },
    params: params.values,
    state: ('state' in options ? options.state : strategy.state?.(market.facts)) as S,
    now: options.now ?? market.updatedAt,
    signal: (name, outcome) => options.signals?.[name]?.[outcome],
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
