/** What the engine keeps for each market, each strategy, and each strategy in each market. */

import type { Subject } from 'rxjs';
import type { LinkedList } from '../../core/collections/linked-list.ts';
import type { Intent } from '../../core/intent.ts';
import type { MarketFacts } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Instant } from '../../core/number/units.ts';
import type { DecideInput, StrategyPlugin, Why } from '../../strategy/contract.ts';
import type { ParamsSpec, ParamValues } from '../../strategy/params.ts';
import type { SignalSeries } from '../../strategy/signals.ts';
import type { MarketView, OrderView, PositionView, WalletView } from '../../strategy/views/views.ts';
import { type Guest, NOBODY } from '../guest/guest.ts';
import { DecideWindow } from '../windows/decide-window.ts';
import type { OwnOrder } from './own-order.ts';

/** A strategy as it runs: plugin, parameters, wallet, and whether it still may decide. */
export interface StrategyInstance {
  readonly index: number;
  /** Another version takes the seat only while the strategy owes and is owed nothing. */
  plugin: StrategyPlugin;
  params: ParamValues<ParamsSpec>;
  readonly wallet: number;
  signals: ReadonlyMap<string, SignalSeries>;
  /** Who it is when something goes wrong. */
  guest: Guest;
  /** Instances in markets, by market index. */
  readonly inMarkets: Map<number, StrategyInMarket>;
  halted: boolean;
  /** How often it was called because it had asked for that instant. */
  timerCalls: number;
  /** Rejections for which it was not called, because so many had come before them without an accepted order. */
  rejectionsUntold: number;
  /** How many intents it gave in the turn in which it last gave any. */
  proposedIn: number;
  proposed: number;
  /** Of the stream form: where its inputs go, and what it answered during the current call. */
  inputs$: Subject<DecideInput> | undefined;
  answered: Intent[] | undefined;
  asked: StrategyInMarket | undefined;
  /** Its stream failed. */
  failure: { readonly error: unknown } | undefined;
}

/** A strategy before its first market. */
export function newInstance(
  parts: Pick<StrategyInstance, 'index' | 'plugin' | 'params' | 'wallet' | 'signals'> & { readonly guest?: Guest },
): StrategyInstance {
  // Written out: a copied object has a shape of its own, and what reads many shapes is slow.
  return {
    index: parts.index,
    plugin: parts.plugin,
    params: parts.params,
    wallet: parts.wallet,
    signals: parts.signals,
    guest: parts.guest ?? NOBODY,
    inMarkets: new Map(),
    halted: false,
    timerCalls: 0,
    rejectionsUntold: 0,
    proposedIn: 0,
    proposed: 0,
    inputs$: undefined,
    answered: undefined,
    asked: undefined,
    failure: undefined,
  };
}

/** A market as the engine follows it: one view for all strategies. */
export interface MarketEntry {
  readonly state: MarketState;
  readonly view: MarketView;
  /** Its facts when it was first heard of, frozen: what a strategy is shown when it is offered the market. */
  readonly shownFacts: MarketFacts;
  /** The market is known to be as it looks since then: what was heard of it late is as old as its way was long. */
  freshAt: Instant;
  /** Its prices are older than they may be, and its watchers were told. */
  isStale: boolean;
  /** When an own order in it last changed, or was sent. */
  changedAt: number;
  readonly watchers: StrategyInMarket[];
  /** Own orders that still can change: live, or matched and not settled. */
  readonly orders: LinkedList<OwnOrder>;
  /** Outcome index by id, of those listed by now. */
  outcomeById: ReadonlyMap<string, number>;
}

/** What another version of a strategy brings to its seat. */
export type StrategyVersion = Pick<StrategyInstance, 'plugin' | 'params' | 'signals' | 'guest'>;

/**
 * A strategy is called for so many rejections in a row. One that answers each with the same order would be called without end, at one
 * instant where there is no latency, and every order is kept.
 */
export const REJECTIONS_TOLD_MAX = 100;

const NO_ORDERS: readonly never[] = Object.freeze([]);

/** One strategy in one market. The strategy is given `input`, through which it reads this and can change nothing of it. */
export class StrategyInMarket implements DecideInput {
  readonly instance: StrategyInstance;
  readonly entry: MarketEntry;
  readonly position: PositionView;
  readonly wallet: WalletView;
  readonly markets: DecideInput['markets'];
  readonly input: DecideInput = new DecideWindow(this);
  readonly #live: OwnOrder[] = [];
  /** What the strategy sees of them: made when it asks, and anew only when an order came or went. */
  #shown: readonly OrderView[] | undefined = NO_ORDERS;
  why: Why = 'status';
  now = 0;
  state: unknown;
  wakeAt: number | undefined;
  /** The turn in which it was last called. */
  calledIn = 0;
  /** Orders that the exchange rejected since it accepted one. */
  rejections = 0;

  constructor(parts: {
    instance: StrategyInstance;
    entry: MarketEntry;
    position: PositionView;
    wallet: WalletView;
    markets: DecideInput['markets'];
  }) {
    this.instance = parts.instance;
    this.entry = parts.entry;
    this.position = parts.position;
    this.wallet = parts.wallet;
    this.markets = parts.markets;
    this.state = parts.instance.plugin.state?.(parts.entry.shownFacts);
  }

  /** Live or in flight, oldest first. */
  get live(): readonly OwnOrder[] {
    return this.#live;
  }

  follow(order: OwnOrder): void {
    this.#live.push(order);
    this.#shown = undefined;
  }

  /** An order that is not followed changes nothing. */
  unfollow(order: OwnOrder): void {
    const at = this.#live.indexOf(order);
    if (at < 0) return;
    // Nearly always there is one.
    if (this.#live.length === 1) this.#live.pop();
    else this.#live.splice(at, 1);
    this.#shown = this.#live.length === 0 ? NO_ORDERS : undefined;
  }

  /** The exchange rejected an order; says whether the strategy is to be called for that. */
  hearRejection(): boolean {
    this.rejections += 1;
    if (this.rejections <= REJECTIONS_TOLD_MAX) return true;
    this.instance.rejectionsUntold += 1;
    return false;
  }

  get market(): MarketView {
    return this.entry.view;
  }

  get params(): ParamValues<ParamsSpec> {
    return this.instance.params;
  }

  get orders(): readonly OrderView[] {
    this.#shown ??= Object.freeze(this.#live.map((order) => order.window));
    return this.#shown;
  }

  /** Bound, because strategies take their input apart. */
  readonly signal = Object.freeze((name: string, outcome: string): number | undefined => {
    const series = this.instance.signals.get(name);
    if (series === undefined) {
      throw new Error(`no signal named "${name}" is declared by strategy "${this.instance.plugin.name}"`);
    }
    return series.valueAt(this.entry.state.facts.id, outcome, this.now);
  });
}

/** The markets that a strategy watches, by id and all. */
export function watchedMarkets(
  instance: StrategyInstance,
  marketEntries: ReadonlyMap<string, MarketEntry>,
): DecideInput['markets'] {
  return Object.freeze({
    get: Object.freeze((id: string) => instance.inMarkets.get(marketEntries.get(id)?.state.index ?? -1)?.market),
    all: Object.freeze(() => [...instance.inMarkets.values()].map((inMarket) => inMarket.market)),
  });
}
