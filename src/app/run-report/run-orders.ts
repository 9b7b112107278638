/** Reads a run's journal as orders, fills, refusals and settlements: what its report is made of. */

import { decimalOfTick, type Tick } from '../../core/number/ladder.ts';
import { moneyToDecimal } from '../../core/number/units.ts';
import type { JournalRecord } from '../../core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../core/run/kept-order.ts';
import type { RefusedIntents } from '../../result/figures/refusal-rows.ts';
import type { FillRow, OrderCounts, OrderRow } from '../../result/result.ts';
import type { RunRecord } from '../parity/steps/step-sequence.ts';
import { RunRefusals } from './run-refusals.ts';

export interface RunSettlement {
  readonly at: number;
  readonly market: string;
  /** Net of commission; of a corrected result the difference. */
  readonly profit: number;
  /** By this settlement; below 0 where a correction took some back. */
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
  code: string | undefined;
}

export function runStory(records: Iterable<RunRecord>): RunStory {
  const reader = new StoryReader();
  for (const { at, record } of records) reader.add(at, record);
  return reader.story();
}

class StoryReader {
  readonly #orders = new Map<number, KnownOrder>();
  readonly #fills: FillRow[] = [];
  readonly #settlements: RunSettlement[] = [];
  /** Commission so far, by wallet and market. */
  readonly #commission = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #refused = new RunRefusals();
  readonly #rejections = new Map<string, number>();
  readonly #events = new Map<string, string>();
  #cancellations = 0;
  #decisions = 0;
  #first = 0;
  #last = 0;

  add(at: number, record: JournalRecord): void {
    if (this.#first === 0) this.#first = at;
    this.#last = at;
    if (record.kind === 'checkpoint') this.#restored(record);
    else if (record.kind === 'decided') this.#decided(at, record);
    else if (record.kind === 'refused') this.#refuse(at, record);
    else if (record.kind === 'cancelSent') this.#cancellations += 1;
    else if (record.kind === 'sent') this.#sent(at, record, record.eventName);
    else if (record.kind === 'adopted') this.#sent(at, record, undefined);
    else if (record.kind === 'rejected') this.#rejected(record.client, record.code);
    else if (record.kind === 'reported') this.#reported(record);
    else if (record.kind === 'settled') this.#settled(at, record);
  }

  story(): RunStory {
    const orders = [...this.#orders.values()];
    return {
      orders: orders.map(orderRow),
      // Reports may come in another order than what they tell: each says when it was.
      fills: this.#fills.toSorted((a, b) => a.at - b.at),
      settlements: this.#settlements,
      counts: this.#counts(orders),
      refusals: Object.fromEntries(this.#refusals),
      refused: this.#refused.refusals(),
      rejections: Object.fromEntries(this.#rejections),
      decisions: this.#decisions,
      events: this.#events,
      first: this.#first,
      last: this.#last,
    };
  }

  /** Orders of a journal that was compacted: what is kept of them. */
  #restored({ state }: Extract<JournalRecord, { kind: 'checkpoint' }>): void {
    for (const { terms, sentAt, report } of state.orders) {
      if (this.#orders.has(terms.client)) continue;
      this.#sent(sentAt, terms, undefined);
      if (report !== undefined) this.#reported(report);
    }
  }

  #decided(at: number, record: Extract<JournalRecord, { kind: 'decided' }>): void {
    this.#decisions += 1;
    this.#refused.decided(at, record);
  }

  #refuse(at: number, record: Extract<JournalRecord, { kind: 'refused' }>): void {
    count(this.#refusals, record.code, record.times ?? 1);
    this.#refused.refused(at, record);
  }

  #sent(sentAt: number, terms: SentOrder, eventName: string | undefined): void {
    if (eventName !== undefined) this.#events.set(terms.market, eventName);
    this.#refused.sent(sentAt, terms);
    const unknown = { arrivedAt: undefined, endedAt: undefined, report: undefined, code: undefined };
    this.#orders.set(terms.client, { terms, sentAt, ...unknown });
  }

  #rejected(client: number, code: string): void {
    count(this.#rejections, code, 1);
    const order = this.#orders.get(client);
    if (order !== undefined) order.code = code;
  }

  #reported(report: ReportedOrder): void {
    const order = this.#orders.get(report.client);
    if (order === undefined) return;
    const stake = report.stakeMatched - (order.report?.stakeMatched ?? 0);
    const winnings = report.winningsMatched - (order.report?.winningsMatched ?? 0);
    order.arrivedAt ??= report.at;
    if (report.stakeUnmatched === 0) order.endedAt ??= report.at;
    order.report = report;
    // A reduction for a removed outcome lowers the winnings and is no fill.
    if (stake > 0) this.#fills.push(fillRow(order.terms, { at: report.at, stake, price: 1 + winnings / stake }));
  }

  #settled(at: number, { market, wallet, profit, commission }: Extract<JournalRecord, { kind: 'settled' }>): void {
    const key = `${wallet}\n${market}`;
    const more = commission - (this.#commission.get(key) ?? 0);
    this.#commission.set(key, commission);
    this.#settlements.push({ at, market, profit: profit / UNIT, commission: more / UNIT });
  }

  #counts(orders: readonly KnownOrder[]): OrderCounts {
    const sent = orders.length;
    const known = orders.flatMap(({ report, terms }) => (report === undefined ? [] : [{ report, stake: terms.stake }]));
    const number = (is: (each: (typeof known)[number]) => boolean): number => known.filter(is).length;
    const refused = sum([...this.#refusals.values()]);
    const rejected = sum([...this.#rejections.values()]);
    return {
      intended: refused + this.#cancellations + sent,
      refused,
      cancellations: this.#cancellations,
      cancellationsRepeated: 0,
      sent,
      accepted: known.length,
      rejected,
      unanswered: Math.max(0, sent - known.length - rejected),
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
  const row: { -readonly [Key in keyof OrderRow]: OrderRow[Key] } = {
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
  };
  if (arrivedAt !== undefined) row.arrivedAt = arrivedAt;
  if (endedAt !== undefined) row.endedAt = endedAt;
  if (report !== undefined) row.status = report.status;
  const reason = report?.reason ?? code;
  if (reason !== undefined) row.reason = reason;
  if (report !== undefined && matched > 0) row.averagePrice = 1 + report.winningsMatched / matched;
  const profit = report === undefined ? undefined : profitOf(terms, report);
  if (profit !== undefined) row.profit = profit;
  if (terms.note !== undefined) row.note = terms.note;
  return row;
}

/** Before commission; undefined while the market is not settled. In a dead heat it is that of a whole win or loss. */
function profitOf({ side }: SentOrder, { status, stakeMatched, winningsMatched }: ReportedOrder): number | undefined {
  const [won, lost] = side === 'For' ? [winningsMatched, stakeMatched] : [stakeMatched, winningsMatched];
  if (status === 'Won') return won / UNIT;
  if (status === 'Lost') return -lost / UNIT;
  return status === 'Voided' ? 0 : undefined;
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
