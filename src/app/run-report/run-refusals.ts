/** The refused intents of a live or paper run, from its journal: which intent of a decision was refused is found where the records leave no doubt. */

import type { Intent } from '../../core/intent.ts';
import type { RefusalCode } from '../../core/refusal.ts';
import type { JournalRecord } from '../../core/run/journal.ts';
import type { SentOrder } from '../../core/run/kept-order.ts';
import { askedFor, FirstRefusals, type RefusedIntents } from '../../result/figures/refusal-rows.ts';

type Decided = Extract<JournalRecord, { kind: 'decided' }>;
type Refused = Extract<JournalRecord, { kind: 'refused' }>;

/** Refusals of an intent to cancel, to reduce or to replace alone. */
const OF_CANCELLATIONS: ReadonlySet<RefusalCode> = new Set([
  'UNKNOWN_ORDER',
  'ORDER_NOT_LIVE',
  'CANCEL_IN_FLIGHT',
  'NOT_SUPPORTED',
]);
/** Refusals of what an intent says, whatever its kind. */
const OF_ANY: ReadonlySet<RefusalCode> = new Set([
  'INTENT_INVALID',
  'NOTE_INVALID',
  'UNKNOWN_MARKET',
  'UNKNOWN_OUTCOME',
  'PRICE_OFF_LADDER',
  'STAKE_INVALID',
  'TOO_MANY_INTENTS',
]);

interface OpenDecision {
  readonly at: number;
  readonly strategy: string;
  /** Those of which nothing was recorded yet. */
  left: readonly Intent[];
}

export class RunRefusals {
  readonly #first = new FirstRefusals<string>();
  readonly #titles = new Map<string, string>();
  #open: OpenDecision[] = [];

  decided(at: number, { strategy, intents }: Decided): void {
    this.#open = this.#open.filter((each) => each.at === at && each.left.length > 0);
    this.#open.push({ at, strategy, left: intents });
  }

  /** What was decided before it has been judged. */
  sent(at: number, { strategy, market, outcome, outcomeTitle, side }: SentOrder): void {
    this.#titles.set(`${market} ${outcome}`, outcomeTitle);
    const isIt = (intent: Intent): boolean =>
      intent.kind === 'place' && intent.market === market && intent.outcome === outcome && intent.side === side;
    for (const decision of this.#open) {
      if (decision.at !== at || decision.strategy !== strategy) continue;
      const place = decision.left.findIndex(isIt);
      if (place < 0) continue;
      decision.left = decision.left.slice(place + 1);
      return;
    }
  }

  refused(at: number, record: Refused): void {
    const { strategy, market, times } = record;
    this.#first.add({ at, strategy, market, refusal: record, intent: this.#intentOf(at, record) }, times);
  }

  refusals(): RefusedIntents {
    const rows = this.#first.kept.map(({ first, lastAt, times }) => {
      const { at, strategy, market: marketId, refusal, intent } = first;
      const { code, limit, value, wouldBe } = refusal;
      const asked = askedFor(intent);
      const outcomeTitle = this.#titles.get(`${marketId} ${asked.outcomeId}`);
      return { ...asked, at, lastAt, times, strategy, marketId, code, outcomeTitle, limit, value, wouldBe };
    });
    return { rows, byMarket: this.#first.byMarket((market) => market) };
  }

  /** Undefined where it could be one of several: to cancel an order that is being cancelled already leaves no record. */
  #intentOf(at: number, { strategy, market, code }: Refused): Intent | undefined {
    const isOfCancellation = OF_CANCELLATIONS.has(code);
    const fits = (intent: Intent): boolean =>
      isOfCancellation || OF_ANY.has(code)
        ? (intent.kind === 'place') !== isOfCancellation
        : intent.kind === 'place' && intent.market === market;
    for (const decision of this.#open) {
      if (decision.at !== at || decision.strategy !== strategy) continue;
      const place = decision.left.findIndex(fits);
      if (place < 0) continue;
      if (place > 0 && (isOfCancellation || OF_ANY.has(code))) return undefined;
      const intent = decision.left[place];
      decision.left = decision.left.slice(place + 1);
      return intent;
    }
    return undefined;
  }
}
