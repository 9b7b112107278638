/** The machine's event log: append-only rows of numbers, decoded into objects only for those who read. */

import { assert, defined } from '../../core/checks/assert.ts';
import { WALLET_TYPES } from '../../core/market.ts';
import { ORDER_ERROR_CODES } from '../../core/order.ts';
import { COMMAND_REFUSALS, type CommandRefusal, type ExchangeEvent } from './event.ts';
import { decodeEvent, EVENT_KINDS, type EventKind, type EventRow, packMarket } from './event-codec.ts';

/** Numbers in a row: a power of two, so that a row fills one line of the processor's cache. */
const WIDTH = 8;
/** Rows are kept in pages, so that a log that grows copies nothing and leaves no garbage. */
const PAGE_ROWS = 1024;
const PAGE_LENGTH = PAGE_ROWS * WIDTH;

const KIND: Readonly<Record<EventKind, number>> = Object.fromEntries(
  EVENT_KINDS.map((kind, index) => [kind, index]),
) as Record<EventKind, number>;

/**
 * The four kinds of which there are many. They write their rows themselves, because a number that is handed on from one
 * function to another costs more than its writing. Wherever it may be −0, 0 is added: two ways to nothing read the same.
 */
const TRANSACTION = KIND.transaction;
const ORDER_ACCEPTED = KIND.orderAccepted;
const ORDER_MATCHED = KIND.orderMatched;
const ORDER_CHANGED = KIND.orderChanged;

/** What a market's state is, as `marketChanged` tells it; statuses as indexes of their lists. */
export interface MarketStateRow {
  readonly id: number;
  readonly status: number;
  readonly inPlay: number;
  readonly published: boolean;
  readonly suspended: boolean;
  readonly inPlayDelayMs: number;
  readonly lockAt: number;
}

export class EventLog {
  /** The time stamped on what is appended next. */
  now = 0;
  /** Events that were cleared away. */
  #cleared = 0;
  /** Row by row, so that an event is written to one place: time, a, b, c, d, e, kind; the eighth is spare. */
  readonly #pages: Float64Array[] = [new Float64Array(PAGE_LENGTH)];
  /** The page that is written, its place among the pages, and where in it the next row begins. */
  #page = defined(this.#pages[0], 'a log has a page');
  #pageIndex = 0;
  #next = 0;
  readonly #row: { -readonly [Column in keyof EventRow]: EventRow[Column] } = {
    ...{ kind: 'refused', at: 0, a: 0, b: 0, c: 0, d: 0, e: 0 },
  };

  /** How many events can be read now: those since the last `clear`. */
  get length(): number {
    return this.#pageIndex * PAGE_ROWS + this.#next / WIDTH;
  }

  /** How many there have been since the start. */
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

  /** Whose a `transaction` is. */
  walletAt(index: number): number {
    const { kind, a } = this.row(index);
    assert(kind === 'transaction', 'a transaction has a wallet');
    return a;
  }

  /** The raw numbers of an event, for readers that need no object of its own kind. One object, valid until the next call. */
  row(index: number): EventRow {
    if (index < 0 || index >= this.length) assert(false, 'an event is read below the length');
    const rows = defined(this.#pages[Math.floor(index / PAGE_ROWS)], 'a row has a page');
    const row = this.#row;
    const from = (index % PAGE_ROWS) * WIDTH;
    row.kind = EVENT_KINDS[rows[from + 6] ?? 0] ?? 'refused';
    row.at = rows[from] ?? 0;
    row.a = rows[from + 1] ?? 0;
    row.b = rows[from + 2] ?? 0;
    row.c = rows[from + 3] ?? 0;
    row.d = rows[from + 4] ?? 0;
    row.e = rows[from + 5] ?? 0;
    return row;
  }

  /** Forgets what was read, so that long runs stay flat; indexes start again at 0. */
  clear(): void {
    this.#cleared += this.length;
    this.#turnTo(0);
    this.#next = 0;
  }

  /** Takes back the newest event: that a command was refused, where whoever asked is told so in another way. */
  retract(): void {
    assert(this.length > 0, 'there is an event to take back');
    if (this.#next === 0) {
      this.#turnTo(this.#pageIndex - 1);
      this.#next = PAGE_LENGTH;
    }
    this.#next -= WIDTH;
  }

  refused(reason: CommandRefusal): void {
    this.#append(KIND.refused, COMMAND_REFUSALS.indexOf(reason));
  }

  appCreated(app: number): void {
    this.#append(KIND.appCreated, app);
  }

  commissionRateCreated(app: number, rate: number, ratePpm: number): void {
    this.#append(KIND.commissionRateCreated, app, rate, ratePpm);
  }

  walletCreated(app: number, wallet: number, type: (typeof WALLET_TYPES)[number]): void {
    this.#append(KIND.walletCreated, app, wallet, WALLET_TYPES.indexOf(type));
  }

  accountOpened(wallet: number, currency: number): void {
    this.#append(KIND.accountOpened, wallet, currency);
  }

  overdraftSet(wallet: number, currency: number, overdraft: number): void {
    this.#append(KIND.overdraftSet, wallet, currency, overdraft);
  }

  /** `code` as an index of TRANSACTION_CODES; `market` NO_MARKET where none is concerned. */
  transaction(wallet: number, currency: number, code: number, amount: number, market: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + 1] = wallet;
    rows[from + 2] = currency;
    rows[from + 3] = code;
    rows[from + 4] = amount + 0;
    rows[from + 5] = market;
    rows[from + 6] = TRANSACTION;
    this.#advance(from);
  }

  eventCreated(event: number, app: number): void {
    this.#append(KIND.eventCreated, event, app);
  }

  eventChanged(event: number, active: boolean): void {
    this.#append(KIND.eventChanged, event, active ? 1 : 0);
  }

  marketCreated(market: number, escrowWallet: number): void {
    this.#append(KIND.marketCreated, market, escrowWallet);
  }

  marketChanged(market: MarketStateRow): void {
    this.#append(KIND.marketChanged, market.id, packMarket(market), market.inPlayDelayMs, market.lockAt);
  }

  outcomeRemoved(market: number, outcome: number, factorPpm: number): void {
    this.#append(KIND.outcomeRemoved, market, outcome, factorPpm);
  }

  marketForgotten(market: number): void {
    this.#append(KIND.marketForgotten, market);
  }

  /** A Pending order has a `due`; another has NaN. */
  orderAccepted(app: number, item: number, order: number, due: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + 1] = app;
    rows[from + 2] = item;
    rows[from + 3] = order;
    rows[from + 4] = due;
    rows[from + 5] = Number.NaN;
    rows[from + 6] = ORDER_ACCEPTED;
    this.#advance(from);
  }

  orderRefused(app: number, item: number, code: (typeof ORDER_ERROR_CODES)[number]): void {
    this.#append(KIND.orderRefused, app, item, ORDER_ERROR_CODES.indexOf(code));
  }

  orderMatched(trade: number, order: number, price: number, stake: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + 1] = trade;
    rows[from + 2] = order;
    rows[from + 3] = price;
    rows[from + 4] = stake;
    rows[from + 5] = Number.NaN;
    rows[from + 6] = ORDER_MATCHED;
    this.#advance(from);
  }

  /** Status and reason as indexes of their lists; the reason NO_REASON where there is none. */
  orderChanged(order: number, status: number, unmatched: number, voided: number, reason: number): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + 1] = order;
    rows[from + 2] = status;
    rows[from + 3] = unmatched;
    rows[from + 4] = voided;
    rows[from + 5] = reason;
    rows[from + 6] = ORDER_CHANGED;
    this.#advance(from);
  }

  orderReduced(order: number, price: number): void {
    this.#append(KIND.orderReduced, order, price);
  }

  tradeRepriced(trade: number, price: number): void {
    this.#append(KIND.tradeRepriced, trade, price);
  }

  tradeSettled(trade: number, profitLoss: number): void {
    this.#append(KIND.tradeSettled, trade, profitLoss);
  }

  heartbeatChanged(app: number, active: boolean, timeoutMs: number, lastSeenAt: number): void {
    this.#append(KIND.heartbeatChanged, app, active ? 1 : 0, timeoutMs, lastSeenAt);
  }

  heartbeatDeleted(app: number, wasActive: boolean): void {
    this.#append(KIND.heartbeatDeleted, app, wasActive ? 1 : 0);
  }

  #append(kind: number, a: number, b = Number.NaN, c = Number.NaN, d = Number.NaN, e = Number.NaN): void {
    const from = this.#next;
    const rows = this.#page;
    rows[from] = this.now;
    rows[from + 1] = a + 0;
    rows[from + 2] = b + 0;
    rows[from + 3] = c + 0;
    rows[from + 4] = d + 0;
    rows[from + 5] = e + 0;
    rows[from + 6] = kind;
    this.#advance(from);
  }

  #advance(from: number): void {
    this.#next = from + WIDTH;
    if (this.#next === PAGE_LENGTH) this.#turnPage();
  }

  /** There is always room for one more row. */
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
