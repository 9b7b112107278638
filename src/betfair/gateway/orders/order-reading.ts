/** Reads orders: current ones, and those that are current no more among the cleared. */

import { concatMap, defer, from, map, mergeMap, type Observable, of, reduce } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import { instant } from '../../../core/number/units.ts';
import { failureOf, type ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { Priority } from '../../../exchange-live/connection/priority.ts';
import type { OrderFacts, TermsOf } from '../../../exchange-live/orders/order-facts.ts';
import type { OrderReader, OrdersRead, UnreadableOrder } from '../../../exchange-live/orders/order-source.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { type Page, type Reading, readInParts, readPages } from '../base/paged-lists.ts';
import { type Current, currentOrders, PAGE } from './current-orders.ts';
import type { EndReasons } from './end-reasons.ts';
import {
  type BetStatus,
  type ClearedOrder,
  type CurrentOrder,
  factsOfCleared,
  factsOfCurrent,
  type OrderBackground,
  orderIdOf,
} from './order-documents.ts';
import type { OrderMarkets } from './order-markets.ts';

type Cleared = { readonly status: BetStatus; readonly order: ClearedOrder | Unreadable<ClearedOrder> };

/** By what orders are found. */
interface Named {
  readonly betIds?: readonly string[];
  readonly customerOrderRefs?: readonly string[];
  readonly marketIds?: readonly string[];
}

/** The most ids of one call (profile section 3). */
const IDS_MAX = 250;
const BET_STATUSES: readonly BetStatus[] = ['SETTLED', 'VOIDED', 'LAPSED', 'CANCELLED'];

export interface OrderReadingParts {
  readonly context: GatewayContext;
  readonly termsOf: TermsOf;
  readonly markets: OrderMarkets;
  readonly reasons: EndReasons;
}

export class OrderReading implements OrderReader {
  readonly #parts: OrderReadingParts;

  constructor(parts: OrderReadingParts) {
    this.#parts = parts;
  }

  /** Orders that matched and have no result yet are among them: their stake may become void, and their price may fall. */
  live(): Observable<OrdersRead> {
    return this.#read((askedAt) => this.#current({}, 'poll').pipe(map((rows) => this.#currentFacts(rows, askedAt))));
  }

  byIds(orders: readonly number[], priority: Priority = 'poll'): Observable<OrdersRead> {
    const ids = orders.map(String);
    return this.#inParts(ids, (betIds) => this.#both({ betIds }, betIds, priority));
  }

  byReferences(references: readonly string[]): Observable<OrdersRead> {
    return this.#inParts(references, (customerOrderRefs) =>
      this.#both({ customerOrderRefs }, customerOrderRefs, 'order'),
    );
  }

  /** All orders in the market, whoever placed them. */
  ofMarket(marketId: string): Observable<OrdersRead> {
    return this.#both({ marketIds: [marketId] }, undefined, 'poll');
  }

  /**
   * An order of the stream; undefined where it must be read by its id: it makes no sense, or does not say why it ended. That its market took it
   * no more may be because of its result.
   */
  told(order: CurrentOrder, receivedAt: number): OrderFacts | undefined {
    const facts = factsOfCurrent(order, this.#background(receivedAt));
    if (facts === undefined) return undefined;
    const { status, reason } = facts;
    if (status === 'Cancelled' && (reason === undefined || reason === 'MarketLock')) return undefined;
    return this.#noted(facts);
  }

  #inParts(
    names: readonly string[],
    read: (some: readonly string[]) => Observable<OrdersRead>,
  ): Observable<OrdersRead> {
    const first = Math.floor(this.#parts.context.clock.now());
    return readInParts<string, Extract<OrdersRead, { kind: 'read' }>>(names, IDS_MAX, (some) =>
      read(some).pipe(map((part) => (part.kind === 'failed' ? part : { kind: 'read', rows: [part] }))),
    ).pipe(
      map((reading): OrdersRead => {
        if (reading.kind === 'failed') return reading;
        return {
          kind: 'read',
          askedAt: reading.rows[0]?.askedAt ?? first,
          orders: reading.rows.flatMap(({ orders }) => orders),
          unreadable: reading.rows.flatMap(({ unreadable }) => unreadable),
        };
      }),
    );
  }

  /**
   * Current orders first, then the cleared ones: an order that ends meanwhile is in both, or in the second. `names`: what is asked for, so that nothing more is read where all of it is current.
   */
  #both(named: Named, names: readonly string[] | undefined, priority: Priority): Observable<OrdersRead> {
    return this.#read((askedAt) =>
      this.#current(named, priority).pipe(
        mergeMap((current): Observable<OrdersRead> => {
          const found = this.#currentFacts(current, askedAt);
          if (found.kind === 'failed' || (names !== undefined && isAllOf(names, named, current))) return of(found);
          return this.#cleared(named, priority).pipe(mergeMap((cleared) => this.#withCleared(found, cleared, askedAt)));
        }),
      ),
    );
  }

  #read(read: (askedAt: number) => Observable<OrdersRead>): Observable<OrdersRead> {
    return defer(() => read(this.#parts.context.clock.now()));
  }

  #current(named: Named, priority: Priority): Observable<Reading<Current>> {
    return currentOrders(this.#parts.context.calls, { ...named, orderProjection: 'ALL' }, { priority });
  }

  #cleared(named: Named, priority: Priority): Observable<Reading<Cleared>> {
    const { calls } = this.#parts.context;
    const ofStatus = (betStatus: BetStatus) =>
      readPages((fromRecord): Observable<Page<Cleared> | ReadFailure> => {
        const params = { ...named, betStatus, groupBy: 'BET' as const, fromRecord, recordCount: PAGE };
        return calls.call('listClearedOrders', params, { priority }).pipe(
          map((outcome) => {
            if (outcome.kind !== 'answered') return failureOf(outcome);
            const rows = outcome.answer.clearedOrders.map((order) => ({ status: betStatus, order }));
            return { kind: 'read', rows, moreAvailable: outcome.answer.moreAvailable };
          }),
        );
      });
    const none: Reading<Cleared> = { kind: 'read', rows: [] };
    return from(BET_STATUSES).pipe(
      concatMap(ofStatus),
      reduce((all: Reading<Cleared>, part): Reading<Cleared> => {
        if (all.kind === 'failed') return all;
        return part.kind === 'failed' ? part : { kind: 'read', rows: [...all.rows, ...part.rows] };
      }, none),
    );
  }

  #currentFacts(reading: Reading<Current>, askedAt: number): OrdersRead {
    if (reading.kind === 'failed') return reading;
    const orders: OrderFacts[] = [];
    const unreadable: UnreadableOrder[] = [];
    for (const order of reading.rows) {
      const document = order instanceof Unreadable ? order.part : order;
      const facts = order instanceof Unreadable ? undefined : factsOfCurrent(order, this.#background(askedAt));
      if (facts !== undefined) orders.push(this.#noted(facts));
      else unreadable.push(this.#unreadable(document));
    }
    return { kind: 'read', orders, unreadable, askedAt };
  }

  /** A part of an order may be cleared while the rest of it is current: what is current counts. */
  #withCleared(
    found: Extract<OrdersRead, { kind: 'read' }>,
    reading: Reading<Cleared>,
    askedAt: number,
  ): Observable<OrdersRead> {
    if (reading.kind === 'failed') return of(reading);
    const known = new Set([...found.orders, ...found.unreadable].map(({ id }) => id));
    const byBet = new Map<string, Map<BetStatus, ClearedOrder>>();
    const unreadable = [...found.unreadable];
    for (const { status, order } of reading.rows) {
      const { betId } = order instanceof Unreadable ? order.part : order;
      if (order instanceof Unreadable || betId === undefined) {
        const document = order instanceof Unreadable ? order.part : order;
        unreadable.push(this.#unreadable(document));
        continue;
      }
      if (known.has(orderIdOf(betId))) continue;
      byBet.set(betId, (byBet.get(betId) ?? new Map()).set(status, order));
    }
    const marketIds = [...byBet.values()].flatMap((rows) =>
      [...rows.values()].flatMap(({ marketId }) => marketId ?? []),
    );
    return this.#parts.reasons.read([...new Set(marketIds)]).pipe(
      map(() => {
        const orders = [...found.orders];
        for (const [betId, rows] of byBet) {
          const facts = factsOfCleared({ betId, rows }, this.#background(askedAt), this.#parts.termsOf);
          if (facts !== undefined) orders.push(this.#noted(facts));
        }
        return { kind: 'read', orders, unreadable, askedAt };
      }),
    );
  }

  #background(askedAt: number): OrderBackground {
    const { reasons, context } = this.#parts;
    return {
      walletId: context.settings.wallets[0] ?? '',
      readAt: instant(Math.floor(askedAt)),
      reasonIn: (place) => reasons.reasonIn(place),
      cancelledBy: (order) => reasons.cancelledBy(order),
    };
  }

  #noted(facts: OrderFacts): OrderFacts {
    this.#parts.markets.note(facts.id, facts.marketId);
    return facts;
  }

  #unreadable({ betId, customerOrderRef: reference }: Partial<CurrentOrder | ClearedOrder>): UnreadableOrder {
    const what = `order ${betId ?? 'without an id'}`;
    this.#parts.context.note({ kind: 'unreadable', what, details: 'its document makes no sense' });
    return { id: orderIdOf(betId), reference };
  }
}

/** Whether each of the names is among the current orders. */
function isAllOf(names: readonly string[], { betIds }: Named, reading: Reading<Current>): boolean {
  if (reading.kind === 'failed') return false;
  const documents = reading.rows.map((order) => (order instanceof Unreadable ? order.part : order));
  const found = new Set(documents.map((each) => (betIds === undefined ? each.customerOrderRef : each.betId)));
  return names.every((name) => found.has(name));
}
