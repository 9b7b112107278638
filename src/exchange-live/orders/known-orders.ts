/** The run's own orders as last heard of: tells news from what is known already, and what is still to be watched. */

import { instant } from '../../core/number/units.ts';
import { isLive, ORDER_MOVES } from '../../core/order.ts';
import type { RestoredOrder } from '../../core/run/run-state.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import { isOlder } from '../../exchange/report-age.ts';
import { type OrderFacts, reportOf } from './order-facts.ts';
import { changeFault, figuresNotice, hasRevived } from './order-figures.ts';
import type { OrderUpdates } from './order-updates.ts';
import type { References } from './references.ts';
import type { TradingContext } from './trading-context.ts';

/** Strays noted by name; further ones are the same story. */
const FOREIGN_ORDERS_MAX = 10_000;

/**
 * So long an order is remembered that ended without a match: no answer and no reading is on its way for longer. A market may
 * be open for months, and most orders in it are cancelled.
 */
const ENDED_KEPT_MS = 600_000;

interface Known {
  readonly marketId: string;
  readonly client: number;
  readonly report: OrderReport;
  /** When this was first heard, by our clock. */
  readonly changedAt: number;
}

export class KnownOrders {
  readonly #context: TradingContext;
  readonly #references: References;
  readonly #updates: OrderUpdates;
  readonly #orders = new Map<number, Known>();
  /** Orders that may still match. */
  readonly #live = new Set<number>();
  /** How many of them, by market id. */
  readonly #liveByMarket = new Map<string, number>();
  /** Reported with the next word of them, changed or not. */
  readonly #owed = new Set<number>();
  /** Orders that nothing can change any more, with the time when that was heard, oldest first. */
  readonly #ended = new Map<number, number>();
  readonly #foreignOrders = new Set<number>();
  readonly #clients = new Set<number>();
  /** Orders of others that count as ours, by the exchange's id. */
  readonly #adopted = new Map<number, number>();
  /** Orders that a reading calls ended though nobody asked for it: live until then, or never heard of. */
  readonly #doubtful = new Set<number>();
  /** Their lapse was told of, believed or not. */
  readonly #lapsed = new Set<number>();
  /** Their cancellation was answered by the exchange: they end whatever they were. */
  readonly #cancelled = new Set<number>();

  constructor(context: TradingContext, references: References, updates: OrderUpdates) {
    this.#context = context;
    this.#references = references;
    this.#updates = updates;
  }

  /** Ids of the orders that may still match, as far as known. */
  live(): readonly number[] {
    return [...this.#live];
  }

  /** Whether an order of ours may still match there. */
  isLiveIn(marketId: string): boolean {
    return this.#liveByMarket.has(marketId);
  }

  /** Whether the exchange is known to have an order of ours. */
  has(client: number): boolean {
    return this.#clients.has(client);
  }

  /** Whether anything of it was believed so far. */
  knows(order: number): boolean {
    return this.#orders.has(order);
  }

  /** Ids whose next report is owed. */
  owed(): readonly number[] {
    return [...this.#owed];
  }

  /** Those of these that are ours will be told again, changed or not. */
  owe(orders: readonly number[]): void {
    for (const order of orders) if (this.#orders.has(order)) this.#owed.add(order);
  }

  /** An order of somebody else is ours from now on: its report is owed. */
  adopt(order: number, client: number): void {
    this.#adopted.set(order, client);
    this.#foreignOrders.delete(order);
    this.#owed.add(order);
  }

  /** Of an earlier start of the run, known to the exchange by then: its report is owed. */
  restore({ terms, report, foreignOrder }: RestoredOrder): void {
    if (foreignOrder !== undefined) this.adopt(foreignOrder, terms.client);
    if (report === undefined) return;
    this.#put(terms.market, { ...report, at: instant(report.at) });
    this.#owed.add(report.order);
  }

  /** Ours by its reference, or by adoption: its number. */
  clientOf({ id, reference }: Pick<OrderFacts, 'id' | 'reference'>): number | undefined {
    return this.#adopted.get(id) ?? this.#references.clientOf(reference);
  }

  /** By its reference: the strategy that placed it. */
  strategyOf({ reference }: Pick<OrderFacts, 'reference'>): number | undefined {
    return this.#references.strategyOf(reference);
  }

  /**
   * What was read of an order, and where we heard of a change since that reading began, the newer of the two. What was
   * heard before it excuses nothing: a comparison must see the exchange's own word.
   */
  newest<Report extends OrderReport>(read: Report, since: number): Report {
    const known = this.#orders.get(read.order);
    if (known === undefined || known.changedAt < since) return read;
    return isOlder(read, known.report) ? { ...read, ...known.report } : read;
  }

  /** Orders that were called ended and must be made sure of, by cancelling them. */
  doubtful(): readonly number[] {
    return [...this.#doubtful];
  }

  /** The exchange answered the cancellation of these: what it now says of their end is so. */
  cancelled(orders: readonly number[]): void {
    for (const order of orders) {
      this.#doubtful.delete(order);
      if (this.#live.has(order) || !this.#orders.has(order)) this.#cancelled.add(order);
    }
  }

  /**
   * Tells the feed of an order, if it is ours and there is news of it; says whether what was heard can be. `askedAt`: when
   * the reading was asked for; absent for the stream, whose word may come late. `isFinal`: its market has a result.
   */
  receive(facts: OrderFacts, { askedAt = Number.NEGATIVE_INFINITY, isFinal = false } = {}): boolean {
    const client = this.clientOf(facts);
    if (client === undefined) {
      this.#noteForeignOrder(facts);
      return true;
    }
    const received = reportOf(facts, client);
    const known = this.#orders.get(facts.id);
    const isNewer = known !== undefined && known.changedAt < askedAt;
    const fault = known === undefined ? undefined : changeFault(received, known.report, isNewer);
    if (fault !== undefined) {
      this.#context.note(figuresNotice(facts.id, fault));
      return false;
    }
    const before = known?.report;
    if (!isFinal && this.#isDoubtful(received, before)) {
      this.#doubtful.add(facts.id);
      this.#reportLapse(received, before);
      return true;
    }
    this.#doubtful.delete(facts.id);
    const isRevived = before !== undefined && isNewer && hasRevived(received, before);
    const report = isRevived ? this.#put(facts.marketId, received) : this.#keep(facts.marketId, received);
    const isOwed = this.#owed.delete(facts.id);
    if (!isOwed && before !== undefined && isSame(before, report)) return true;
    this.#updates.emit({ kind: 'order', order: report, ...(isRevived && { isRevived }) }, facts.marketId);
    this.#reportLapse(report, before);
    return true;
  }

  /**
   * Whether stake would be set free that nobody asked to be. One reading may be false (a stale copy, an exchange put back),
   * and the stake would be placed a second time: such an end is believed once the exchange has answered its cancellation.
   * The first word of an order, found after its answer was lost, is a reading like any other.
   */
  #isDoubtful(received: OrderReport, before: OrderReport | undefined): boolean {
    if (before !== undefined && !isLive(before.status)) return false;
    if (isLive(received.status) || RESULTS.has(received.status)) return false;
    return received.stakeVoided > (before?.stakeVoided ?? 0) && !this.#cancelled.has(received.order);
  }

  /**
   * Only a lapse cancels for this reason, and it also blocks new orders (profile section 4). One that was known before has
   * been told.
   */
  #reportLapse(report: OrderReport, before: OrderReport | undefined): void {
    if (report.reason !== 'HeartbeatLapsed' || before?.reason === report.reason) return;
    if (this.#lapsed.has(report.order)) return;
    this.#lapsed.add(report.order);
    this.#context.emit({ kind: 'heartbeat', active: false, at: report.at });
  }

  /** The newest report of an order, which the caller tells in a reply. Undefined for one that is not ours. */
  reply(facts: OrderFacts): OrderReport | undefined {
    const client = this.clientOf(facts);
    if (client === undefined) return undefined;
    this.#owed.delete(facts.id);
    // Where requests are carried out the end is known; whatever reading says otherwise later is doubted anew.
    this.#doubtful.delete(facts.id);
    return this.#keep(facts.marketId, reportOf(facts, client));
  }

  /** The market is over for good. */
  drop(marketId: string): void {
    for (const [order, known] of this.#orders) if (known.marketId === marketId) this.#forget(order, known);
    this.#liveByMarket.delete(marketId);
  }

  #forget(order: number, { client }: Known): void {
    this.#orders.delete(order);
    this.#clients.delete(client);
    this.#adopted.delete(order);
    this.#owed.delete(order);
    this.#live.delete(order);
    this.#doubtful.delete(order);
    this.#lapsed.delete(order);
    this.#cancelled.delete(order);
    this.#ended.delete(order);
  }

  #keep(marketId: string, received: OrderReport): OrderReport {
    const known = this.#orders.get(received.order);
    return known !== undefined && isOlder(received, known.report) ? known.report : this.#put(marketId, received);
  }

  #put(marketId: string, report: OrderReport): OrderReport {
    const known = this.#orders.get(report.order);
    const isNews = known === undefined || !isSame(known.report, report);
    const changedAt = isNews ? this.#context.clock.now() : known.changedAt;
    const { client } = report;
    this.#orders.set(report.order, { marketId, client, report, changedAt });
    this.#clients.add(client);
    this.#forgetEnded(report);
    this.#count(marketId, report);
    return report;
  }

  /** Whether it is live, and in how many markets. */
  #count(marketId: string, report: OrderReport): void {
    const isNow = isLive(report.status);
    if (!isNow) this.#cancelled.delete(report.order);
    if (isNow === this.#live.has(report.order)) return;
    if (isNow) this.#live.add(report.order);
    else this.#live.delete(report.order);
    const count = (this.#liveByMarket.get(marketId) ?? 0) + (isNow ? 1 : -1);
    if (count > 0) this.#liveByMarket.set(marketId, count);
    else this.#liveByMarket.delete(marketId);
  }

  /** Takes note of one that ended, and lets go of those that ended long ago. */
  #forgetEnded(report: OrderReport): void {
    const now = this.#context.clock.now();
    this.#ended.delete(report.order);
    if (isOver(report) && !this.#adopted.has(report.order)) this.#ended.set(report.order, now);
    for (const [order, at] of this.#ended) {
      if (now < at + ENDED_KEPT_MS) return;
      const known = this.#orders.get(order);
      if (known !== undefined) this.#forget(order, known);
    }
  }

  #noteForeignOrder({ id, walletId, reference }: OrderFacts): void {
    const { wallets } = this.#context.settings;
    if (walletId === undefined || !wallets.includes(walletId)) return;
    if (this.#foreignOrders.has(id) || this.#foreignOrders.size >= FOREIGN_ORDERS_MAX) return;
    this.#foreignOrders.add(id);
    this.#context.note({ kind: 'stray', order: String(id), wallet: walletId, reference });
  }
}

/** Of a market that has its result. */
const RESULTS: ReadonlySet<OrderReport['status']> = new Set(['Won', 'Lost', 'Voided']);

/** A lapse is told of with the first report that names it, and so must not be heard of anew. */
function isOver({ status, stakeMatched, reason }: OrderReport): boolean {
  return ORDER_MOVES[status].length === 0 && stakeMatched === 0 && reason !== 'HeartbeatLapsed';
}

function isSame(a: OrderReport, b: OrderReport): boolean {
  return (
    a.status === b.status &&
    a.stakeMatched === b.stakeMatched &&
    a.winningsMatched === b.winningsMatched &&
    a.stakeUnmatched === b.stakeUnmatched &&
    a.stakeVoided === b.stakeVoided &&
    a.reason === b.reason
  );
}
