/** The run's own orders as last reported: it finds out which reports are new, and which orders must still be watched. */

import { tick } from '../../core/number/ladder.ts';
import { instant, ZERO } from '../../core/number/units.ts';
import { isLive, ORDER_MOVES, RESULTS } from '../../core/order.ts';
import type { SentOrder } from '../../core/run/kept-order.ts';
import type { RestoredOrder } from '../../core/run/run-state.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import { isOlder } from '../../exchange/report-age.ts';
import type { OwnStakes } from '../markets/own-stakes.ts';
import { type OrderFacts, type OrderTerms, reportOf, type TermsOf } from './order-facts.ts';
import { changeFault, figuresNotice, hasRevived } from './order-figures.ts';
import type { OrderTrust, UnreadableOrder } from './order-source.ts';
import type { OrderUpdates } from './order-updates.ts';
import type { References } from './references.ts';
import type { TradingContext } from './trading-context.ts';

/** At most so many foreign orders are reported by a notice. */
const FOREIGN_ORDERS_MAX = 10_000;

/**
 * An order that ended without a match is remembered for this long, ms: no answer or reading about it is on its way for longer.
 * A market may be open for months, and most orders in it are cancelled.
 */
const ENDED_KEPT_MS = 600_000;

interface Known {
  readonly marketId: string;
  readonly client: number;
  readonly report: OrderReport;
  /** When this report was first received, ms on our clock. */
  readonly changedAt: number;
}

/** Decides what is reported of each order, and keeps each order until its market is over or it is long ended. */
export class KnownOrders {
  readonly #context: TradingContext;
  readonly #references: References;
  readonly #updates: OrderUpdates;
  readonly #own: OwnStakes;
  readonly #trust: OrderTrust;
  readonly #orders = new Map<number, Known>();
  /** Orders that may still match. */
  readonly #live = new Set<number>();
  /** Number of orders that may still match, by market id. */
  readonly #liveByMarket = new Map<string, number>();
  /** Orders whose next report is passed on, changed or not. */
  readonly #owed = new Set<number>();
  /** Orders that nothing can change any more, with the time when that was known, ms, oldest first. */
  readonly #ended = new Map<number, number>();
  readonly #foreignOrders = new Set<number>();
  readonly #clients = new Set<number>();
  /** What was asked for, by our order number: kept until the order is refused or forgotten. */
  readonly #terms = new Map<number, OrderTerms>();
  /** Foreign orders that this run adopted: our order number by the exchange's id. */
  readonly #adopted = new Map<number, number>();
  /**
   * Orders that a report shows as ended although no cancel was requested, with when that report came, ms: they were live until then,
   * or never reported.
   */
  readonly #doubtful = new Map<number, number>();
  /** Orders whose heartbeat lapse was reported, whether the report itself was believed or not. */
  readonly #lapsed = new Set<number>();
  /** Orders whose cancellation the exchange has answered: they end, whatever state they were in. */
  readonly #cancelled = new Set<number>();

  constructor(parts: {
    readonly context: TradingContext;
    readonly references: References;
    readonly updates: OrderUpdates;
    /** Is told what of the orders rests. */
    readonly own: OwnStakes;
    readonly trust: OrderTrust;
  }) {
    this.#context = parts.context;
    this.#references = parts.references;
    this.#updates = parts.updates;
    this.#own = parts.own;
    this.#trust = parts.trust;
  }

  /** Ids of the orders that a reading of live orders shows, as far as known: one that is not there has changed. */
  shown(): readonly number[] {
    if (this.#trust.voidsMatched !== true) return [...this.#live];
    return [...this.#orders].flatMap(([id, { report }]) =>
      this.#live.has(id) || report.status === 'Matched' ? [id] : [],
    );
  }

  /** Whether an order of ours may still match in the market. */
  isLiveIn(marketId: string): boolean {
    return this.#liveByMarket.has(marketId);
  }

  /** Whether the exchange is known to have our order. */
  has(client: number): boolean {
    return this.#clients.has(client);
  }

  /** Whether any report of the order was believed so far. */
  knows(order: number): boolean {
    return this.#orders.has(order);
  }

  /** Ids of the orders whose next report is passed on, changed or not. */
  owed(): readonly number[] {
    return [...this.#owed];
  }

  /** The next report of each of these orders, if it is ours, will be passed on, changed or not. */
  owe(orders: readonly number[]): void {
    for (const order of orders) if (this.#orders.has(order)) this.#owed.add(order);
  }

  /** Orders of ours that could not be read: they stay as last known, and are read by their ids until they can be. */
  oweUnreadable(orders: readonly UnreadableOrder[]): void {
    this.owe(orders.flatMap(({ id }) => id ?? []));
  }

  /** Keeps what is asked for with an order of ours. */
  keepTerms(terms: OrderTerms): void {
    this.#terms.set(terms.client, terms);
  }

  /** The order does not exist. */
  dropTerms(client: number): void {
    this.#terms.delete(client);
  }

  /** What was asked for with an order, if it is ours. */
  readonly termsOf: TermsOf = ({ id, reference }) => {
    const known = id === undefined ? undefined : (this.#adopted.get(id) ?? this.#orders.get(id)?.client);
    const client = known ?? this.#references.clientOf(reference);
    return client === undefined ? undefined : this.#terms.get(client);
  };

  /** Takes a foreign order as ours: its next report is passed on. */
  adopt(order: number, client: number): void {
    this.#adopted.set(order, client);
    this.#foreignOrders.delete(order);
    this.#owed.add(order);
  }

  /**
   * Takes over an order of an earlier process of the run; if its exchange id is known, its next report is passed on. Where it has its
   * result, nothing is owed: it is read again with its market, whose result may change.
   */
  restore({ terms, report, foreignOrder }: RestoredOrder): void {
    const reference = foreignOrder === undefined ? this.#references.named(terms.client, terms.strategy) : undefined;
    this.keepTerms(restoredTerms(terms, { strategies: this.#context.settings.strategies, reference }));
    if (foreignOrder !== undefined) this.adopt(foreignOrder, terms.client);
    if (report === undefined) return;
    this.#put(terms.market, { ...report, at: instant(report.at) });
    if (!RESULTS.has(report.status)) this.#owed.add(report.order);
  }

  /** Our number of the order, from its reference or because it was adopted; undefined for a foreign order. */
  clientOf({ id, reference }: Pick<OrderFacts, 'id' | 'reference'>): number | undefined {
    return this.#adopted.get(id) ?? this.#references.clientOf(reference);
  }

  /** The strategy that placed the order, from its reference. */
  strategyOf({ reference }: Pick<OrderFacts, 'reference'>): number | undefined {
    return this.#references.strategyOf(reference);
  }

  /**
   * The newer of what was read and what was reported since the reading began at `since` (ms). Older reports do not count,
   * because a comparison must see the exchange's own state.
   */
  newest<Report extends OrderReport>(read: Report, since: number): Report {
    const known = this.#orders.get(read.order);
    if (known === undefined) return read;
    // Matched stake that became void is not matched again: an answer that shows it so was made before.
    const isStale = this.#trust.voidsMatched === true && read.stakeMatched > known.report.stakeMatched;
    if (known.changedAt < since && !isStale) return read;
    return this.#isOlder(read, known.report) ? { ...read, ...known.report } : read;
  }

  /** Orders that are shown as ended and whose end must be made certain by cancelling them. */
  doubtful(): readonly number[] {
    return [...this.#doubtful.keys()];
  }

  /** The exchange has answered the cancellation of these orders: from now on its reports of their end are believed. */
  cancelled(orders: readonly number[]): void {
    for (const order of orders) {
      this.#doubtful.delete(order);
      if (this.#live.has(order) || !this.#orders.has(order)) this.#cancelled.add(order);
    }
  }

  /**
   * Passes a report on to the feed if the order is ours and the report is new. Returns false if the report is impossible.
   * `askedAt`: when the reading was requested, ms; absent for the stream, whose reports may come late. `isFinal`: the order's
   * market has a result.
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
    const { voidsMatched } = this.#trust;
    const fault = known === undefined ? undefined : changeFault(received, known.report, { isNewer, voidsMatched });
    if (fault !== undefined) {
      this.#context.note(figuresNotice(facts.id, fault));
      return false;
    }
    const before = known?.report;
    if (!isFinal && this.#isDoubtful(received, before)) {
      this.#doubtful.set(facts.id, this.#doubtful.get(facts.id) ?? this.#context.clock.now());
      this.#reportLapse(received, before);
      return true;
    }
    this.#settleDoubt(received, askedAt);
    const isRevived = before !== undefined && isNewer && hasRevived(received, before);
    const report = isRevived ? this.#put(facts.marketId, received) : this.#keep(facts.marketId, received);
    const isOwed = this.#owed.delete(facts.id);
    if (!isOwed && before !== undefined && isSame(before, report)) return true;
    this.#updates.emit({ kind: 'order', order: report, ...(isRevived && { isRevived }) }, facts.marketId);
    this.#reportLapse(report, before);
    return true;
  }

  /**
   * Whether believing the report would release stake although no cancel was requested. One reading may be wrong (a stale copy,
   * an exchange that was restored), and the stake would be placed a second time: such an end is believed only once the exchange
   * has answered a cancellation, unless the exchange's reports of ends are certain. The first report of an order whose placing was not answered is treated like any other.
   */
  #isDoubtful(received: OrderReport, before: OrderReport | undefined): boolean {
    if (this.#trust.endsAreCertain) return false;
    if (before !== undefined && !isLive(before.status)) return false;
    if (isLive(received.status) || RESULTS.has(received.status)) return false;
    return received.stakeVoided > (before?.stakeVoided ?? 0) && !this.#cancelled.has(received.order);
  }

  /** A reading that was asked for before the doubt arose may show the order as it was before its end. */
  #settleDoubt({ order, status }: OrderReport, askedAt: number): void {
    const since = this.#doubtful.get(order) ?? Number.NEGATIVE_INFINITY;
    if (!isLive(status) || !(Number.isFinite(askedAt) && askedAt <= since)) this.#doubtful.delete(order);
  }

  /**
   * Reports a heartbeat lapse, unless it was known before. Only a lapse cancels orders with this reason, and it also blocks new
   * orders (profile section 4).
   */
  #reportLapse(report: OrderReport, before: OrderReport | undefined): void {
    if (report.reason !== 'HeartbeatLapsed' || before?.reason === report.reason) return;
    if (this.#lapsed.has(report.order)) return;
    this.#lapsed.add(report.order);
    this.#context.emit({ kind: 'heartbeat', active: false, at: report.at });
  }

  /**
   * The newest report of an order, for the caller's reply. Undefined for an order that is not ours. `askedAt`: when the request left,
   * ms.
   */
  reply(facts: OrderFacts, askedAt: number): OrderReport | undefined {
    const client = this.clientOf(facts);
    if (client === undefined) return undefined;
    const received = reportOf(facts, client);
    this.#owed.delete(facts.id);
    // A reply shows the exchange's current state, so the end is certain; if a later reading contradicts it, the order becomes
    // doubtful again.
    this.#settleDoubt(received, askedAt);
    const known = this.#orders.get(facts.id);
    // Where prices fall because a runner is withdrawn, no stake shows it: what was told since the request left is newer.
    const isTold = this.#trust.voidsMatched === true && known !== undefined && known.changedAt >= askedAt;
    if (isTold && !this.#isOlder(known.report, received)) return known.report;
    return this.#keep(facts.marketId, received);
  }

  /** The order as it is known now, where it is. */
  latest(report: OrderReport): OrderReport {
    return this.#orders.get(report.order)?.report ?? report;
  }

  /** Forgets the orders of a market that is closed for good. */
  drop(marketId: string): void {
    for (const [order, known] of this.#orders) if (known.marketId === marketId) this.#forget(order, known);
    for (const terms of this.#terms.values()) if (terms.marketId === marketId) this.#terms.delete(terms.client);
    this.#liveByMarket.delete(marketId);
  }

  #forget(order: number, { client }: Known): void {
    this.#orders.delete(order);
    this.#own.forget(order);
    this.#clients.delete(client);
    this.#terms.delete(client);
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
    return known !== undefined && this.#isOlder(received, known.report) ? known.report : this.#put(marketId, received);
  }

  /** Where the exchange voids matched stake, it does so before the result, and what is void does not match again. */
  #isOlder(report: OrderReport, known: OrderReport): boolean {
    const mayVoid = this.#trust.voidsMatched === true && !RESULTS.has(report.status) && !RESULTS.has(known.status);
    const isSameSum = report.stakeMatched + report.stakeVoided === known.stakeMatched + known.stakeVoided;
    if (mayVoid && isSameSum && report.stakeVoided !== known.stakeVoided) return report.stakeVoided < known.stakeVoided;
    return isOlder(report, known);
  }

  #put(marketId: string, report: OrderReport): OrderReport {
    const known = this.#orders.get(report.order);
    const isNew = known === undefined || !isSame(known.report, report);
    const changedAt = isNew ? this.#context.clock.now() : known.changedAt;
    if (isNew) this.#noteResting(report, changedAt);
    const { client } = report;
    this.#orders.set(report.order, { marketId, client, report, changedAt });
    this.#clients.add(client);
    this.#forgetEnded(report);
    this.#count(marketId, report);
    return report;
  }

  /** What of the order rests is in the book from now on, which shows it sooner or later. */
  #noteResting({ order, client, status, stakeUnmatched, at }: OrderReport, knownAt: number): void {
    const terms = this.#terms.get(client);
    if (terms === undefined) return;
    const stake = status === 'Unmatched' || status === 'PartiallyMatched' ? stakeUnmatched : ZERO;
    this.#own.note({ id: order, strategy: terms.strategy, place: terms }, { stake, at, knownAt });
  }

  /** Updates the sets of live orders, by order and by market. */
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

  /** Notes an order that ended, and forgets those that ended long ago. */
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
    this.#context.note({ kind: 'foreignOrder', order: String(id), wallet: walletId, reference });
  }
}

/** What an earlier process of the run asked for with an order. */
export function restoredTerms(
  sent: SentOrder,
  { strategies, reference }: { readonly strategies: readonly string[]; readonly reference: string | undefined },
): OrderTerms {
  const { client, market: marketId, outcome: outcomeId, wallet: walletId, side, stake } = sent;
  const strategy = strategies.indexOf(sent.strategy);
  return { client, strategy, marketId, outcomeId, walletId, side, tick: tick(sent.tick), stake, reference };
}

/** A lapse is reported with the first report that names it, and so must not be known anew. */
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
