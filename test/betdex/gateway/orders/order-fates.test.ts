/** What the engine does with orders of unknown fate: their exposure is held, released on proof, and restored if they appear. */

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../src/core/intent.ts';
import { instant, money, ZERO } from '../../../../src/core/number/units.ts';
import { Engine } from '../../../../src/engine/engine.ts';
import { newInstance } from '../../../../src/engine/ledger/strategy-in-market.ts';
import type { RunEvent, RunLog } from '../../../../src/engine/log/run-log.ts';
import { Transcript } from '../../../../src/engine/log/transcript.ts';
import { pipeline } from '../../../../src/engine/pipeline.ts';
import type { CancelReply, FeedMessage, Gateway, OrderReport, PlaceReply } from '../../../../src/exchange/gateway.ts';
import type { DecideInput, StrategyPlugin } from '../../../../src/strategy/contract.ts';
import { createFixedMarket } from '../../../../src/strategy/testing/fixed-market.ts';
import { SimulatedClock } from '../../../../src/time/simulated-clock.ts';
import { HALT, testSupervisor } from '../../../support/engine/test-supervisor.ts';

const START = Date.UTC(2026, 2, 24, 14);
const EXCHANGE_ID = 730_001;

/** A run whose gateway is the test: it answers the requests when the test says so. */
function run(decide: (input: DecideInput) => readonly Intent[]) {
  const clock = new SimulatedClock(START);
  const feed$ = new Subject<FeedMessage>();
  const places: { clients: readonly number[]; reply: Subject<PlaceReply> }[] = [];
  const cancels: { orders: readonly number[]; reply: Subject<CancelReply> }[] = [];
  const gateway: Gateway = {
    feed$,
    place(batch) {
      const reply = new Subject<PlaceReply>();
      places.push({ clients: batch.map(({ client }) => client), reply });
      return reply;
    },
    cancel(orders) {
      const reply = new Subject<CancelReply>();
      cancels.push({ orders, reply });
      return reply;
    },
    heartbeat: () => new Subject(),
    clearHeartbeat: () => new Subject(),
  };
  const steps: string[] = [];
  const log = new Steps(steps);
  const plugin: StrategyPlugin = { name: 'tested', decide };
  const instances = [newInstance({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })];
  const engine = new Engine({ instances, limits: {}, log, intentsMax: 100, engineSupervisor: testSupervisor() });
  pipeline({ clock, gateway, engine }).subscribe();
  const market = createFixedMarket({ id: 'm', outcomes: [{ id: 'a' }, { id: 'b' }], updatedAt: START });
  const tick = (): void => feed$.next({ kind: 'market', market, cause: 'prices' });
  tick();
  return {
    ...{ feed$, places, cancels, steps, engine, tick, market },
    /** What the wallet must hold for all orders, in currency units. */
    reserved: () => engine.ledger.exposure.requiredOfWallet(0) / 1e6,
    lose: () => places[0]?.reply.next({ kind: 'unknown', code: 'TIMEOUT', details: '' }),
    absent: () => feed$.next({ kind: 'absent', client: 1, at: instant(START) }),
    report: (change: Partial<OrderReport> = {}) => feed$.next({ kind: 'order', order: { ...RESTING, ...change } }),
  };
}

const RESTING: OrderReport = {
  ...{ client: 1, order: EXCHANGE_ID, status: 'Unmatched', stakeMatched: ZERO, winningsMatched: ZERO },
  ...{ stakeUnmatched: money(10e6), stakeVoided: ZERO, at: instant(START) },
};

/** The transcript's own rows, and in words what happened to each order. */
class Steps extends Transcript implements RunLog {
  readonly #steps: string[];

  constructor(steps: string[]) {
    super('steps');
    this.#steps = steps;
  }
  override logEvent(event: RunEvent): void {
    if (event.kind === 'rejected' || event.kind === 'unknown')
      this.#steps.push(`${event.kind} ${event.order.id} ${event.code}`);
    else if (event.kind === 'reappeared') this.#steps.push(`reappeared ${event.order.id}`);
    else if (event.kind === 'reported') this.#steps.push(`reported ${event.order.id} ${event.report.status}`);
    else super.logEvent(event);
  }
}

/** Places ten For at 2.0 once, and then does what the test adds. */
function once(then: (input: DecideInput) => readonly Intent[] = () => []) {
  let isPlaced = false;
  return (input: DecideInput): readonly Intent[] => {
    if (isPlaced) return then(input);
    isPlaced = true;
    return [{ kind: 'place', market: 'm', outcome: 'a', side: 'For', price: 2, stake: 10 }];
  };
}

describe('an order whose place call was lost', () => {
  it('keeps its exposure until it is proven absent', () => {
    const bot = run(once());
    bot.lose();
    expect(bot.reserved()).toBe(10);
    bot.tick();
    expect(bot.reserved()).toBe(10);
    bot.absent();
    expect(bot.reserved()).toBe(0);
    expect(bot.steps).toEqual(['unknown 1 TIMEOUT', 'rejected 1 PROVEN_ABSENT']);
  });

  it('is like any other once it is found', () => {
    const seen: unknown[] = [];
    const bot = run(
      once(({ orders, why }) => {
        seen.push([why, ...orders.map(({ status, unknown }) => [status, unknown])]);
        return [];
      }),
    );
    bot.lose();
    bot.tick();
    bot.report();
    expect(seen).toEqual([
      ['prices', [undefined, true]],
      ['order', ['Unmatched', false]],
    ]);
    expect(bot.reserved()).toBe(10);
  });

  it('is cancelled as soon as it is found, where the strategy wished so meanwhile', () => {
    const bot = run(once(({ why }) => (why === 'prices' ? [{ kind: 'cancelAll' }] : [])));
    bot.lose();
    bot.tick();
    expect(bot.cancels).toEqual([]);
    bot.report();
    expect(bot.cancels.map(({ orders }) => orders)).toEqual([[EXCHANGE_ID]]);
  });

  it('is cancelled as soon as it is found, where the run was halted meanwhile', () => {
    const bot = run(once());
    bot.lose();
    bot.engine.enqueue(HALT);
    bot.report();
    expect(bot.cancels.map(({ orders }) => orders)).toEqual([[EXCHANGE_ID]]);
  });

  it('is no unknown order where the feed reported it before the reply was lost', () => {
    const bot = run(once());
    bot.report();
    bot.lose();
    bot.absent();
    expect(bot.reserved()).toBe(10);
    expect(bot.steps).toEqual(['reported 1 Unmatched']);
  });
});

describe('an order that was declared absent', () => {
  it('is taken up again, aloud, where it turns up', () => {
    const seen: unknown[] = [];
    const look = ({ orders }: DecideInput) => {
      seen.push(orders.map(({ status }) => status));
      return [];
    };
    const bot = run(once(look));
    bot.lose();
    bot.absent();
    bot.report();
    expect(bot.reserved()).toBe(10);
    expect(bot.steps.slice(-2)).toEqual(['reappeared 1', 'reported 1 Unmatched']);
    expect(seen).toEqual([[], ['Unmatched']]);
    bot.report({ status: 'Cancelled', stakeUnmatched: ZERO, stakeVoided: money(10e6) });
    expect(bot.reserved()).toBe(0);
  });

  it('counts with what it matched, where it turns up as Matched', () => {
    const bot = run(once());
    bot.lose();
    bot.absent();
    bot.report({ status: 'Matched', stakeMatched: money(10e6), winningsMatched: money(10e6), stakeUnmatched: ZERO });
    expect(bot.reserved()).toBe(10);
    bot.feed$.next({ kind: 'absent', client: 1, at: instant(START) });
    expect(bot.reserved()).toBe(10);
  });

  it('is cancelled at once where it turns up and its cancellation was wished', () => {
    const bot = run(once(({ why }) => (why === 'prices' ? [{ kind: 'cancelAll' }] : [])));
    bot.lose();
    bot.tick();
    bot.absent();
    bot.report();
    expect(bot.cancels.map(({ orders }) => orders)).toEqual([[EXCHANGE_ID]]);
  });
});

describe('a batch of which one is unknown', () => {
  it('folds each item by itself', () => {
    const bot = run(
      (() => {
        let isPlaced = false;
        return () => {
          if (isPlaced) return [];
          isPlaced = true;
          const place = { kind: 'place', market: 'm', outcome: 'a', side: 'For', price: 2 } as const;
          return [10, 20, 40].map((stake) => ({ ...place, stake }));
        };
      })(),
    );
    expect(bot.places[0]?.clients).toEqual([1, 2, 3]);
    bot.places[0]?.reply.next({
      kind: 'placed',
      items: [
        { kind: 'accepted', report: RESTING },
        { kind: 'unknown', client: 2, code: 'INTERRUPTED' },
        { kind: 'refused', client: 3, code: 'WALLET_NOT_FOUND' },
      ],
    });
    expect(bot.reserved()).toBe(30);
    expect(bot.steps).toEqual(['reported 1 Unmatched', 'unknown 2 INTERRUPTED', 'rejected 3 WALLET_NOT_FOUND']);
    bot.feed$.next({ kind: 'absent', client: 2, at: instant(START) });
    expect(bot.reserved()).toBe(10);
  });
});

describe('a cancellation whose answer was lost', () => {
  it('is sent again where the order turns out to live', () => {
    const bot = run(once(({ why }) => (why === 'prices' ? [{ kind: 'cancelAll' }] : [])));
    bot.places[0]?.reply.next({ kind: 'placed', items: [{ kind: 'accepted', report: RESTING }] });
    bot.tick();
    bot.cancels[0]?.reply.next({ kind: 'unknown', code: 'TIMEOUT', details: '' });
    expect(bot.cancels).toHaveLength(1);
    bot.report();
    expect(bot.cancels).toHaveLength(2);
  });

  it('is not, where the order is gone', () => {
    const bot = run(once(({ why }) => (why === 'prices' ? [{ kind: 'cancelAll' }] : [])));
    bot.places[0]?.reply.next({ kind: 'placed', items: [{ kind: 'accepted', report: RESTING }] });
    bot.tick();
    bot.cancels[0]?.reply.next({ kind: 'unknown', code: 'TIMEOUT', details: '' });
    bot.report({ status: 'Cancelled', stakeUnmatched: ZERO, stakeVoided: money(10e6) });
    expect(bot.cancels).toHaveLength(1);
    expect(bot.reserved()).toBe(0);
  });
});

describe('reports that come out of their order', () => {
  const PART = { status: 'PartiallyMatched', stakeMatched: money(4e6), winningsMatched: money(4e6) } as const;
  const VOIDED = { stakeUnmatched: ZERO, stakeVoided: money(10e6) } as const;

  it.each([
    ['a fill before the order', [{ ...PART, stakeUnmatched: money(6e6) }, {}], 'PartiallyMatched', 10],
    ['an end before a beginning', [{ status: 'Cancelled', ...VOIDED }, {}], undefined, 0],
    ['what was Pending after what was processed', [{}, { status: 'Pending' }], 'Unmatched', 10],
  ] as const)('never lead back: %s', (_, reports, status, reserved) => {
    let last: string | undefined;
    const look = ({ orders }: DecideInput) => {
      last = orders[0]?.status;
      return [];
    };
    const bot = run(once(look));
    for (const report of reports) bot.report(report);
    expect(last).toBe(status);
    expect(bot.reserved()).toBe(reserved);
  });
});
