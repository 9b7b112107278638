/** What the engine keeps for each market, each strategy, and each strategy in each market. */

import type { Subject, Unsubscribable } from 'rxjs';
import type { LinkedList } from '../../core/collections/linked-list.ts';
import type { Intent } from '../../core/intent.ts';
import { eventGroupOf, type MarketFacts } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Instant } from '../../core/number/units.ts';
import type { DecideInput, LinkedMarket, StrategyPlugin, Why } from '../../strategy/contract.ts';
import type { ParamsSpec, ParamValues } from '../../strategy/params.ts';
import type { SignalSeries } from '../../strategy/signals.ts';
import type { ViewGate } from '../../strategy/views/view-gate.ts';
import type { MarketView, OrderView, PositionView, WalletView } from '../../strategy/views/views.ts';
import { type Guest, NOBODY } from '../guest/guest.ts';
import type { StuckCall } from '../guest/stuck-call.ts';
import type { Windows } from '../windows/windows.ts';
import { EventGroups } from './event-groups.ts';
import type { OwnOrder } from './own-order.ts';

/** A strategy as it runs: plugin, parameters, wallet, and whether it still may decide. */
export interface StrategyInstance {
  readonly index: number;
  /** The index of the backtest's world in which it runs; 0 if there is one. */
  world: number;
  /** Replaced by another version only while the strategy has no position and no live order. */
  plugin: StrategyPlugin;
  params: ParamValues<ParamsSpec>;
  readonly wallet: number;
  signals: ReadonlyMap<string, SignalSeries>;
  /** Describes what the strategy throws, and recognises what it throws outside of calls. */
  guest: Guest;
  /** The markets that it watches, by market index. */
  readonly inMarkets: Map<number, StrategyInMarket>;
  /** The same by event. */
  readonly groups: EventGroups<StrategyInMarket>;
  halted: boolean;
  /** The call at which it is halted instead of being called. */
  stuckCall: StuckCall | undefined;
  /** How often it was called because it had asked for that instant. */
  timerCalls: number;
  /** Rejections for which it was not called, because too many had come in a row. */
  rejectionsUntold: number;
  /** The step in which it last gave intents, and how many it gave in that step. */
  proposedIn: number;
  proposed: number;
  /** What a strategy of the stream form has: its inputs, the intents it emitted during the current call, and where it was last called. */
  inputs$: Subject<DecideInput> | undefined;
  answered: Intent[] | undefined;
  asked: StrategyInMarket | undefined;
  /** Set when its stream failed. */
  failure: { readonly error: unknown } | undefined;
}

/** A strategy before its first market. */
export function newInstance(
  parts: Pick<StrategyInstance, 'index' | 'plugin' | 'params' | 'wallet' | 'signals'> & { readonly guest?: Guest },
): StrategyInstance {
  // Written out: a copied object has a shape of its own, and what reads many shapes is slow.
  return {
    index: parts.index,
    world: 0,
    plugin: parts.plugin,
    params: parts.params,
    wallet: parts.wallet,
    signals: parts.signals,
    guest: parts.guest ?? NOBODY,
    inMarkets: new Map(),
    groups: new EventGroups(),
    halted: false,
    stuckCall: undefined,
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

/** A market as the engine follows it. */
export interface MarketEntry {
  readonly state: MarketState;
  /** One view for all strategies of a realm; a realm that was replaced is let go of. */
  readonly views: WeakMap<Windows, MarketView>;
  /** Its facts as the feed first brought them, frozen: what a strategy is shown when it is asked whether it watches the market. */
  readonly shownFacts: MarketFacts;
  /** The time of which the market's state is known: a message that took long to arrive is as old as its way was long. */
  freshAt: Instant;
  /** What of it is older than allowed, its status or its prices; the strategies that watch it were called for that. */
  readonly stale: Set<'markets' | 'prices'>;
  /** Why too little is known of it for orders to rest there; undefined where enough is. */
  dark: string | undefined;
  /** When an order of ours in the market was last sent or changed, ms UTC. */
  changedAt: number;
  readonly watchers: StrategyInMarket[];
  /** Those that watched it until its window ended. */
  readonly formerWatchers: StrategyInMarket[];
  /** Our orders that can still change: live, or matched and not settled. */
  readonly orders: LinkedList<OwnOrder>;
  /** Index by id of the outcomes that are listed by now. */
  outcomeById: ReadonlyMap<string, number>;
}

/** What differs between two versions of a strategy. */
export type StrategyVersion = Pick<StrategyInstance, 'plugin' | 'params' | 'signals' | 'guest'>;

/**
 * A strategy is called for at most so many rejections in a row. If it answered each with the same order, it would be called without
 * end, in a backtest without latency at one instant, while every order takes memory.
 */
export const REJECTIONS_TOLD_MAX = 100;

/** What a strategy in a market is made of. */
export interface InMarketParts {
  readonly instance: StrategyInstance;
  readonly entry: MarketEntry;
  /** The facts of its market, as the strategy was shown them. */
  readonly facts: MarketFacts;
  readonly position: PositionView;
  readonly wallet: WalletView;
  readonly markets: DecideInput['markets'];
  /** Open while a strategy decides. */
  readonly gate: ViewGate;
  /** Receives what the strategy plots, at its `now`. */
  readonly onPlotted: OnPlotted;
}

/** A value that a strategy plotted; NaN where its line ends. */
export type OnPlotted = (inMarket: StrategyInMarket, name: string, value: number) => void;

/** One strategy in one market. The strategy is given `input`, which reads from this and cannot change it. */
export class StrategyInMarket implements DecideInput {
  readonly instance: StrategyInstance;
  readonly entry: MarketEntry;
  readonly market: MarketView;
  readonly position: PositionView;
  readonly wallet: WalletView;
  readonly markets: DecideInput['markets'];
  readonly params: ParamValues<ParamsSpec>;
  readonly signal: DecideInput['signal'];
  readonly plot: DecideInput['plot'];
  /** Name of the event group of its market, by what was known of it at first. */
  readonly group: string;
  readonly input: DecideInput;
  readonly #live: OwnOrder[] = [];
  /** The list of orders that the strategy sees: made when it reads it, and made anew only when an order came or went. */
  #shown: readonly OrderView[] | undefined;
  readonly #noOrders: readonly OrderView[];
  why: Why = 'status';
  now = 0;
  state: unknown;
  wakeAt: number | undefined;
  /** Calls it then, in a live run. An alarm of a backtest goes away with its clock, and is not kept. */
  alarm: Unsubscribable | undefined;
  /** The number of the step in which it was last called. */
  calledIn = 0;
  /** When it last gave intents here, ms UTC, and how many it gave at that instant. */
  proposedAt = 0;
  proposed = 0;
  /** How many orders the exchange rejected since it last accepted one. */
  rejections = 0;
  /** The window of a backtest has ended in this market: the strategy had its last call here. */
  isOver = false;
  /** How it looks from the other markets of the event, and how they look from here; each made when it is first read. */
  #linkedWindow: LinkedMarket | undefined;
  #linked: readonly LinkedMarket[];
  #linkedVersion = -1;
  constructor(parts: InMarketParts) {
    const { instance, entry, facts, gate, onPlotted } = parts;
    const { windows } = instance.guest;
    this.instance = instance;
    this.entry = entry;
    this.market = viewOf(entry, windows, gate);
    this.position = windows.position(parts.position);
    this.wallet = windows.wallet(parts.wallet);
    this.markets = parts.markets;
    this.params = windows.params(instance.params);
    this.signal = windows.signal((name, outcome) => this.#signalOf(name, outcome));
    this.plot = windows.plot(gate, (name, value) => onPlotted(this, name, value));
    this.group = eventGroupOf(facts);
    this.input = windows.input(this);
    this.#noOrders = windows.list([]);
    this.#shown = this.#noOrders;
    this.#linked = windows.list([]);
    this.state = instance.plugin.state?.(facts);
  }

  /** Orders that are live or in flight, oldest first. */
  get live(): readonly OwnOrder[] {
    return this.#live;
  }

  /** It is not to be called at a time any more. */
  forgetAlarm(): void {
    this.wakeAt = undefined;
    this.alarm?.unsubscribe();
    this.alarm = undefined;
  }

  follow(order: OwnOrder): void {
    this.#live.push(order);
    this.#shown = undefined;
  }

  /** Removes an order from the live ones; one that is not among them changes nothing. */
  unfollow(order: OwnOrder): void {
    const at = this.#live.indexOf(order);
    if (at < 0) return;
    // Nearly always there is one.
    if (this.#live.length === 1) this.#live.pop();
    else this.#live.splice(at, 1);
    this.#shown = this.#live.length === 0 ? this.#noOrders : undefined;
  }

  /** The exchange rejected an order; says whether the strategy is to be called for that. */
  countRejection(): boolean {
    this.rejections += 1;
    if (this.rejections <= REJECTIONS_TOLD_MAX) return true;
    this.instance.rejectionsUntold += 1;
    return false;
  }

  get orders(): readonly OrderView[] {
    const { windows } = this.instance.guest;
    this.#shown ??= windows.list(this.#live.map((order) => order.windowIn(windows)));
    return this.#shown;
  }

  /** The list is made anew only when a market of the event came or went. */
  get linked(): readonly LinkedMarket[] {
    const group = this.instance.groups.get(this.group);
    if (group === undefined) return this.#linked;
    if (group.version !== this.#linkedVersion) {
      const others = group.members.filter((member) => member !== this);
      this.#linked = this.instance.guest.windows.list(others.map((member) => member.#seenFromOthers()));
      this.#linkedVersion = group.version;
    }
    return this.#linked;
  }

  #seenFromOthers(): LinkedMarket {
    this.#linkedWindow ??= this.instance.guest.windows.linked(this);
    return this.#linkedWindow;
  }

  #signalOf(name: string, outcome: string): number | undefined {
    const series = this.instance.signals.get(name);
    if (series === undefined) {
      throw new Error(`no signal named "${name}" is declared by strategy "${this.instance.plugin.name}"`);
    }
    return series.valueAt(this.entry.state.facts.id, outcome, this.now);
  }
}

function viewOf({ views, state }: MarketEntry, windows: Windows, gate: ViewGate): MarketView {
  const known = views.get(windows);
  if (known !== undefined) return known;
  const view = windows.market(state, gate);
  views.set(windows, view);
  return view;
}

/** What a strategy sees of the markets that it watches: one by id, or all. */
export function watchedMarkets(
  instance: StrategyInstance,
  marketEntries: ReadonlyMap<string, MarketEntry>,
): DecideInput['markets'] {
  return instance.guest.windows.markets(
    (id) => instance.inMarkets.get(marketEntries.get(id)?.state.index ?? -1)?.market,
    () => [...instance.inMarkets.values()].map((inMarket) => inMarket.market),
  );
}
