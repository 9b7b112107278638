/** Orders that are to end: asked for again and again until the exchange shows that each has, and named while it has not. */

import type { MarketStatus } from '../core/market.ts';
import type { TradingState } from '../core/run/trading-state.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { OwnOrder } from './ledger/own-order.ts';
import type { Step } from './ledger/step.ts';
import type { NoteLog } from './log/run-log.ts';

/** Between the first two times that an order's cancellation is asked for; doubled from time to time. */
const AGAIN_MS = 500;
const AGAIN_MAX_MS = 30_000;
/** An order that was asked for so often, and lives, is told of: at once, and then so often. */
const TOLD_AFTER = 3;
const TOLD_EVERY_MS = 60_000;
/** So many are named in a record; the status has all. */
const NAMED_MAX = 20;

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
  nextAt: number;
  wasOpen: boolean;
}

/**
 * A cancellation that the exchange answers may have done nothing: the market is not open, or the answer is not true. So
 * what is waited for is the end of the order and not an answer. It is asked for with growing pauses, and at once when
 * its market opens.
 */
export class Withdrawal {
  readonly #ledger: Ledger;
  readonly #log: NoteLog;
  readonly #asking = new Map<OwnOrder, Asking>();
  /** Orders that were live when trading was reduced: what is placed later may stay. */
  readonly #named = new Set<OwnOrder>();
  #trading: TradingState = 'running';
  #toldAt = Number.NEGATIVE_INFINITY;
  #hasTold = false;

  constructor(ledger: Ledger, log: NoteLog) {
    this.#ledger = ledger;
    this.#log = log;
  }

  /** Those that outlived what was asked for. */
  get left(): readonly LeftOrder[] {
    const left: LeftOrder[] = [];
    for (const [order, { asked }] of this.#asking) {
      if (asked < TOLD_AFTER || !order.isLive) continue;
      const { id: client, exchangeId, marketId: market } = order;
      left.push({ client, order: exchangeId, market, marketStatus: this.#statusOf(order) ?? 'unknown', asked });
    }
    return left;
  }

  /** Trading moved, or was asked to move again: what is live now is to end, or nothing is any more. */
  moved(to: TradingState): void {
    this.#trading = to;
    this.#named.clear();
    if (to === 'reduceOnly') for (const order of this.#ledger.liveOrders()) this.#named.add(order);
  }

  /** Asks for what is due. `endsAll`: the run ends, and with it all its orders. */
  look(step: Step, endsAll: boolean): void {
    for (const order of this.#asking.keys()) if (!this.#isWanted(order, endsAll)) this.#asking.delete(order);
    for (const order of this.#named) if (!order.isLive) this.#named.delete(order);
    if (this.#mayWant(endsAll))
      for (const order of this.#ledger.liveOrders()) if (this.#isWanted(order, endsAll)) this.#lookAt(order, step);
    this.#tell(step.at);
  }

  /** Pauses that were counted on the clock are over. */
  clockWentBack(): void {
    for (const asking of this.#asking.values()) asking.nextAt = Number.NEGATIVE_INFINITY;
    this.#toldAt = Number.NEGATIVE_INFINITY;
  }

  #mayWant(endsAll: boolean): boolean {
    return endsAll || this.#trading === 'halted' || this.#named.size > 0 || this.#ledger.risk.haltedStrategies.size > 0;
  }

  #isWanted(order: OwnOrder, endsAll: boolean): boolean {
    if (!order.isLive) return false;
    if (endsAll || this.#trading === 'halted' || this.#named.has(order)) return true;
    return this.#ledger.risk.haltedStrategies.has(order.terms.strategy);
  }

  #lookAt(order: OwnOrder, step: Step): void {
    const { at } = step;
    const isOpen = this.#statusOf(order) === 'Open';
    const asking = this.#asking.get(order) ?? { asked: 0, nextAt: at, wasOpen: isOpen };
    this.#asking.set(order, asking);
    if (isOpen && !asking.wasOpen) asking.nextAt = at;
    asking.wasOpen = isOpen;
    // What is under way is awaited: each request is answered, if only by its timeout.
    if (order.inFlight === 'cancel' || order.isCancelTaken || at < asking.nextAt) return;
    asking.nextAt = at + Math.min(AGAIN_MAX_MS, AGAIN_MS * 2 ** asking.asked);
    asking.asked += 1;
    this.#ledger.cancel(order, step);
  }

  #tell(at: number): void {
    const { left } = this;
    if (left.length === 0 && !this.#hasTold) return;
    if (left.length > 0 && at < this.#toldAt + TOLD_EVERY_MS) return;
    this.#toldAt = left.length === 0 ? Number.NEGATIVE_INFINITY : at;
    this.#hasTold = left.length > 0;
    this.#log.noted(at, { kind: 'withdrawal', left: left.length, orders: left.slice(0, NAMED_MAX) });
  }

  #statusOf(order: OwnOrder): MarketStatus | undefined {
    return this.#ledger.entryById(order.marketId)?.state.status;
  }
}
