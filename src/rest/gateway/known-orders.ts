/** The run's own orders as last heard of: tells news from what is known already, and what is still to be watched. */

import { isLive, ORDER_MOVES } from '../../core/order.ts';
import type { RestoredOrder } from '../../core/run-state.ts';
import { instant } from '../../core/units.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import { isOlder } from '../../exchange/report-age.ts';
import { type OrderFacts, reportOf } from './order-facts.ts';
import type { OrderNews } from './order-news.ts';
import type { References } from './references.ts';
import type { Wiring } from './wiring.ts';

/** Strays noted by name; further ones are the same story. */
const STRAYS_MAX = 10_000;

/**
 * So long an order is remembered that ended without a match: no answer and no reading is on its way for longer. A market may
 * be open for months, and most orders in it are cancelled.
 */
const ENDED_KEPT_MS = 600_000;

interface Known {
  readonly marketId: string;
  readonly client: number;
  readonly report: OrderReport;
}

export class KnownOrders {
  readonly #wiring: Wiring;
  readonly #references: References;
  readonly #news: OrderNews;
  readonly #orders = new Map<number, Known>();
  /** Orders that may still match. */
  readonly #live = new Set<number>();
  /** How many of them, by market id. */
  readonly #liveByMarket = new Map<string, number>();
  /** Reported with the next word of them, changed or not. */
  readonly #owed = new Set<number>();
  /** Orders that nothing can change any more, with the time when that was heard, oldest first. */
  readonly #ended = new Map<number, number>();
  readonly #strays = new Set<number>();
  readonly #clients = new Set<number>();
  /** Orders of others that count as ours, by the exchange's id. */
  readonly #adopted = new Map<number, number>();

  constructor(wiring: Wiring, references: References, news: OrderNews) {
    this.#wiring = wiring;
    this.#references = references;
    this.#news = news;
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
    this.#strays.delete(order);
    this.#owed.add(order);
  }

  /** Of an earlier start of the run, known to the exchange by then: its report is owed. */
  restore({ terms, report, foreignOrder }: RestoredOrder): void {
    if (foreignOrder !== undefined) this.adopt(foreignOrder, terms.client);
    if (report === undefined) return;
    this.#put({ marketId: terms.market, client: terms.client, report: { ...report, at: instant(report.at) } });
    this.#owed.add(report.order);
  }

  /** Ours by its reference, or by adoption: its number. */
  clientOf({ id, reference }: Pick<OrderFacts, 'id' | 'reference'>): number | undefined {
    return this.#adopted.get(id) ?? this.#references.clientOf(reference);
  }

  /** The newer of what was read of an order, perhaps long ago, and what was heard of it since. */
  newest<Report extends OrderReport>(read: Report): Report {
    const known = this.#orders.get(read.order)?.report;
    return known !== undefined && isOlder(read, known) ? { ...read, ...known } : read;
  }

  /** Tells the feed of an order, if it is ours and there is news of it. */
  hear(facts: OrderFacts): void {
    const client = this.clientOf(facts);
    if (client === undefined) return this.#stray(facts);
    const before = this.#orders.get(facts.id)?.report;
    const report = this.#keep(facts, client);
    const isOwed = this.#owed.delete(facts.id);
    if (!isOwed && before !== undefined && isSame(before, report)) return;
    this.#news.tell(report, facts.marketId);
    // Only a lapse cancels for this reason, and it also blocks new orders (profile section 4). One that was known before
    // has been told.
    if (report.reason === 'HeartbeatLapsed' && before?.reason !== report.reason)
      this.#wiring.tell({ kind: 'heartbeat', active: false, at: report.at });
  }

  /** The newest report of an order, which the caller tells in a reply. Undefined for one that is not ours. */
  reply(facts: OrderFacts): OrderReport | undefined {
    const client = this.clientOf(facts);
    if (client === undefined) return undefined;
    this.#owed.delete(facts.id);
    return this.#keep(facts, client);
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
    this.#ended.delete(order);
  }

  #keep(facts: OrderFacts, client: number): OrderReport {
    const heard = reportOf(facts, client);
    const known = this.#orders.get(facts.id);
    if (known !== undefined && isOlder(heard, known.report)) return known.report;
    this.#put({ marketId: facts.marketId, client, report: heard });
    return heard;
  }

  #put(known: Known): void {
    const { marketId, client, report } = known;
    this.#orders.set(report.order, known);
    this.#clients.add(client);
    this.#forgetEnded(report);
    const isNow = isLive(report.status);
    if (isNow === this.#live.has(report.order)) return;
    if (isNow) this.#live.add(report.order);
    else this.#live.delete(report.order);
    const count = (this.#liveByMarket.get(marketId) ?? 0) + (isNow ? 1 : -1);
    if (count > 0) this.#liveByMarket.set(marketId, count);
    else this.#liveByMarket.delete(marketId);
  }

  /** Takes note of one that ended, and lets go of those that ended long ago. */
  #forgetEnded(report: OrderReport): void {
    const now = this.#wiring.clock.now();
    this.#ended.delete(report.order);
    if (isOver(report) && !this.#adopted.has(report.order)) this.#ended.set(report.order, now);
    for (const [order, at] of this.#ended) {
      if (now < at + ENDED_KEPT_MS) return;
      const known = this.#orders.get(order);
      if (known !== undefined) this.#forget(order, known);
    }
  }

  #stray({ id, walletId, reference }: OrderFacts): void {
    const { wallets } = this.#wiring.settings;
    if (walletId === undefined || !wallets.includes(walletId)) return;
    if (this.#strays.has(id) || this.#strays.size >= STRAYS_MAX) return;
    this.#strays.add(id);
    this.#wiring.note({ kind: 'stray', order: String(id), wallet: walletId, reference });
  }
}

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
