/** What the bot knows it owes: own orders, positions, wallets and markets, folded from sends, replies and the feed. */

import { AssertionFailure, assert, present } from '../../core/checks/assert.ts';
import { Chain } from '../../core/collections/chain.ts';
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
import { RestoredOrders } from './restored-orders.ts';
import { NO_NAMES, type RunNames } from './run-names.ts';
import { type MarketDesk, Runtime, type SeatVersion, type StrategySeat, watchedMarkets } from './runtime.ts';
import { ToldResults } from './told-results.ts';
import type { Turn } from './turn.ts';

export interface LedgerParts {
  readonly seats: readonly StrategySeat[];
  readonly exposure: ExposureBook;
  readonly risk: RiskState;
  /** What an earlier process of the run left. */
  readonly restored?: RunState | undefined;
  readonly names?: RunNames;
  /** Of all calls of strategies. */
  readonly mark: DecisionMark;
}

/** Told of a strategy that throws when it is asked whether it watches a market. */
export type OnThrow = (seat: StrategySeat, error: unknown) => void;

export class Ledger {
  readonly seats: readonly StrategySeat[];
  readonly exposure: ExposureBook;
  readonly risk: RiskState;
  /** Open while a strategy decides, and only then. */
  readonly gate = new ViewGate();
  readonly #scopes: readonly IntentScope[];
  readonly #desks = new Map<number, MarketDesk>();
  /** The desk asked for last: the next question is nearly always of the same one. */
  #lastDesk: MarketDesk | undefined;
  readonly #deskById = new Map<string, MarketDesk>();
  readonly #orders = new LedgerOrders();
  readonly #wallets = new LedgerWallets();
  readonly restored: RestoredOrders;
  readonly #results = new ToldResults();
  /** What an order held, and holds: written anew for each report. */
  readonly #before = { ...NO_STAKES };
  readonly #after = { ...NO_STAKES };
  readonly names: RunNames;
  readonly mark: DecisionMark;
  /** When a strategy was first left out because the run was told to end; empty while all are asked. */
  unasked: { readonly unaskedSince?: number } = {};
  #lastClient: number;

  constructor(parts: LedgerParts) {
    this.seats = parts.seats;
    this.mark = parts.mark;
    this.restored = new RestoredOrders(parts.restored?.orders ?? []);
    this.names = parts.names ?? NO_NAMES;
    this.#lastClient = parts.restored?.lastClient ?? 0;
    for (const { market, wallet } of parts.restored?.results ?? [])
      this.#results.tell(market, this.names.wallets.indexOf(wallet));
    this.exposure = parts.exposure;
    this.risk = parts.risk;
    this.#scopes = parts.seats.map((seat) => ({
      marketIndex: (id) => {
        const last = this.#lastDesk?.state;
        const market = last?.facts.id === id ? last.index : (this.#deskById.get(id)?.state.index ?? -1);
        return seat.runtimes.has(market) ? market : -1;
      },
      outcomeIndex: (market, id) => this.deskAt(market)?.outcomeById.get(id) ?? -1,
    }));
  }

  /** Undefined where the market was not heard of, or is forgotten. */
  deskAt(market: number): MarketDesk | undefined {
    if (this.#lastDesk?.state.index === market) return this.#lastDesk;
    this.#lastDesk = this.#desks.get(market);
    return this.#lastDesk;
  }

  /** The desk of a market that was just heard of; a strategy that throws then is told to `onThrow`. */
  openDesk(market: MarketState, onThrow: OnThrow): MarketDesk {
    const facts = market.facts;
    const { view } = createMarketView(market, this.gate);
    const desk: MarketDesk = {
      state: market,
      view,
      shownFacts: frozenFacts(facts),
      freshAt: market.freshAt ?? market.updatedAt,
      isStale: false,
      changedAt: Number.NEGATIVE_INFINITY,
      watchers: [],
      orders: new Chain(),
      outcomeById: indexById(facts),
    };
    this.#desks.set(market.index, desk);
    this.#deskById.set(facts.id, desk);
    const { index, winners, outcomesMax = facts.outcomes.length } = market;
    this.exposure.openMarket({ market: index, event: facts.eventId, outcomes: outcomesMax, winners });
    for (const seat of this.seats) this.#offer(seat, desk, onThrow);
    this.statusChanged(market);
    return desk;
  }

  deskOf(market: number): MarketDesk {
    const desk = this.deskAt(market);
    if (desk === undefined) throw new AssertionFailure(`market ${market} is not on the ledger`);
    return desk;
  }

  desks(): Iterable<MarketDesk> {
    return this.#desks.values();
  }

  deskById(id: string): MarketDesk | undefined {
    return this.#deskById.get(id);
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

  runtimeOf(order: OwnOrder): Runtime | undefined {
    return this.seats[order.terms.strategy]?.runtimes.get(order.terms.market);
  }

  /** Which ids a strategy may name: those of the markets it watches. */
  scopeOf(seat: StrategySeat): IntentScope {
    return present(this.#scopes[seat.index], 'every seat has its scope');
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
    const runtime = present(this.runtimeOf(order), 'an order belongs to a seat in a market');
    this.#orders.add(order, runtime.desk);
    this.#orders.follow(order, runtime);
    runtime.desk.changedAt = order.terms.sentAt;
  }

  /** Takes in an order that was not sent by this process: of an earlier one, or one that the run adopts. */
  takeIn(order: OwnOrder): void {
    this.#orders.add(order, this.deskOf(order.terms.market));
    if (order.isLive) this.#orders.follow(order, this.runtimeOf(order));
    this.#rebook(order, NO_STAKES);
  }

  /** Folds a report and asks for what follows from it: the strategy's call, a waiting cancel, a replacement. */
  apply(order: OwnOrder, report: OrderReport, turn: Turn): void {
    const before = order.holdInto(this.#before);
    if (order.isAbsent) this.#orders.follow(order, this.runtimeOf(order));
    order.apply(report);
    this.#rebook(order, before);
    if (before.stakeMatched === 0 && this.#after.stakeMatched > 0) this.risk.orderMatched(instant(turn.at));
    this.#afterChange(order, turn);
  }

  /** An order that had ended lives again: it counts from this report on. */
  revive(order: OwnOrder, report: OrderReport, turn: Turn): void {
    if (!order.isAbsent) {
      order.revive();
      this.#orders.follow(order, this.runtimeOf(order));
    }
    this.apply(order, report, turn);
  }

  /** The exchange created nothing. */
  rejected(order: OwnOrder, turn: Turn): void {
    const before = order.holdInto(this.#before);
    order.refuse();
    this.#rebook(order, before);
    this.#afterChange(order, turn, this.runtimeOf(order)?.hearRejection());
  }

  /** An order of unknown fate is proven never to have been created. It is kept, should a report say otherwise. */
  absent(order: OwnOrder, turn: Turn): void {
    const before = order.holdInto(this.#before);
    order.declareAbsent();
    this.#rebook(order, before);
    this.#afterChange(order, turn);
  }

  /** A cancellation was answered: an order that is still live may be cancelled again. */
  cancelSettled(order: OwnOrder, turn: Turn): void {
    if (order.isLive && order.replacement !== undefined && order.status !== 'Pending') order.replacement = undefined;
    if (!order.isLive) this.#afterChange(order, turn);
  }

  statusChanged(market: MarketState): void {
    if (market.status === 'Settled' || market.status === 'Voided' || market.status === 'Closed') {
      if (this.exposure.isOpen(market.index)) this.exposure.closeMarket(market.index);
      return;
    }
    if (!this.exposure.isOpen(market.index)) return;
    const desk = this.deskOf(market.index);
    if (desk.outcomeById.size !== market.facts.outcomes.length) desk.outcomeById = indexById(market.facts);
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
  kill(turn: Turn): void {
    this.risk.moveTo('halted', 'the kill switch was thrown', 'command');
    this.cancelAll(turn);
  }

  cancelAll(turn: Turn): void {
    for (const order of this.#orders.live) this.cancel(order, turn);
  }

  /** Stops one strategy and cancels what it has live. */
  haltStrategy(seat: StrategySeat, turn: Turn): void {
    seat.halted = true;
    this.risk.haltedStrategies.add(seat.index);
    for (const runtime of seat.runtimes.values()) {
      runtime.wakeAt = undefined;
      for (const order of runtime.live) this.cancel(order, turn);
    }
  }

  /** A halted strategy goes on; markets that came meanwhile are offered to it. */
  resumeStrategy(seat: StrategySeat, onThrow: OnThrow): void {
    seat.halted = false;
    this.risk.haltedStrategies.delete(seat.index);
    for (const desk of this.#desks.values()) {
      if (!seat.runtimes.has(desk.state.index)) this.#offer(seat, desk, onThrow);
    }
  }

  /** Another version of the strategy takes the seat, with a state of its own in every market. It must be flat. */
  reseat(seat: StrategySeat, version: SeatVersion, onThrow: OnThrow): void {
    assert(this.isFlat(seat), 'a strategy is replaced while it is flat');
    seat.plugin = version.plugin;
    seat.params = version.params;
    seat.signals = version.signals;
    seat.guest = version.guest;
    seat.inputs$?.complete();
    seat.inputs$ = undefined;
    seat.failure = undefined;
    for (const runtime of seat.runtimes.values()) {
      const { watchers } = runtime.desk;
      watchers.splice(watchers.indexOf(runtime), 1);
    }
    seat.runtimes.clear();
    this.resumeStrategy(seat, onThrow);
  }

  /** Whether a strategy has nothing live and holds nothing in any open market. */
  isFlat(seat: StrategySeat): boolean {
    for (const { desk, live } of seat.runtimes.values()) {
      const { index } = desk.state;
      if (live.length > 0 || (this.exposure.isOpen(index) && !this.exposure.isFlat(index, seat.index))) return false;
    }
    return true;
  }

  walletView(wallet: number): WalletView {
    return this.#wallets.at(wallet).view;
  }

  /** Asks for an order's cancellation; remembers it where the exchange has not named the order yet. */
  cancel(order: OwnOrder, turn: Turn): void {
    if (!order.isLive || order.inFlight === 'cancel' || order.isCancelTaken) return;
    if (order.exchangeId === undefined) {
      order.cancelWanted = true;
      return;
    }
    order.cancelSent();
    turn.cancel(order);
    const desk = this.deskAt(order.terms.market);
    if (desk !== undefined) desk.changedAt = turn.at;
  }

  /** Forgets a closed market: its orders, its desk, its seats. */
  dropMarket(market: MarketState): void {
    const desk = this.deskOf(market.index);
    this.#desks.delete(market.index);
    this.#lastDesk = undefined;
    this.#results.drop(market.facts.id);
    this.risk.marketsOff.delete(market.index);
    this.#deskById.delete(market.facts.id);
    for (const runtime of desk.watchers) {
      runtime.wakeAt = undefined;
      runtime.seat.runtimes.delete(market.index);
    }
    this.#orders.drop(desk);
    if (this.exposure.isOpen(market.index)) this.exposure.closeMarket(market.index);
  }

  /** Risk follows what the order holds now. */
  #rebook(order: OwnOrder, before: Stakes): void {
    const after = order.holdInto(this.#after);
    if (this.exposure.isOpen(order.terms.market)) this.exposure.change(order.terms, before, after);
  }

  /** Adopted orders, and those of a strategy that is not seated any more, have no runtime. */
  #afterChange(order: OwnOrder, turn: Turn, isTold = true): void {
    const runtime = this.runtimeOf(order);
    const desk = this.deskAt(order.terms.market);
    if (desk !== undefined) desk.changedAt = turn.at;
    if (runtime !== undefined && order.exchangeId !== undefined) runtime.rejections = 0;
    if (!order.isLive) {
      this.#orders.retire(order, runtime, desk);
      // The strategy is asked once what takes the order's place is among its orders.
      if (runtime !== undefined && this.#placeRemainder(order, runtime, turn)) return turn.callAfter(runtime, 'order');
    } else if (order.cancelWanted && order.inFlight === undefined) {
      this.cancel(order, turn);
    }
    if (runtime !== undefined && isTold) turn.call(runtime, 'order');
  }

  /** The proof that a replace waited for: what was voided, and no more, is placed at the new price. Says whether. */
  #placeRemainder(order: OwnOrder, runtime: Runtime, turn: Turn): boolean {
    const replacement = order.replacement;
    order.replacement = undefined;
    if (replacement === undefined) return false;
    const { marketId: market, outcomeId: outcome, side, keepWhenInPlay, matchBehavior } = order.terms;
    // Fills may leave what is no whole stake (10⁻³): less than a step of it cannot be placed again.
    const voided = moneyToDecimal((order.voidedMoney - (order.voidedMoney % STAKE_STEP)) as Money);
    const stake = Math.min(voided, replacement.stake ?? voided);
    if (stake === 0) return false;
    const price = replacement.price;
    turn.wish(runtime, [{ kind: 'place', market, outcome, side, price, stake, keepWhenInPlay, matchBehavior }]);
    return true;
  }

  /** Seats the strategy in the market, if it wants to watch it. */
  #offer(seat: StrategySeat, desk: MarketDesk, onThrow: OnThrow): void {
    if (seat.halted) return;
    beginCall(this.mark, seat.index, desk.state.index);
    try {
      if (seat.plugin.watches?.(desk.shownFacts) ?? true) desk.watchers.push(this.#seatAt(seat, desk));
    } catch (error) {
      onThrow(seat, error);
    }
    endCall(this.mark);
  }

  #seatAt(seat: StrategySeat, desk: MarketDesk): Runtime {
    const position = new LedgerPosition(this.exposure, desk, seat.index);
    const wallet = this.#wallets.at(seat.wallet).view;
    const markets = watchedMarkets(seat, this.#deskById);
    const runtime = new Runtime({ seat, desk, position, wallet, markets });
    seat.runtimes.set(desk.state.index, runtime);
    return runtime;
  }
}
