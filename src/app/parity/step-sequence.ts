/** What a run, or its replay, did: its steps by strategy and market, and the life of each of its orders. */

import type { Intent } from '../../core/intent.ts';
import { decimalOfTick, tick } from '../../core/number/ladder.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import type { RefusalCode } from '../../core/refusal.ts';
import type { JournalRecord } from '../../core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../core/run/kept-order.ts';

/** A record of a journal, or of the replay that a journal is compared with. */
export interface RunRecord {
  readonly at: number;
  readonly record: JournalRecord;
}

type StepKind = 'decision' | 'refusal' | 'order' | 'cancel';

export interface Step {
  readonly kind: StepKind;
  readonly at: number;
  /** Equal steps have equal keys, whatever numbers the two sides gave to their orders. */
  readonly key: string;
  readonly words: string;
  /** Only of a decision: why the strategy was called. */
  readonly why?: string;
  /** Of a refusal. */
  readonly code?: RefusalCode;
  /** Of an order, and of a cancellation. */
  readonly order?: OrderStory;
}

/** The steps of one strategy in one market, in their order. */
export interface ComparedStream {
  readonly strategy: string;
  readonly market: string;
  readonly steps: Step[];
}

export interface OrderStory {
  readonly client: number;
  readonly lane: ComparedStream;
  readonly terms: SentOrder;
  readonly sentAt: number;
  /** When the first report of the order arrived, or its refusal. */
  repliedAt: number | undefined;
  rejected: string | undefined;
  unknown: string | undefined;
  readonly reports: (ReportedOrder & { readonly reportedAt: number })[];
}

export interface Settlement {
  readonly at: number;
  readonly market: string;
  readonly wallet: string;
  readonly profit: Money;
  readonly commission: Money;
}

export interface StepSequence {
  /** By strategy and market. */
  readonly lanes: ReadonlyMap<string, ComparedStream>;
  readonly orders: ReadonlyMap<number, OrderStory>;
  /** The newest settlement by market and wallet. */
  readonly settlements: ReadonlyMap<string, Settlement>;
  /** Records about the run as a whole: starts, phases, states, freshness, heartbeats. */
  readonly notes: readonly RunRecord[];
  /** Steps outside the span. */
  readonly leftOut: number;
}

/** Takes records with from ≤ at ≤ to. Orders that were sent before are known, but are not compared. */
export function stepSequenceOf(
  records: Iterable<RunRecord>,
  span: { readonly from: number; readonly to: number },
): StepSequence {
  const sequence = new SequenceBuilder(span);
  for (const each of records) sequence.add(each);
  return sequence;
}

class SequenceBuilder implements StepSequence {
  readonly lanes = new Map<string, ComparedStream>();
  readonly orders = new Map<number, OrderStory>();
  readonly settlements = new Map<string, Settlement>();
  readonly notes: RunRecord[] = [];
  leftOut = 0;
  readonly #span: { readonly from: number; readonly to: number };

  constructor(span: { readonly from: number; readonly to: number }) {
    this.#span = span;
  }

  add({ at, record }: RunRecord): void {
    switch (record.kind) {
      case 'decided': {
        const key = `decision ${JSON.stringify(record.intents.map((intent) => this.#known(intent)))}`;
        const words = `${record.why}: ${record.intents.map((intent) => this.#intentText(intent)).join('; ')}`;
        return this.#step(record, { kind: 'decision', at, key, words, why: record.why });
      }
      case 'refused': {
        const { code } = record;
        return this.#step(record, { kind: 'refusal', at, key: `refusal ${code}`, words: code, code });
      }
      case 'sent':
        return this.#sent(at, record);
      case 'cancelSent': {
        const order = this.orders.get(record.client);
        if (order === undefined) return;
        const words = termsText(order.terms);
        return this.#step(order.terms, { kind: 'cancel', at, key: `cancel ${words}`, words, order });
      }
      case 'rejected':
      case 'unknown':
      case 'reported':
        return this.#report(at, record);
      case 'settled':
        if (!this.#isInSpan(at)) return;
        this.settlements.set(`${record.market} ${record.wallet}`, added(this.settlements, at, record));
        return;
      default:
        this.notes.push({ at, record });
    }
  }

  #sent(at: number, terms: SentOrder): void {
    const lane = this.#lane(terms);
    const order: OrderStory = {
      client: terms.client,
      lane,
      terms,
      sentAt: at,
      reports: [],
      repliedAt: undefined,
      rejected: undefined,
      unknown: undefined,
    };
    this.orders.set(terms.client, order);
    const words = termsText(terms);
    this.#step(terms, { kind: 'order', at, key: `order ${words}`, words, order });
  }

  #report(at: number, record: Extract<JournalRecord, { kind: 'rejected' | 'unknown' | 'reported' }>): void {
    const order = this.orders.get(record.client);
    if (order === undefined || !this.#isInSpan(at)) return;
    if (record.kind === 'unknown') {
      order.unknown ??= record.code;
      return;
    }
    order.repliedAt ??= at;
    if (record.kind === 'rejected') order.rejected = record.code;
    else order.reports.push({ ...record, reportedAt: at });
  }

  #step(of: { readonly strategy: string; readonly market: string }, step: Step): void {
    if (this.#isInSpan(step.at)) this.#lane(of).steps.push(step);
    else this.leftOut += 1;
  }

  #isInSpan(at: number): boolean {
    return at >= this.#span.from && at <= this.#span.to;
  }

  #lane({ strategy, market }: { readonly strategy: string; readonly market: string }): ComparedStream {
    const name = laneName(strategy, market);
    const lane = this.lanes.get(name) ?? { strategy, market, steps: [] };
    this.lanes.set(name, lane);
    return lane;
  }

  /** The intent with its order named by terms instead of number, because each side numbers its own orders. */
  #known(intent: Intent): unknown {
    if (intent.kind !== 'cancel' && intent.kind !== 'replace') return intent;
    const order = this.orders.get(intent.order);
    return { ...intent, order: order === undefined ? undefined : termsText(order.terms) };
  }

  #intentText(intent: Intent): string {
    switch (intent.kind) {
      case 'place':
        return `place ${intent.side} ${intent.stake} at ${intent.price} on ${intent.outcome}`;
      case 'cancel':
        return `cancel ${this.#orderText(intent.order)}`;
      case 'replace':
        return `replace ${this.#orderText(intent.order)} at ${intent.price}`;
      case 'cancelAll':
        return 'cancel all';
    }
  }

  #orderText(client: number): string {
    const order = this.orders.get(client);
    return order === undefined ? `order ${client}` : termsText(order.terms);
  }
}

export function laneName(strategy: string, market: string): string {
  return `${strategy} ${market}`;
}

export function termsText({ side, stake, tick: at, outcome, matchBehavior, keepWhenInPlay }: SentOrder): string {
  const how = `${matchBehavior === 'CancelUnmatched' ? ', rest cancelled' : ''}${keepWhenInPlay ? ', kept in play' : ''}`;
  return `${side} ${moneyToDecimal(stake)} at ${decimalOfTick(tick(at))} on ${outcome}${how}`;
}

/** Adds a settlement to the earlier one of the same market and wallet: a second result is reported as the difference. */
function added(
  before: ReadonlyMap<string, Settlement>,
  at: number,
  { market, wallet, profit, commission }: Extract<JournalRecord, { kind: 'settled' }>,
): Settlement {
  const known = before.get(`${market} ${wallet}`);
  return { at: known?.at ?? at, market, wallet, profit: ((known?.profit ?? 0) + profit) as Money, commission };
}
