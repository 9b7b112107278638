/** Finds of which intent of which decision each order, cancellation and refusal came, by the order of a run's records. */

import type { Intent } from '../../../core/intent.ts';
import { tickOfDecimal } from '../../../core/number/ladder.ts';
import type { RefusalCode } from '../../../core/refusal.ts';
import type { SentOrder } from '../../../core/run/kept-order.ts';
import type { Origin, Step } from './step.ts';

/** Ends the name of what takes the place of a replaced order. */
export const AGAIN = ' again';

interface Lane {
  readonly strategy: string;
  readonly market: string;
}

/** A decision of this instant. Its intents are judged in their order. */
interface OpenDecision extends Lane {
  readonly step: Step;
  readonly intents: readonly Intent[];
  /** The first intent that has no outcome yet. */
  next: number;
}

/** Of an order that is being replaced: its placement at the new price is judged when its end is reported. */
interface Replacement extends Lane {
  readonly origin: Origin;
}

/** About an order of before: all other refusals are of placements. */
const OF_ORDERS: ReadonlySet<RefusalCode> = new Set([
  'UNKNOWN_ORDER',
  'ORDER_NOT_LIVE',
  'CANCEL_IN_FLIGHT',
  'NOT_SUPPORTED',
]);

/** To be told each record of one run, or of its replay, in their order. */
export class IntentOutcomes {
  #at = Number.NEGATIVE_INFINITY;
  #open: OpenDecision[] = [];
  /** Placements whose replaced order ended in this instant: they are judged before all decisions that follow. */
  #due: Replacement[] = [];
  /** Keyed by the client of the order that is to be replaced. */
  readonly #replacing = new Map<number, Replacement>();

  decided(step: Step, lane: Lane, intents: readonly Intent[]): void {
    this.#moveTo(step.at);
    const { strategy, market } = lane;
    this.#open.push({ step, strategy, market, intents, next: 0 });
    // A cancellation takes the replacement back without a record of its own.
    for (const intent of intents) if (intent.kind === 'cancel') this.#replacing.delete(intent.order);
  }

  sent(at: number, order: SentOrder): Origin | undefined {
    this.#moveTo(at);
    return (
      this.#replaced(order) ??
      this.#take(order.strategy, (intent) => {
        if (intent.kind !== 'place' || intent.market !== order.market || intent.outcome !== order.outcome) return false;
        return intent.side === order.side && tickOfDecimal(intent.price) === order.tick;
      })
    );
  }

  cancelled(at: number, order: SentOrder): Origin | undefined {
    this.#moveTo(at);
    const { client, strategy, market, outcome } = order;
    for (const { step, intents, ...lane } of this.#open) {
      if (lane.strategy !== strategy) continue;
      const index = intents.findIndex((intent) => {
        if (intent.kind === 'cancel' || intent.kind === 'replace') return intent.order === client;
        if (intent.kind !== 'cancelAll') return false;
        return (intent.market ?? market) === market && (intent.outcome ?? outcome) === outcome;
      });
      if (index < 0) continue;
      const intent = intents[index];
      if (intent === undefined) continue;
      if (intent.kind === 'replace') {
        const placement = { decision: step, intent, name: `${index}${AGAIN}` };
        this.#replacing.set(client, { strategy, market, origin: placement });
      }
      // To cancel all has as many outcomes as there are orders.
      const of = intent.kind === 'cancelAll' ? ` ${outcome} ${order.side} ${order.tick}` : '';
      return { decision: step, intent, name: `${index}${of}` };
    }
    return undefined;
  }

  refused(at: number, { strategy, market, code }: Lane & { readonly code: RefusalCode }): Origin | undefined {
    this.#moveTo(at);
    if (OF_ORDERS.has(code))
      return this.#take(strategy, ({ kind }) => kind === 'cancel' || kind === 'replace' || kind === 'reduce');
    return (
      this.#replaced({ strategy, market }) ??
      this.#take(strategy, (intent, lane) => intent.kind === 'place' && [intent.market, lane].includes(market))
    );
  }

  /** The order has ended, and so much of it was voided: what was to replace it is judged now. */
  ended(at: number, client: number, isVoided: boolean): void {
    this.#moveTo(at);
    const replacement = this.#replacing.get(client);
    this.#replacing.delete(client);
    if (replacement !== undefined && isVoided) this.#due.push(replacement);
  }

  #moveTo(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    this.#open = [];
    this.#due = [];
  }

  #replaced(of: Lane): Origin | undefined {
    const index = this.#due.findIndex(({ strategy, market }) => strategy === of.strategy && market === of.market);
    return index < 0 ? undefined : this.#due.splice(index, 1)[0]?.origin;
  }

  /** The next intent that fits. Those before it have no outcome of their own, or one that is recorded once for several. */
  #take(of: string, fits: (intent: Intent, market: string) => boolean): Origin | undefined {
    for (const open of this.#open) {
      const { step, strategy, market, intents } = open;
      if (strategy !== of) continue;
      for (let index = open.next; index < intents.length; index += 1) {
        const intent = intents[index];
        if (intent === undefined || !fits(intent, market)) continue;
        open.next = index + 1;
        return { decision: step, intent, name: `${index}` };
      }
    }
    return undefined;
  }
}
