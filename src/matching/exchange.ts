/** The exchange as a pure machine: commands in, events out, no clock and no chance of its own. */

import { assert, defined, fail } from '../core/checks/assert.ts';
import type { Instant, Money } from '../core/number/units.ts';
import { NEVER } from './columns/due-heap.ts';
import { NO_SLOT } from './columns/id-pages.ts';
import { applyAccount } from './life/account-commands.ts';
import { addBetWorth, type BetWorth } from './life/bet-worth.ts';
import { forget } from './life/forget.ts';
import { createEvent, createMarket, lock, setEventActive, setMarket } from './life/lifecycle.ts';
import { profitOfOrder } from './life/payout.ts';
import { removeOutcome } from './life/removal.ts';
import { resettle, settle, voidMarket } from './life/settlement.ts';
import { voidTrades } from './life/void-trades.ts';
import { PENDING } from './messages/codes.ts';
import type { Command, MarketCommand } from './messages/command.ts';
import type { EventLog } from './messages/event-log.ts';
import { DEFAULT_RULES, type Rules } from './messages/rules.ts';
import type { App, Heartbeat } from './records/accounts.ts';
import { NONE } from './records/order-columns.ts';
import { brokenLaws } from './state/check.ts';
import { digestOf } from './state/digest.ts';
import type { Market } from './state/market.ts';
import { isLiveOrder, marketOf } from './state/order-moves.ts';
import { type LiquidityFor, State } from './state/state.ts';
import {
  type AccountView,
  accountView,
  type MarketView,
  marketView,
  type OrderView,
  orderView,
  type PositionView,
  positionView,
  type TradeView,
  tradeView,
  type WalletView,
  walletView,
} from './state/views.ts';
import { type PriceLevel, type PriceOptions, restingStake, visiblePrices } from './state/visible-prices.ts';
import { type MetricsQuery, type WalletMetrics, walletMetrics } from './state/wallet-metrics.ts';
import { cancel } from './trade/cancel.ts';
import { dequeue, failPending, nextDelayEnd } from './trade/delays.ts';
import { lapse } from './trade/heartbeats.ts';
import { Matcher } from './trade/matcher.ts';
import { logProcessed, matchAndRest, place, tradingRefusal } from './trade/place.ts';
import { placeTogether } from './trade/place-together.ts';
import { replace } from './trade/replace.ts';
import { reduce, setKeep } from './trade/resting-order.ts';

export interface ExchangeOptions {
  readonly rules?: Partial<Rules>;
  /** Supplies a market's resting stake. Where absent, each market gets an order book of its own. */
  readonly liquidityFor?: LiquidityFor;
}

/**
 * Give commands to `apply`, read what happened from `events` (and clear them), and ask for the state with the other
 * methods. Amounts are in 10⁻⁶, prices in 10⁻³, times in ms UTC; ids are whole numbers from 0.
 */
export class Exchange {
  readonly events: EventLog;
  readonly #state: State;
  readonly #matcher: Matcher;

  constructor(options: ExchangeOptions = {}) {
    this.#state = new State({ ...DEFAULT_RULES, ...options.rules }, options.liquidityFor);
    this.#matcher = new Matcher(this.#state);
    this.events = this.#state.log;
  }

  /**
   * Does everything that fell due up to the command's time, each thing at its own time, then carries out the command.
   * What happens is appended to `events`.
   */
  apply(command: Command): void {
    this.#advance(command.at);
    const state = this.#state;
    switch (command.kind) {
      case 'advance':
        return;
      case 'place':
        return command.allOrNone === true
          ? placeTogether(state, this.#matcher, command)
          : place(state, this.#matcher, command);
      case 'cancel':
        return cancel(state, command);
      case 'reduce':
        return reduce(state, command);
      case 'setKeep':
        return setKeep(state, command);
      case 'replace':
        return replace(state, this.#matcher, command);
      case 'createEvent':
        return createEvent(state, command.app);
      case 'setEventActive':
        return setEventActive(state, command.event, command.active);
      case 'createMarket':
        return createMarket(state, command);
      case 'publish':
      case 'open':
      case 'unopen':
      case 'suspend':
      case 'setInPlay':
      case 'setEventStartAction':
      case 'voidResting':
      case 'setInPlayDelay':
      case 'setLastPrice':
      case 'setLockAt':
      case 'lock':
      case 'settle':
      case 'void':
      case 'resettle':
      case 'close':
      case 'removeOutcome':
      case 'voidTrades':
      case 'forget':
        return applyMarket(state, command);
      default:
        return applyAccount(state, command);
    }
  }

  /**
   * Matches `stake` of a resting order at the order's own limit price against recorded stake. The recorded
   * participants' side is booked to the System wallet. The order must rest (apply an `advance` to `at` first, then ask
   * the market's Liquidity) and must have that much left. The exchange calls `reduce` on the market's Liquidity.
   * Events: orderMatched, orderChanged, postings.
   */
  matchWithRecorded(fill: { readonly at: Instant; readonly order: number; readonly stake: Money }): void {
    this.#advance(fill.at);
    const state = this.#state;
    const slot = state.orders.slotById.get(fill.order);
    if (slot === NO_SLOT) fail(`no order ${fill.order}`);
    assert(isLiveOrder(state, slot) && state.orders.status(slot) !== PENDING, 'recorded stake fills a resting order');
    assert(fill.stake > 0 && fill.stake <= state.orders.unmatched(slot), 'recorded stake fills no more than rests');
    state.beginRound();
    this.#matcher.matchResting(slot, fill.stake);
    state.endRound();
  }

  /** The latest time the machine has reached. */
  get now(): Instant {
    return this.#state.now;
  }

  /**
   * When something will happen without a command (a delay ends or a heartbeat lapses); undefined where nothing will.
   */
  nextDue(): Instant | undefined {
    const due = Math.min(nextDelayEnd(this.#state), this.#state.heartbeatDue);
    return due === NEVER ? undefined : (due as Instant);
  }

  /** Sixteen hexadecimal digits that identify the whole state: machines with equal histories have equal digests. */
  digest(): string {
    return digestOf(this.#state);
  }

  /** An order as an object; undefined where the id is unknown or its market was forgotten. */
  order(id: number): OrderView | undefined {
    const slot = this.#state.orders.slotById.get(id);
    return slot === NO_SLOT ? undefined : orderView(this.#state, slot);
  }

  /** The id of the order in a slot, for a Liquidity that knows its orders by slot. */
  orderOfSlot(slot: number): number {
    const { orders } = this.#state;
    if (slot < 0 || slot >= orders.slots) fail(`no order slot ${slot}`);
    return orders.id(slot);
  }

  /** The market of an order; undefined for an order that is unknown, or whose market was forgotten. */
  marketOfOrder(id: number): number | undefined {
    const slot = this.#state.orders.slotById.get(id);
    return slot === NO_SLOT ? undefined : marketOf(this.#state, slot).id;
  }

  /** The id of the app's order with this reference; undefined where there is none. */
  orderByReference(app: number, reference: string): number | undefined {
    return this.#state.accounts.apps[app]?.orderByReference.get(reference);
  }

  /** A trade as an object; undefined where the id is unknown or its market was forgotten. */
  trade(id: number): TradeView | undefined {
    const slot = this.#state.trades.slotById.get(id);
    return slot === NO_SLOT ? undefined : tradeView(this.#state, slot);
  }

  /** The trades of an order that are not void, oldest first. */
  *tradesOfOrder(id: number): IterableIterator<TradeView> {
    const { orders, trades } = this.#state;
    const slot = orders.slotById.get(id);
    let trade = slot === NO_SLOT ? NONE : orders.firstTrade(slot);
    for (; trade !== NONE; trade = trades.next(trade)) if (trades.stake(trade) > 0) yield tradeView(this.#state, trade);
  }

  /** The orders of a market, in the order of their ids. */
  *ordersOfMarket(id: number): IterableIterator<OrderView> {
    const { orders } = this.#state;
    let slot = this.#state.markets.get(id)?.firstOrder ?? NONE;
    for (; slot !== NONE; slot = orders.marketNext(slot)) yield orderView(this.#state, slot);
  }

  /** A wallet's orders in a market, in the order of their ids. */
  *ordersOfPosition(wallet: number, market: number): IterableIterator<OrderView> {
    const { orders, positions } = this.#state;
    const position = this.#state.markets.get(market)?.positions.get(wallet);
    let slot = position === undefined ? NONE : (positions.firstOrder[position] ?? NONE);
    for (; slot !== NONE; slot = orders.positionNext(slot)) yield orderView(this.#state, slot);
  }

  /** What the settled trades of an order won or lost, as its wallet was paid for them; 0 before. */
  profitOfOrder(id: number): Money {
    const slot = this.#state.orders.slotById.get(id);
    return slot === NO_SLOT ? (0 as Money) : profitOfOrder(this.#state, slot);
  }

  /** The commission that a wallet was charged in a market, by its last settlement. */
  commissionOf(wallet: number, market: number): Money {
    const found = this.#state.markets.get(market);
    const position = found?.positions.get(wallet);
    const charges = found?.charges.filter((charge) => charge.position === position) ?? [];
    return charges.reduce((sum, { amount }) => sum + amount, 0) as Money;
  }

  market(id: number): MarketView | undefined {
    const market = this.#state.markets.get(id);
    return market === undefined ? undefined : marketView(market);
  }

  /** Ids of the markets that are not forgotten, in the order of creation. */
  marketIds(): IterableIterator<number> {
    return this.#state.markets.keys();
  }

  event(
    id: number,
  ): { readonly app: number; readonly active: boolean; readonly markets: readonly number[] } | undefined {
    const event = this.#state.events[id];
    return event === undefined ? undefined : { app: event.app, active: event.active, markets: [...event.markets] };
  }

  position(wallet: number, market: number): PositionView | undefined {
    const found = this.#state.markets.get(market);
    const position = found?.positions.get(wallet);
    return found === undefined || position === undefined ? undefined : positionView(this.#state, found, position);
  }

  /** Adds what a wallet's matched bets in a market are worth, by the outcome that wins. */
  addBetWorth(wallet: number, market: number, into: BetWorth): void {
    const found = this.#state.markets.get(market);
    const position = found?.positions.get(wallet);
    if (found !== undefined && position !== undefined) addBetWorth(this.#state, found, position, into);
  }

  /** The positions of a wallet, the newest first. */
  *positionsOfWallet(id: number): IterableIterator<PositionView> {
    const { positions } = this.#state;
    let position = this.#state.accounts.wallets.get(id)?.firstPosition ?? NONE;
    for (; position !== NONE; position = positions.walletNext[position] ?? NONE) {
      yield positionView(this.#state, this.#marketOfPosition(position), position);
    }
  }

  wallet(id: number): WalletView | undefined {
    return walletView(this.#state, id);
  }

  /** The smallest amount that settlements pay a wallet. */
  moneyStepOf(wallet: number): number {
    return this.#state.accounts.defined(wallet).moneyStep;
  }

  account(wallet: number, currency: number): AccountView | undefined {
    const account = this.#state.accounts.wallets.get(wallet)?.accounts.get(currency);
    return account === undefined ? undefined : accountView(this.#state, account);
  }

  /** The slot of a wallet's account in a currency, which never changes; undefined where it has no such account. */
  accountSlot(wallet: number, currency: number): number | undefined {
    return this.#state.accounts.wallets.get(wallet)?.accounts.get(currency);
  }

  /** Writes an account's balances (by its slot, in 10⁻⁶) into an object that the caller uses again. */
  readMoney(account: number, into: { balance: Money; balanceAvailable: Money }): void {
    const { accounts } = this.#state;
    into.balance = accounts.balanceOf(account);
    into.balanceAvailable = accounts.available(account);
  }

  walletMetrics(query: MetricsQuery): WalletMetrics {
    return walletMetrics(this.#state, query);
  }

  app(id: number): Readonly<Pick<App, 'commissionWallet' | 'wallets' | 'defaultRate'>> | undefined {
    return this.#state.accounts.apps[id];
  }

  heartbeat(app: number): Readonly<Heartbeat> | undefined {
    return this.#state.accounts.apps[app]?.heartbeat;
  }

  /** The levels that a market shows: by outcome, then by side, best price first. Empty for an unknown market. */
  prices(market: number, options: PriceOptions = {}): readonly PriceLevel[] {
    const found = this.#state.markets.get(market);
    return found === undefined ? [] : visiblePrices(this.#state.rules, found, options);
  }

  /** The sum of a market's resting stake. */
  liquidityOf(market: number): Money {
    const found = this.#state.markets.get(market);
    return found === undefined ? (0 as Money) : restingStake(found);
  }

  /** Every broken law of conservation as a sentence; empty when all hold. Slow: for tests and drills only. */
  brokenLaws(): readonly string[] {
    return brokenLaws(this.#state);
  }

  /** The state itself, for tests and for measuring what the machine holds in memory. */
  inspect(): State {
    return this.#state;
  }

  #marketOfPosition(position: number): Market {
    return defined(this.#state.positions.markets[position], 'a position has a market');
  }

  /**
   * Does everything that falls due up to and including `at`, in order of time; at one instant delays come before
   * heartbeats.
   */
  #advance(at: Instant): void {
    const state = this.#state;
    assert(at >= state.now, 'time runs forward');
    while (true) {
      const delay = nextDelayEnd(state);
      const due = Math.min(delay, state.heartbeatDue);
      if (due > at) break;
      state.log.now = due;
      if (delay === due) this.#endDelay();
      else lapse(state);
    }
    state.log.now = at;
  }

  #endDelay(): void {
    const state = this.#state;
    const { market, slot } = dequeue(state);
    state.beginRound();
    state.touch(state.orders.position(slot));
    if (tradingRefusal(state, market) !== undefined) failPending(state, slot);
    else {
      matchAndRest(state, this.#matcher, market, slot);
      logProcessed(state, slot, true);
    }
    state.endRound();
  }
}

type OneMarketCommand = Exclude<MarketCommand, { kind: 'createEvent' | 'setEventActive' | 'createMarket' }>;

function applyMarket(state: State, command: OneMarketCommand): void {
  const market = state.markets.get(command.market);
  if (market === undefined) return state.log.refused('UNKNOWN_ID');
  switch (command.kind) {
    case 'lock':
      return lock(state, market, command.step);
    case 'settle':
      return settle(state, market, command);
    case 'void':
      return voidMarket(state, market, command.step);
    case 'resettle':
      return resettle(state, market, command);
    case 'removeOutcome':
      return removeOutcome(state, market, command);
    case 'voidTrades':
      return voidTrades(state, market, command);
    case 'forget':
      return forget(state, market);
    default:
      return setMarket(state, market, command);
  }
}
