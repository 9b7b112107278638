/** Orders whose fate is unknown, and orders that an earlier process of the run sent: what proofs and reports make of them. */

import { describe, expect, it } from 'vitest';
import { money } from '../../src/core/number/units.ts';
import { NO_RISK_MEMORY } from '../../src/core/run/risk-memory.ts';
import type { RunState } from '../../src/core/run/run-state.ts';
import { at, EngineStage, reportOf, START } from '../support/engine/engine-stage.ts';

describe('an order of unknown fate', () => {
  it('that is proven absent counts no more, and counts again if it is reported all the same', () => {
    const stage = EngineStage.listed();
    const order = stage.sent();
    stage.fold({ kind: 'placeReply', orders: [order], reply: { kind: 'unknown', code: 'TIMEOUT', details: '' } });
    expect(stage.fold({ kind: 'absent', client: order.id, at: at(9) })).toEqual(['first order']);
    expect([order.isAbsent, stage.required()]).toEqual([true, 0]);
    stage.fold({ kind: 'order', order: reportOf(order) });
    expect([order.isLive, stage.required()]).toEqual([true, 10]);
    expect(stage.eventsOf('reappeared')).toHaveLength(1);
  });

  it('that was reported meanwhile exists, whatever the proof says', () => {
    const stage = EngineStage.listed();
    const order = stage.resting();
    expect(stage.fold({ kind: 'absent', client: order.id, at: at(9) })).toEqual([]);
    expect([order.isLive, stage.eventsOf('rejected')]).toEqual([true, []]);
  });
});

describe('an order of an earlier process', () => {
  const restored = (): RunState => ({
    ...{ run: 'r', lastClient: 7, trading: 'running', tradingCause: '', haltedStrategies: [] },
    ...{ heartbeat: 'unarmed', results: [], riskMemory: NO_RISK_MEMORY },
    orders: [
      {
        terms: {
          ...{ client: 7, strategy: 'first', wallet: 'main', market: 'm', marketName: 'm', outcome: 'a' },
          ...{ outcomeTitle: 'a', side: 'For', tick: 110, stake: money(10e6) },
          ...{ keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
        },
        ...{ sentAt: START - 1_000, fate: 'open' },
      },
    ],
  });

  it('comes back with its market, and with what was reported of it while it waited', () => {
    const stage = new EngineStage({ restored: restored() });
    stage.fold({ kind: 'order', order: reportOf({ id: 7 }) });
    expect([stage.ledger.order(7), stage.ledger.restored.has(7)]).toEqual([undefined, true]);
    stage.foldMarket('listed');
    expect(stage.ledger.order(7)).toMatchObject({ exchangeId: 1_007, status: 'Unmatched', unknown: false });
    expect([stage.required(), stage.ledger.restored.has(7)]).toEqual([10, false]);
    expect(stage.ledger.nextClient).toBe(8);
  });

  it('that was proven absent while it waited comes back without exposure', () => {
    const stage = new EngineStage({ restored: restored() });
    stage.fold({ kind: 'absent', client: 7, at: at(1) });
    stage.foldMarket('listed');
    expect([stage.ledger.order(7)?.isAbsent, stage.required()]).toEqual([true, 0]);
  });
});
