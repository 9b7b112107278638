/** What a run, or its replay, did: its steps by strategy and market, and the life of each of its orders. */

import type { Intent } from '../../../core/intent.ts';
import { decimalOfTick, tick } from '../../../core/number/ladder.ts';
import { moneyToDecimal } from '../../../core/number/units.ts';
import type { TimedRecord } from '../../../core/run/journal.ts';
import type { SentOrder } from '../../../core/run/kept-order.ts';
import type { EventOf } from '../../../journal/history/fold.ts';
import { historyOf, type TimedEvent } from '../../../journal/history/read-history.ts';
import type { DraftOrder } from '../../../journal/history/run-draft.ts';
import { IntentOutcomes } from './intent-outcomes.ts';
import type { ComparedStream, OrderStory, Send, Step } from './step.ts';

/** A second result of a market is added to the first one, at whose time it counts. */
export type Settlement = EventOf<'settled'> & { readonly at: number };

export interface ComparedSpan {
  readonly from: number;
  readonly to: number;
  /** Spans of which the run has not all decisions and refusals: none are compared there. */
  readonly notExplained?: readonly { readonly from: number; readonly to: number }[];
}

/** Takes records with from ≤ at ≤ to. Orders that were sent before are known, but are not compared. */
export function stepSequenceOf(records: Iterable<TimedRecord>, span: ComparedSpan): StepSequence {
  const sequence = new StepSequence(span);
  for (const each of historyOf(records)) sequence.add(each);
  return sequence;
}

export class StepSequence {
  /** Keyed by strategy and market. */
  readonly lanes = new Map<string, ComparedStream>();
  readonly orders = new Map<number, OrderStory>();
  /** All orders that count for a rate, in their order, those outside the span included. */
  readonly sends: Send[] = [];
  /** The newest settlement by market and wallet. */
  readonly settlements = new Map<string, Settlement>();
  /** Steps outside the span. */
  leftOut = 0;
  readonly #span: ComparedSpan;
  readonly #outcomes = new IntentOutcomes();
  #sequence = 0;

  constructor(span: ComparedSpan) {
    this.#span = span;
  }

  add({ at, event }: TimedEvent): void {
    this.#sequence += 1;
    switch (event.kind) {
      case 'decided':
        return this.#decided(at, event);
      case 'refused':
        return this.#refused(at, event);
      case 'sent':
        return this.#sent(event.order);
      case 'cancelSent':
        return this.#cancelSent(at, event.order.terms);
      case 'adopted':
        return this.#counts(event.order.sentAt, undefined);
      case 'rejected':
      case 'unknown':
      case 'reported':
        return this.#report(at, event);
      case 'settled': {
        if (!this.#isInSpan(at)) return;
        const name = `${event.market} ${event.wallet}`;
        this.settlements.set(name, { ...event, at: this.settlements.get(name)?.at ?? at });
      }
    }
  }

  #decided(at: number, record: EventOf<'decided'>): void {
    const { why, intents } = record;
    const key = `decision ${JSON.stringify(intents.map((intent) => this.#known(intent)))}`;
    const words = `${why}: ${intents.map((intent) => this.#intentText(intent)).join('; ')}`;
    const step = { ...this.#stepOf('decision', at, words), key, why, outcomes: new Map<string, Step>() };
    this.#outcomes.decided(step, record, intents);
    this.#step(record, step);
  }

  /** Two refusals are the same if they are of the same intent. */
  #refused(at: number, record: EventOf<'refused'>): void {
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

  #sent({ terms, sentAt: at }: DraftOrder): void {
    const origin = this.#outcomes.sent(at, terms);
    const unknown = { repliedAt: undefined, rejected: undefined, unknown: undefined };
    const order = { client: terms.client, lane: this.#lane(terms), terms, sentAt: at, origin, reports: [], ...unknown };
    this.orders.set(terms.client, order);
    const words = termsText(terms);
    this.#counts(at, order);
    this.#outcome(terms, { ...this.#stepOf('order', at, words), key: `order ${words}`, order, origin });
  }

  #cancelSent(at: number, terms: SentOrder): void {
    const order = this.orders.get(terms.client);
    if (order === undefined) return;
    const words = termsText(terms);
    const origin = this.#outcomes.cancelled(at, terms);
    this.#outcome(terms, { ...this.#stepOf('cancel', at, words), key: `cancel ${words}`, order, origin });
  }

  #report(at: number, event: EventOf<'rejected' | 'unknown' | 'reported'>): void {
    const { client } = event.order.terms;
    if (event.kind === 'reported' && event.report.stakeUnmatched === 0)
      this.#outcomes.ended(at, client, event.report.stakeVoided > 0);
    const order = this.orders.get(client);
    if (order === undefined || !this.#isInSpan(at)) return;
    if (event.kind !== 'unknown') order.repliedAt ??= at;
    if (event.kind === 'reported') order.reports.push({ ...event.report, reportedAt: at });
    else if (event.kind === 'rejected') order.rejected = event.code;
    else order.unknown ??= event.code;
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
    if (intent.kind === 'place' || intent.kind === 'cancelAll') return intent;
    const order = this.orders.get(intent.order);
    return { ...intent, order: order === undefined ? undefined : termsText(order.terms) };
  }

  #intentText(intent: Intent): string {
    switch (intent.kind) {
      case 'place':
        return `place ${intent.side} ${intent.stake} at ${intent.price} on ${intent.outcome}`;
      case 'cancel':
        return `cancel ${this.#orderText(intent.order)}`;
      case 'reduce':
        return `reduce ${this.#orderText(intent.order)} by ${intent.stake}`;
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
