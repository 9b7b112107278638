/** Hears what a market that is over brought each of the run's wallets. */

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
import type { OrderFacts } from '../../../exchange-live/orders/order-facts.ts';
import type { UnknownOrders } from '../../../exchange-live/orders/unknown-orders.ts';
import type { AnswerOf } from '../../client/call.ts';
import { readPages } from '../../lists/whole-lists.ts';
import { amountFromWire } from '../../wire/codec/decimals.ts';
import type { Wiring } from '../base/wiring.ts';
import type { OrderReading } from '../orders/order-reading.ts';
import { type CommissionRead, Commissions } from './commissions.ts';

type TradeDocument = AnswerOf<'listTrades'>['trades'][number];

/** Between two tries to read the results of a market. */
const RETRY_MS = 5_000;
/** Markets whose results are read at once: many end together. */
const AT_ONCE = 4;
const size = 500;
const NOTHING_CHARGED: CommissionRead = { kind: 'read', commission: ZERO, isProven: true, postings: [] };

/** One result of a market that may get another. */
interface Result {
  readonly market: LiveMarket;
  readonly name: string;
  readonly settledAt: Instant;
}

interface Told {
  /** Undefined where an earlier start of the run told it: then it is known by its amounts alone. */
  readonly result: string | undefined;
  readonly net: Money;
  readonly commission: Money;
}

export interface SettlementsParts {
  readonly wiring: Wiring;
  readonly table: MarketTable;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
  readonly reading: OrderReading;
}

/**
 * Profit is the sum of the trades' profitLoss, which is gross by the specification, less the commission that was
 * posted. It is the wallet's whole result in the market: what other runs or programs traded in the same wallet counts.
 * The order of what is told: the market's status, its orders, what it brought, and only then that it is closed.
 */
export class SettlementsFeed {
  /** Does the work; emits nothing. */
  readonly run$: Observable<never>;
  readonly #parts: SettlementsParts;
  readonly #commissions: Commissions;
  /** What was reported a market by its id, by wallet id: another result tells the difference. */
  readonly #told = new Map<string, Map<string, Told>>();
  /** Markets at work or waiting for it: each is worked on once at a time, so that no posting is claimed twice. */
  readonly #working = new Set<LiveMarket>();
  /** Those that changed since their work began. */
  readonly #changed = new Set<LiveMarket>();

  constructor(parts: SettlementsParts, results: readonly RestoredResult[]) {
    this.#parts = parts;
    this.#commissions = new Commissions(parts.wiring, parts.table);
    for (const { market, wallet, net, commission } of results)
      this.#keep(market, wallet, { result: undefined, net, commission });
    this.run$ = parts.table.changed$.pipe(
      filter((market) => market.isOver && market.status !== 'Closed' && this.#isFree(market)),
      mergeMap((market) => this.#work(market), AT_ONCE),
    );
  }

  /** One that is at work is worked on again after it. */
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
      return this.#untilTold(market);
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
    this.#told.delete(market.facts.id);
    this.#parts.table.close(market);
    this.#parts.known.drop(market.facts.id);
  }

  /** A status alone says nothing of when and how it ended: the document that follows it does. */
  #untilTold(market: LiveMarket): Observable<unknown> {
    const { clock, note } = this.#parts.wiring;
    return defer(() => (market.settledAt === undefined ? of(undefined) : this.#read(market, market.settledAt))).pipe(
      tap((failure) => {
        if (failure !== undefined) note({ ...failure, kind: 'readFailed', what: `results of ${market.facts.id}` });
      }),
      repeat({ delay: () => timer(RETRY_MS, clock) }),
      takeWhile((failure) => failure !== undefined),
    );
  }

  /** Orders first: their last status is heard before what they brought. */
  #read(market: LiveMarket, settledAt: Instant): Observable<ReadFailure | undefined> {
    const { wiring, known, unknown, reading } = this.#parts;
    const result = { market, name: market.result, settledAt };
    return reading.ofMarket(market.facts.id).pipe(
      mergeMap((read) => {
        if (read.kind === 'failed') return of(read);
        for (const facts of read.orders) known.hear(facts, { askedAt: read.askedAt, isFinal: true });
        if (read.isWhole) unknown.marketOver(market.facts.id);
        const query = { marketIds: [market.facts.id], walletIds: wiring.settings.wallets, size };
        return readPages(wiring.calls, 'listTrades', { query }).pipe(
          mergeMap((trades) => {
            if (trades.kind === 'failed') return of(trades);
            const documents = trades.answers.flatMap((each) => each.trades);
            return this.#tellAll(result, this.#grossByWallet(documents, read.orders));
          }),
        );
      }),
    );
  }

  /** Trades of one order may not say whose they are: then the order does. */
  #grossByWallet(trades: readonly TradeDocument[], orders: readonly OrderFacts[]): ReadonlyMap<string, number> {
    const { note } = this.#parts.wiring;
    const walletByOrder = new Map(orders.map(({ id, walletId }) => [String(id), walletId]));
    const gross = new Map<string, number>();
    for (const { id, walletId, order, profitLoss } of trades) {
      const wallet = walletId ?? walletByOrder.get(order._ids[0] ?? '');
      const amount = amountFromWire(profitLoss ?? 0);
      if (wallet === undefined || amount.kind !== 'read')
        note({ kind: 'unreadable', what: `trade ${id}`, details: 'its wallet or its profit makes no sense' });
      else gross.set(wallet, (gross.get(wallet) ?? 0) + amount.value);
    }
    return gross;
  }

  #tellAll(result: Result, gross: ReadonlyMap<string, number>): Observable<ReadFailure | undefined> {
    return from(gross).pipe(
      concatMap(([walletId, amount]) => {
        const wallet = this.#parts.wiring.settings.wallets.indexOf(walletId);
        return wallet < 0 ? of(undefined) : this.#tellOne(result, wallet, money(amount));
      }),
      reduce((before: ReadFailure | undefined, failure) => before ?? failure, undefined),
    );
  }

  #tellOne(result: Result, wallet: number, gross: Money): Observable<ReadFailure | undefined> {
    const { settings, note } = this.#parts.wiring;
    const { market, name, settledAt } = result;
    const walletId = defined(settings.wallets[wallet], `there is no wallet ${wallet}`);
    const told = this.#told.get(market.facts.id)?.get(walletId);
    if (told?.result === name) return of(undefined);
    // What was told before this start of the run: the same amount before commission is the same result.
    if (told !== undefined && told.result === undefined && gross === told.net + told.commission) {
      this.#keep(market.facts.id, walletId, { ...told, result: name });
      return of(undefined);
    }
    // Of a first result that is a loss nothing is asked: it was charged nothing, or given back what it was.
    const asked = { walletId, settledAt, gross, charged: told?.commission ?? ZERO };
    const isAsked = gross > 0 || told !== undefined;
    return (isAsked ? this.#commissions.find(asked) : of(NOTHING_CHARGED)).pipe(
      map((read) => {
        if (read.kind === 'failed') return read;
        // Another result came while this one was worked on: it is worked on next, and tells both.
        if (market.result !== name) return undefined;
        this.#commissions.claim(read);
        if (!read.isProven) note({ kind: 'commissionUnproven', market: market.facts.id, wallet: walletId });
        this.#tell(market, wallet, { gross, commission: asked.charged + read.commission });
        return undefined;
      }),
    );
  }

  #tell(market: LiveMarket, wallet: number, { gross, commission }: { gross: number; commission: number }): void {
    const { settings, tell } = this.#parts.wiring;
    const walletId = defined(settings.wallets[wallet], `there is no wallet ${wallet}`);
    const before = this.#told.get(market.facts.id)?.get(walletId)?.net ?? ZERO;
    const told = { result: market.result, net: money(gross - commission), commission: money(commission) };
    this.#keep(market.facts.id, walletId, told);
    tell({ kind: 'settled', market, wallet, profit: money(told.net - before), commission: told.commission });
  }

  #keep(marketId: string, walletId: string, told: Told): void {
    const byWallet = this.#told.get(marketId) ?? new Map<string, Told>();
    this.#told.set(marketId, byWallet.set(walletId, told));
  }
}
