/** One act of a run, or of its replay, with the intent that led to it. */

import type { Intent } from '../../../core/intent.ts';
import type { RefusalCode } from '../../../core/refusal.ts';
import type { ReportedOrder, SentOrder } from '../../../core/run/kept-order.ts';

type StepKind = 'decision' | 'refusal' | 'order' | 'cancel';

export interface Step {
  readonly kind: StepKind;
  readonly at: number;
  /** The number of its record: what is lower was before it, in the same ms too. */
  readonly sequence: number;
  /** Equal steps have equal keys, whatever numbers the two sides gave to their orders. */
  readonly key: string;
  readonly words: string;
  /** Only of a decision: why the strategy was called. */
  readonly why?: string;
  /** Only of a decision: what came of its intents, by `Origin.name`. */
  readonly outcomes?: Map<string, Step>;
  /** The refusal's code. */
  readonly code?: RefusalCode;
  /** The limit that a refusal names. */
  readonly limit?: number | undefined;
  /** The order that is placed, or that is to be cancelled. */
  readonly order?: OrderStory;
  /** The intent that led to an order, a cancellation or a refusal; absent if no strategy asked for it. */
  readonly origin?: Origin | undefined;
}

/** An order that counts for a rate. */
export interface Send {
  readonly at: number;
  /** The number of its record. */
  readonly sequence: number;
  /** Undefined for an order of another program that was adopted. */
  readonly order: OrderStory | undefined;
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
  /** The intent that led to it. */
  readonly origin: Origin | undefined;
  /** When the first report of the order arrived, or its refusal. */
  repliedAt: number | undefined;
  rejected: string | undefined;
  unknown: string | undefined;
  readonly reports: (ReportedOrder & { readonly reportedAt: number })[];
}

/** Where a step comes from. The same intent of two equal decisions has the same name. */
export interface Origin {
  readonly decision: Step;
  readonly intent: Intent;
  /** The intent's number in its decision, and what of it: of a replacement, the placement comes after the cancellation. */
  readonly name: string;
}
