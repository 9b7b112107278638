/** What the bot knows it owes: own orders, positions, wallets and markets, folded from sends, replies and the feed. */

import { assert, present } from '../core/assert.ts';
import type { MarketState } from '../core/market-state.ts';
import { type Money, moneyToDecimal, STAKE_STEP, ZERO } from '../core/units.ts';
import type { OrderReport } from '../exchange/gateway.ts';
import type { ExposureBook } from '../risk/exposure-book.ts';
import type { RiskState } from '../risk/risk-state.ts';
import type { IntentScope } from '../strategy/check-intent.ts';
import { createMarketView } from '../strategy/market-view.ts';
import { ViewGate } from '../strategy/view-gate.ts';
import type { MarketView, WalletView } from '../strategy/views.ts';
import type { OwnOrder } from './own-order.ts';
import { LedgerPosition } from './position-view.ts';
import { type MarketDesk, Runtime, type StrategySeat } from './runtime.ts';
import type { Turn } from './turn.ts';

class LedgerWallet implements WalletView {
  balanceMoney: Money = ZERO;
  availableMoney: Money = ZERO;

  get balance(): number {
    return moneyToDecimal(this.balanceMoney);
  }
  get balanceAvailable(): number {
    return moneyToDecimal(this.availableMoney);
  }
}

export class Ledger {
  readonly seats: readonly StrategySeat[];
  readonly exposure: ExposureBook;
  readonly risk: RiskState;
  /** Open while a strategy decides, and only then. */
  readonly gate = new ViewGate();
  readonly #scopes: readonly IntentScope[];
  readonly #desks = new Map<number, MarketDesk>();
  readonly #deskById = new Map<string, MarketDesk>();
  /** Orders of open markets that are live or have matched stake: the others can change no more. */
  readonly #orders = new Map<number, OwnOrder>();
  readonly #live = new Set<OwnOrder>();
  readonly #wallets = new Map<number, LedgerWallet>();
  #nextClient = 0;

  constructor(parts: { seats: readonly StrategySeat[]; exposure: ExposureBook; risk: RiskState }) {
    this.seats = parts.seats;
    this.exposure = parts.exposure;
    this.risk = parts.risk;
    this.#scopes = parts.seats.map((seat) => ({
      marketIndex: (id) => {
        const market = this.#deskById.get(id)?.state.index ?? -1;
        return seat.runtimes.has(market) ? market : -1;
      },
      outcomeIndex: (market, id) => this.#desks.get(market)?.outcomeById.get(id) ?? -1,
    }));
  }

  /** The market's desk, opened when it is first heard of; a strategy that throws then is told to `onThrow`. */
  desk(market: MarketState, onThrow: (seat: StrategySeat, error: unknown) => void): MarketDesk {
    return this.#desks.get(market.index) ?? this.#openDesk(market, onThrow);
  }

  deskOf(market: number): MarketDesk {
    return present(this.#desks.get(market), `market ${market} is not on the ledger`);
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

  takeClient(): number {
    this.#nextClient += 1;
    return this.#nextClient;
  }

  /** An approved order is on its way; risk has reserved its exposure. */
  sent(order: OwnOrder): void {
    assert(!this.#orders.has(order.id), 'an order is sent once');
    this.#orders.set(order.id, order);
    this.#live.add(order);
    const runtime = present(this.runtimeOf(order), 'an order belongs to a seat in a market');
    runtime.live.push(order);
    runtime.desk.orders.add(order);
  }

  /** Folds a report and asks for what follows from it: the strategy's call, a waiting cancel, a replacement. */
  apply(order: OwnOrder, report: OrderReport, turn: Turn): void {
    const before = order.held();
    if (order.isAbsent) this.#adopt(order);
    order.apply(report);
    if (this.exposure.isOpen(order.terms.market)) this.exposure.change(order.terms, before, order.held());
    this.#afterChange(order, turn);
  }

  /** The exchange created nothing. */
  rejected(order: OwnOrder, turn: Turn): void {
    const before = order.held();
    order.refuse();
    if (this.exposure.isOpen(order.terms.market)) this.exposure.change(order.terms, before, order.held());
    this.#afterChange(order, turn);
  }

  /** An order of unknown fate is proven never to have been created. It is kept, should a report say otherwise. */
  absent(order: OwnOrder, turn: Turn): void {
    const before = order.held();
    order.declareAbsent();
    if (this.exposure.isOpen(order.terms.market)) this.exposure.change(order.terms, before, order.held());
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
    this.exposure.setWinners(market.index, market.winners);
    for (let outcome = 0; outcome < market.facts.outcomes.length; outcome += 1) {
      if (market.outcomeStatus(outcome) === 'Removed') this.exposure.removeOutcome(market.index, outcome);
    }
  }

  walletChanged(message: { wallet: number; balance: Money; balanceAvailable: Money }): void {
    const wallet = this.#wallet(message.wallet);
    wallet.balanceMoney = message.balance;
    wallet.availableMoney = message.balanceAvailable;
    this.risk.funds.report({
      ...message,
      required: this.exposure.requiredOfWallet(message.wallet),
      matched: this.exposure.matchedOfWallet(message.wallet),
      inFlight: this.#hasInFlight(message.wallet),
    });
  }

  /** Stops all new orders and cancels what is live. */
  kill(turn: Turn): void {
    this.risk.halted = true;
    for (const order of this.#live) this.cancel(order, turn);
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

  /** Asks for an order's cancellation; remembers it where the exchange has not named the order yet. */
  cancel(order: OwnOrder, turn: Turn): void {
    if (!order.isLive || order.inFlight === 'cancel') return;
    if (order.exchangeId === undefined) {
      order.cancelWanted = true;
      return;
    }
    order.cancelSent();
    turn.cancel(order);
  }

  /** Forgets a closed market: its orders, its desk, its seats. */
  dropMarket(market: MarketState): void {
    const desk = this.deskOf(market.index);
    this.#desks.delete(market.index);
    this.#deskById.delete(market.facts.id);
    for (const runtime of desk.watchers) runtime.seat.runtimes.delete(market.index);
    for (const order of desk.orders) {
      this.#orders.delete(order.id);
      this.#live.delete(order);
    }
    if (this.exposure.isOpen(market.index)) this.exposure.closeMarket(market.index);
  }

  #afterChange(order: OwnOrder, turn: Turn): void {
    const runtime = this.runtimeOf(order);
    if (runtime === undefined) return;
    if (!order.isLive) {
      this.#retire(order, runtime);
      this.#placeRemainder(order, runtime, turn);
    } else if (order.cancelWanted && order.inFlight === undefined) {
      this.cancel(order, turn);
    }
    turn.call(runtime, 'order');
  }

  /** An order taken for absent exists after all: it is followed again like any other. */
  #adopt(order: OwnOrder): void {
    this.#live.add(order);
    this.runtimeOf(order)?.live.push(order);
  }

  #retire(order: OwnOrder, runtime: Runtime): void {
    if (!this.#live.delete(order)) return;
    runtime.live.splice(runtime.live.indexOf(order), 1);
    if (order.stakeMatched > 0 || order.isAbsent) return;
    this.#orders.delete(order.id);
    runtime.desk.orders.delete(order);
  }

  #hasInFlight(wallet: number): boolean {
    for (const order of this.#live) {
      if (order.terms.wallet === wallet && (order.inFlight !== undefined || order.unknown)) return true;
    }
    return false;
  }

  /** The proof that a replace waited for: what was voided, and no more, is placed at the new price. */
  #placeRemainder(order: OwnOrder, runtime: Runtime, turn: Turn): void {
    const replacement = order.replacement;
    order.replacement = undefined;
    if (replacement === undefined) return;
    const { marketId: market, outcomeId: outcome, side, keepWhenInPlay, matchBehavior } = order.terms;
    // Fills may leave what is no whole stake (10⁻³): less than a step of it cannot be placed again.
    const voided = moneyToDecimal((order.voidedMoney - (order.voidedMoney % STAKE_STEP)) as Money);
    const stake = Math.min(voided, replacement.stake ?? voided);
    if (stake === 0) return;
    const price = replacement.price;
    turn.wish(runtime, [{ kind: 'place', market, outcome, side, price, stake, keepWhenInPlay, matchBehavior }]);
  }

  #openDesk(market: MarketState, onThrow: (seat: StrategySeat, error: unknown) => void): MarketDesk {
    const facts = market.facts;
    const outcomeById = new Map(facts.outcomes.map((outcome, index) => [outcome.id, index]));
    const { view } = createMarketView(market, this.gate);
    const desk: MarketDesk = {
      state: market,
      view,
      freshAt: market.updatedAt,
      watchers: [],
      orders: new Set(),
      outcomeById,
    };
    this.#desks.set(market.index, desk);
    this.#deskById.set(facts.id, desk);
    this.exposure.openMarket({
      market: market.index,
      event: facts.eventId,
      outcomes: facts.outcomes.length,
      winners: market.winners,
    });
    for (const seat of this.seats) {
      if (seat.halted) continue;
      try {
        if (seat.plugin.watches?.(facts) ?? true) desk.watchers.push(this.#seatAt(seat, desk));
      } catch (error) {
        onThrow(seat, error);
      }
    }
    this.statusChanged(market);
    return desk;
  }

  #seatAt(seat: StrategySeat, desk: MarketDesk): Runtime {
    const runtime = new Runtime({
      seat,
      desk,
      position: new LedgerPosition(this.exposure, desk, seat.index),
      wallet: this.#wallet(seat.wallet),
      markets: { get: (id) => watched(seat, this.#deskById.get(id)), all: () => watchedBy(seat) },
    });
    seat.runtimes.set(desk.state.index, runtime);
    return runtime;
  }

  #wallet(index: number): LedgerWallet {
    const wallet = this.#wallets.get(index) ?? new LedgerWallet();
    this.#wallets.set(index, wallet);
    return wallet;
  }
}

function watched(seat: StrategySeat, desk: MarketDesk | undefined): MarketView | undefined {
  return desk === undefined ? undefined : seat.runtimes.get(desk.state.index)?.market;
}

function watchedBy(seat: StrategySeat): readonly MarketView[] {
  return [...seat.runtimes.values()].map((runtime) => runtime.market);
}
