/** What a run, or its replay, did: its steps by strategy and market, and the life of each of its orders. */

import type { Intent } from '../../../core/intent.ts';
import { decimalOfTick, tick } from '../../../core/number/ladder.ts';
import { type Money, moneyToDecimal } from '../../../core/number/units.ts';
import type { JournalRecord } from '../../../core/run/journal.ts';
import type { SentOrder } from '../../../core/run/kept-order.ts';
import { IntentOutcomes } from './intent-outcomes.ts';
import type { ComparedStream, OrderStory, Send, Step } from './step.ts';

/** A record of a journal, or of the replay that a journal is compared with. */
export interface RunRecord {
  readonly at: number;
  readonly record: JournalRecord;
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
  /** All orders that count for a rate, in their order, those outside the span included. */
  readonly sends: readonly Send[];
  /** The newest settlement by market and wallet. */
  readonly settlements: ReadonlyMap<string, Settlement>;
  /** Records about the run as a whole: starts, phases, states, freshness, heartbeats. */
  readonly notes: readonly RunRecord[];
  /** Steps outside the span. */
  readonly leftOut: number;
}

export interface ComparedSpan {
  readonly from: number;
  readonly to: number;
  /** Spans of which the run has not all decisions and refusals: none are compared there. */
  readonly notExplained?: readonly { readonly from: number; readonly to: number }[];
}

/** Takes records with from ≤ at ≤ to. Orders that were sent before are known, but are not compared. */
export function stepSequenceOf(records: Iterable<RunRecord>, span: ComparedSpan): StepSequence {
  const sequence = new SequenceBuilder(span);
  for (const each of records) sequence.add(each);
  return sequence;
}

class SequenceBuilder implements StepSequence {
  readonly lanes = new Map<string, ComparedStream>();
  readonly orders = new Map<number, OrderStory>();
  readonly sends: Send[] = [];
  readonly settlements = new Map<string, Settlement>();
  readonly notes: RunRecord[] = [];
  leftOut = 0;
  readonly #span: ComparedSpan;
  readonly #outcomes = new IntentOutcomes();
  #sequence = 0;

  constructor(span: ComparedSpan) {
    this.#span = span;
  }

  add({ at, record }: RunRecord): void {
    this.#sequence += 1;
    switch (record.kind) {
      case 'decided':
        return this.#decided(at, record);
      case 'refused':
        return this.#refused(at, record);
      case 'sent':
        return this.#sent(at, record);
      case 'cancelSent': {
        const order = this.orders.get(record.client);
        if (order === undefined) return;
        const words = termsText(order.terms);
        const origin = this.#outcomes.cancelled(at, order.terms);
        return this.#outcome(order.terms, {
          ...this.#stepOf('cancel', at, words),
          key: `cancel ${words}`,
          order,
          origin,
        });
      }
      case 'adopted':
        this.#counts(at, undefined);
        this.notes.push({ at, record });
        return;
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

  #decided(at: number, record: Extract<JournalRecord, { kind: 'decided' }>): void {
    const { why, intents } = record;
    const key = `decision ${JSON.stringify(intents.map((intent) => this.#known(intent)))}`;
    const words = `${why}: ${intents.map((intent) => this.#intentText(intent)).join('; ')}`;
    const step = { ...this.#stepOf('decision', at, words), key, why, outcomes: new Map<string, Step>() };
    this.#outcomes.decided(step, record, intents);
    this.#step(record, step);
  }

  /** Two refusals are the same if they are of the same intent. */
  #refused(at: number, record: Extract<JournalRecord, { kind: 'refused' }>): void {
    const { code, limit } = record;
    const origin = this.#outcomes.refused(at, record);
    const of = origin === undefined ? '' : JSON.stringify(this.#known(origin.intent));
    const words = origin === undefined ? code : `${code}: ${this.#intentText(origin.intent)}`;
    this.#outcome(record, { ...this.#stepOf('refusal', at, words), key: `refusal ${code} ${of}`, code, limit, origin });
  }

  #stepOf(kind: Step['kind'], at: number, words: string): Pick<Step, 'kind' | 'at' | 'sequence' | 'words'> {
    return { kind, at, sequence: this.#sequence, words };
  }

  /** A rate takes a time before the newest one for the newest. */
  #counts(at: number, order: OrderStory | undefined): void {
    this.sends.push({ at: Math.max(at, this.sends.at(-1)?.at ?? at), sequence: this.#sequence, order });
  }

  #sent(at: number, terms: SentOrder): void {
    const lane = this.#lane(terms);
    const origin = this.#outcomes.sent(at, terms);
    const order: OrderStory = {
      client: terms.client,
      lane,
      terms,
      sentAt: at,
      origin,
      reports: [],
      repliedAt: undefined,
      rejected: undefined,
      unknown: undefined,
    };
    this.orders.set(terms.client, order);
    const words = termsText(terms);
    this.#counts(at, order);
    this.#outcome(terms, { ...this.#stepOf('order', at, words), key: `order ${words}`, order, origin });
  }

  #report(at: number, record: Extract<JournalRecord, { kind: 'rejected' | 'unknown' | 'reported' }>): void {
    const order = this.orders.get(record.client);
    if (record.kind === 'reported' && record.stakeUnmatched === 0)
      this.#outcomes.ended(at, record.client, record.stakeVoided > 0);
    if (order === undefined || !this.#isInSpan(at)) return;
    if (record.kind === 'unknown') {
      order.unknown ??= record.code;
      return;
    }
    order.repliedAt ??= at;
    if (record.kind === 'rejected') order.rejected = record.code;
    else order.reports.push({ ...record, reportedAt: at });
  }

  #outcome(of: { readonly strategy: string; readonly market: string }, step: Step): void {
    const { origin } = step;
    if (origin !== undefined) origin.decision.outcomes?.set(origin.name, step);
    this.#step(of, step);
  }

  #step(of: { readonly strategy: string; readonly market: string }, step: Step): void {
    if (this.#isInSpan(step.at) && this.#isExplained(step)) this.#lane(of).steps.push(step);
    else this.leftOut += 1;
  }

  #isExplained({ kind, at }: Step): boolean {
    if (kind !== 'decision' && kind !== 'refusal') return true;
    return !this.#span.notExplained?.some(({ from, to }) => at >= from && at <= to);
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
