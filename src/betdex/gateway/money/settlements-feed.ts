/** Reports what a market with a result brought to each of the run's wallets. */

import {
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  of,
  reduce,
  repeat,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { defined } from '../../../core/checks/assert.ts';
import { type Instant, type Money, money, ZERO } from '../../../core/number/units.ts';
import type { RestoredResult } from '../../../core/run/run-state.ts';
import type { ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import type { UnknownOrders } from '../../../exchange-live/orders/unknown-orders.ts';
import { readPages } from '../../lists/complete-lists.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import type { OrderReading } from '../orders/order-reading.ts';
import { type CommissionRead, Commissions } from './commissions.ts';
import { grossByWallet } from './gross-profit.ts';

/** Between two tries to read the results of a market, ms. */
const RETRY_MS = 5_000;
/** Number of markets whose results are read at the same time, since many end together. */
const AT_ONCE = 4;
const size = 500;
const NOTHING_CHARGED: CommissionRead = { kind: 'read', commission: ZERO, isProven: true, postings: [] };

/** One of the results of a market, which may get another one later. */
interface Result {
  readonly market: LiveMarket;
  readonly name: string;
  readonly settledAt: Instant;
}

interface ReportedResult {
  /** Undefined if an earlier process of the run reported it: then it is recognised by its amounts alone. */
  readonly result: string | undefined;
  readonly net: Money;
  readonly commission: Money;
}

export interface SettlementsParts {
  readonly context: GatewayContext;
  readonly table: MarketTable;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
  readonly reading: OrderReading;
}

/**
 * Profit is the sum of the trades' profitLoss, which the specification defines as gross, less the commission that was posted.
 * It is the wallet's whole result in the market: what other runs or programs traded in the same wallet is included. Messages
 * are emitted in this order: status of the market, order reports, result, closed.
 */
export class SettlementsFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #parts: SettlementsParts;
  readonly #commissions: Commissions;
  /** The result last reported, by market id and wallet id: a later result reports the difference to it. */
  readonly #lastReported = new Map<string, Map<string, ReportedResult>>();
  /**
   * Markets that are processed or wait for it. Each is processed by one pass at a time, so that no posting is attributed twice.
   */
  readonly #working = new Set<LiveMarket>();
  /** Markets that changed since their processing began. */
  readonly #changed = new Set<LiveMarket>();

  constructor(parts: SettlementsParts, results: readonly RestoredResult[]) {
    this.#parts = parts;
    this.#commissions = new Commissions(parts.context, parts.table);
    for (const { market, wallet, net, commission } of results)
      this.#keep(market, wallet, { result: undefined, net, commission });
    this.run$ = parts.table.changed$.pipe(
      filter((market) => market.isOver && market.status !== 'Closed' && this.#isFree(market)),
      mergeMap((market) => this.#work(market), AT_ONCE),
    );
  }

  /** Whether the market can be processed now. If it is already being processed, it is processed again afterwards. */
  #isFree(market: LiveMarket): boolean {
    if (this.#working.has(market)) {
      this.#changed.add(market);
      return false;
    }
    this.#working.add(market);
    return true;
  }

  #work(market: LiveMarket): Observable<never> {
    const pass$ = defer(() => {
      this.#changed.delete(market);
      return this.#untilReported(market);
    });
    const end$ = defer(() => {
      this.#working.delete(market);
      if (market.isClosing) this.#close(market);
      return EMPTY;
    });
    const passes$ = pass$.pipe(repeat({ delay: () => (this.#changed.has(market) ? of(undefined) : EMPTY) }));
    return concat(passes$, end$).pipe(ignoreElements());
  }

  #close(market: LiveMarket): void {
    this.#lastReported.delete(market.facts.id);
    this.#parts.table.close(market);
    this.#parts.known.drop(market.facts.id);
  }

  /**
   * Tries until the result is reported. A status alone does not say when and how the market ended: the document that follows it
   * does.
   */
  #untilReported(market: LiveMarket): Observable<unknown> {
    const { clock, note } = this.#parts.context;
    return defer(() => (market.settledAt === undefined ? of(undefined) : this.#read(market, market.settledAt))).pipe(
      tap((failure) => {
        if (failure !== undefined) note({ ...failure, kind: 'readFailed', what: `results of ${market.facts.id}` });
      }),
      repeat({ delay: () => timer(RETRY_MS, clock) }),
      takeWhile((failure) => failure !== undefined),
    );
  }

  /** Reads the orders first, so that their last status is reported before the result. */
  #read(market: LiveMarket, settledAt: Instant): Observable<ReadFailure | undefined> {
    const { context, known, unknown, reading } = this.#parts;
    const result = { market, name: market.result, settledAt };
    return reading.ofMarket(market.facts.id).pipe(
      mergeMap((read) => {
        if (read.kind === 'failed') return of(read);
        for (const facts of read.orders) known.receive(facts, { askedAt: read.askedAt, isFinal: true });
        if (read.unreadable.length === 0) unknown.marketOver(market.facts.id);
        const query = { marketIds: [market.facts.id], walletIds: context.settings.wallets, size };
        return readPages(context.calls, 'listTrades', { query }).pipe(
          mergeMap((trades) => {
            if (trades.kind === 'failed') return of(trades);
            const documents = trades.answers.flatMap((each) => each.trades);
            const gross = grossByWallet({ trades: documents, orders: read.orders, market });
            return gross instanceof Map ? this.#reportAll(result, gross) : of(gross);
          }),
        );
      }),
    );
  }

  #reportAll(result: Result, gross: ReadonlyMap<string, number>): Observable<ReadFailure | undefined> {
    return from(gross).pipe(
      concatMap(([walletId, amount]) => {
        const wallet = this.#parts.context.settings.wallets.indexOf(walletId);
        return wallet < 0 ? of(undefined) : this.#reportOne(result, wallet, money(amount));
      }),
      reduce((before: ReadFailure | undefined, failure) => before ?? failure, undefined),
    );
  }

  #reportOne(result: Result, wallet: number, gross: Money): Observable<ReadFailure | undefined> {
    const { settings, note } = this.#parts.context;
    const { market, name, settledAt } = result;
    const walletId = defined(settings.wallets[wallet], `there is no wallet ${wallet}`);
    const reported = this.#lastReported.get(market.facts.id)?.get(walletId);
    if (reported?.result === name) return of(undefined);
    // An earlier process of the run reported this result if the amount before commission is the same.
    if (reported !== undefined && reported.result === undefined && gross === reported.net + reported.commission) {
      this.#keep(market.facts.id, walletId, { ...reported, result: name });
      return of(undefined);
    }
    // A first result that is a loss needs no commission lookup: none was charged, or it was refunded.
    const asked = { walletId, settledAt, gross, charged: reported?.commission ?? ZERO };
    const isAsked = gross > 0 || reported !== undefined;
    return (isAsked ? this.#commissions.find(asked) : of(NOTHING_CHARGED)).pipe(
      map((read) => {
        if (read.kind === 'failed') return read;
        // Another result came while this one was being read: the next pass reports both.
        if (market.result !== name) return undefined;
        this.#commissions.attribute(read);
        if (!read.isProven) note({ kind: 'commissionUnproven', market: market.facts.id, wallet: walletId });
        this.#report(market, wallet, { gross, commission: asked.charged + read.commission });
        return undefined;
      }),
    );
  }

  #report(market: LiveMarket, wallet: number, { gross, commission }: { gross: number; commission: number }): void {
    const { settings, emit } = this.#parts.context;
    const walletId = defined(settings.wallets[wallet], `there is no wallet ${wallet}`);
    const before = this.#lastReported.get(market.facts.id)?.get(walletId)?.net ?? ZERO;
    const reported = { result: market.result, net: money(gross - commission), commission: money(commission) };
    this.#keep(market.facts.id, walletId, reported);
    emit({ kind: 'settled', market, wallet, profit: money(reported.net - before), commission: reported.commission });
  }

  #keep(marketId: string, walletId: string, reported: ReportedResult): void {
    const byWallet = this.#lastReported.get(marketId) ?? new Map<string, ReportedResult>();
    this.#lastReported.set(marketId, byWallet.set(walletId, reported));
  }
}
