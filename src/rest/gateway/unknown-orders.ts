/** Orders whose place call was lost: looked up by reference until they are found, or proven never to have been created. */

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
import { instant } from '../../core/units.ts';
import type { OrderRequest } from '../../exchange/gateway.ts';
import type { KnownOrders } from './known-orders.ts';
import type { MarketTable } from './market-table.ts';
import type { OrderFacts } from './order-facts.ts';
import type { OrderReading } from './order-reading.ts';
import type { References } from './references.ts';
import type { Wiring } from './wiring.ts';

interface Sought {
  readonly client: number;
  readonly market: number;
  /** Look-ups made before this prove nothing: the order may still be on its way. */
  readonly provableAt: number;
  dueAt: number;
  /** When the first look-up was made that counts and found nothing. */
  missedAt: number | undefined;
  isAbsent: boolean;
}

export interface UnknownOrdersParts {
  readonly wiring: Wiring;
  readonly table: MarketTable;
  readonly references: References;
  readonly known: KnownOrders;
  readonly reading: OrderReading;
}

/**
 * Not finding an order proves its absence only when the request's deadline, the market's in-play delay and a margin
 * have passed, and two look-ups made after that, 5 s apart, found nothing. A look-up that fails counts for nothing.
 * Even then the order is looked for as long as its market goes on, more rarely.
 */
export class UnknownOrders {
  /** Does the work; emits nothing. */
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

  /** How long the market may hold an order back before it is processed. */
  delayMs(market: number): number {
    return this.#parts.table.at(market)?.inPlayDelayMs ?? 0;
  }

  /** `deadline`: when the exchange has certainly stopped working on the request. */
  add({ client, market }: OrderRequest, deadline: number): void {
    const { clock, settings } = this.#parts.wiring;
    const provableAt = deadline + this.delayMs(market) + settings.margins.absenceMs;
    this.#sought.set(client, { client, market, provableAt, dueAt: clock.now(), missedAt: undefined, isAbsent: false });
    this.#added.next();
  }

  /** Completes where nothing is sought any more, which ends the look-ups until the next order is lost. */
  #nextDue(): Observable<unknown> {
    if (this.#sought.size === 0) return EMPTY;
    const { clock } = this.#parts.wiring;
    const dueAt = Math.min(...[...this.#sought.values()].map((each) => each.dueAt));
    return merge(timer(Math.max(0, dueAt - clock.now()), clock), this.#added).pipe(take(1));
  }

  #lookUp(): Observable<unknown> {
    const { wiring, references, reading } = this.#parts;
    const askedAt = wiring.clock.now();
    const { lookUpEveryMs, absentEveryMs } = wiring.settings.margins;
    const due = [...this.#sought.values()].filter(({ dueAt }) => dueAt <= askedAt);
    if (due.length === 0) return EMPTY;
    for (const each of due) each.dueAt = askedAt + (each.isAbsent ? absentEveryMs : lookUpEveryMs);
    return reading.byReferences(due.map(({ client }) => references.of(client))).pipe(
      tap((read) => {
        if (read.kind === 'failed') return wiring.note({ ...read, kind: 'readFailed', what: 'orders of unknown fate' });
        const found = new Map(read.orders.map((facts) => [references.clientOf(facts.reference), facts]));
        for (const each of due) {
          const facts = found.get(each.client);
          if (facts !== undefined || read.isWhole) this.#judge(each, facts, askedAt);
        }
      }),
    );
  }

  #judge(sought: Sought, facts: OrderFacts | undefined, askedAt: number): void {
    const { known } = this.#parts;
    if (facts !== undefined) known.hear(facts);
    // The feed may have been the first to hear of it.
    if (known.has(sought.client)) {
      this.#sought.delete(sought.client);
      return;
    }
    if (sought.isAbsent) return this.#dropIfOver(sought);
    if (askedAt < sought.provableAt) return;
    const { clock, settings, tell } = this.#parts.wiring;
    sought.missedAt ??= askedAt;
    if (askedAt - sought.missedAt < settings.margins.lookUpEveryMs) return;
    sought.isAbsent = true;
    sought.dueAt = askedAt + settings.margins.absentEveryMs;
    tell({ kind: 'absent', client: sought.client, at: instant(clock.now()) });
  }

  /** In a market that is over nothing can appear any more. */
  #dropIfOver({ client, market }: Sought): void {
    if (this.#parts.table.at(market)?.isOver !== false) this.#sought.delete(client);
  }
}
