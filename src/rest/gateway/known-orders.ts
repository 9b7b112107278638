/** The run's own orders as last heard of: tells news from what is known already, and what is still to be watched. */

import { isLive } from '../../core/order.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import { isOlder } from '../../exchange/report-age.ts';
import { type OrderFacts, reportOf } from './order-facts.ts';
import type { References } from './references.ts';
import type { Wiring } from './wiring.ts';

/** Strays noted by name; further ones are the same story. */
const STRAYS_MAX = 10_000;

interface Known {
  readonly marketId: string;
  report: OrderReport;
}

export class KnownOrders {
  readonly #wiring: Wiring;
  readonly #references: References;
  readonly #orders = new Map<number, Known>();
  /** Orders that may still match. */
  readonly #live = new Set<number>();
  /** Reported with the next word of them, changed or not. */
  readonly #owed = new Set<number>();
  readonly #strays = new Set<number>();
  readonly #clients = new Set<number>();

  constructor(wiring: Wiring, references: References) {
    this.#wiring = wiring;
    this.#references = references;
  }

  /** Ids of the orders that may still match, as far as known. */
  live(): readonly number[] {
    return [...this.#live];
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

  /** Tells the feed of an order, if it is ours and there is news of it. */
  hear(facts: OrderFacts): void {
    const client = this.#references.clientOf(facts.reference);
    if (client === undefined) return this.#stray(facts);
    const before = this.#orders.get(facts.id)?.report;
    const report = this.#keep(facts, client);
    const isOwed = this.#owed.delete(facts.id);
    if (!isOwed && before !== undefined && isSame(before, report)) return;
    this.#wiring.tell({ kind: 'order', order: report });
    // Only a lapse cancels for this reason, and it also blocks new orders (profile section 4).
    if (report.reason === 'HeartbeatLapsed') this.#wiring.tell({ kind: 'heartbeat', active: false, at: report.at });
  }

  /** The newest report of an order, which the caller tells in a reply. Undefined for one that is not ours. */
  reply(facts: OrderFacts): OrderReport | undefined {
    const client = this.#references.clientOf(facts.reference);
    if (client === undefined) return undefined;
    this.#owed.delete(facts.id);
    return this.#keep(facts, client);
  }

  /** The market is over for good. */
  drop(marketId: string): void {
    for (const [order, known] of this.#orders) {
      if (known.marketId !== marketId) continue;
      this.#orders.delete(order);
      this.#clients.delete(known.report.client);
      this.#owed.delete(order);
      this.#live.delete(order);
    }
  }

  #keep(facts: OrderFacts, client: number): OrderReport {
    const heard = reportOf(facts, client);
    const known = this.#orders.get(facts.id);
    if (known !== undefined && isOlder(heard, known.report)) return known.report;
    if (known === undefined) this.#orders.set(facts.id, { marketId: facts.marketId, report: heard });
    else known.report = heard;
    this.#clients.add(client);
    if (isLive(heard.status)) this.#live.add(facts.id);
    else this.#live.delete(facts.id);
    return heard;
  }

  #stray({ id, walletId, reference }: OrderFacts): void {
    const { wallets } = this.#wiring.settings;
    if (walletId === undefined || !wallets.includes(walletId)) return;
    if (this.#strays.has(id) || this.#strays.size >= STRAYS_MAX) return;
    this.#strays.add(id);
    this.#wiring.note({ kind: 'stray', order: String(id), wallet: walletId, reference });
  }
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
