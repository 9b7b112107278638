/**
 * Reads an account snapshot of the run's wallets: orders, positions and money; either all of it, or the reason why there is
 * none.
 */

import { concatMap, defer, from, map, mergeMap, type Observable, of, reduce, takeWhile } from 'rxjs';
import { type Instant, instant, type Money } from '../../../core/number/units.ts';
import { isLive } from '../../../core/order.ts';
import type { AccountSnapshotReply, BookedOrder, BookedPosition } from '../../../exchange/live-gateway.ts';
import type { ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import { type OrderFacts, reportOf } from '../../../exchange-live/orders/order-facts.ts';
import type { AnswerOf } from '../../client/call.ts';
import { readByIds, readPages } from '../../lists/complete-lists.ts';
import { amountFromWire } from '../../wire/codec/decimals.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import type { OrderReading } from '../orders/order-reading.ts';

type PositionDocument = AnswerOf<'listAllPositions'>['positions'][number];
type WalletDocument = AnswerOf<'listWallets'>['wallets'][number];
type Part<T> = { readonly kind: 'read'; readonly rows: readonly T[] } | ReadFailure;
type BookedWallet = { readonly wallet: number; readonly balance: Money; readonly balanceAvailable: Money };

const size = 500;

export interface AccountSnapshotsParts {
  readonly context: GatewayContext;
  readonly known: KnownOrders;
  readonly reading: OrderReading;
}

/** Reads account snapshots over REST. */
export class AccountSnapshots {
  readonly #parts: AccountSnapshotsParts;

  constructor(parts: AccountSnapshotsParts) {
    this.#parts = parts;
  }

  /** Emits one reply. Orders are read first, so that a position which came of one of them is in what is read after it. */
  read(): Observable<AccountSnapshotReply> {
    return defer(() => {
      const from = this.#now();
      return this.#orders().pipe(
        mergeMap((orders) =>
          orders.kind === 'failed'
            ? of(orders)
            : this.#positions().pipe(
                mergeMap((positions) =>
                  positions.kind === 'failed'
                    ? of(positions)
                    : this.#wallets().pipe(
                        map((wallets): AccountSnapshotReply => {
                          if (wallets.kind === 'failed') return wallets;
                          const parts = {
                            orders: this.#stillOpen(orders.rows, from),
                            positions: positions.rows,
                            wallets: wallets.rows,
                          };
                          return { kind: 'books', books: { from, to: this.#now(), ...parts } };
                        }),
                      ),
                ),
              ),
        ),
      );
    });
  }

  /** If the list shifted while its pages were read, it may hold an order twice: the later entry counts. */
  #orders(): Observable<Part<BookedOrder>> {
    return this.#parts.reading.open().pipe(
      map((read): Part<BookedOrder> => {
        if (read.kind === 'failed') return read;
        if (!read.isComplete) return senseless('an order makes no sense');
        const byId = new Map(read.orders.map((facts) => [facts.id, this.#booked(facts)]));
        const rows = [...byId.values()].filter((order) => order !== undefined);
        return rows.length === byId.size ? { kind: 'read', rows } : senseless('an order names no wallet of ours');
      }),
    );
  }

  /** An order may have ended, and been reported, while they were read: that alone is laid over what they say. */
  #stillOpen(orders: readonly BookedOrder[], since: Instant): readonly BookedOrder[] {
    return orders
      .map((order) => this.#parts.known.newest(order, since))
      .filter(({ status, stakeMatched }) => isLive(status) || stakeMatched > 0);
  }

  #booked(facts: OrderFacts): BookedOrder | undefined {
    const { context, known } = this.#parts;
    const { reference, marketId, outcomeId, side, tick, stake } = facts;
    const wallet = context.settings.wallets.indexOf(facts.walletId ?? '');
    if (wallet < 0) return undefined;
    const report = reportOf(facts, known.clientOf(facts) ?? 0);
    return { ...report, reference, strategy: known.strategyOf(facts), wallet, marketId, outcomeId, side, tick, stake };
  }

  #positions(): Observable<Part<BookedPosition>> {
    const { calls, settings } = this.#parts.context;
    const none: Part<BookedPosition> = { kind: 'read', rows: [] };
    return from(settings.wallets.entries()).pipe(
      concatMap(([wallet, id]) =>
        readPages(calls, 'listAllPositions', { path: { id }, query: { filter: 'Active', size } }).pipe(
          map((read): Part<BookedPosition> => {
            if (read.kind === 'failed') return read;
            const rows = read.answers.flatMap(({ positions }) => positions.map((each) => positionOf(each, wallet)));
            const readable = rows.filter((row) => row !== undefined);
            return readable.length === rows.length
              ? { kind: 'read', rows: readable }
              : senseless('a position makes no sense');
          }),
        ),
      ),
      takeWhile(({ kind }) => kind === 'read', true),
      reduce((all: Part<BookedPosition>, part): Part<BookedPosition> => {
        if (all.kind === 'failed' || part.kind === 'failed') return part;
        return { kind: 'read', rows: [...all.rows, ...part.rows] };
      }, none),
    );
  }

  #wallets(): Observable<Part<BookedWallet>> {
    const { calls, settings } = this.#parts.context;
    return readByIds(calls, 'listWallets', settings.wallets, (walletIds) => ({ query: { walletIds, size } })).pipe(
      map((read): Part<BookedWallet> => {
        if (read.kind === 'failed') return read;
        const documents = new Map(read.answers.flatMap(({ wallets }) => wallets.map((each) => [each.id, each])));
        const rows = settings.wallets.flatMap((id, wallet) => {
          const document = documents.get(id);
          const money = document === undefined ? undefined : moneyOf(document, settings.currency);
          return money === undefined ? [] : [{ wallet, ...money }];
        });
        return rows.length === settings.wallets.length ? { kind: 'read', rows } : senseless('a wallet is missing');
      }),
    );
  }

  #now(): Instant {
    return instant(Math.floor(this.#parts.context.clock.now()));
  }
}

function positionOf({ market, exposures }: PositionDocument, wallet: number): BookedPosition | undefined {
  const [marketId] = market._ids;
  const profitIfWins = new Map<string, Money>();
  for (const [outcomeId, amount] of Object.entries(exposures)) {
    const profit = amountFromWire(amount);
    if (profit.kind !== 'read') return undefined;
    profitIfWins.set(outcomeId, profit.value);
  }
  return marketId === undefined ? undefined : { wallet, marketId, profitIfWins };
}

/** The wallet's money in the currency: zero if it has no account in it, undefined if the amounts make no sense. */
export function moneyOf({ balances }: WalletDocument, currency: string) {
  const account = balances.find(({ currencyId }) => currencyId === currency);
  const balance = amountFromWire(account?.balance ?? 0);
  const balanceAvailable = amountFromWire(account?.balanceAvailable ?? 0);
  if (balance.kind !== 'read' || balanceAvailable.kind !== 'read') return undefined;
  return { balance: balance.value, balanceAvailable: balanceAvailable.value };
}

function senseless(details: string): ReadFailure {
  return { kind: 'failed', code: 'BAD_ANSWER', details };
}
