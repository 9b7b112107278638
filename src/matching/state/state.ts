/** The machine's whole state in one object, and the one way in which positions are balanced with their accounts. */

import { assert, defined } from '../../core/checks/assert.ts';
import { MARKET_STATUSES } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import type { Liquidity } from '../book/liquidity.ts';
import { OrderBook, QueueColumns } from '../book/order-book.ts';
import { grownInts } from '../columns/columns.ts';
import { DueHeap } from '../columns/due-heap.ts';
import { marketStatusCode, transactionCode } from '../messages/codes.ts';
import { EventLog } from '../messages/event-log.ts';
import type { Rules } from '../messages/rules.ts';
import { Accounts, SYSTEM_WALLET } from '../records/accounts.ts';
import { NONE } from '../records/order-columns.ts';
import { Orders } from '../records/orders.ts';
import { SlotList } from '../records/slot-list.ts';
import { Trades } from '../records/trades.ts';
import type { Market, MarketEvent } from './market.ts';
import { Positions } from './positions.ts';

/** Makes the liquidity of a new market, given its id and its number of outcomes. */
export type LiquidityFor = (market: number, outcomes: number) => Liquidity;

const TRADE_CREATION = transactionCode('TradeCreation');
const REFUND = transactionCode('MarketPositionRefund');

/** Everything that the machine remembers. Functions in `life/` and `trade/` change it; only `Exchange` owns it. */
export class State {
  readonly rules: Rules;
  readonly log = new EventLog();
  readonly accounts = new Accounts(this.log);
  readonly positions = new Positions();
  readonly orders = new Orders();
  readonly trades = new Trades(this.orders, this.log);
  readonly markets = new Map<number, Market>();
  readonly events: MarketEvent[] = [];
  readonly delays = new DueHeap();
  readonly liquidityFor: LiquidityFor;
  nextMarket = 0;
  /** When the next heartbeat lapses, in ms. */
  heartbeatDue = Number.POSITIVE_INFINITY;
  /** By market status: 1 where orders may be cancelled. */
  readonly cancelIn = new Uint8Array(MARKET_STATUSES.length);
  /** The orders that the current command selected. */
  readonly selected = new SlotList();
  #touched = new Int32Array(64);
  #touchedCount = 0;
  #round = 0;

  constructor(rules: Rules, liquidityFor?: LiquidityFor) {
    this.rules = rules;
    for (const status of rules.cancelIn) this.cancelIn[marketStatusCode(status)] = 1;
    const queues = new QueueColumns();
    this.liquidityFor = liquidityFor ?? ((_market, outcomes) => new OrderBook(queues, outcomes));
  }

  get now(): Instant {
    return this.log.now as Instant;
  }

  /**
   * Begins a round (an item, a cancellation, a delay's end): from here on, touched positions are remembered in order.
   */
  beginRound(): void {
    this.#round += 1;
    this.#touchedCount = 0;
  }

  touch(position: number): void {
    const { touchedIn } = this.positions;
    if (touchedIn[position] === this.#round) return;
    touchedIn[position] = this.#round;
    if (this.#touchedCount === this.#touched.length) this.#touched = grownInts(this.#touched, this.#touchedCount * 2);
    this.#touched[this.#touchedCount] = position;
    this.#touchedCount += 1;
  }

  /** Ends a round: holds the new R and M of every touched position and posts what M changed by. */
  endRound(): void {
    for (let i = 0; i < this.#touchedCount; i += 1) {
      const position = this.#touched[i] ?? 0;
      const market = defined(this.positions.markets[position], 'a touched position has a market');
      this.positions.measure(position, market);
      this.hold(market, position);
    }
  }

  /** Holds more of the account (or less) for unmatched stake alone, where R of a position rose and M stayed. */
  reserve(position: number, rise: number): void {
    const { positions, accounts } = this;
    const account = positions.accountOf(position);
    assert(positions.needs.matched === positions.matched[position], 'unmatched stake changes no M');
    accounts.unmatchedExposure[account] = accounts.exposureOf(account) + rise;
    positions.required[position] = positions.requiredOf(position) + rise;
  }

  /**
   * Holds the R and M just measured against the position's account, and moves the change of M between wallet and
   * escrow.
   */
  hold(market: Market, position: number): void {
    const { positions, accounts } = this;
    const { required, matched } = positions.needs;
    const account = positions.accountOf(position);
    const held = positions.matchedOf(position);
    const before = positions.requiredOf(position) - held;
    accounts.unmatchedExposure[account] = accounts.exposureOf(account) + (required - matched) - before;
    positions.required[position] = required;
    positions.matched[position] = matched;
    if (matched === held) return;
    const amount = matched - held;
    const code = amount > 0 ? TRADE_CREATION : REFUND;
    accounts.post(account, this.escrowAccount(market), code, amount, market.id);
  }

  escrowAccount(market: Market): number {
    if (market.escrowAccount === NONE) {
      market.escrowAccount = this.accounts.open(this.accounts.defined(market.escrowWallet), market.currency);
    }
    return market.escrowAccount;
  }

  systemAccount(currency: number): number {
    return this.accounts.open(this.accounts.defined(SYSTEM_WALLET), currency);
  }

  /** The recorded participants' position in a market: a position of the System wallet, created when first needed. */
  recordedPosition(market: Market): number {
    const known = market.positionOf(SYSTEM_WALLET);
    if (known !== NONE) return known;
    const account = this.systemAccount(market.currency);
    return this.positions.create(this.accounts.defined(SYSTEM_WALLET), market, account);
  }
}
