/** Keeps the state of the run's orders up to date. */

import {
  defer,
  EMPTY,
  exhaustMap,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  Subject,
  tap,
} from 'rxjs';
import type { Instant } from '../../core/number/units.ts';
import { failureOf } from '../connection/call-outcome.ts';
import { poll } from '../polling/poll.ts';
import { readEveryMs } from '../settings.ts';
import type { KnownOrders } from './known-orders.ts';
import type { CancelCall, OrderReader, OrderStream, OrdersRead } from './order-source.ts';
import type { TradingContext } from './trading-context.ts';

/** Pause before the next cancellation of doubtful orders after one without a certain answer, ms. */
const SURE_AGAIN_MS = 1_000;

export interface OrdersFeedParts {
  readonly context: TradingContext;
  readonly known: KnownOrders;
  readonly reading: OrderReader;
  readonly cancel: CancelCall;
}

/** Reads the orders at intervals and on request, and applies streamed changes if orders are streamed. */
export class OrdersFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: TradingContext;
  readonly #known: KnownOrders;
  readonly #reading: OrderReader;
  readonly #cancel: CancelCall;
  readonly #wake = new Subject<void>();
  readonly #doubted = new Subject<void>();
  /** When the last whole reading was asked for, and when something was last known to be missing, ms: a stream proves nothing of what it did not tell. */
  #wholeAt = Number.NEGATIVE_INFINITY;
  #missedAt = 0;

  constructor({ context, known, reading, cancel }: OrdersFeedParts, stream: OrderStream | undefined) {
    this.#context = context;
    this.#known = known;
    this.#reading = reading;
    this.#cancel = cancel;
    const { clock, settings, emit } = context;
    const everyMs = readEveryMs(settings.feeds.orders);
    const onComplete = (at: Instant): void => {
      this.#wholeAt = at;
      emit({ kind: 'read', feed: 'orders', at });
    };
    const reads$ = poll({ clock, everyMs, wake$: this.#wake, task: () => this.#read(), onComplete });
    const sure$ = this.#doubted.pipe(exhaustMap(() => this.#makeSure()));
    this.run$ = merge(...(stream === undefined ? [] : [this.#listen(stream)]), reads$, sure$);
  }

  /** Reads the orders now, because something happened to them that the exchange did not report. */
  wake(): void {
    this.#wake.next();
  }

  /** Cancels the orders whose end is doubtful; does nothing while such a cancellation is under way. */
  doubt(): void {
    if (this.#known.doubtful().length > 0) this.#doubted.next();
  }

  #listen(stream: OrderStream): Observable<never> {
    const changes$ = stream.changed$.pipe(
      tap((facts) => {
        // The first report of an order does not start a cancellation: the answer to its placing is on its way, or the next
        // reading settles it.
        const isFirst = !this.#known.knows(facts.id);
        if (!this.#known.receive(facts)) this.#missed();
        if (!isFirst) this.doubt();
      }),
    );
    const resyncs$ = stream.resync$.pipe(
      tap(() => {
        this.#missed();
        this.#wake.next();
      }),
    );
    const proofs$ = (stream.proven$ ?? EMPTY).pipe(
      tap((at) => {
        if (this.#wholeAt >= this.#missedAt) this.#context.emit({ kind: 'read', feed: 'orders', at });
      }),
    );
    const subscribed$ = defer(() => {
      stream.subscribe();
      return EMPTY;
    });
    return merge(changes$, resyncs$, proofs$, subscribed$).pipe(ignoreElements());
  }

  #missed(): void {
    this.#missedAt = Math.floor(this.#context.clock.now());
  }

  /**
   * Reads all live orders, then those that should be on that list and are not, and those whose next report must be passed
   * on. An order that cannot be read stays as it was last known, and is read by its id. If what is said of an order cannot follow on what was known
   * of it, the reading fails.
   */
  #read(): Observable<boolean> {
    // Taken before the list is read, so that orders placed meanwhile do not count as missing from it.
    const shown = this.#known.shown();
    return this.#reading.live().pipe(
      mergeMap((read) => {
        const listed = this.#receive(read);
        if (listed === undefined) return of(false);
        const missing = shown.filter((order) => !listed.ids.has(order));
        const others = [...new Set([...missing, ...this.#known.owed()])];
        // An order that is not found here either is read again next time: an accepted order may not be visible yet.
        if (others.length === 0) return of(listed.isPossible);
        return this.#reading
          .byIds(others)
          .pipe(map((found) => this.#receive(found)?.isPossible === true && listed.isPossible));
      }),
    );
  }

  /** Takes over what was read. Returns the ids, or undefined if the reading failed. */
  #receive(read: OrdersRead): { readonly ids: ReadonlySet<number>; readonly isPossible: boolean } | undefined {
    if (read.kind === 'failed') {
      this.#context.note({ ...read, kind: 'readFailed', what: 'orders' });
      return undefined;
    }
    const { askedAt, orders, unreadable } = read;
    let isPossible = true;
    for (const facts of orders) isPossible = this.#known.receive(facts, { askedAt }) && isPossible;
    this.#known.oweUnreadable(unreadable);
    this.doubt();
    return { ids: new Set([...orders, ...unreadable].flatMap(({ id }) => id ?? [])), isPossible };
  }

  /**
   * Cancels the orders that are shown as ended although no cancel was requested: if one did end, the exchange skips it, and if
   * not, it ends now. Until the exchange answers, these orders count as live.
   */
  #makeSure(): Observable<never> {
    const { clock, note } = this.#context;
    return defer(() => {
      const orders = this.#known.doubtful();
      return this.#cancel(orders).pipe(
        mergeMap((outcome) => {
          if (outcome.kind !== 'answered') {
            note({ ...failureOf(outcome), kind: 'readFailed', what: 'orders that ended unasked' });
            clock.schedule(() => this.doubt(), SURE_AGAIN_MS);
            return EMPTY;
          }
          this.#known.cancelled(orders);
          return this.#reading.byIds(orders, 'cancel').pipe(
            tap((read) => {
              this.#receive(read);
              // Other orders may have become doubtful meanwhile.
              clock.schedule(() => this.doubt(), SURE_AGAIN_MS);
            }),
          );
        }),
        ignoreElements(),
      );
    });
  }
}
