/** Reports what a market with a result brought, and what a later result changes. */

import {
  concat,
  concatMap,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  tap,
  timer,
} from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import { type Money, money, ZERO } from '../../../core/number/units.ts';
import type { RestoredResult } from '../../../core/run/run-state.ts';
import { failureOf, type ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import type { OrderFacts } from '../../../exchange-live/orders/order-facts.ts';
import type { UnknownOrders } from '../../../exchange-live/orders/unknown-orders.ts';
import type { AnswerOf } from '../../client/call.ts';
import { amountOf } from '../base/amounts.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { type Page, partsOf, readPages } from '../base/paged-lists.ts';
import type { EndReasons } from '../orders/end-reasons.ts';
import type { OrderMarkets } from '../orders/order-markets.ts';
import type { OrderReading } from '../orders/order-reading.ts';

/** Between two tries to read the results of a market, ms. */
const RETRY_MS = 5_000;
/** A result may be corrected for so long, ms (profile section 8): it is read again after a tenth of its age. */
const CORRECTED_MS = 24 * 3_600_000;
const AGE_SHARE = 10;

export interface SettlementsParts {
  readonly context: GatewayContext;
  readonly table: MarketTable;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
  readonly reading: OrderReading;
  readonly markets: OrderMarkets;
  readonly reasons: EndReasons;
}

interface Sum {
  readonly net: Money;
  readonly commission: Money;
}

interface Progress {
  /** When its result is to be read, ms. */
  dueAt: number;
  isReported: boolean;
}

/**
 * The result is the run's: of what the account brought in the market, without what others bet there with it, unless the run adopts
 * that. Messages are emitted in this order: status of the market, order reports, result, closed.
 */
export class SettlementsFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #parts: SettlementsParts;
  readonly #progress = new Map<LiveMarket, Progress>();
  /** The result last reported, by market id: a later one reports the difference to it. */
  readonly #lastReported = new Map<string, Sum>();
  /** What the account had brought in the market when its result was last reported, where others bet there, too. */
  readonly #accountSums = new Map<string, AccountSum>();

  constructor(parts: SettlementsParts, results: readonly RestoredResult[]) {
    this.#parts = parts;
    const { table, context } = parts;
    for (const { market, net, commission } of results) this.#lastReported.set(market, { net, commission });
    const changed$ = table.changed$.pipe(
      filter(({ isOver, status }) => isOver && status !== 'Closed'),
      tap((market) => this.#onChanged(market)),
    );
    const due$ = timer(0, Math.min(RETRY_MS, context.settings.timeouts.resultEveryMs), context.clock);
    this.run$ = merge(changed$, due$).pipe(
      exhaustMap(() => this.#readDue()),
      ignoreElements(),
    );
  }

  /** The market has another result, or the first: what it brought is read at once. */
  #onChanged(market: LiveMarket): void {
    const known = this.#progress.get(market);
    this.#progress.set(market, { dueAt: this.#now(), isReported: false });
    if (known !== undefined && market.isClosing && known.isReported) this.#close(market);
  }

  #now(): number {
    return this.#parts.context.clock.now();
  }

  #due(): readonly LiveMarket[] {
    return [...this.#progress].flatMap(([market, { dueAt }]) => (dueAt <= this.#now() ? [market] : []));
  }

  /** New results first, one market after the other; then those that may have been corrected, many at once. */
  #readDue(): Observable<unknown> {
    return defer(() => {
      const due = this.#due();
      const told = due.filter((market) => this.#isTold(market));
      const fresh = due.filter((market) => !told.includes(market));
      return concat(
        from(fresh).pipe(concatMap((market) => this.#read(market))),
        from(partsOf(told, MARKETS_A_CALL)).pipe(concatMap((some) => this.#check(some))),
      );
    });
  }

  /** Its result was reported, by this process or by an earlier one, and no order of unknown fate waits for its end. */
  #isTold({ facts: { id } }: LiveMarket): boolean {
    return this.#lastReported.has(id) && !this.#parts.unknown.seeksIn(id);
  }

  /** Reads what the account brought in markets whose result was told, and all of those in which it is not the same any more. */
  #check(markets: readonly LiveMarket[]): Observable<unknown> {
    return this.#sums(markets.map(({ facts }) => facts.id)).pipe(
      mergeMap((read) => {
        if (read.kind === 'failed') {
          this.#parts.context.note({ ...read, kind: 'readFailed', what: 'results that were told' });
          for (const market of markets) this.#again(market);
          return EMPTY;
        }
        const changed = markets.filter(({ facts: { id } }) => !this.#isSame(id, read.sums.get(id) ?? NO_SUM));
        for (const market of markets) if (!changed.includes(market)) this.#done(market, true);
        return from(changed).pipe(concatMap((market) => this.#read(market)));
      }),
    );
  }

  #isSame(id: string, { gross, commission }: AccountSum): boolean {
    const told = this.#lastReported.get(id);
    const before = this.#accountSums.get(id) ?? (told && { ...told, gross: told.net + told.commission });
    return before?.gross === gross && before.commission === commission;
  }

  /** What the account brought in these markets, by their ids; a market in which it won and lost nothing is not among them. */
  #sums(marketIds: readonly string[]): Observable<SumsRead> {
    const params = { betStatus: 'SETTLED', marketIds, groupBy: 'MARKET' } as const;
    return readPages((fromRecord): Observable<Page<ClearedRow> | ReadFailure> => {
      const asked = this.#parts.context.calls.call('listClearedOrders', { ...params, fromRecord, recordCount: PAGE });
      return asked.pipe(
        map((outcome) => {
          if (outcome.kind !== 'answered') return failureOf(outcome);
          return { kind: 'read', rows: outcome.answer.clearedOrders, moreAvailable: outcome.answer.moreAvailable };
        }),
      );
    }).pipe(map((reading) => (reading.kind === 'failed' ? reading : sumsOf(reading.rows))));
  }

  /** Reads the orders first, so that their last status is reported before the result. */
  #read(market: LiveMarket): Observable<unknown> {
    const { known, unknown, reading, markets, context } = this.#parts;
    const { settings } = context;
    const { id } = market.facts;
    return reading.ofMarket(id).pipe(
      mergeMap((read) => {
        if (read.kind === 'failed') return of(this.#failed(market, read));
        const isOpen = read.orders.some(({ status }) => status === 'Matched' || status === 'PartiallyMatched');
        const shown = new Set(read.orders.map((each) => each.id));
        const isMissing = markets.ordersIn(id).some((order) => known.knows(order) && !shown.has(order));
        if (isOpen || isMissing) return of(this.#again(market));
        for (const facts of read.orders) known.receive(facts, { askedAt: read.askedAt, isFinal: true });
        if (read.unreadable.length === 0) unknown.marketOver(id);
        const isOthers = (facts: OrderFacts) => !settings.countsOthers && known.clientOf(facts) === undefined;
        const others = read.orders.filter(isOthers);
        const hasBets = read.orders.some(
          (facts) => !others.includes(facts) && (facts.status === 'Voided' || (facts.winnings ?? facts.stake) > 0),
        );
        return this.#sums([id]).pipe(
          map((sums) => {
            if (sums.kind === 'failed') return this.#failed(market, sums);
            const account = sums.sums.get(id);
            const sum = sumWithout(others, account ?? NO_SUM);
            if (sum === undefined) return this.#failed(market, SENSELESS);
            const isOurs = hasBets || (account !== undefined && others.length === 0);
            if (isOurs) this.#report(market, sum);
            if (others.length > 0) this.#accountSums.set(id, account ?? NO_SUM);
            return this.#done(market, isOurs);
          }),
        );
      }),
    );
  }

  #failed(market: LiveMarket, failure: ReadFailure): void {
    this.#parts.context.note({ ...failure, kind: 'readFailed', what: `results of ${market.facts.id}` });
    this.#again(market);
  }

  #again(market: LiveMarket): void {
    this.#progress.set(market, { dueAt: this.#now() + RETRY_MS, isReported: false });
  }

  #report(market: LiveMarket, sum: Sum): void {
    const { id } = market.facts;
    const before = this.#lastReported.get(id);
    if (before?.net === sum.net && before.commission === sum.commission) return;
    this.#lastReported.set(id, sum);
    const profit = money(sum.net - (before?.net ?? ZERO));
    this.#parts.context.emit({ kind: 'settled', market, wallet: 0, profit, commission: sum.commission });
  }

  /** A market in which nothing was bet has no more to tell. */
  #done(market: LiveMarket, hasBets: boolean): void {
    const age = this.#now() - (market.settledAt ?? this.#now());
    const waitMs = Math.max(this.#parts.context.settings.timeouts.resultEveryMs, age / AGE_SHARE);
    this.#progress.set(market, { dueAt: this.#now() + waitMs, isReported: true });
    if (!hasBets || market.isClosing || age >= CORRECTED_MS) this.#close(market);
  }

  #close(market: LiveMarket): void {
    const { table, known, markets, reasons } = this.#parts;
    const { id } = market.facts;
    this.#progress.delete(market);
    this.#lastReported.delete(id);
    this.#accountSums.delete(id);
    if (!market.isClosing) table.change(market, { status: 'Closed' });
    this.#progress.delete(market);
    table.close(market);
    known.drop(id);
    reasons.drop(id, markets.ordersIn(id));
    markets.drop(id);
  }
}

const PAGE = 1_000;
/** The most ids of one call (profile section 3). */
const MARKETS_A_CALL = 250;
const PENNY = 10_000;
const NO_SUM: AccountSum = { gross: ZERO, commission: ZERO };

type ClearedRow = AnswerOf<'listClearedOrders'>['clearedOrders'][number];

/** What the whole account brought in a market: before commission, and what was charged. */
interface AccountSum {
  readonly gross: Money;
  readonly commission: Money;
}

type SumsRead = { readonly kind: 'read'; readonly sums: ReadonlyMap<string, AccountSum> } | ReadFailure;

function sumsOf(rows: readonly ClearedRow[]): SumsRead {
  const sums = new Map<string, AccountSum>();
  for (const row of rows) {
    if (row instanceof Unreadable) return SENSELESS;
    const { marketId, profit = 0, commission: charged = 0 } = row;
    const [gross, commission] = [amountOf(profit), amountOf(charged)];
    if (marketId === undefined || gross === undefined || commission === undefined) return SENSELESS;
    sums.set(marketId, { gross, commission });
  }
  return { kind: 'read', sums };
}

/**
 * What the account's sum of a market is without bets of others. Commission is charged on the sum alone: ours is what our own winnings
 * would pay at the same rate, and never more than was charged. Undefined where an amount makes no sense.
 */
function sumWithout(others: readonly OrderFacts[], { gross, commission }: AccountSum): Sum | undefined {
  let own: number = gross;
  for (const { profit } of others) {
    if (profit === undefined) return undefined;
    own -= profit;
  }
  const share = own > 0 && gross > 0 ? Math.min(1, own / gross) : 0;
  const charged = others.length === 0 ? commission : money(Math.round((commission * share) / PENNY) * PENNY);
  return { net: money(own - charged), commission: charged };
}

const SENSELESS: ReadFailure = { kind: 'failed', code: 'BAD_ANSWER', details: 'its result is no amount of money' };
