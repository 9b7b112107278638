/** The exchange as a pure machine: commands in, events out, no clock and no chance of its own. */

import { assert, defined } from '../core/checks/assert.ts';
import type { Instant, Money } from '../core/number/units.ts';
import { NEVER } from './columns/due-heap.ts';
import { NO_SLOT } from './columns/id-table.ts';
import { applyAccount } from './life/account-commands.ts';
import { forget } from './life/forget.ts';
import { createEvent, createMarket, lock, setEventActive, setMarket } from './life/lifecycle.ts';
import { removeOutcome } from './life/removal.ts';
import { resettle, settle, voidMarket } from './life/settlement.ts';
import { PENDING } from './messages/codes.ts';
import type { Command, MarketCommand } from './messages/command.ts';
import type { EventLog } from './messages/event-log.ts';
import { DEFAULT_RULES, type Rules } from './messages/rules.ts';
import type { App, CommissionRate, Heartbeat } from './records/accounts.ts';
import { NONE } from './records/orders.ts';
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
import { matchAndRest, place, tellProcessed, tradingRefusal } from './trade/place.ts';

export interface ExchangeOptions {
  readonly rules?: Partial<Rules>;
  /** Where a market's resting stake comes from; an order book of its own where absent. */
  readonly liquidityFor?: LiquidityFor;
}

export class Exchange {
  readonly events: EventLog;
  readonly #state: State;
  readonly #matcher: Matcher;

  constructor(options: ExchangeOptions = {}) {
    this.#state = new State({ ...DEFAULT_RULES, ...options.rules }, options.liquidityFor);
    this.#matcher = new Matcher(this.#state);
    this.events = this.#state.log;
  }

  /** Does what fell due up to the command's time, each at its own time, then the command; appends to `events`. */
  apply(command: Command): void {
    this.#advance(command.at);
    const state = this.#state;
    switch (command.kind) {
      case 'advance':
        return;
      case 'place':
        return place(state, this.#matcher, command);
      case 'cancel':
        return cancel(state, command);
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
      case 'setLockAt':
      case 'lock':
      case 'settle':
      case 'void':
      case 'resettle':
      case 'close':
      case 'removeOutcome':
      case 'forget':
        return applyMarket(state, command);
      default:
        return applyAccount(state, command);
    }
  }

  /**
   * A resting order is matched for `stake` at its own limit price against the recorded crowd, whose side is booked to
   * the System wallet. The order must rest (apply an `advance` to `at` first, then ask its Liquidity) and have that
   * much left. The exchange answers the market's Liquidity with `reduce`. Events: orderMatched, orderChanged, postings.
   */
  matchWithCrowd(fill: { readonly at: Instant; readonly order: number; readonly stake: Money }): void {
    this.#advance(fill.at);
    const state = this.#state;
    const slot = state.orders.slotById.get(fill.order);
    if (slot === NO_SLOT) assert(false, `no order ${fill.order}`);
    assert(isLiveOrder(state, slot) && state.orders.status(slot) !== PENDING, 'a crowd fill meets a resting order');
    assert(fill.stake > 0 && fill.stake <= state.orders.unmatched(slot), 'a crowd fill is within what rests');
    state.beginRound();
    this.#matcher.matchResting(slot, fill.stake);
    state.endRound();
  }

  /** The latest time the machine has reached. */
  get now(): Instant {
    return this.#state.now;
  }

  /** When something next happens without a command: a delay's end or a heartbeat's lapse. */
  nextDue(): Instant | undefined {
    const due = Math.min(nextDelayEnd(this.#state), this.#state.heartbeatDue);
    return due === NEVER ? undefined : (due as Instant);
  }

  /** Sixteen hexadecimal digits that name the whole state. */
  digest(): string {
    return digestOf(this.#state);
  }

  order(id: number): OrderView | undefined {
    const slot = this.#state.orders.slotById.get(id);
    return slot === NO_SLOT ? undefined : orderView(this.#state, slot);
  }

  /** The id of the order in a slot, for a Liquidity that knows its orders by slot. */
  orderOfSlot(slot: number): number {
    const { orders } = this.#state;
    if (slot < 0 || slot >= orders.slots) assert(false, `no order slot ${slot}`);
    return orders.id(slot);
  }

  /** Undefined for an order that is not known, or not any more. */
  marketOfOrder(id: number): number | undefined {
    const slot = this.#state.orders.slotById.get(id);
    return slot === NO_SLOT ? undefined : marketOf(this.#state, slot).id;
  }

  orderByReference(app: number, reference: string): number | undefined {
    return this.#state.accounts.apps[app]?.orderByReference.get(reference);
  }

  trade(id: number): TradeView | undefined {
    const slot = this.#state.trades.slotById.get(id);
    return slot === NO_SLOT ? undefined : tradeView(this.#state, slot);
  }

  /** Oldest first. */
  *tradesOfOrder(id: number): IterableIterator<TradeView> {
    const { orders, trades } = this.#state;
    const slot = orders.slotById.get(id);
    let trade = slot === NO_SLOT ? NONE : orders.firstTrade(slot);
    for (; trade !== NONE; trade = trades.next(trade)) yield tradeView(this.#state, trade);
  }

  /** By id. */
  *ordersOfMarket(id: number): IterableIterator<OrderView> {
    const { orders } = this.#state;
    let slot = this.#state.markets.get(id)?.firstOrder ?? NONE;
    for (; slot !== NONE; slot = orders.marketNext(slot)) yield orderView(this.#state, slot);
  }

  /** Market by market, the newest position first; by id within a market. */
  *ordersOfWallet(id: number): IterableIterator<OrderView> {
    const { orders, positions } = this.#state;
    let position = this.#state.accounts.wallets.get(id)?.firstPosition ?? NONE;
    for (; position !== NONE; position = positions.walletNext[position] ?? NONE) {
      let slot = positions.firstOrder[position] ?? NONE;
      for (; slot !== NONE; slot = orders.positionNext(slot)) yield orderView(this.#state, slot);
    }
  }

  *ordersOfApp(id: number): IterableIterator<OrderView> {
    for (const wallet of this.#state.accounts.apps[id]?.wallets ?? []) yield* this.ordersOfWallet(wallet);
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

  /** The newest first. */
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

  account(wallet: number, currency: number): AccountView | undefined {
    const account = this.#state.accounts.wallets.get(wallet)?.accounts.get(currency);
    return account === undefined ? undefined : accountView(this.#state, account);
  }

  /** The slot of a wallet's account, which it keeps; undefined where it has no such account. */
  accountSlot(wallet: number, currency: number): number | undefined {
    return this.#state.accounts.wallets.get(wallet)?.accounts.get(currency);
  }

  /** Writes what an account has, by its slot, into an object that is used again. */
  readMoney(account: number, into: { balance: Money; balanceAvailable: Money }): void {
    const { accounts } = this.#state;
    into.balance = (accounts.balance[account] ?? 0) as Money;
    into.balanceAvailable = accounts.available(account);
  }

  walletMetrics(query: MetricsQuery): WalletMetrics {
    return walletMetrics(this.#state, query);
  }

  app(id: number): Readonly<Pick<App, 'commissionWallet' | 'wallets' | 'defaultRate'>> | undefined {
    return this.#state.accounts.apps[id];
  }

  commissionRate(id: number): CommissionRate | undefined {
    return this.#state.accounts.rates[id];
  }

  heartbeat(app: number): Readonly<Heartbeat> | undefined {
    return this.#state.accounts.apps[app]?.heartbeat;
  }

  /** What a market shows, by outcome and side, best first; empty for an unknown market. */
  prices(market: number, options: PriceOptions = {}): readonly PriceLevel[] {
    const found = this.#state.markets.get(market);
    return found === undefined ? [] : visiblePrices(this.#state.rules, found, options);
  }

  /** Σ of a market's resting stake. */
  liquidityOf(market: number): Money {
    const found = this.#state.markets.get(market);
    return found === undefined ? (0 as Money) : restingStake(found);
  }

  /** Every law of conservation that does not hold, as a sentence; empty when all do. Slow: for tests and drills. */
  brokenLaws(): readonly string[] {
    return brokenLaws(this.#state);
  }

  /** The state itself, to see what the machine holds in memory. */
  inspect(): State {
    return this.#state;
  }

  #marketOfPosition(position: number): Market {
    return defined(this.#state.positions.markets[position], 'a position has a market');
  }

  /** Everything that falls due up to and including `at`, in order of time: delays before heartbeats. */
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
      tellProcessed(state, slot, true);
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
    case 'forget':
      return forget(state, market);
    default:
      return setMarket(state, market, command);
  }
}
