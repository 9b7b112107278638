/** What is remembered of orders that nothing can change any more, in markets that may be open for months. */

import { describe, expect, it } from 'vitest';
import type { OrderReport } from '../../../src/exchange/gateway.ts';
import { OwnStakes } from '../../../src/exchange-live/markets/own-stakes.ts';
import { KnownOrders } from '../../../src/exchange-live/orders/known-orders.ts';
import type { OrderFacts } from '../../../src/exchange-live/orders/order-facts.ts';
import type { OrderTrust } from '../../../src/exchange-live/orders/order-source.ts';
import type { OrderUpdates } from '../../../src/exchange-live/orders/order-updates.ts';
import { References } from '../../../src/exchange-live/orders/references.ts';
import type { TradingContext } from '../../../src/exchange-live/orders/trading-context.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';

const MINUTE = 60_000;

function stage(trust: OrderTrust = {}) {
  const clock = new SimulatedClock(0);
  const reported: OrderReport[] = [];
  const notes: string[] = [];
  const heartbeats: string[] = [];
  const context = {
    clock,
    settings: { wallets: ['w-1'] },
    emit: ({ kind }: { kind: string }) => void heartbeats.push(kind),
    note: ({ details }: { details: string }) => void notes.push(details),
  } as unknown as TradingContext;
  const updates = {
    emit: ({ order }: { order: (typeof reported)[number] }) => void reported.push(order),
  } as unknown as OrderUpdates;
  const references = new References({ prefix: 'run', strategies: ['s'], lengthMax: 100 });
  const known = new KnownOrders({ context, references, updates, own: new OwnStakes(), trust });
  const factsOf = (client: number, change: Partial<OrderFacts>) =>
    ({
      ...{ id: 1_000 + client, reference: references.of(client, 0), walletId: 'w-1', marketId: 'm', outcomeId: '1' },
      ...{ side: 'For', tick: 10, stake: 5_000_000, stakeUnmatched: 5_000_000, stakeVoided: 0, status: 'Unmatched' },
      ...{ reason: undefined, modifiedAt: clock.now(), fills: [] },
      ...change,
    }) as OrderFacts;
  const receive = (client: number, change: Partial<OrderFacts> = {}, askedAt?: number): boolean =>
    known.receive(factsOf(client, change), askedAt === undefined ? {} : { askedAt });
  const reply = (client: number, askedAt: number, change: Partial<OrderFacts> = {}) =>
    known.reply(factsOf(client, change), askedAt);
  /** Ends an order by a cancellation that was requested. */
  const end = (client: number): void => {
    known.cancelled([1_000 + client]);
    receive(client, CANCELLED);
  };
  return { clock, known, reported, heartbeats, notes, receive, reply, end };
}

const CANCELLED = {
  status: 'Cancelled',
  stakeUnmatched: 0,
  stakeVoided: 5_000_000,
  reason: 'UserRequest',
} as Partial<OrderFacts>;
const HALF_MATCHED = { status: 'Matched', stakeUnmatched: 0, stakeVoided: 2_000_000 } as Partial<OrderFacts>;

describe('an order that ended without a match', () => {
  it('is remembered for ten minutes, and forgotten with the next word of any order after that', () => {
    const { clock, known, receive, end } = stage();
    receive(1);
    end(1);
    clock.runUntil(9 * MINUTE);
    receive(2);
    expect(known.has(1)).toBe(true);
    clock.runUntil(10 * MINUTE);
    receive(3);
    expect([known.has(1), known.has(2), known.has(3)]).toEqual([false, true, true]);
  });

  it('is not brought back to life by a reading from before its end, as long as one can be on its way', () => {
    const { clock, known, receive, end, reported } = stage();
    receive(1);
    end(1);
    clock.runUntil(9 * MINUTE);
    receive(1);
    expect(reported.map(({ status }) => status)).toEqual(['Unmatched', 'Cancelled']);
    expect(known.shown()).toEqual([]);
  });
});

describe('never forgotten while their market is open are', () => {
  it('live and matched orders, and those that a lapse cancelled, of which the lapse would be reported again', () => {
    const { clock, known, receive, heartbeats } = stage();
    receive(1);
    known.cancelled([1_002, 1_003]);
    receive(2, HALF_MATCHED);
    receive(3, { ...CANCELLED, reason: 'HeartbeatLapsed' } as Partial<OrderFacts>);
    clock.runUntil(24 * 60 * MINUTE);
    receive(4);
    expect([1, 2, 3].map((client) => known.has(client))).toEqual([true, true, true]);
    receive(3, { ...CANCELLED, reason: 'HeartbeatLapsed' } as Partial<OrderFacts>);
    expect(heartbeats).toEqual(['heartbeat']);
  });

  it('adopted orders, which have no name of ours to be known by', () => {
    const { clock, known, receive } = stage();
    known.adopt(1_001, 77);
    known.cancelled([1_001]);
    receive(1, { ...CANCELLED, reference: undefined } as Partial<OrderFacts>);
    clock.runUntil(24 * 60 * MINUTE);
    receive(2);
    expect(known.has(77)).toBe(true);
  });
});

it('a thousand orders a minute in one market that stays open leave what ten minutes brought', () => {
  const { clock, known, receive, end } = stage();
  for (let client = 1; client <= 60_000; client += 1) {
    clock.runUntil(client * 60);
    receive(client);
    end(client);
  }
  const remembered = Array.from({ length: 60_000 }, (_, at) => known.has(at + 1)).filter(Boolean).length;
  expect(remembered).toBe(10_000);
});

describe('an end without a cancel request', () => {
  it('frees nothing before the exchange has answered a cancellation of the order', () => {
    const { known, receive, reported } = stage();
    receive(1);
    receive(1, CANCELLED);
    expect(known.doubtful()).toEqual([1_001]);
    expect(known.shown()).toEqual([1_001]);
    known.cancelled([1_001]);
    receive(1, CANCELLED);
    expect(reported.map(({ status }) => status)).toEqual(['Unmatched', 'Cancelled']);
    expect([known.doubtful(), known.shown()]).toEqual([[], []]);
  });

  it('is doubted as well where it is the first word of the order, whose answer was lost', () => {
    const { known, receive, reported } = stage();
    receive(1, CANCELLED);
    expect([known.doubtful(), known.has(1)]).toEqual([[1_001], false]);
    expect(reported).toEqual([]);
    known.cancelled([1_001]);
    receive(1, CANCELLED);
    expect(reported.map(({ status }) => status)).toEqual(['Cancelled']);
    expect([known.doubtful(), known.shown(), known.has(1)]).toEqual([[], [], true]);
  });

  it('is reported once where a lapse caused it', () => {
    const { known, receive, heartbeats } = stage();
    receive(1, { ...CANCELLED, reason: 'HeartbeatLapsed' });
    receive(1, { ...CANCELLED, reason: 'HeartbeatLapsed' });
    known.cancelled([1_001]);
    receive(1, { ...CANCELLED, reason: 'HeartbeatLapsed' });
    expect(heartbeats).toEqual(['heartbeat']);
  });

  it('is doubted no more where the next reading says that the order lives', () => {
    const { known, receive, reported } = stage();
    receive(1);
    receive(1, CANCELLED);
    receive(1);
    expect(known.doubtful()).toEqual([]);
    expect(reported).toHaveLength(1);
  });

  it('stays doubted where what says that the order lives was asked for before the doubt arose', () => {
    const { clock, known, receive, reply } = stage();
    receive(1);
    clock.runUntil(1_000);
    receive(1, CANCELLED);
    receive(1, {}, 900);
    expect(known.doubtful(), 'after a reading').toEqual([1_001]);
    clock.runUntil(2_000);
    receive(1, CANCELLED);
    receive(1, {}, 1_500);
    expect(known.doubtful(), 'after a reading that was asked for since').toEqual([]);
    receive(2, CANCELLED);
    expect(reply(2, 1_900)?.status).toBe('Unmatched');
    expect(known.doubtful(), 'after the answer to its placing').toEqual([1_002]);
  });

  it('is reported at once where it is a result, or a lapse of the heartbeat', () => {
    const { known, receive, reported, heartbeats } = stage();
    known.cancelled([1_001]);
    receive(1, HALF_MATCHED);
    receive(1, { ...HALF_MATCHED, status: 'Won' });
    expect(reported.map(({ status }) => status)).toEqual(['Matched', 'Won']);
    receive(2);
    receive(2, { ...CANCELLED, reason: 'HeartbeatLapsed' });
    expect(heartbeats).toEqual(['heartbeat']);
  });
});

describe('an order that had ended', () => {
  it('lives again where a reading asked for since then says so', () => {
    const { clock, known, receive, end, reported } = stage();
    clock.runUntil(1_000);
    receive(1);
    end(1);
    receive(1, {}, 900);
    expect(known.shown(), 'asked for before').toEqual([]);
    receive(1, {}, 1_001);
    expect(known.shown()).toEqual([1_001]);
    expect(reported.map(({ status }) => status)).toEqual(['Unmatched', 'Cancelled', 'Unmatched']);
  });
});

describe('an exchange whose reports of ends are certain', () => {
  it('is believed at once, and nothing is left to be proven', () => {
    const { known, receive, reported } = stage({ endsAreCertain: true });
    receive(1);
    receive(1, CANCELLED);
    receive(2, CANCELLED);
    expect([known.doubtful(), known.shown()]).toEqual([[], []]);
    expect(reported.map(({ client, status }) => `${client} ${status}`)).toEqual([
      '1 Unmatched',
      '1 Cancelled',
      '2 Cancelled',
    ]);
  });
});

describe('an exchange that voids matched stake', () => {
  const MATCHED = { status: 'Matched', stakeUnmatched: 0 } as Partial<OrderFacts>;
  const PARTLY_VOID = { ...MATCHED, stakeVoided: 2_000_000 } as Partial<OrderFacts>;

  it('reports what is matched no more as void, which is no fault', () => {
    const { receive, reported, notes } = stage({ voidsMatched: true });
    receive(1, MATCHED);
    expect([receive(1, PARTLY_VOID), receive(1, PARTLY_VOID, 1)]).toEqual([true, true]);
    expect(reported.map(({ stakeMatched, stakeVoided }) => [stakeMatched, stakeVoided])).toEqual([
      [5_000_000, 0],
      [3_000_000, 2_000_000],
    ]);
    expect(notes).toEqual([]);
  });

  it('is not believed where matched stake would be unmatched again', () => {
    const { receive, notes } = stage({ voidsMatched: true });
    receive(1, { status: 'PartiallyMatched', stakeUnmatched: 2_000_000 } as Partial<OrderFacts>);
    expect(receive(1, {}, 1)).toBe(false);
    expect(notes).toEqual([expect.stringContaining('(MATCHED_FELL)')]);
  });

  it('tells of prices that fell since an order was sent, and its answer does not take that back', () => {
    const { clock, known, receive, reply } = stage({ voidsMatched: true });
    const [before, since] = [7_500_000, 6_000_000].map((winnings) => ({ ...MATCHED, winnings }) as Partial<OrderFacts>);
    clock.runUntil(1_000);
    receive(1, since);
    expect(reply(1, 900, before)?.winningsMatched).toBe(6_000_000);
    expect(reply(1, 1_100, before)?.winningsMatched, 'what was asked for since is newer').toBe(7_500_000);
    receive(2);
    expect(reply(2, 900, before)?.winningsMatched, 'more is matched than was told').toBe(7_500_000);
    const answer = reply(3, 900, before) ?? expect.fail('no order of ours');
    receive(3, since);
    expect(known.latest(answer).winningsMatched).toBe(6_000_000);
  });

  it('has no void stake match again, and one that does not may have told an end that was none', () => {
    const cancelled = { status: 'Cancelled', stakeUnmatched: 0, stakeVoided: 3_000_000 } as Partial<OrderFacts>;
    for (const [trust, matched] of [
      [{ voidsMatched: true }, 2_000_000],
      [{}, 5_000_000],
    ] as const) {
      const { known, receive, reported } = stage(trust);
      known.cancelled([1_001]);
      receive(1, cancelled);
      receive(1, MATCHED);
      expect(reported.at(-1)?.stakeMatched).toBe(matched);
    }
  });

  it('is one thing, and one that does not is another', () => {
    const { receive } = stage();
    receive(1, MATCHED);
    expect(receive(1, PARTLY_VOID)).toBe(false);
  });
});

it('a matched stake that falls is refused, and what was known counts on', () => {
  const { receive, reported, notes } = stage();
  receive(1, { status: 'PartiallyMatched', stakeUnmatched: 2_000_000 } as Partial<OrderFacts>);
  expect(receive(1, {}, 1)).toBe(false);
  expect(receive(1, CANCELLED)).toBe(false);
  expect(reported).toHaveLength(1);
  expect(notes).toEqual([expect.stringContaining('(MATCHED_FELL)'), expect.stringContaining('(MATCHED_FELL)')]);
});
