/** Cancels orders that are to end, again and again until the exchange shows that each has ended, and reports those that have not. */

import type { MarketStatus } from '../core/market.ts';
import type { TradingState } from '../core/run/trading-state.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { OwnOrder } from './ledger/own-order.ts';
import type { Step } from './ledger/step.ts';
import type { NoteLog } from './log/run-log.ts';

/** Pause between the first two cancellations of an order; each further pause is twice as long, up to the maximum. */
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** An order that is live after so many cancellations, or so long after the first, is reported: at once, and then at this interval. */
const REPORTED_AFTER = 3;
const REPORTED_AFTER_MS = 2_000;
const REPORTED_EVERY_MS = 60_000;
/** A record lists at most so many orders; the status lists all. */
const LISTED_MAX = 20;

/** An order that is live although its cancellation was asked for several times. */
export interface LeftOrder {
  readonly client: number;
  /** The exchange's id, once known. */
  readonly order: number | undefined;
  readonly market: string;
  readonly marketStatus: MarketStatus | 'unknown';
  /** How often its cancellation was asked for. */
  readonly asked: number;
}

interface Asking {
  asked: number;
  since: number;
  nextAt: number;
  wasOpen: boolean;
}

/**
 * A reply to a cancellation does not prove that the order ended: the market may not be open, or the reply may be false. So each
 * cancellation is repeated, with growing pauses and at once when the market opens, until a report shows the order ended.
 */
export class Withdrawal {
  readonly #ledger: Ledger;
  readonly #log: NoteLog;
  readonly #isGuarded: boolean;
  readonly #asking = new Map<OwnOrder, Asking>();
  /** Orders that were live when trading moved to reduce-only, or when an operator cancelled all, and those of dark markets. Orders placed later may stay. */
  readonly #toEnd = new Set<OwnOrder>();
  #trading: TradingState = 'running';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #hasReported = false;

  /** `isGuarded`: the exchange cancels what is left where a heartbeat is refreshed no more. */
  constructor(ledger: Ledger, log: NoteLog, isGuarded: boolean) {
    this.#ledger = ledger;
    this.#log = log;
    this.#isGuarded = isGuarded;
  }

  /** Orders that are still live after several cancellations. */
  get left(): readonly LeftOrder[] {
    const left: LeftOrder[] = [];
    for (const [order, { asked }] of this.#asking) {
      if (!this.isLeft(order)) continue;
      const { id: client, exchangeId, marketId: market } = order;
      left.push({ client, order: exchangeId, market, marketStatus: this.#statusOf(order) ?? 'unknown', asked });
    }
    return left;
  }

  /** Whether the order is still live after several cancellations, or long after the first. */
  isLeft(order: OwnOrder): boolean {
    const asking = this.#asking.get(order);
    if (asking === undefined || !order.isLive) return false;
    return asking.asked >= REPORTED_AFTER || this.#lookedAt - asking.since >= REPORTED_AFTER_MS;
  }

  /** Trading moved, or was asked to move again. Stopped or reduced, or where `endsLive` says so, the orders that are live now are to end. */
  onTradingMoved(to: TradingState, endsLive = false): void {
    this.#trading = to;
    this.#toEnd.clear();
    if (endsLive || to === 'reduceOnly') for (const order of this.#ledger.liveOrders()) this.#toEnd.add(order);
  }

  /** From now on the order is to end. */
  end(order: OwnOrder): void {
    this.#toEnd.add(order);
  }

  /** Asks for the cancellations that are due. `endsAll`: the run ends, and all its orders with it. */
  cancelDue(step: Step, endsAll: boolean): void {
    this.#lookedAt = step.at;
    for (const order of this.#asking.keys()) if (!this.#isWanted(order, endsAll)) this.#asking.delete(order);
    for (const order of this.#toEnd) if (!this.#ledger.isLive(order)) this.#toEnd.delete(order);
    if (this.#mayWant(endsAll))
      for (const order of this.#ledger.liveOrders()) if (this.#isWanted(order, endsAll)) this.#cancelIfDue(order, step);
    this.#reportLeft(step.at);
  }

  /** The clock was set back: all pauses are over. */
  onClockSetBack(now: number): void {
    for (const asking of this.#asking.values()) {
      asking.nextAt = Number.NEGATIVE_INFINITY;
      asking.since = Math.min(asking.since, now);
    }
    this.#reportedAt = Number.NEGATIVE_INFINITY;
  }

  #mayWant(endsAll: boolean): boolean {
    return endsAll || this.#trading === 'halted' || this.#toEnd.size > 0 || this.#ledger.risk.haltedStrategies.size > 0;
  }

  #isWanted(order: OwnOrder, endsAll: boolean): boolean {
    if (!this.#ledger.isLive(order)) return false;
    if (endsAll || this.#trading === 'halted' || this.#toEnd.has(order)) return true;
    return this.#ledger.risk.haltedStrategies.has(order.terms.strategy);
  }

  #cancelIfDue(order: OwnOrder, step: Step): void {
    const { at } = step;
    const isOpen = this.#statusOf(order) === 'Open';
    const asking = this.#asking.get(order) ?? { asked: 0, since: at, nextAt: at, wasOpen: isOpen };
    this.#asking.set(order, asking);
    if (isOpen && !asking.wasOpen) asking.nextAt = at;
    asking.wasOpen = isOpen;
    // A request under way is awaited: each gets a reply, if only by its timeout.
    if (order.inFlight === 'cancel' || order.isCancelAccepted || at < asking.nextAt) return;
    asking.nextAt = at + Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** asking.asked);
    asking.asked += 1;
    this.#ledger.cancel(order, step);
  }

  /** Notes the orders that are left, from time to time while there are any, and once when there are none any more. */
  #reportLeft(at: number): void {
    const { left } = this;
    if (left.length === 0 && !this.#hasReported) return;
    if (left.length > 0 && at < this.#reportedAt + REPORTED_EVERY_MS) return;
    this.#reportedAt = left.length === 0 ? Number.NEGATIVE_INFINITY : at;
    this.#hasReported = left.length > 0;
    const unguarded = this.#isGuarded || left.length === 0 ? {} : ({ isUnguarded: true } as const);
    this.#log.noted(at, { kind: 'withdrawal', left: left.length, orders: left.slice(0, LISTED_MAX), ...unguarded });
  }

  #statusOf(order: OwnOrder): MarketStatus | undefined {
    return this.#ledger.entryById(order.marketId)?.state.status;
  }
}
