/** The machine's event log: append-only rows of numbers, turned into objects only when they are read. */

import { assert, defined, fail } from '../../core/checks/assert.ts';
import { WALLET_TYPES } from '../../core/market.ts';
import { ORDER_ERROR_CODES } from '../../core/order.ts';
import { COMMAND_REFUSALS, type CommandRefusal, type ExchangeEvent } from './event.ts';
import { decodeEvent, EVENT_KINDS, type EventKind, type EventRow, packMarket } from './event-codec.ts';
import {
  A,
  ACCEPTED_APP,
  ACCEPTED_DUE,
  ACCEPTED_ITEM,
  ACCEPTED_ORDER,
  B,
  C,
  CHANGED_ORDER,
  CHANGED_REASON,
  CHANGED_STATUS,
  CHANGED_UNMATCHED,
  CHANGED_VOIDED,
  D,
  E,
  KIND,
  MATCHED_ORDER,
  MATCHED_PRICE,
  MATCHED_STAKE,
  MATCHED_TRADE,
  PAGE_LENGTH,
  PAGE_ROWS,
  POSTED_AMOUNT,
  POSTED_CODE,
  POSTED_CURRENCY,
  POSTED_MARKET,
  POSTED_WALLET,
  ROW,
} from './event-columns.ts';

const INDEX_OF_KIND: Readonly<Record<EventKind, number>> = Object.fromEntries(
  EVENT_KINDS.map((kind, index) => [kind, index]),
) as Record<EventKind, number>;

/**
 * The four most frequent kinds. Their appenders write the rows directly, because handing the numbers on to another
 * function takes longer than writing them. 0 is added wherever a number may be −0, so that both zeros read the same.
 */
const TRANSACTION = INDEX_OF_KIND.transaction;
const ORDER_ACCEPTED = INDEX_OF_KIND.orderAccepted;
const ORDER_MATCHED = INDEX_OF_KIND.orderMatched;
const ORDER_CHANGED = INDEX_OF_KIND.orderChanged;

/** A market's state as `marketChanged` reports it; statuses are indexes in their lists. */
export interface MarketStateRow {
  readonly id: number;
  readonly status: number;
  readonly inPlay: number;
  readonly published: boolean;
  readonly suspended: boolean;
  readonly inPlayDelayMs: number;
  readonly lockAt: number;
}

/** Append through the method named after the kind of event; read with `read` or `row`, then `clear`. */
export class EventLog {
  /** The time that the next events get, in ms. */
  now = 0;
  /** How many events were cleared so far. */
  #cleared = 0;
  /** Pages of rows: time, a, b, c, d, e, kind, and a spare number. Each event is one contiguous write. */
  readonly #pages: Float64Array[] = [new Float64Array(PAGE_LENGTH)];
  /** The page that is written to, its index among the pages, and the offset in it at which the next row begins. */
  #page = defined(this.#pages[0], 'a log has a page');
  #pageIndex = 0;
  #next = 0;
  readonly #row: { -readonly [Column in keyof EventRow]: EventRow[Column] } = {
    kind: 'refused',
    at: 0,
    a: 0,
    b: 0,
    c: 0,
    d: 0,
    e: 0,
  };

  /** How many events can be read now: those appended since the last `clear`. */
  get length(): number {
    return this.#pageIndex * PAGE_ROWS + this.#next / ROW;
  }

  /** How many events were appended since the start. */
  get total(): number {
    return this.#cleared + this.length;
  }

  /** The event at an index from 0 to length − 1. */
  read(index: number): ExchangeEvent {
    return decodeEvent(this.row(index));
  }

  kindAt(index: number): EventKind {
    return this.row(index).kind;
  }

  /** The wallet of a `transaction` event. */
  walletAt(index: number): number {
    const { kind, a } = this.row(index);
    assert(kind === 'transaction', 'a transaction has a wallet');
    return a;
  }

  /**
   * The raw numbers of an event, for readers that do without an object per event. The same object each time, valid
   * until the next call.
   */
  row(index: number): EventRow {
    if (index < 0 || index >= this.length) fail('an event is read below the length');
    const rows = defined(this.#pages[Math.floor(index / PAGE_ROWS)], 'a row has a page');
    const row = this.#row;
    const from = (index % PAGE_ROWS) * ROW;
    row.kind = EVENT_KINDS[rows[from + KIND] ?? 0] ?? 'refused';
    row.at = rows[from] ?? 0;
    row.a = rows[from + A] ?? 0;
    row.b = rows[from + B] ?? 0;
    row.c = rows[from + C] ?? 0;
    row.d = rows[from + D] ?? 0;
    row.e = rows[from + E] ?? 0;
    return row;
  }

  /** Forgets all events, so that long runs use no more memory; indexes start again at 0. */
  clear(): void {
    this.#cleared += this.length;
    this.#turnTo(0);
    this.#next = 0;
  }

  /** Removes the newest event. Used where a refused command is reported to its caller in another way. */
  retract(): void {
    assert(this.length > 0, 'there is an event to take back');
    if (this.#next === 0) {
      this.#turnTo(this.#pageIndex - 1);
      this.#next = PAGE_LENGTH;
    }
    this.#next -= ROW;
  }

  refused(reason: CommandRefusal): void {
    this.#append(INDEX_OF_KIND.refused, COMMAND_REFUSALS.indexOf(reason));
  }

  appCreated(app: number): void {
    this.#append(INDEX_OF_KIND.appCreated, app);
  }

  commissionRateCreated(app: number, rate: number, ratePpm: number): void {
    this.#append(INDEX_OF_KIND.commissionRateCreated, app, rate, ratePpm);
  }

  walletCreated(app: number, wallet: number, type: (typeof WALLET_TYPES)[number]): void {
    this.#append(INDEX_OF_KIND.walletCreated, app, wallet, WALLET_TYPES.indexOf(type));
  }

  accountOpened(wallet: number, currency: number): void {
    this.#append(INDEX_OF_KIND.accountOpened, wallet, currency);
  }

  overdraftSet(wallet: number, currency: number, overdraft: number): void {
    this.#append(INDEX_OF_KIND.overdraftSet, wallet, currency, overdraft);
  }

  /** `code` is an index in TRANSACTION_CODES; `market` is NO_MARKET where none is concerned. */
  transaction(wallet: number, currency: number, code: number, amount: number, market: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + POSTED_WALLET] = wallet;
    rows[from + POSTED_CURRENCY] = currency;
    rows[from + POSTED_CODE] = code;
    rows[from + POSTED_AMOUNT] = amount + 0;
    rows[from + POSTED_MARKET] = market;
    rows[from + KIND] = TRANSACTION;
    this.#advance(from);
  }

  eventCreated(event: number, app: number): void {
    this.#append(INDEX_OF_KIND.eventCreated, event, app);
  }

  eventChanged(event: number, active: boolean): void {
    this.#append(INDEX_OF_KIND.eventChanged, event, active ? 1 : 0);
  }

  marketCreated(market: number, escrowWallet: number): void {
    this.#append(INDEX_OF_KIND.marketCreated, market, escrowWallet);
  }

  marketChanged(market: MarketStateRow): void {
    this.#append(INDEX_OF_KIND.marketChanged, market.id, packMarket(market), market.inPlayDelayMs, market.lockAt);
  }

  outcomeRemoved(market: number, outcome: number, factorPpm: number): void {
    this.#append(INDEX_OF_KIND.outcomeRemoved, market, outcome, factorPpm);
  }

  marketForgotten(market: number): void {
    this.#append(INDEX_OF_KIND.marketForgotten, market);
  }

  /** `due` is when the delay of a Pending order ends; NaN for an order without a delay. */
  orderAccepted(app: number, item: number, order: number, due: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + ACCEPTED_APP] = app;
    rows[from + ACCEPTED_ITEM] = item;
    rows[from + ACCEPTED_ORDER] = order;
    rows[from + ACCEPTED_DUE] = due;
    rows[from + E] = Number.NaN;
    rows[from + KIND] = ORDER_ACCEPTED;
    this.#advance(from);
  }

  orderRefused(app: number, item: number, code: (typeof ORDER_ERROR_CODES)[number]): void {
    this.#append(INDEX_OF_KIND.orderRefused, app, item, ORDER_ERROR_CODES.indexOf(code));
  }

  orderMatched(trade: number, order: number, price: number, stake: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + MATCHED_TRADE] = trade;
    rows[from + MATCHED_ORDER] = order;
    rows[from + MATCHED_PRICE] = price;
    rows[from + MATCHED_STAKE] = stake;
    rows[from + E] = Number.NaN;
    rows[from + KIND] = ORDER_MATCHED;
    this.#advance(from);
  }

  /** `status` and `reason` are indexes in their lists; `reason` is NO_REASON where there is none. */
  orderChanged(order: number, status: number, unmatched: number, voided: number, reason: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + CHANGED_ORDER] = order;
    rows[from + CHANGED_STATUS] = status;
    rows[from + CHANGED_UNMATCHED] = unmatched;
    rows[from + CHANGED_VOIDED] = voided;
    rows[from + CHANGED_REASON] = reason;
    rows[from + KIND] = ORDER_CHANGED;
    this.#advance(from);
  }

  orderReduced(order: number, price: number): void {
    this.#append(INDEX_OF_KIND.orderReduced, order, price);
  }

  tradeRepriced(trade: number, price: number): void {
    this.#append(INDEX_OF_KIND.tradeRepriced, trade, price);
  }

  tradeSettled(trade: number, profitLoss: number): void {
    this.#append(INDEX_OF_KIND.tradeSettled, trade, profitLoss);
  }

  heartbeatChanged(app: number, active: boolean, timeoutMs: number, lastSeenAt: number): void {
    this.#append(INDEX_OF_KIND.heartbeatChanged, app, active ? 1 : 0, timeoutMs, lastSeenAt);
  }

  heartbeatDeleted(app: number, wasActive: boolean): void {
    this.#append(INDEX_OF_KIND.heartbeatDeleted, app, wasActive ? 1 : 0);
  }

  #append(kind: number, a: number, b = Number.NaN, c = Number.NaN, d = Number.NaN, e = Number.NaN): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + A] = a + 0;
    rows[from + B] = b + 0;
    rows[from + C] = c + 0;
    rows[from + D] = d + 0;
    rows[from + E] = e + 0;
    rows[from + KIND] = kind;
    this.#advance(from);
  }

  #advance(from: number): void {
    this.#next = from + ROW;
    if (this.#next === PAGE_LENGTH) this.#turnPage();
  }

  /** Moves to the next page when the page is full, so that there is always room for one more row. */
  #turnPage(): void {
    if (this.#pageIndex + 1 === this.#pages.length) this.#pages.push(new Float64Array(PAGE_LENGTH));
    this.#turnTo(this.#pageIndex + 1);
    this.#next = 0;
  }

  #turnTo(index: number): void {
    this.#pageIndex = index;
    this.#page = defined(this.#pages[index], 'a log has the page');
  }
}
