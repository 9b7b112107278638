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
import { type Money, money, ZERO } from '../../core/units.ts';
import { amountFromWire } from '../../wire/decimals.ts';
import type { AnswerOf } from '../call.ts';
import { type CommissionRead, Commissions } from './commissions.ts';
import type { KnownOrders } from './known-orders.ts';
import type { LiveMarket } from './live-market.ts';
import type { MarketTable } from './market-table.ts';
import type { OrderFacts } from './order-facts.ts';
import type { OrderReading } from './order-reading.ts';
import { type ReadFailure, readPages } from './whole-lists.ts';
import type { Wiring } from './wiring.ts';

type TradeDocument = AnswerOf<'listTrades'>['trades'][number];

/** Between two tries to read the results of a market. */
const RETRY_MS = 5_000;
/** Markets whose results are read at once: many end together. */
const AT_ONCE = 4;
const size = 500;

interface Told {
  readonly result: string;
  readonly net: Money;
  readonly commission: Money;
}

export interface SettlementsParts {
  readonly wiring: Wiring;
  readonly table: MarketTable;
  readonly known: KnownOrders;
  readonly reading: OrderReading;
}

/**
 * Profit is the sum of the trades' profitLoss, which is gross by the specification, less the commission that was
 * posted. It is the wallet's whole result in the market: what other runs or programs traded in the same wallet counts.
 */
export class SettlementsFeed {
  /** Does the work; emits nothing. */
  readonly run$: Observable<never>;
  readonly #parts: SettlementsParts;
  readonly #commissions: Commissions;
  /** What was told of a market, by wallet id: another result tells the difference. */
  readonly #told = new Map<LiveMarket, Map<string, Told>>();

  constructor(parts: SettlementsParts) {
    this.#parts = parts;
    this.#commissions = new Commissions(parts.wiring);
    this.run$ = parts.table.changed$.pipe(
      filter((market) => market.isOver),
      mergeMap((market) => concat(this.#untilTold(market), this.#forgetClosed(market)), AT_ONCE),
      ignoreElements(),
    );
  }

  /** A status alone says nothing of when and how it ended: the document that follows it does. */
  #untilTold(market: LiveMarket): Observable<unknown> {
    const { clock, note } = this.#parts.wiring;
    if (market.settledAt === undefined) return EMPTY;
    return defer(() => this.#read(market)).pipe(
      tap((failure) => {
        if (failure !== undefined) note({ ...failure, kind: 'readFailed', what: `results of ${market.facts.id}` });
      }),
      repeat({ delay: () => timer(RETRY_MS, clock) }),
      takeWhile((failure) => failure !== undefined),
    );
  }

  /** Orders first: their last status is heard before what they brought. */
  #read(market: LiveMarket): Observable<ReadFailure | undefined> {
    const { wiring, known, reading } = this.#parts;
    return reading.ofMarket(market.facts.id).pipe(
      mergeMap((read) => {
        if (read.kind === 'failed') return of(read);
        for (const facts of read.orders) known.hear(facts);
        const query = { marketIds: [market.facts.id], walletIds: wiring.settings.wallets, size };
        return readPages(wiring.calls, 'listTrades', { query }).pipe(
          mergeMap((trades) =>
            trades.kind === 'failed'
              ? of(trades)
              : this.#tellAll(
                  market,
                  this.#grossByWallet(
                    trades.answers.flatMap((each) => each.trades),
                    read.orders,
                  ),
                ),
          ),
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

  #tellAll(market: LiveMarket, gross: ReadonlyMap<string, number>): Observable<ReadFailure | undefined> {
    return from(gross).pipe(
      concatMap(([walletId, amount]) => this.#tellOne(market, walletId, amount)),
      reduce((before: ReadFailure | undefined, failure) => before ?? failure, undefined),
    );
  }

  #tellOne(market: LiveMarket, walletId: string, gross: number): Observable<ReadFailure | undefined> {
    const { settings, note } = this.#parts.wiring;
    const wallet = settings.wallets.indexOf(walletId);
    const told = this.#told.get(market)?.get(walletId);
    if (wallet < 0 || told?.result === market.result) return of(undefined);
    // Commission is charged on a profit only (profile section 7), and given back where another result takes it away.
    const isCharged = gross > 0 || (told?.commission ?? 0) > 0;
    const none: CommissionRead = { kind: 'read', commission: ZERO, isProven: true };
    return (isCharged ? this.#commissions.claim(market, walletId) : of(none)).pipe(
      map((read) => {
        if (read.kind === 'failed') return read;
        if (!read.isProven) note({ kind: 'commissionUnproven', market: market.facts.id, wallet: walletId });
        this.#tell(market, wallet, { gross, commission: (told?.commission ?? 0) + read.commission });
        return undefined;
      }),
    );
  }

  #tell(market: LiveMarket, wallet: number, { gross, commission }: { gross: number; commission: number }): void {
    const { settings, tell } = this.#parts.wiring;
    const walletId = settings.wallets[wallet] ?? '';
    const byWallet = this.#told.get(market) ?? new Map<string, Told>();
    this.#told.set(market, byWallet);
    const net = gross - commission;
    const profit = money(net - (byWallet.get(walletId)?.net ?? 0));
    byWallet.set(walletId, { result: market.result, net: money(net), commission: money(commission) });
    tell({ kind: 'settled', market, wallet, profit, commission: money(commission) });
  }

  #forgetClosed(market: LiveMarket): Observable<never> {
    return defer(() => {
      if (market.status === 'Closed') {
        this.#told.delete(market);
        this.#parts.known.drop(market.facts.id);
      }
      return EMPTY;
    });
  }
}
