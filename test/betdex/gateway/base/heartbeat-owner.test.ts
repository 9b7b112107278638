/** Who owns the app's heartbeat when a run begins: the run itself, another run that refreshes it, or no run any more. */

import { describe, expect, it } from 'vitest';
import { heartbeatFor } from '../../../../src/betdex/gateway/base/heartbeat-owner.ts';
import type { BeginningRun } from '../../../../src/exchange-live/adapter/exchange.ts';
import { SimulatedClock } from '../../../../src/time/simulated-clock.ts';
import {
  answered,
  DOWN,
  orderDocument,
  ordersAnswer,
  ScriptedExchange,
} from '../../../support/conformance/scripted-exchange.ts';

const START = Date.UTC(2026, 2, 24, 14);
const TIMEOUT_MS = 10_000;

/** A run that begins at the moment when the app's heartbeat was last refreshed; the heartbeat lapses after its timeout. */
function begin(before: BeginningRun['before']) {
  const clock = new SimulatedClock(START);
  const exchange = new ScriptedExchange(clock);
  const beat = { lastSeenAt: START };
  exchange.on('getHeartbeat', () => {
    const active = clock.now() < beat.lastSeenAt + TIMEOUT_MS;
    const lastSeenAt = new Date(beat.lastSeenAt).toISOString();
    return answered({
      _meta: { _primary_document: 'heartbeats', _count: 1 },
      heartbeats: [{ appId: 'app-1', active, timeoutMs: TIMEOUT_MS, lastSeenAt }],
    });
  });
  const verdicts: { readonly ms: number; readonly kind: string }[] = [];
  const run = { calls: exchange, clock, appId: 'app-1', wallets: ['w-1'], before };
  return {
    ...{ exchange, clock, beat, verdicts },
    begin: () => heartbeatFor(run).subscribe(({ kind }) => verdicts.push({ ms: clock.now() - START, kind })),
  };
}

describe('a heartbeat that an earlier process of the run left', () => {
  it('is its own where no orders of the app live but in its wallets', () => {
    const stage = begin('active');
    stage.exchange.on('listOrders', () => ordersAnswer([orderDocument({})]));
    stage.begin();
    stage.clock.runUntil(START + 60_000);
    expect(stage.verdicts).toEqual([{ ms: 20, kind: 'free' }]);
    expect(stage.exchange.asked[0]?.input.query).toMatchObject({ appIds: ['app-1'], statuses: LIVE });
    expect(stage.exchange.times('getHeartbeat', START)).toEqual([]);
  });

  it.each(['active', 'late'] as const)(
    'is watched until it lapses where others live: a dead run may have had it since (%s)',
    (before) => {
      const stage = begin(before);
      stage.exchange.on('listOrders', () => ordersAnswer([orderDocument({ walletId: 'w-2' })]));
      stage.begin();
      stage.clock.runUntil(START + 60_000);
      expect(stage.verdicts.map(({ kind }) => kind)).toEqual(['free']);
      expect(stage.verdicts[0]?.ms).toBeGreaterThanOrEqual(TIMEOUT_MS);
    },
  );

  it('belongs to another run if other orders live and it is refreshed', () => {
    const stage = begin('active');
    stage.exchange.on('listOrders', () => ordersAnswer([orderDocument({ walletId: 'w-2' })]));
    stage.begin();
    stage.clock.runUntil(START + 3_500);
    stage.beat.lastSeenAt = stage.clock.now();
    stage.clock.runUntil(START + 60_000);
    expect(stage.verdicts.map(({ kind }) => kind)).toEqual(['owned']);
  });

  it('is watched if the live orders cannot be read', () => {
    const stage = begin('active');
    stage.exchange.on('listOrders', () => DOWN);
    stage.begin();
    stage.clock.runUntil(START + 60_000);
    expect(stage.verdicts[0]?.ms).toBeGreaterThanOrEqual(TIMEOUT_MS);
  });
});

it('one that no process of the run left active is watched in any case', () => {
  const stage = begin('lapsed');
  stage.begin();
  stage.clock.runUntil(START + 60_000);
  expect(stage.verdicts[0]?.ms).toBeGreaterThanOrEqual(TIMEOUT_MS);
  expect(stage.exchange.times('listOrders', START)).toEqual([]);
});

const LIVE = ['Pending', 'Unmatched', 'PartiallyMatched'];
