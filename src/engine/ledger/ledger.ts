/** What the bot knows it owes: own orders, positions, wallets and markets, folded from sends, replies and the feed. */

import { AssertionFailure, assert, defined } from '../../core/checks/assert.ts';
import { LinkedList } from '../../core/collections/linked-list.ts';
import type { MarketState } from '../../core/market-state.ts';
import { type Instant, instant, type Money, moneyToDecimal, STAKE_STEP } from '../../core/number/units.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import { type ExposureBook, NO_STAKES, type Stakes } from '../../risk/exposure/exposure-book.ts';
import type { RiskState } from '../../risk/risk-state.ts';
import type { IntentScope } from '../../strategy/decision/check-intent.ts';
import { createMarketView } from '../../strategy/views/market-view.ts';
import { ViewGate } from '../../strategy/views/view-gate.ts';
import type { WalletView } from '../../strategy/views/views.ts';
import { beginCall, type DecisionMark, endCall } from '../guest/decision-mark.ts';
import { frozenFacts, indexById } from '../windows/known-facts.ts';
import { LedgerOrders } from './ledger-orders.ts';
import { LedgerWallets } from './ledger-wallets.ts';
import type { OwnOrder } from './own-order.ts';
import { LedgerPosition } from './position-view.ts';
import { ReportedResults } from './reported-results.ts';
import { RestoredOrders } from './restored-orders.ts';
import { NO_NAMES, type RunNames } from './run-names.ts';
import type { Step } from './step.ts';
import {
  type MarketEntry,
  StrategyInMarket,
  type StrategyInstance,
  type StrategyVersion,
  watchedMarkets,
} from './strategy-in-market.ts';

export interface LedgerParts {
  readonly instances: readonly StrategyInstance[];
  readonly exposure: ExposureBook;
  readonly risk: RiskState;
  /** What an earlier process of the run left. */
  readonly restored?: RunState | undefined;
  readonly names?: RunNames;
  /** Of all calls of strategies. */
  readonly mark: DecisionMark;
}

/** Told of a strategy that throws when it is asked whether it watches a market. */
export type OnThrow = (instance: StrategyInstance, error: unknown) => void;

export class Ledger {
  readonly instances: readonly StrategyInstance[];
  readonly exposure: ExposureBook;
  readonly risk: RiskState;
  /** Open while a strategy decides, and only then. */
  readonly gate = new ViewGate();
  readonly #scopes: readonly IntentScope[];
  readonly #marketEntries = new Map<number, MarketEntry>();
  /** The desk asked for last: the next question is nearly always of the same one. */
  #lastEntry: MarketEntry | undefined;
  readonly #entryById = new Map<string, MarketEntry>();
  readonly #orders = new LedgerOrders();
  readonly #wallets = new LedgerWallets();
  readonly restored: RestoredOrders;
  readonly #results = new ReportedResults();
  /** What an order held, and holds: written anew for each report. */
  readonly #before = { ...NO_STAKES };
  readonly #after = { ...NO_STAKES };
  readonly names: RunNames;
  readonly mark: DecisionMark;
  /** When a strategy was first left out because the run was told to end; empty while all are asked. */
  unasked: { readonly unaskedSince?: number } = {};
  #lastClient: number;

  constructor(parts: LedgerParts) {
    this.instances = parts.instances;
    this.mark = parts.mark;
    this.restored = new RestoredOrders(parts.restored?.orders ?? []);
    this.names = parts.names ?? NO_NAMES;
    this.#lastClient = parts.restored?.lastClient ?? 0;
    for (const { market, wallet } of parts.restored?.results ?? [])
      this.#results.tell(market, this.names.wallets.indexOf(wallet));
    this.exposure = parts.exposure;
    this.risk = parts.risk;
    this.#scopes = parts.instances.map((instance) => ({
      marketIndex: (id) => {
        const last = this.#lastEntry?.state;
        const market = last?.facts.id === id ? last.index : (this.#entryById.get(id)?.state.index ?? -1);
        return instance.inMarkets.has(market) ? market : -1;
      },
      outcomeIndex: (market, id) => this.entryAt(market)?.outcomeById.get(id) ?? -1,
    }));
  }

  /** Undefined where the market was not heard of, or is forgotten. */
  entryAt(market: number): MarketEntry | undefined {
    if (this.#lastEntry?.state.index === market) return this.#lastEntry;
    this.#lastEntry = this.#marketEntries.get(market);
    return this.#lastEntry;
  }

  /** The desk of a market that was just heard of; a strategy that throws then is told to `onThrow`. */
  openEntry(market: MarketState, onThrow: OnThrow): MarketEntry {
    const facts = market.facts;
    const { view } = createMarketView(market, this.gate);
    const entry: MarketEntry = {
      state: market,
      view,
      shownFacts: frozenFacts(facts),
      freshAt: market.freshAt ?? market.updatedAt,
      isStale: false,
      changedAt: Number.NEGATIVE_INFINITY,
      watchers: [],
      orders: new LinkedList(),
      outcomeById: indexById(facts),
    };
    this.#marketEntries.set(market.index, entry);
    this.#entryById.set(facts.id, entry);
    const { index, winners, outcomesMax = facts.outcomes.length } = market;
    this.exposure.openMarket({ market: index, event: facts.eventId, outcomes: outcomesMax, winners });
    for (const instance of this.instances) this.#offer(instance, entry, onThrow);
    this.statusChanged(market);
    return entry;
  }

  entryOf(market: number): MarketEntry {
    const entry = this.entryAt(market);
    if (entry === undefined) throw new AssertionFailure(`market ${market} is not on the ledger`);
    return entry;
  }

  marketEntries(): Iterable<MarketEntry> {
    return this.#marketEntries.values();
  }

  entryById(id: string): MarketEntry | undefined {
    return this.#entryById.get(id);
  }

  /** Orders whose stake may still match, as far as known. */
  liveOrders(): Iterable<OwnOrder> {
    return this.#orders.live;
  }

  get lastClient(): number {
    return this.#lastClient;
  }

  order(client: number): OwnOrder | undefined {
    return this.#orders.get(client);
  }

  inMarketOf(order: OwnOrder): StrategyInMarket | undefined {
    return this.instances[order.terms.strategy]?.inMarkets.get(order.terms.market);
  }

  /** Which ids a strategy may name: those of the markets it watches. */
  scopeOf(instance: StrategyInstance): IntentScope {
    return defined(this.#scopes[instance.index], 'every seat has its scope');
  }

  /** The number of the next order, if it is sent. */
  get nextClient(): number {
    return this.#lastClient + 1;
  }

  takeClient(): number {
    this.#lastClient += 1;
    return this.#lastClient;
  }

  /** An approved order is on its way; risk has reserved its exposure. */
  sent(order: OwnOrder): void {
    const inMarket = defined(this.inMarketOf(order), 'an order belongs to a seat in a market');
    this.#orders.add(order, inMarket.entry);
    this.#orders.follow(order, inMarket);
    inMarket.entry.changedAt = order.terms.sentAt;
  }

  /** Takes in an order that was not sent by this process: of an earlier one, or one that the run adopts. */
  takeIn(order: OwnOrder): void {
    this.#orders.add(order, this.entryOf(order.terms.market));
    if (order.isLive) this.#orders.follow(order, this.inMarketOf(order));
    this.#rebook(order, NO_STAKES);
  }

  /** Folds a report and asks for what follows from it: the strategy's call, a waiting cancel, a replacement. */
  apply(order: OwnOrder, report: OrderReport, step: Step): void {
    const before = order.holdInto(this.#before);
    if (order.isAbsent) this.#orders.follow(order, this.inMarketOf(order));
    order.apply(report);
    this.#rebook(order, before);
    if (before.stakeMatched === 0 && this.#after.stakeMatched > 0) this.risk.orderMatched(instant(step.at));
    this.#afterChange(order, step);
  }

  /** An order that had ended lives again: it counts from this report on. */
  revive(order: OwnOrder, report: OrderReport, step: Step): void {
    if (!order.isAbsent) {
      order.revive();
      this.#orders.follow(order, this.inMarketOf(order));
    }
    this.apply(order, report, step);
  }

  /** The exchange created nothing. */
  rejected(order: OwnOrder, step: Step): void {
    const before = order.holdInto(this.#before);
    order.refuse();
    this.#rebook(order, before);
    this.#afterChange(order, step, this.inMarketOf(order)?.hearRejection());
  }

  /** An order of unknown fate is proven never to have been created. It is kept, should a report say otherwise. */
  absent(order: OwnOrder, step: Step): void {
    const before = order.holdInto(this.#before);
    order.declareAbsent();
    this.#rebook(order, before);
    this.#afterChange(order, step);
  }

  /** A cancellation was answered: an order that is still live may be cancelled again. */
  cancelSettled(order: OwnOrder, step: Step): void {
    if (order.isLive && order.replacement !== undefined && order.status !== 'Pending') order.replacement = undefined;
    if (!order.isLive) this.#afterChange(order, step);
  }

  statusChanged(market: MarketState): void {
    if (market.status === 'Settled' || market.status === 'Voided' || market.status === 'Closed') {
      if (this.exposure.isOpen(market.index)) this.exposure.closeMarket(market.index);
      return;
    }
    if (!this.exposure.isOpen(market.index)) return;
    const entry = this.entryOf(market.index);
    if (entry.outcomeById.size !== market.facts.outcomes.length) entry.outcomeById = indexById(market.facts);
    this.exposure.setWinners(market.index, market.winners);
    for (let outcome = 0; outcome < market.facts.outcomes.length; outcome += 1) {
      if (market.outcomeStatus(outcome) === 'Removed') this.exposure.removeOutcome(market.index, outcome);
    }
  }

  walletChanged(message: { wallet: number; balance: Money; balanceAvailable: Money }): void {
    const wallet = this.#wallets.at(message.wallet);
    wallet.balanceMoney = message.balance;
    wallet.availableMoney = message.balanceAvailable;
    this.risk.funds.report({
      wallet: message.wallet,
      balance: message.balance,
      balanceAvailable: message.balanceAvailable,
      required: this.exposure.requiredOfWallet(message.wallet),
      matched: this.exposure.matchedOfWallet(message.wallet),
      inFlight: this.#orders.hasInFlight(message.wallet),
    });
  }

  /** Books what a market brought a wallet, in the first word of it or in another. */
  settled({ market, wallet, profit }: { market: MarketState; wallet: number; profit: Money }, at: Instant): void {
    this.risk.recordSettled(profit, at, this.#results.tell(market.facts.id, wallet));
  }

  /** Stops all new orders and cancels what is live. */
  kill(step: Step): void {
    this.risk.moveTo('halted', 'the kill switch was thrown', 'command');
    this.cancelAll(step);
  }

  cancelAll(step: Step): void {
    for (const order of this.#orders.live) this.cancel(order, step);
  }

  /** Stops one strategy and cancels what it has live. */
  haltStrategy(instance: StrategyInstance, step: Step): void {
    instance.halted = true;
    this.risk.haltedStrategies.add(instance.index);
    for (const inMarket of instance.inMarkets.values()) {
      inMarket.wakeAt = undefined;
      for (const order of inMarket.live) this.cancel(order, step);
    }
  }

  /** A halted strategy goes on; markets that came meanwhile are offered to it. */
  resumeStrategy(instance: StrategyInstance, onThrow: OnThrow): void {
    instance.halted = false;
    this.risk.haltedStrategies.delete(instance.index);
    for (const entry of this.#marketEntries.values()) {
      if (!instance.inMarkets.has(entry.state.index)) this.#offer(instance, entry, onThrow);
    }
  }

  /** Another version of the strategy takes the seat, with a state of its own in every market. It must be flat. */
  reloadStrategy(instance: StrategyInstance, version: StrategyVersion, onThrow: OnThrow): void {
    assert(this.isFlat(instance), 'a strategy is replaced while it is flat');
    instance.plugin = version.plugin;
    instance.params = version.params;
    instance.signals = version.signals;
    instance.guest = version.guest;
    instance.inputs$?.complete();
    instance.inputs$ = undefined;
    instance.failure = undefined;
    for (const inMarket of instance.inMarkets.values()) {
      const { watchers } = inMarket.entry;
      watchers.splice(watchers.indexOf(inMarket), 1);
    }
    instance.inMarkets.clear();
    this.resumeStrategy(instance, onThrow);
  }

  /** Whether a strategy has nothing live and holds nothing in any open market. */
  isFlat(instance: StrategyInstance): boolean {
    for (const { entry, live } of instance.inMarkets.values()) {
      const { index } = entry.state;
      if (live.length > 0 || (this.exposure.isOpen(index) && !this.exposure.isFlat(index, instance.index)))
        return false;
    }
    return true;
  }

  walletView(wallet: number): WalletView {
    return this.#wallets.at(wallet).view;
  }

  /** Asks for an order's cancellation; remembers it where the exchange has not named the order yet. */
  cancel(order: OwnOrder, step: Step): void {
    if (!order.isLive || order.inFlight === 'cancel' || order.isCancelTaken) return;
    if (order.exchangeId === undefined) {
      order.cancelWanted = true;
      return;
    }
    order.cancelSent();
    step.cancel(order);
    const entry = this.entryAt(order.terms.market);
    if (entry !== undefined) entry.changedAt = step.at;
  }

  /** Forgets a closed market: its orders, its desk, its seats. */
  dropMarket(market: MarketState): void {
    const entry = this.entryOf(market.index);
    this.#marketEntries.delete(market.index);
    this.#lastEntry = undefined;
    this.#results.drop(market.facts.id);
    this.risk.marketsOff.delete(market.index);
    this.#entryById.delete(market.facts.id);
    for (const inMarket of entry.watchers) {
      inMarket.wakeAt = undefined;
      inMarket.instance.inMarkets.delete(market.index);
    }
    this.#orders.drop(entry);
    if (this.exposure.isOpen(market.index)) this.exposure.closeMarket(market.index);
  }

  /** Risk follows what the order holds now. */
  #rebook(order: OwnOrder, before: Stakes): void {
    const after = order.holdInto(this.#after);
    if (this.exposure.isOpen(order.terms.market)) this.exposure.change(order.terms, before, after);
  }

  /** Adopted orders, and those of a strategy that is not seated any more, have no runtime. */
  #afterChange(order: OwnOrder, step: Step, isTold = true): void {
    const inMarket = this.inMarketOf(order);
    const entry = this.entryAt(order.terms.market);
    if (entry !== undefined) entry.changedAt = step.at;
    if (inMarket !== undefined && order.exchangeId !== undefined) inMarket.rejections = 0;
    if (!order.isLive) {
      this.#orders.retire(order, inMarket, entry);
      // The strategy is asked once what takes the order's place is among its orders.
      if (inMarket !== undefined && this.#placeRemainder(order, inMarket, step))
        return step.callAfter(inMarket, 'order');
    } else if (order.cancelWanted && order.inFlight === undefined) {
      this.cancel(order, step);
    }
    if (inMarket !== undefined && isTold) step.call(inMarket, 'order');
  }

  /** The proof that a replace waited for: what was voided, and no more, is placed at the new price. Says whether. */
  #placeRemainder(order: OwnOrder, inMarket: StrategyInMarket, step: Step): boolean {
    const replacement = order.replacement;
    order.replacement = undefined;
    if (replacement === undefined) return false;
    const { marketId: market, outcomeId: outcome, side, keepWhenInPlay, matchBehavior } = order.terms;
    // Fills may leave what is no whole stake (10⁻³): less than a step of it cannot be placed again.
    const voided = moneyToDecimal((order.voidedMoney - (order.voidedMoney % STAKE_STEP)) as Money);
    const stake = Math.min(voided, replacement.stake ?? voided);
    if (stake === 0) return false;
    const price = replacement.price;
    step.propose(inMarket, [{ kind: 'place', market, outcome, side, price, stake, keepWhenInPlay, matchBehavior }]);
    return true;
  }

  /** Instances the strategy in the market, if it wants to watch it. */
  #offer(instance: StrategyInstance, entry: MarketEntry, onThrow: OnThrow): void {
    if (instance.halted) return;
    beginCall(this.mark, instance.index, entry.state.index);
    try {
      if (instance.plugin.watches?.(entry.shownFacts) ?? true) entry.watchers.push(this.#instanceAt(instance, entry));
    } catch (error) {
      onThrow(instance, error);
    }
    endCall(this.mark);
  }

  #instanceAt(instance: StrategyInstance, entry: MarketEntry): StrategyInMarket {
    const position = new LedgerPosition(this.exposure, entry, instance.index);
    const wallet = this.#wallets.at(instance.wallet).view;
    const markets = watchedMarkets(instance, this.#entryById);
    const inMarket = new StrategyInMarket({ instance, entry, position, wallet, markets });
    instance.inMarkets.set(entry.state.index, inMarket);
    return inMarket;
  }
}
