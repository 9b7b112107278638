/**
 * Reads an account snapshot of the run's wallets: orders, positions and money; either all of it, or the reason why there is
 * none.
 */

import { concatMap, defer, from, map, mergeMap, type Observable, of, reduce, takeWhile } from 'rxjs';
import { sortedOut, type Unreadable } from '../../../codec/lenient.ts';
import { type Instant, instant, type Money } from '../../../core/number/units.ts';
import { isLive } from '../../../core/order.ts';
import type { AccountSnapshotReply, BookedOrder, BookedPosition } from '../../../exchange/live-gateway.ts';
import type { ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import { type OrderFacts, reportOf } from '../../../exchange-live/orders/order-facts.ts';
import type { LenientAnswerOf } from '../../client/call.ts';
import { readByIds, readPages } from '../../lists/complete-lists.ts';
import { amountFromWire } from '../../wire/codec/decimals.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import type { OrderReading } from '../orders/order-reading.ts';

type PositionDocument = LenientAnswerOf<'listAllPositions'>['positions'][number];
export type WalletDocument = Exclude<LenientAnswerOf<'listWallets'>['wallets'][number], Unreadable>;
type Part<T> = { readonly kind: 'read'; readonly rows: readonly T[]; readonly unreadable: Unread } | ReadFailure;
/** What of a part could not be read, by the exchange's ids: undefined is among them if an id could not be read either. */
type Unread = ReadonlySet<string | undefined>;
const NONE: Unread = new Set();
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
                            unreadable: { orders: [...orders.unreadable], positions: [...positions.unreadable] },
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

  /**
   * If the list shifted while its pages were read, it may hold an order twice: the later entry counts. Of an order that cannot be read, or names no
   * wallet of ours, nothing can be compared.
   */
  #orders(): Observable<Part<BookedOrder>> {
    return this.#parts.reading.open().pipe(
      map((read): Part<BookedOrder> => {
        if (read.kind === 'failed') return read;
        const unreadable = new Set(read.unreadable.map(({ id }) => (id === undefined ? undefined : String(id))));
        const rows = new Map<number, BookedOrder>();
        for (const facts of read.orders) {
          const booked = this.#booked(facts);
          if (booked === undefined) unreadable.add(String(facts.id));
          else rows.set(facts.id, booked);
        }
        return { kind: 'read', rows: [...rows.values()], unreadable };
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
    const none: Part<BookedPosition> = { kind: 'read', rows: [], unreadable: NONE };
    return from(settings.wallets.entries()).pipe(
      concatMap(([wallet, id]) =>
        readPages(calls, 'listAllPositions', { path: { id }, query: { filter: 'Active', size } }).pipe(
          map((read): Part<BookedPosition> => {
            if (read.kind === 'failed') return read;
            return positionsOf(
              read.answers.flatMap(({ positions }) => positions),
              wallet,
            );
          }),
        ),
      ),
      takeWhile(({ kind }) => kind === 'read', true),
      reduce((all: Part<BookedPosition>, part): Part<BookedPosition> => {
        if (all.kind === 'failed' || part.kind === 'failed') return part;
        const unreadable = new Set([...all.unreadable, ...part.unreadable]);
        return { kind: 'read', rows: [...all.rows, ...part.rows], unreadable };
      }, none),
    );
  }

  #wallets(): Observable<Part<BookedWallet>> {
    const { calls, settings } = this.#parts.context;
    return readByIds(calls, 'listWallets', settings.wallets, (walletIds) => ({ query: { walletIds, size } })).pipe(
      map((read): Part<BookedWallet> => {
        if (read.kind === 'failed') return read;
        const { read: wallets, unreadable } = sortedOut(read.answers.flatMap((each) => each.wallets));
        const documents = new Map(wallets.map((each) => [each.id, each]));
        const rows = settings.wallets.flatMap((id, wallet) => {
          const document = documents.get(id);
          const money = document === undefined ? undefined : moneyOf(document, settings.currency);
          return money === undefined ? [] : [{ wallet, ...money }];
        });
        const isShown = (id: string): boolean =>
          documents.has(id) || unreadable.some(({ part }) => (part.id ?? id) === id);
        return settings.wallets.some(isShown)
          ? { kind: 'read', rows, unreadable: NONE }
          : { kind: 'failed', code: 'BAD_ANSWER', details: 'no wallet is shown' };
      }),
    );
  }

  #now(): Instant {
    return instant(Math.floor(this.#parts.context.clock.now()));
  }
}

function positionsOf(documents: readonly PositionDocument[], wallet: number): Part<BookedPosition> {
  const { read, unreadable } = sortedOut(documents);
  const odd = new Set(unreadable.map(({ part }) => part.market?._ids[0]));
  const rows: BookedPosition[] = [];
  for (const { market, exposures = {} } of read) {
    const [marketId] = market._ids;
    const amounts = Object.entries(exposures).map(([outcome, amount]) => [outcome, amountFromWire(amount)] as const);
    const profitIfWins = new Map(
      amounts.flatMap(([outcome, amount]) => (amount.kind === 'read' ? [[outcome, amount.value] as const] : [])),
    );
    if (marketId === undefined || profitIfWins.size < amounts.length) odd.add(marketId);
    else rows.push({ wallet, marketId, profitIfWins });
  }
  return { kind: 'read', rows, unreadable: odd };
}

/** The wallet's money in the currency: zero if it has no account in it, undefined if the amounts make no sense. */
export function moneyOf({ balances }: WalletDocument, currency: string) {
  const { read, unreadable } = sortedOut(balances);
  const account = read.find(({ currencyId }) => currencyId === currency);
  const mayBeOdd = unreadable.some(({ part }) => part.currencyId === undefined || part.currencyId === currency);
  const balance = amountFromWire(account?.balance ?? 0);
  const balanceAvailable = amountFromWire(account?.balanceAvailable ?? 0);
  if (balance.kind !== 'read' || balanceAvailable.kind !== 'read') return undefined;
  if (account === undefined && mayBeOdd) return undefined;
  return { balance: balance.value, balanceAvailable: balanceAvailable.value };
}
