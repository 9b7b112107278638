/** What the run holds and owes: own orders, positions, wallets and markets, as sends, replies and the feed say. */

import { AssertionFailure, defined } from '../../core/checks/assert.ts';
import type { MarketState } from '../../core/market-state.ts';
import { stakeStepOf } from '../../core/minimum-stake.ts';
import { type Instant, instant, type Money, moneyToDecimal } from '../../core/number/units.ts';
import type { SentOrder } from '../../core/run/kept-order.ts';
import type { RunState } from '../../core/run/run-state.ts';
import { UnseenMarket } from '../../core/run/unseen-market.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import { type ExposureBook, NO_STAKES, type Stakes } from '../../risk/exposure/exposure-book.ts';
import type { RiskState } from '../../risk/risk-state.ts';
import type { IntentScope } from '../../strategy/decision/check-intent.ts';
import { ViewGate } from '../../strategy/views/view-gate.ts';
import type { WalletView } from '../../strategy/views/views.ts';
import type { DecisionMark } from '../guest/decision-mark.ts';
import { indexById } from '../windows/known-facts.ts';
import { LedgerMarkets } from './ledger-markets.ts';
import { LedgerOrders } from './ledger-orders.ts';
import { LedgerStrategies, type OnThrow } from './ledger-strategies.ts';
import { LedgerWallets } from './ledger-wallets.ts';
import type { OwnOrder } from './own-order.ts';
import { ReportedResults } from './reported-results.ts';
import { RestoredOrders } from './restored-orders.ts';
import { NO_NAMES, type RunNames } from './run-names.ts';
import type { Step } from './step.ts';
import type {
  MarketEntry,
  OnPlotted,
  StrategyInMarket,
  StrategyInstance,
  StrategyVersion,
} from './strategy-in-market.ts';

export interface LedgerParts {
  readonly instances: readonly StrategyInstance[];
  readonly exposure: ExposureBook;
  readonly risk: RiskState;
  /** What an earlier process of the run left. */
  readonly restored?: RunState | undefined;
  readonly names?: RunNames;
  /** Where calls of strategies are marked, for a thread that watches for one that hangs. */
  readonly mark: DecisionMark;
  readonly onPlotted?: OnPlotted;
}

export class Ledger {
  readonly exposure: ExposureBook;
  readonly risk: RiskState;
  /** Open while a strategy decides, and only then. */
  readonly gate = new ViewGate();
  readonly restored: RestoredOrders;
  readonly names: RunNames;
  readonly mark: DecisionMark;
  readonly #markets = new LedgerMarkets();
  readonly #orders = new LedgerOrders();
  readonly #wallets = new LedgerWallets();
  readonly #strategies: LedgerStrategies;
  readonly #results = new ReportedResults();
  /** What an order held, and holds: written anew for each report. */
  readonly #before = { ...NO_STAKES };
  readonly #after = { ...NO_STAKES };
  #unasked: { readonly unaskedSince?: number } = {};
  #lastClient: number;
  /** How many markets were stood in for. */
  #unseen = 0;

  constructor(parts: LedgerParts) {
    const { instances, exposure, risk, mark, onPlotted = () => {} } = parts;
    this.exposure = exposure;
    this.mark = mark;
    this.risk = risk;
    this.#strategies = new LedgerStrategies({
      instances,
      exposure,
      mark,
      markets: this.#markets,
      wallets: this.#wallets,
      gate: this.gate,
      onPlotted,
    });
    this.restored = new RestoredOrders(parts.restored?.orders ?? []);
    this.names = parts.names ?? NO_NAMES;
    this.#lastClient = parts.restored?.lastClient ?? 0;
    for (const { market, wallet } of parts.restored?.results ?? [])
      this.#results.add(market, this.names.wallets.indexOf(wallet));
  }

  get instances(): readonly StrategyInstance[] {
    return this.#strategies.instances;
  }

  /** Undefined for a market that the feed has not brought yet, and for one that is closed. */
  entryAt(market: number): MarketEntry | undefined {
    return this.#markets.at(market);
  }

  entryOf(market: number): MarketEntry {
    const entry = this.#markets.at(market);
    if (entry === undefined) throw new AssertionFailure(`market ${market} is not on the ledger`);
    return entry;
  }

  entryById(id: string): MarketEntry | undefined {
    return this.#markets.withId(id);
  }

  marketEntries(): Iterable<MarketEntry> {
    return this.#markets.all;
  }

  /** Adds a market and offers it to the strategies; one that throws then is passed to `onThrow`. */
  openEntry(market: MarketState, onThrow: OnThrow): MarketEntry {
    const entry = this.#markets.add(market);
    const { facts, index, winners, outcomesMax = facts.outcomes.length } = market;
    this.exposure.openMarket({ market: index, event: facts.eventId, outcomes: outcomesMax, winners });
    this.#strategies.offerMarket(entry, onThrow);
    this.statusChanged(market);
    return entry;
  }

  /** Adds what stands in for a market in which these orders are; no strategy is asked about it. */
  openUnseen(orders: readonly SentOrder[]): MarketEntry {
    this.#unseen += 1;
    const market = new UnseenMarket(this.#unseen, orders);
    const { facts, index, winners } = market;
    this.exposure.openMarket({ market: index, event: facts.eventId, outcomes: facts.outcomes.length, winners });
    return this.#markets.add(market);
  }

  /** Whether orders of an earlier process are in markets that have not come. */
  get hasUnseen(): boolean {
    return (
      this.restored.markets.length > 0 || [...this.#markets.all].some(({ state }) => state instanceof UnseenMarket)
    );
  }

  /** The market has come: what stood in for it goes, and its orders are returned. */
  dropUnseen(id: string): readonly OwnOrder[] {
    const entry = this.#unseen === 0 ? undefined : this.entryById(id);
    if (entry === undefined || !(entry.state instanceof UnseenMarket)) return [];
    const orders = [...entry.orders];
    this.dropMarket(entry.state);
    return orders;
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

  /** Forgets a closed market, its orders, and which strategies watched it. */
  dropMarket(market: MarketState): void {
    const entry = this.entryOf(market.index);
    this.#markets.drop(market);
    this.#results.drop(market.facts.id);
    this.risk.switchMarketOn(market.index);
    this.risk.setStatusStale(market.index, false);
    this.#strategies.dropMarket(entry);
    this.#orders.drop(entry);
    if (this.exposure.isOpen(market.index)) this.exposure.closeMarket(market.index);
  }

  /** Orders whose stake may still match, as far as known. */
  liveOrders(): Iterable<OwnOrder> {
    return this.#orders.live;
  }

  order(client: number): OwnOrder | undefined {
    return this.#orders.get(client);
  }

  /** Whether its stake may still match, and it is not another object by now that stands for the order. */
  isLive(order: OwnOrder): boolean {
    return order.isLive && this.#orders.get(order.id) === order;
  }

  inMarketOf(order: OwnOrder): StrategyInMarket | undefined {
    return this.instances[order.terms.strategy]?.inMarkets.get(order.terms.market);
  }

  /** Which ids a strategy may name: those of the markets it watches. */
  scopeOf(instance: StrategyInstance): IntentScope {
    return this.#strategies.scopeOf(instance);
  }

  /** The number of the next order, if it is sent. */
  get nextClient(): number {
    return this.#lastClient + 1;
  }

  takeClient(): number {
    this.#lastClient += 1;
    return this.#lastClient;
  }

  /** Adds an approved order, which is on its way; risk has reserved its exposure. */
  addSent(order: OwnOrder): void {
    const inMarket = defined(this.inMarketOf(order), 'an order belongs to a strategy in a market');
    this.#orders.add(order, inMarket.entry);
    this.#orders.follow(order, inMarket);
    inMarket.entry.changedAt = order.terms.sentAt;
  }

  /** Adds an order that an earlier process of the run sent, and that comes back with its market. */
  addRestored(order: OwnOrder): void {
    this.#orders.add(order, this.entryOf(order.terms.market));
    if (order.isLive) this.#orders.follow(order, this.inMarketOf(order));
    this.#rebook(order, NO_STAKES);
  }

  /** Adds an order that the exchange holds and this run did not send: from now on it counts in every limit and rate. */
  addAdopted(order: OwnOrder, at: Instant): void {
    this.addRestored(order);
    this.risk.history.sent(at);
    if (order.matchedMoney > 0) this.risk.history.matched(at);
  }

  /** Applies a report and asks for what follows from it: the strategy's call, a waiting cancel, a replacement. */
  applyReport(order: OwnOrder, report: OrderReport, step: Step): void {
    const before = order.holdInto(this.#before);
    if (order.isAbsent) this.#orders.follow(order, this.inMarketOf(order));
    order.applyReport(report);
    this.#rebook(order, before);
    if (before.stakeMatched === 0 && this.#after.stakeMatched > 0) this.risk.history.matched(instant(step.at));
    this.#afterChange(order, step);
  }

  /** An order that had ended lives again: it counts from this report on. */
  revive(order: OwnOrder, report: OrderReport, step: Step): void {
    if (!order.isAbsent) {
      order.revive();
      this.#orders.follow(order, this.inMarketOf(order));
    }
    this.applyReport(order, report, step);
  }

  /** The exchange created nothing. */
  rejected(order: OwnOrder, step: Step): void {
    const before = order.holdInto(this.#before);
    order.refuse();
    this.#rebook(order, before);
    this.#afterChange(order, step, this.inMarketOf(order)?.countRejection());
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

  walletView(wallet: number): WalletView {
    return this.#wallets.at(wallet);
  }

  /** Books what a market paid a wallet; a second result of the same market is booked as the difference that it is. */
  settled({ market, wallet, profit }: { market: MarketState; wallet: number; profit: Money }, at: Instant): void {
    this.risk.recordSettled(profit, at, this.#results.add(market.facts.id, wallet));
  }

  cancelAll(step: Step): void {
    for (const order of this.#orders.live) this.cancel(order, step);
  }

  /** Stops one strategy and cancels what it has live. */
  haltStrategy(instance: StrategyInstance, step: Step): void {
    instance.halted = true;
    this.risk.haltStrategy(instance.index);
    for (const inMarket of instance.inMarkets.values()) {
      inMarket.forgetAlarm();
      for (const order of inMarket.live) this.cancel(order, step);
    }
  }

  /** A halted strategy goes on; markets that came meanwhile are offered to it. */
  resumeStrategy(instance: StrategyInstance, onThrow: OnThrow): void {
    instance.halted = false;
    this.risk.resumeStrategy(instance.index);
    this.#strategies.offerMarkets(instance, onThrow);
  }

  /** Another version replaces a strategy, which must be flat; it begins with a new state in every market. */
  reloadStrategy(instance: StrategyInstance, version: StrategyVersion, onThrow: OnThrow): void {
    this.#strategies.replace(instance, version);
    this.resumeStrategy(instance, onThrow);
  }

  /** Whether a strategy has no live order, and no position in any open market. */
  isFlat(instance: StrategyInstance): boolean {
    return this.#strategies.isFlat(instance);
  }

  /** A strategy was not called because the run was told to end. */
  leaveUnasked(at: number): void {
    if (this.#unasked.unaskedSince === undefined) this.#unasked = { unaskedSince: at };
  }

  /** When a strategy was first not called because the run was told to end; empty while all are called. */
  get unasked(): { readonly unaskedSince?: number } {
    return this.#unasked;
  }

  /** Asks for an order's cancellation: at once, or as soon as the exchange has given the order its id. */
  cancel(order: OwnOrder, step: Step): void {
    if (!order.isLive || order.inFlight === 'cancel' || order.isCancelAccepted) return;
    if (order.exchangeId === undefined) {
      order.cancelWanted = true;
      return;
    }
    order.cancelSent();
    step.cancel(order);
    const entry = this.entryAt(order.terms.market);
    if (entry !== undefined) entry.changedAt = step.at;
  }

  /** Asks for a part of an order to be cancelled: at once, or as soon as it rests. It counts whole until a report says less. */
  reduce(order: OwnOrder, stake: Money, step: Step): void {
    if (order.exchangeId === undefined || order.status === 'Pending') {
      order.reduceWanted = stake;
      return;
    }
    order.reduceSent();
    step.reduce({ order, stake });
  }

  /** Risk follows what the order holds now. */
  #rebook(order: OwnOrder, before: Stakes): void {
    const after = order.holdInto(this.#after);
    if (this.exposure.isOpen(order.terms.market)) this.exposure.change(order.terms, before, after);
  }

  /**
   * An order that is not live any more is let go, a cancellation that waited is sent, and its strategy is called unless
   * `callsStrategy` says no. Adopted orders, and orders of a strategy that is not configured any more, have none.
   */
  #afterChange(order: OwnOrder, step: Step, callsStrategy = true): void {
    const inMarket = this.inMarketOf(order);
    const entry = this.entryAt(order.terms.market);
    if (entry !== undefined) entry.changedAt = step.at;
    if (inMarket !== undefined && order.exchangeId !== undefined) inMarket.rejections = 0;
    if (!order.isLive) {
      this.#orders.retire(order, inMarket, entry);
      // The strategy is called once the order that replaces this one is among its orders.
      if (inMarket !== undefined && this.#placeRemainder(order, inMarket, step))
        return step.callAfterJudging(inMarket, 'order');
    } else if (order.inFlight === undefined) {
      if (order.cancelWanted) this.cancel(order, step);
      else if (order.reduceWanted !== undefined) this.reduce(order, order.reduceWanted, step);
    }
    if (inMarket !== undefined && callsStrategy) step.call(inMarket, 'order');
  }

  /** An order that is to be replaced has ended: proposes what was voided of it, and no more, at the new price. Says whether. */
  #placeRemainder(order: OwnOrder, inMarket: StrategyInMarket, step: Step): boolean {
    const replacement = order.replacement;
    order.replacement = undefined;
    if (replacement === undefined) return false;
    const { marketId: market, outcomeId: outcome, side, keepWhenInPlay, matchBehavior } = order.terms;
    // Fills may leave what is no whole stake: less than a step of it cannot be placed again.
    const left = order.voidedMoney - replacement.voidedBefore;
    const voided = moneyToDecimal((left - (left % stakeStepOf(order.market?.minimumStake))) as Money);
    const stake = Math.min(voided, replacement.stake ?? voided);
    if (stake === 0) return false;
    const { price, note } = replacement;
    const terms = { market, outcome, side, price, stake, keepWhenInPlay, matchBehavior, note };
    step.propose(inMarket, [{ kind: 'place', ...terms }]);
    return true;
  }
}
