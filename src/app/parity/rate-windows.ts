/** Proves from the orders in both seconds why only one side of a comparison refused an order for the rate. */

import type { RefusalDispute } from './refusal-dispute.ts';
import type { Counterpart } from './steps/align-intents.ts';
import type { OrderStory, Send, Step } from './steps/step.ts';
import { type StepSequence, termsText } from './steps/step-sequence.ts';

/** The limit of orders a second looks back so far, ms. */
const RATE_MS = 1_000;

interface RateParts {
  readonly run: StepSequence;
  readonly replay: StepSequence;
  /** Orders of either side, with the same one of the other. */
  readonly partners: ReadonlyMap<OrderStory, OrderStory>;
  readonly counterpart: Counterpart;
  readonly stepMs: number;
}

/** An order that only the second of the refusal holds. */
export interface Excess {
  readonly order: OrderStory | undefined;
  /** Whether the other side did not send it, or so much later or earlier that this is a difference of its own. */
  readonly differs: boolean;
  /** Refusals because of which only one side sent it, or the two sent it on other decisions. */
  readonly refusals: readonly Step[];
  /** `time`: it was counted because the times of the two differ. `foreign`: it is of another program. */
  readonly reason: 'time' | 'foreign' | undefined;
  readonly words: string;
}

export interface RateProof {
  readonly limit: number;
  /** How many orders the second before held on the side that refused, and on the other. */
  readonly counted: number;
  readonly countedThere: number;
  /** What the second of the refusal held beyond the other. */
  readonly excess: readonly Excess[];
  /** Without so many of them the order would have had room; infinite where the figures do not even lead to the refusal. */
  readonly needed: number;
}

export class RateWindows {
  readonly #parts: RateParts;

  constructor(parts: RateParts) {
    this.#parts = parts;
  }

  proof(dispute: RefusalDispute): RateProof {
    const { refusal, passed, who } = dispute;
    const { run, replay } = this.#parts;
    const [here, there] = who === 'run' ? [run, replay] : [replay, run];
    const limit = refusal.limit ?? Number.POSITIVE_INFINITY;
    const window = windowBefore(here.sends, refusal);
    const other = windowBefore(there.sends, passed);
    const counts = { limit, counted: window.length, countedThere: other.length };
    // The figures themselves must lead to a refusal on the one side and to none on the other.
    if (window.length < limit || other.length >= limit)
      return { ...counts, excess: [], needed: Number.POSITIVE_INFINITY };
    const held = new Set(other.map(({ order }) => order));
    const excess = window.flatMap((send) => {
      const partner = send.order && this.#parts.partners.get(send.order);
      return partner !== undefined && held.has(partner) ? [] : [this.#excess(send, partner, dispute)];
    });
    return { ...counts, excess, needed: window.length - limit + 1 };
  }

  #excess({ at, order }: Send, partner: OrderStory | undefined, { refusal, passed, who }: RefusalDispute): Excess {
    const { stepMs } = this.#parts;
    if (order === undefined) return { ...FOREIGN, order };
    const there = who === 'run' ? 'replay' : 'run';
    const sent = `${termsText(order.terms)} was sent ${before(refusal.at - at)}`;
    // By the other side, and by this one of what the other side sent.
    const refused = this.#refusalOf(order);
    const refusals = [refused, this.#refusalOf(partner)].filter((each) => each !== undefined);
    if (partner !== undefined && Math.abs(partner.sentAt - at) <= stepMs) {
      const words = `${sent}, in the ${there} ${before(passed.at - partner.sentAt)}`;
      // In a paper run all times are the same bit for bit, so they cannot be the reason.
      return { order, differs: false, refusals, reason: stepMs > 0 ? 'time' : undefined, words };
    }
    const isLater = at > passed.at || (refused !== undefined && refused.sequence > passed.sequence);
    const words = `${sent}${isLater ? `, and the ${there} judged this order before that one` : `, by the ${who} alone`}`;
    return { order, differs: true, refusals, reason: isLater && stepMs > 0 ? 'time' : undefined, words };
  }

  /** The refusal of the same intent by the other side. */
  #refusalOf(order: OrderStory | undefined): Step | undefined {
    const other = order?.origin && this.#parts.counterpart(order.origin);
    return other?.kind === 'refusal' ? other : undefined;
  }
}

const FOREIGN = {
  differs: false,
  refusals: [],
  reason: 'foreign',
  words: 'an order of another program was adopted',
} as const;

function before(ms: number): string {
  if (ms === 0) return 'in the same ms';
  return `${Math.abs(ms)} ms ${ms > 0 ? 'before' : 'after'}`;
}

/** The orders that were counted when the step was judged. */
function windowBefore(sends: readonly Send[], { at, sequence }: Step): readonly Send[] {
  let end = 0;
  let high = sends.length;
  while (end < high) {
    const middle = (end + high) >>> 1;
    if ((sends[middle]?.sequence ?? Number.POSITIVE_INFINITY) < sequence) end = middle + 1;
    else high = middle;
  }
  const now = Math.max(at, sends[end - 1]?.at ?? at);
  let from = end;
  while (from > 0 && (sends[from - 1]?.at ?? now) > now - RATE_MS) from -= 1;
  return sends.slice(from, end);
}
