/** The age of a market's prices is counted from when they were requested or published, not from when they arrived. */

import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import type { StreamEvent, StreamUpdate } from '../../../../src/betdex/stream/stream-event.ts';
import { instant } from '../../../../src/core/number/units.ts';
import { LATENCY_MS } from '../../../support/conformance/scripted-exchange.ts';
import { START, scriptedGateway } from '../../../support/conformance/scripted-gateway.ts';

const POLLED = { kind: 'poll', everyMs: 1_000 } as const;
const SELDOM = { kind: 'stream', rereadMs: 3_600_000 } as const;

function freshAtOf(run: ReturnType<typeof scriptedGateway>): number {
  const market = run.received('market').at(-1)?.said.market;
  return (market?.freshAt ?? Number.NaN) - START;
}

it('a book that is read is as old as the reading, however long its answer took', () => {
  const run = scriptedGateway({ feeds: { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED } });
  run.until(5_500);
  const asked = run.exchange.times('listPrices', START).filter((ms) => ms + LATENCY_MS <= 5_500);
  expect(freshAtOf(run)).toBe(asked.at(-1));
});

it('an update of the stream is as old as its levels say, and updates of another kind make no prices fresher', () => {
  const events$ = new Subject<StreamEvent>();
  const feeds = { markets: SELDOM, prices: SELDOM, orders: SELDOM, wallets: SELDOM };
  const run = scriptedGateway({ feeds }, { events$, subscribe: () => {}, unsubscribe: () => {} });
  const say = (message: object): void => {
    const place = { eventId: '501', eventGroupId: '31', categoryId: 'S', subCategoryId: 'F', marketId: '8801' };
    const update = { ...place, ...message } as StreamUpdate;
    events$.next({ kind: 'message', receivedAt: instant(run.clock.now()), message: update });
  };
  const priced = (validAtMs: number): void => {
    const validAt = new Date(START + validAtMs).toISOString();
    const prices = [{ side: 'For', outcomeId: '1', price: 3, liquidity: 10, change: 10, validAt }];
    say({ type: 'MarketPriceUpdate', updateType: 'Incremental', prices });
  };
  run.until(60_000);
  priced(59_900);
  expect(freshAtOf(run)).toBe(59_900);
  run.until(70_000);
  priced(63_000);
  expect(freshAtOf(run), 'seven seconds on its way').toBe(63_000);
  priced(61_000);
  expect(freshAtOf(run), 'overtaken').toBe(63_000);
  say({ type: 'MarketStatusUpdate', status: 'Open', published: true, suspended: true, inPlayStatus: 'InPlay' });
  expect(freshAtOf(run)).toBe(63_000);
  priced(99_000);
  expect(freshAtOf(run), 'of a clock ahead of ours').toBe(70_000);
});
