/** What a run's journal says of its orders, folded the slow and obvious way: it shares nothing with the daemon's own. */

import type { JournalRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';
import type { TradingState } from '../../../src/core/run/trading-state.ts';
import type { TailedRow } from './journal-tail.ts';

export interface FoldedOrder {
  readonly terms: SentOrder;
  /** The place of its `sent` or `adopted` record, and its time. */
  readonly sequence: number;
  readonly at: number;
  /** Of an adopted order: the exchange's id. */
  readonly foreign: number | undefined;
  report: ReportedOrder | undefined;
  /** The code of its refusal, taken back where it reappeared. */
  rejected: string | undefined;
  isCancelSent: boolean;
}

/** What the books of one wallet are compared with. */
export interface FoldedBooks {
  readonly run: string;
  readonly orders: ReadonlyMap<number, FoldedOrder>;
  readonly results: readonly FoldedResult[];
  readonly done: ReadonlySet<string>;
  /** When a lapse of the heartbeat was reported. */
  readonly lapses: readonly number[];
}

export interface FoldedResult {
  /** When it was reported. */
  readonly at: number;
  readonly market: string;
  readonly wallet: string;
  readonly profit: number;
  readonly commission: number;
}

const LIVE = new Set(['Pending', 'Unmatched', 'PartiallyMatched']);

export function isLiveReport({ status }: ReportedOrder): boolean {
  return LIVE.has(status);
}

const NEW = { report: undefined, rejected: undefined, isCancelSent: false };

export class RunFold implements FoldedBooks {
  run = '';
  readonly orders = new Map<number, FoldedOrder>();
  readonly results: FoldedResult[] = [];
  readonly lapses: number[] = [];
  readonly done = new Set<string>();
  readonly counts = new Map<JournalRecord['kind'], number>();
  /** Client numbers given twice. */
  readonly doubled: number[] = [];
  trading: TradingState = 'running';
  readonly halted = new Set<string>();
  readonly #inDoubt = new Set<number>();

  /** Sent, and neither reported nor refused. */
  get inDoubt(): ReadonlySet<number> {
    return this.#inDoubt;
  }

  /** The part of one wallet. */
  ofWallet(wallet: string): FoldedBooks {
    const { run, done, results, lapses } = this;
    const orders = new Map([...this.orders].filter(([, { terms }]) => terms.wallet === wallet));
    return { run, done, orders, lapses, results: results.filter((result) => result.wallet === wallet) };
  }

  /** The highest number given to an order. */
  get lastClient(): number {
    let last = 0;
    for (const client of this.orders.keys()) last = Math.max(last, client);
    return last;
  }

  take(row: TailedRow): void {
    const { record } = row;
    this.counts.set(record.kind, (this.counts.get(record.kind) ?? 0) + 1);
    this.#takeOrder(row);
    if (record.kind === 'started') this.run = record.run;
    else if (record.kind === 'settled') this.results.push({ ...record, at: row.at });
    else if (record.kind === 'heartbeat' && record.to === 'lapsed') this.lapses.push(row.at);
    else if (record.kind === 'marketDone') this.done.add(record.market);
    else if (record.kind === 'trading') this.trading = record.to;
    else if (record.kind === 'strategyHalted') this.halted.add(record.strategy);
    else if (record.kind === 'strategyLoaded') this.halted.delete(record.strategy);
  }

  #takeOrder({ sequence, at, record }: TailedRow): void {
    switch (record.kind) {
      case 'sent': {
        const { kind: _, ...terms } = record;
        this.#inDoubt.add(record.client);
        return this.#put({ ...NEW, terms, sequence, at, foreign: undefined });
      }
      case 'adopted': {
        const { kind: _, order, foreignReference: __, ...terms } = record;
        return this.#put({ ...NEW, terms, sequence, at, foreign: order });
      }
      case 'cancelSent':
        return this.#cancelSent([record.client]);
      case 'requested':
        if (record.request === 'cancel') this.#cancelSent(record.clients);
        return;
      case 'rejected': {
        const order = this.orders.get(record.client);
        if (order !== undefined && order.report === undefined) order.rejected = record.code;
        this.#inDoubt.delete(record.client);
        return;
      }
      case 'reported': {
        const { kind: _, ...report } = record;
        return this.#reported(report);
      }
    }
  }

  /** One that was taken for refused may be taken in again, under its own number. */
  #put(order: FoldedOrder): void {
    const { client } = order.terms;
    const before = this.orders.get(client);
    if (before === undefined) this.orders.set(client, order);
    else if (order.foreign === undefined) this.doubled.push(client);
    else before.rejected = undefined;
  }

  #cancelSent(clients: readonly number[]): void {
    for (const client of clients) {
      const order = this.orders.get(client);
      if (order !== undefined) order.isCancelSent = true;
    }
  }

  #reported(report: ReportedOrder): void {
    const order = this.orders.get(report.client);
    this.#inDoubt.delete(report.client);
    if (order === undefined) return;
    order.rejected = undefined;
    const before = order.report;
    if (before !== undefined && report.at < before.at) return;
    order.report = report;
  }
}
