/** When a feed of orders that are streamed is fresh: after readings, and by a stream that proves that it lost nothing. */

import { of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type Instant, instant } from '../../../src/core/number/units.ts';
import type { KnownOrders } from '../../../src/exchange-live/orders/known-orders.ts';
import type { OrderFacts } from '../../../src/exchange-live/orders/order-facts.ts';
import type { OrderStream, OrdersRead } from '../../../src/exchange-live/orders/order-source.ts';
import { OrdersFeed } from '../../../src/exchange-live/orders/orders-feed.ts';
import type { TradingContext } from '../../../src/exchange-live/orders/trading-context.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';

const START = 1_000_000;
const REREAD_MS = 600_000;

/** Readings of no orders, which may fail; reports that are streamed are possible or not, as `tells` says. */
function stage({ proves }: { readonly proves: boolean }) {
  const clock = new SimulatedClock(START);
  const reads: number[] = [];
  const state = { fails: false, tells: true };
  const stream = { changed$: new Subject<OrderFacts>(), resync$: new Subject<void>(), proven$: new Subject<Instant>() };
  const context = {
    clock,
    settings: { feeds: { orders: { kind: 'stream', rereadMs: REREAD_MS } } },
    emit: (message: { readonly at: number }) => void reads.push(message.at - START),
    note: () => undefined,
  } as unknown as TradingContext;
  const known = {
    ...{ shown: () => [], owed: () => [], doubtful: () => [], knows: () => true, oweUnreadable: () => undefined },
    receive: () => state.tells,
  } as unknown as KnownOrders;
  const live = () =>
    of<OrdersRead>(
      state.fails
        ? { kind: 'failed', code: 'TIMEOUT', details: '' }
        : { kind: 'read', orders: [], unreadable: [], askedAt: clock.now() },
    );
  const nothing = () => throwError(() => new Error('nothing else is asked for'));
  const { proven$, ...told } = { ...stream, subscribe: () => undefined };
  const orderStream: OrderStream = proves ? { ...told, proven$ } : told;
  const reading = { live, byIds: nothing, byReferences: nothing };
  const feed = new OrdersFeed({ context, known, reading, cancel: nothing }, orderStream);
  feed.run$.subscribe();
  const until = (ms: number): void => clock.runUntil(START + ms);
  const prove = (ms: number): void => {
    until(ms);
    stream.proven$.next(instant(START + ms));
  };
  return { ...{ state, stream, reads, until, prove } };
}

describe('a stream that proves that it lost nothing', () => {
  it('keeps the feed fresh between readings, and not before the first one', () => {
    const { stream, reads, prove } = stage({ proves: true });
    stream.proven$.next(instant(START));
    expect(reads).toEqual([]);
    prove(500);
    prove(1_000);
    expect(reads).toEqual([0, 500, 1_000]);
  });

  it('proves nothing from a gap, or from a report that cannot be, until the orders were read whole again', () => {
    const { state, stream, reads, until, prove } = stage({ proves: true });
    prove(500);
    state.fails = true;
    stream.resync$.next();
    prove(1_000);
    expect(reads).toEqual([0, 500]);
    state.fails = false;
    until(3_000);
    prove(3_500);
    expect(reads).toEqual([0, 500, 2_500, 3_500]);
    state.tells = false;
    stream.changed$.next({ id: 1 } as OrderFacts);
    prove(4_000);
    expect(reads).toEqual([0, 500, 2_500, 3_500]);
  });
});

it('a stream that numbers nothing leaves the feed as fresh as its last reading', () => {
  const { reads, prove } = stage({ proves: false });
  prove(500);
  prove(REREAD_MS);
  expect(reads).toEqual([0, REREAD_MS]);
});
