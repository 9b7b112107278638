/** Reads a run's journal as orders, fills, refusals and settlements: what its report is made of. */

import { decimalOfTick, type Tick } from '../../core/number/ladder.ts';
import { moneyToDecimal } from '../../core/number/units.ts';
import type { TimedRecord } from '../../core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../core/run/kept-order.ts';
import { settledProfit } from '../../core/run/settled-profit.ts';
import type { EventOf } from '../../journal/history/fold.ts';
import { historyOf, type TimedEvent } from '../../journal/history/read-history.ts';
import type { DraftOrder } from '../../journal/history/run-draft.ts';
import type { RefusedIntents } from '../../result/figures/refusal-rows.ts';
import type { FillRow, OrderCounts, OrderRow } from '../../result/result.ts';
import { RunRefusals } from './run-refusals.ts';

export interface RunSettlement {
  readonly at: number;
  readonly market: string;
  /** Net of commission; of a corrected result the difference. */
  readonly profit: number;
  /** The commission of this settlement; below 0 where a correction took some back. */
  readonly commission: number;
}

export interface RunStory {
  readonly orders: readonly OrderRow[];
  readonly fills: readonly FillRow[];
  readonly settlements: readonly RunSettlement[];
  readonly counts: OrderCounts;
  readonly refusals: Readonly<Record<string, number>>;
  readonly refused: RefusedIntents;
  readonly rejections: Readonly<Record<string, number>>;
  readonly decisions: number;
  /** Event names by market id, as far as the journal has them. */
  readonly events: ReadonlyMap<string, string>;
  readonly first: number;
  readonly last: number;
}

/** One order as it is known so far. */
interface KnownOrder {
  readonly terms: SentOrder;
  readonly sentAt: number;
  arrivedAt: number | undefined;
  endedAt: number | undefined;
  report: ReportedOrder | undefined;
  /** The most that was ever matched: a market that is voided takes it back, and one that is settled after all gives it again. */
  filled: number;
  code: string | undefined;
}

export function runStory(records: Iterable<TimedRecord>): RunStory {
  const reader = new StoryReader();
  for (const each of historyOf(records)) reader.add(each);
  return reader.story();
}

class StoryReader {
  readonly #orders = new Map<number, KnownOrder>();
  readonly #fills: FillRow[] = [];
  readonly #settlements: RunSettlement[] = [];
  readonly #refusals = new Map<string, number>();
  readonly #refused = new RunRefusals();
  readonly #events = new Map<string, string>();
  #cancellations = 0;
  #decisions = 0;
  #first = 0;
  #last = 0;

  add({ at, event }: TimedEvent): void {
    if (this.#first === 0) this.#first = at;
    this.#last = at;
    switch (event.kind) {
      case 'decided':
        this.#decisions += 1;
        return this.#refused.decided(at, event);
      case 'refused':
        count(this.#refusals, event.code, event.times ?? 1);
        return this.#refused.refused(at, event);
      case 'cancelSent':
      case 'reduceSent':
        this.#cancellations += 1;
        return;
      case 'sent':
        if (event.eventName !== undefined) this.#events.set(event.order.terms.market, event.eventName);
        return this.#sent(event.order);
      case 'adopted':
        return this.#sent(event.order);
      case 'settled':
        return this.#settled(at, event);
      case 'rejected':
      case 'reappeared':
      case 'reported':
        return this.#told(event);
    }
  }

  story(): RunStory {
    const orders = [...this.#orders.values()];
    const rejections = new Map<string, number>();
    for (const { code } of orders) if (code !== undefined) count(rejections, code, 1);
    return {
      orders: orders.map(orderRow),
      // Reports may come in another order than what they tell: each says when it was.
      fills: this.#fills.toSorted((a, b) => a.at - b.at),
      settlements: this.#settlements,
      counts: this.#counts(orders, sum([...rejections.values()])),
      refusals: Object.fromEntries(this.#refusals),
      refused: this.#refused.refusals(),
      rejections: Object.fromEntries(rejections),
      decisions: this.#decisions,
      events: this.#events,
      first: this.#first,
      last: this.#last,
    };
  }

  #sent({ terms, sentAt }: DraftOrder): void {
    this.#refused.sent(sentAt, terms);
    const unknown = { arrivedAt: undefined, endedAt: undefined, report: undefined, code: undefined };
    this.#orders.set(terms.client, { terms, sentAt, filled: 0, ...unknown });
  }

  #told(event: EventOf<'rejected' | 'reappeared' | 'reported'>): void {
    const order = this.#orders.get(event.order.terms.client);
    if (order === undefined) return;
    order.code = event.kind === 'rejected' ? event.code : undefined;
    if (event.kind === 'reported') this.#reported(order, event.report);
  }

  #reported(order: KnownOrder, report: ReportedOrder): void {
    const stake = report.stakeMatched - order.filled;
    const winnings = report.winningsMatched - (order.report?.winningsMatched ?? 0);
    order.arrivedAt ??= report.at;
    // One that had ended may live again.
    order.endedAt = report.stakeUnmatched === 0 ? (order.endedAt ?? report.at) : undefined;
    order.report = report;
    order.filled += Math.max(0, stake);
    // A reduction for a removed outcome lowers the winnings and is no fill.
    if (stake > 0) this.#fills.push(fillRow(order.terms, { at: report.at, stake, price: 1 + winnings / stake }));
  }

  #settled(at: number, { market, profit, commission, commissionBefore }: EventOf<'settled'>): void {
    const more = commission - commissionBefore;
    this.#settlements.push({ at, market, profit: profit / UNIT, commission: more / UNIT });
  }

  #counts(orders: readonly KnownOrder[], rejected: number): OrderCounts {
    const sent = orders.length;
    const known = orders.flatMap(({ report, terms }) => (report === undefined ? [] : [{ report, stake: terms.stake }]));
    const number = (is: (each: (typeof known)[number]) => boolean): number => known.filter(is).length;
    const refused = sum([...this.#refusals.values()]);
    return {
      intended: refused + this.#cancellations + sent,
      refused,
      cancellations: this.#cancellations,
      cancellationsRepeated: 0,
      sent,
      accepted: known.length,
      rejected,
      unanswered: sent - known.length - rejected,
      matchedFully: number(({ report, stake }) => report.stakeMatched >= stake),
      matchedPartly: number(({ report, stake }) => report.stakeMatched > 0 && report.stakeMatched < stake),
      cancelled: number(({ report }) => report.stakeMatched === 0 && report.stakeUnmatched === 0),
      unmatched: number(({ report }) => report.stakeMatched === 0 && report.stakeUnmatched > 0),
    };
  }
}

const UNIT = 1e6;

function count(counts: Map<string, number>, key: string, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function orderRow({ terms, sentAt, arrivedAt, endedAt, report, code }: KnownOrder): OrderRow {
  const matched = report?.stakeMatched ?? 0;
  const reason = report?.reason ?? code;
  const profit = report && settledProfit({ ...report, side: terms.side });
  return {
    run: 1,
    flow: 'central',
    id: terms.client,
    strategy: terms.strategy,
    marketId: terms.market,
    marketName: terms.marketName,
    outcomeId: terms.outcome,
    outcomeTitle: terms.outcomeTitle,
    side: terms.side,
    price: decimalOfTick(terms.tick as Tick),
    stake: moneyToDecimal(terms.stake),
    decidedAt: sentAt,
    stakeMatched: matched / UNIT,
    ...(arrivedAt !== undefined && { arrivedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(report !== undefined && { status: report.status }),
    ...(reason !== undefined && { reason }),
    ...(report !== undefined && matched > 0 && { averagePrice: 1 + report.winningsMatched / matched }),
    ...(profit !== undefined && { profit: profit / UNIT }),
    ...(terms.note !== undefined && { note: terms.note }),
  };
}

function fillRow(
  terms: SentOrder,
  fill: { readonly at: number; readonly stake: number; readonly price: number },
): FillRow {
  return {
    run: 1,
    flow: 'central',
    order: terms.client,
    marketId: terms.market,
    outcomeId: terms.outcome,
    outcomeTitle: terms.outcomeTitle,
    side: terms.side,
    price: Math.round(fill.price * 1000) / 1000,
    stake: fill.stake / UNIT,
    at: fill.at,
  };
}
