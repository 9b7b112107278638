/** Reads an account snapshot: orders, positions and money; either all of it, or the reason why there is none. */

import { defer, map, mergeMap, type Observable, of, tap } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import { type Instant, instant, type Money } from '../../../core/number/units.ts';
import { isLive } from '../../../core/order.ts';
import type { AccountSnapshotReply, BookedOrder, BookedPosition } from '../../../exchange/live-gateway.ts';
import { failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { KnownOrders } from '../../../exchange-live/orders/known-orders.ts';
import { type OrderFacts, reportOf } from '../../../exchange-live/orders/order-facts.ts';
import type { OrdersRead } from '../../../exchange-live/orders/order-source.ts';
import type { AnswerOf } from '../../client/call.ts';
import { outcomeIdOf } from '../../wire/basics/runners.ts';
import { amountOf } from '../base/amounts.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { type Reading, readInParts } from '../base/paged-lists.ts';
import type { OrderReading } from '../orders/order-reading.ts';
import { readFunds } from './funds.ts';

/** A position weighs 4, and 200 is the most of one call (profile section 3). */
const POSITIONS_A_CALL = 50;
type PositionDocument = AnswerOf<'listMarketProfitAndLoss'>[number];

export interface AccountSnapshotsParts {
  readonly context: GatewayContext;
  readonly known: KnownOrders;
  readonly reading: OrderReading;
}

/** Emits one reply. Orders are read first, so that a position which came of one of them is in what is read after it. */
export function readSnapshot({ context, known, reading }: AccountSnapshotsParts): Observable<AccountSnapshotReply> {
  return defer(() => {
    const from = now(context);
    return openOrders(known, reading).pipe(
      mergeMap((read): Observable<AccountSnapshotReply> => {
        if (read.kind === 'failed') return of(read);
        const orders = read.orders.map((facts) => booked(facts, known));
        const marketIds = [...new Set(orders.map(({ marketId }) => marketId))];
        return positions(context, marketIds).pipe(
          mergeMap((held): Observable<AccountSnapshotReply> => {
            if (held.kind === 'failed') return of(held);
            return readFunds(context.calls).pipe(
              map((funds): AccountSnapshotReply => {
                if (funds.kind === 'failed') return funds;
                const { balance, balanceAvailable } = funds;
                const read$ = held.rows.map(positionOf);
                const unreadable = {
                  orders: read.unreadable.map(({ id }) => (id === undefined ? undefined : String(id))),
                  positions: read$.flatMap((each) => (each.kind === 'odd' ? [each.marketId] : [])),
                };
                const books = {
                  ...{ from, to: now(context), unreadable },
                  orders: stillOpen(orders, known, from),
                  positions: read$.flatMap((each) => (each.kind === 'read' ? [each.position] : [])),
                  wallets: [{ wallet: 0, balance, balanceAvailable }],
                };
                return { kind: 'books', books };
              }),
            );
          }),
        );
      }),
    );
  });
}

/**
 * All orders without a result. The stream tells an end once, and no image has what ended: a bet that became void, or was repriced
 * by a withdrawal, while nobody listened is reported from here.
 */
function openOrders(known: KnownOrders, reading: OrderReading): Observable<OrdersRead> {
  const report = (read: OrdersRead): void => {
    if (read.kind === 'read') for (const facts of read.orders) known.receive(facts, { askedAt: read.askedAt });
  };
  return defer(() => {
    const shown = known.shown();
    return reading.live().pipe(
      tap(report),
      mergeMap((read) => {
        if (read.kind === 'failed') return of(read);
        const ids = new Set([...read.orders, ...read.unreadable].map(({ id }) => id));
        const gone = shown.filter((order) => !ids.has(order));
        if (gone.length === 0) return of(read);
        return reading.byIds(gone).pipe(
          tap(report),
          map((found) => (found.kind === 'failed' ? found : read)),
        );
      }),
    );
  });
}

function now({ clock }: GatewayContext): Instant {
  return instant(Math.floor(clock.now()));
}

function booked(facts: OrderFacts, known: KnownOrders): BookedOrder {
  const { reference, marketId, outcomeId, side, tick, stake } = facts;
  const report = reportOf(facts, known.clientOf(facts) ?? 0);
  return { ...report, reference, strategy: known.strategyOf(facts), wallet: 0, marketId, outcomeId, side, tick, stake };
}

/** An order may have ended, and been reported, while they were read: that alone is laid over what they say. */
function stillOpen(orders: readonly BookedOrder[], known: KnownOrders, since: Instant): readonly BookedOrder[] {
  return orders
    .map((order) => known.newest(order, since))
    .filter(({ status, stakeMatched }) => isLive(status) || stakeMatched > 0);
}

function positions({ calls }: GatewayContext, marketIds: readonly string[]): Observable<Reading<PositionDocument>> {
  return readInParts(marketIds, POSITIONS_A_CALL, (some) =>
    calls.call('listMarketProfitAndLoss', { marketIds: some }).pipe(
      map((outcome): Reading<PositionDocument> => {
        return outcome.kind === 'answered' ? { kind: 'read', rows: outcome.answer } : failureOf(outcome);
      }),
    ),
  );
}

type PositionRead =
  | { readonly kind: 'read'; readonly position: BookedPosition }
  | { readonly kind: 'odd'; readonly marketId: string | undefined };

export function positionOf(document: PositionDocument): PositionRead {
  if (document instanceof Unreadable) return { kind: 'odd', marketId: document.part.marketId };
  const { marketId, profitAndLosses } = document;
  const runners = profitAndLosses.flatMap((each) => (each instanceof Unreadable ? [] : [each]));
  // Where several runners may win, each is told by itself, and all others are taken to lose.
  const allLose = runners.reduce((sum, { ifLose = 0 }) => sum + ifLose, 0);
  const profitIfWins = new Map<string, Money>();
  for (const { selectionId, ifWin = 0, ifLose = 0 } of runners) {
    const amount = amountOf(ifWin + allLose - ifLose);
    if (amount === undefined) return { kind: 'odd', marketId };
    profitIfWins.set(outcomeIdOf({ selectionId }), amount);
  }
  if (runners.length < profitAndLosses.length) return { kind: 'odd', marketId };
  return { kind: 'read', position: { wallet: 0, marketId, profitIfWins } };
}
