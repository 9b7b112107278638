/**
 * Orders whose place request got no certain answer: they are looked up by reference until they are found, or proven never to
 * have been created.
 */

import {
  defer,
  EMPTY,
  exhaustMap,
  ignoreElements,
  merge,
  type Observable,
  of,
  repeat,
  Subject,
  take,
  tap,
  timer,
} from 'rxjs';
import { instant } from '../../core/number/units.ts';
import type { RestoredOrder } from '../../core/run/run-state.ts';
import type { OrderRequest } from '../../exchange/gateway.ts';
import type { MarketTable } from '../markets/market-table.ts';
import { type KnownOrders, restoredTerms } from './known-orders.ts';
import type { OrderFacts } from './order-facts.ts';
import type { OrderReader } from './order-source.ts';
import type { OrdersFeed } from './orders-feed.ts';
import type { References } from './references.ts';
import type { TradingContext } from './trading-context.ts';

interface Sought {
  readonly client: number;
  readonly reference: string;
  readonly marketId: string;
  /** When the exchange has certainly stopped processing the request, ms, not counting the market's in-play delay. */
  readonly deadline: number;
  dueAt: number;
  /** When the first look-up that counts as proof found nothing, ms. */
  missedAt: number | undefined;
  isAbsent: boolean;
}

export interface UnknownOrdersParts {
  readonly context: TradingContext;
  readonly table: MarketTable;
  readonly references: References;
  readonly known: KnownOrders;
  readonly reading: OrderReader;
  readonly feed: OrdersFeed;
}

/**
 * A missing order is proven absent only when the request's deadline, the market's in-play delay and a margin have passed, and
 * two look-ups after that, 5 s apart, found nothing. A look-up that fails counts for nothing. Even then the order is looked up,
 * less often, until its market is over.
 */
export class UnknownOrders {
  /** Runs the look-ups until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #parts: UnknownOrdersParts;
  readonly #sought = new Map<number, Sought>();
  readonly #added = new Subject<void>();

  constructor(parts: UnknownOrdersParts) {
    this.#parts = parts;
    const first$ = defer(() => (this.#sought.size === 0 ? EMPTY : of(undefined)));
    this.run$ = merge(first$, this.#added).pipe(
      exhaustMap(() => defer(() => this.#lookUp()).pipe(repeat({ delay: () => this.#nextDue() }))),
      ignoreElements(),
    );
  }

  /**
   * The market's in-play delay, ms: how long it may hold an order back before it is processed. 0 if the market is not known.
   */
  delayMs(marketId: string): number {
    return this.#parts.table.find(marketId)?.inPlayDelayMs ?? 0;
  }

  /** Whether an order that may exist in the market is being looked up. */
  seeksIn(marketId: string): boolean {
    return (
      this.#sought.size > 0 && [...this.#sought.values()].some((each) => each.marketId === marketId && !each.isAbsent)
    );
  }

  /** `deadline`: when the exchange has certainly stopped processing the request, ms. */
  add({ client, strategy, market }: OrderRequest, deadline: number): void {
    const { table, references } = this.#parts;
    const marketId = table.idOf(market);
    this.#seek({ client, marketId, deadline, reference: references.of(client, strategy), isAbsent: false });
  }

  /**
   * Takes over an order of an earlier process of the run, whose clock may differ from ours: its request counts as sent by now,
   * if it was sent at all. An order that was proven absent by then is still looked up, but not proven again.
   */
  restore({ terms, fate }: RestoredOrder): void {
    const { references, context, known } = this.#parts;
    const { client, strategy, market: marketId } = terms;
    const deadline = context.clock.now() + context.settings.timeouts.placeTimeoutMs;
    const reference = references.named(client, strategy);
    known.keepTerms(restoredTerms(terms, { strategies: context.settings.strategies, reference }));
    this.#seek({ client, marketId, deadline, reference, isAbsent: fate === 'absent' });
  }

  /**
   * The market has its result, and all its orders were read and reported: an order that is not among them does not exist. This
   * is a proof at once.
   */
  marketOver(marketId: string): void {
    const { known, context } = this.#parts;
    for (const sought of [...this.#sought.values()]) {
      if (sought.marketId !== marketId) continue;
      this.#sought.delete(sought.client);
      if (sought.isAbsent || known.has(sought.client)) continue;
      context.emit({ kind: 'absent', client: sought.client, at: instant(context.clock.now()) });
    }
  }

  #seek(order: Omit<Sought, 'dueAt' | 'missedAt'>): void {
    this.#sought.set(order.client, { ...order, dueAt: this.#parts.context.clock.now(), missedAt: undefined });
    this.#added.next();
  }

  /**
   * Emits when the next look-up is due. Completes if no order is looked up any more, which ends the look-ups until the next
   * order is lost.
   */
  #nextDue(): Observable<unknown> {
    if (this.#sought.size === 0) return EMPTY;
    const { clock } = this.#parts.context;
    const dueAt = Math.min(...[...this.#sought.values()].map((each) => each.dueAt));
    return merge(timer(Math.max(0, dueAt - clock.now()), clock), this.#added).pipe(take(1));
  }

  #lookUp(): Observable<unknown> {
    const { context, known, reading, feed } = this.#parts;
    const askedAt = context.clock.now();
    const { lookUpEveryMs, absentEveryMs } = context.settings.timeouts;
    const due = [...this.#sought.values()].filter(({ dueAt }) => dueAt <= askedAt);
    if (due.length === 0) return EMPTY;
    for (const each of due) each.dueAt = askedAt + (each.isAbsent ? absentEveryMs : lookUpEveryMs);
    return reading.byReferences(due.map(({ reference }) => reference)).pipe(
      tap((read) => {
        if (read.kind === 'failed')
          return context.note({ ...read, kind: 'readFailed', what: 'orders of unknown fate' });
        const found = new Map(read.orders.map((facts) => [known.clientOf(facts), facts]));
        // An order that cannot be read exists, and one without a readable reference may be any of these.
        const odd = new Set(read.unreadable.map(({ reference }) => reference));
        for (const each of due) {
          const facts = found.get(each.client);
          const mayBeOdd = odd.has(each.reference) || odd.has(undefined);
          if (facts !== undefined || !mayBeOdd) this.#judge(each, facts, askedAt);
        }
        feed.doubt();
      }),
    );
  }

  #judge(sought: Sought, facts: OrderFacts | undefined, askedAt: number): void {
    const { known } = this.#parts;
    if (facts !== undefined) known.receive(facts, { askedAt });
    // The feed may have received a report of it first.
    if (known.has(sought.client)) {
      this.#sought.delete(sought.client);
      return;
    }
    // The order exists and is shown as ended: its cancellation makes that certain, and the feed reports it then.
    if (facts !== undefined) return;
    if (sought.isAbsent) return this.#dropIfOver(sought);
    const { clock, settings, emit } = this.#parts.context;
    // Look-ups made before this time prove nothing: the order may still be on its way.
    const provableAt = sought.deadline + this.delayMs(sought.marketId) + settings.timeouts.absenceMs;
    if (askedAt < provableAt) return;
    sought.missedAt ??= askedAt;
    if (askedAt - sought.missedAt < settings.timeouts.lookUpEveryMs) return;
    sought.isAbsent = true;
    sought.dueAt = askedAt + settings.timeouts.absentEveryMs;
    emit({ kind: 'absent', client: sought.client, at: instant(clock.now()) });
  }

  /** Stops the look-ups of an order in a market that is over, where it cannot appear any more. */
  #dropIfOver({ client, marketId }: Sought): void {
    if (this.#parts.table.isOver(marketId)) this.#sought.delete(client);
  }
}
