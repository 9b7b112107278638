/** A market's status as the stream tells it: steps on are believed at once, steps back when a reading says them too. */

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { StreamEvent, StreamUpdate } from '../../../../src/betdex/stream/stream-event.ts';
import { defined } from '../../../../src/core/checks/assert.ts';
import { instant } from '../../../../src/core/number/units.ts';
import { MARKET } from '../../../support/conformance/scripted-exchange.ts';
import { START, scriptedGateway } from '../../../support/conformance/scripted-gateway.ts';

const SELDOM = { kind: 'stream', rereadMs: 3_600_000 } as const;
const FEEDS = { markets: SELDOM, prices: SELDOM, orders: SELDOM, wallets: SELDOM };

function streamed(document: object = {}) {
  const events$ = new Subject<StreamEvent>();
  const link = { events$, subscribe: () => {}, unsubscribe: () => {} };
  const run = scriptedGateway({ feeds: FEEDS }, link, 0, (exchange) => {
    exchange.market = { ...exchange.market, inPlayStatus: 'PrePlay', ...document };
  });
  const say = (message: object, receivedMs = run.clock.now() - START): void => {
    const place = { eventId: '501', eventGroupId: '31', categoryId: 'S', subCategoryId: 'F', marketId: '8801' };
    const update = { ...place, ...message } as StreamUpdate;
    events$.next({ kind: 'message', receivedAt: instant(START + receivedMs), message: update });
  };
  const words = { status: 'Open', inPlayStatus: 'PrePlay', published: true, suspended: false };
  return {
    ...run,
    status: (change: object, receivedMs?: number) =>
      say({ type: 'MarketStatusUpdate', ...words, ...change }, receivedMs),
    whole: (change: object) => {
      const { lockAt, createdAt, modifiedAt } = MARKET;
      const facts = { crossMatchingEnabled: false, marketOutcomes: [], lockAt, createdAt, modifiedAt };
      say({ type: 'MarketUpdate', ...words, ...facts, ...change });
    },
    reread: () => events$.next({ kind: 'resync', connection: 0, reason: 'lost' }),
    market: () => {
      const { market } = defined(run.received('market').at(-1), 'the market is listed').said;
      const { status, inPlayStatus, suspended, published } = market;
      return { status, inPlayStatus, suspended, published };
    },
    readings: () => run.exchange.times('listMarkets', START),
  };
}

describe('a streamed status', () => {
  it.each([
    ['suspends', { suspended: true }],
    ['turns in play', { inPlayStatus: 'InPlay' }],
    ['locks', { status: 'Locked' }],
    ['hides', { published: false }],
  ])('that %s a market is believed at once, and taken back by a reading alone', (_, step) => {
    const run = streamed();
    const before = run.market();
    run.status(step);
    expect(run.market()).toEqual({ ...before, ...step });
    run.until(1_000);
    run.exchange.market = { ...run.exchange.market, ...step };
    expect(run.readings()).toHaveLength(1);
    run.status({});
    expect(run.market(), 'an old message').toEqual({ ...before, ...step });
    run.until(2_000);
    expect([run.market(), run.readings().length]).toEqual([{ ...before, ...step }, 2]);
    run.exchange.market = { ...run.exchange.market, ...before };
    run.until(3_000);
    run.status({});
    run.until(4_000);
    expect(run.market()).toEqual(before);
  });

  it('that comes while the document is read is laid over it, and does not stop the reading from counting', () => {
    const run = streamed();
    run.until(1_000);
    run.reread();
    for (let ms = 1_000; ms <= 1_100; ms += 5) {
      run.until(ms);
      run.status({ suspended: true });
    }
    expect(run.market().suspended).toBe(true);
    expect(run.received('market').at(-1)?.said.market.statusFreshAt).toBe(START + 1_070);
    run.until(3_000);
    expect(run.market().suspended, 'read again').toBe(false);
  });

  it('that is held back until after the document was asked for is older than it', () => {
    const run = streamed();
    run.until(1_000);
    run.reread();
    run.until(1_200);
    run.status({ suspended: true }, 1_000);
    expect(run.market().suspended).toBe(false);
  });

  it('asks for a reading once a second at most', () => {
    const run = streamed({ suspended: true });
    for (let ms = 100; ms < 3_000; ms += 50) {
      run.until(ms);
      run.status({});
    }
    run.until(10_000);
    expect(run.readings()).toEqual([0, 100, 1_100, 2_100, 3_100]);
  });
});

describe('a streamed market', () => {
  const lockAt = (hour: number) => `2030-01-01T0${hour}:00:00.000Z`;
  const lockOf = (run: ReturnType<typeof streamed>) => run.received('market').at(-1)?.said.market.lockAt;

  it('changes nothing that its document or another message changed later', () => {
    const run = streamed({ modifiedAt: '2026-01-02T00:00:00.000Z' });
    const before = lockOf(run);
    run.whole({ lockAt: lockAt(1), modifiedAt: '2026-01-01T23:00:00.000Z' });
    expect(lockOf(run), 'older than the document').toBe(before);
    run.whole({ lockAt: lockAt(2), modifiedAt: '2026-01-02T02:00:00.000Z' });
    run.whole({ lockAt: lockAt(1), modifiedAt: '2026-01-02T01:00:00.000Z' });
    expect(lockOf(run), 'overtaken').toBe(Date.parse(lockAt(2)));
    run.exchange.market = { ...run.exchange.market, lockAt: lockAt(3) };
    run.reread();
    run.until(1_000);
    expect(lockOf(run), 'times of a stream keep no document out').toBe(Date.parse(lockAt(3)));
  });

  it('whose document is older than the one that is known is as old as before', () => {
    const run = streamed({ modifiedAt: '2026-01-02T00:00:00.000Z' });
    run.exchange.market = { ...run.exchange.market, suspended: true, modifiedAt: '2026-01-01T00:00:00.000Z' };
    run.reread();
    run.until(1_000);
    expect(run.market().suspended).toBe(false);
    expect(run.received('market').at(-1)?.said.market.statusFreshAt).toBe(START);
  });
});
