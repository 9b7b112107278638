/** The state rebuilt from a journal: each rule, and laws over seeded runs. */

import { describe, expect, test } from 'vitest';
import { money } from '../../src/core/number/units.ts';
import type { JournalRecord, TimedRecord } from '../../src/core/run/journal.ts';
import type { RunState } from '../../src/core/run/run-state.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import { MadeRecords, reportedOrder, sentOrder } from '../support/journal/made-records.ts';
import { slowRebuild } from '../support/journal/slow-rebuild.ts';
import { Random } from '../support/random.ts';

const sent = (client: number): JournalRecord => ({ kind: 'sent', ...sentOrder(client) });
const adopted = (client: number): JournalRecord => ({ kind: 'adopted', order: 77, ...sentOrder(client) });
const reported = (client: number, over: Parameters<typeof reportedOrder>[1]): JournalRecord => ({
  kind: 'reported',
  ...reportedOrder(client, over),
});
const HALF = { status: 'PartiallyMatched', stakeMatched: money(2_000_000), stakeUnmatched: money(3_000_000) } as const;

function stateOf(...records: readonly JournalRecord[]): RunState {
  return rebuild(
    'r1',
    records.map((record, index) => ({ at: 1_000 + index, record })),
  );
}

function orderOf(...records: readonly JournalRecord[]) {
  return stateOf(...records).orders.find(({ terms }) => terms.client === 1);
}

describe('an order', () => {
  test('that was sent has an open fate until something is said of it', () => {
    expect(orderOf(sent(1))).toEqual({ terms: sentOrder(1), sentAt: 1_000, fate: 'open' });
  });

  test('is known by its newest report, whatever comes later from before it', () => {
    const order = orderOf(sent(1), reported(1, HALF), reported(1, { status: 'Unmatched' }));
    expect(order).toMatchObject({ fate: 'known', report: HALF });
  });

  test('that is proven absent is kept and looked for, until it reappears or a report comes', () => {
    const absent = [sent(1), { kind: 'rejected', client: 1, code: 'PROVEN_ABSENT' }] as const;
    expect(orderOf(...absent)?.fate).toBe('absent');
    expect(orderOf(...absent, { kind: 'reappeared', client: 1, order: 9 })?.fate).toBe('known');
    expect(orderOf(...absent, reported(1, {}))?.fate).toBe('known');
    expect(orderOf(...absent, { kind: 'unknown', client: 1, code: 'TIMEOUT' })?.fate).toBe('open');
  });

  test('that was refused is gone, and its number is not', () => {
    const state = stateOf(sent(1), { kind: 'rejected', client: 1, code: 'MARKET_NOT_FOUND' });
    expect(state).toMatchObject({ orders: [], lastClient: 1 });
  });

  test.each(['MARKET_NOT_FOUND', 'PROVEN_ABSENT'])(
    'of which the exchange told cannot be refused any more: %s',
    (code) => {
      const order = orderOf(sent(1), reported(1, HALF), { kind: 'rejected', client: 1, code });
      expect(order).toMatchObject({ fate: 'known', report: HALF });
    },
  );

  test('stays known when a reply that was lost is told of afterwards', () => {
    expect(orderOf(sent(1), reported(1, {}), { kind: 'unknown', client: 1, code: 'TIMEOUT' })?.fate).toBe('known');
  });

  test('that ended with nothing matched is gone, and stays so when an older report comes', () => {
    const ended = reported(1, { status: 'Cancelled', stakeUnmatched: money(0), stakeVoided: money(5_000_000) });
    expect(orderOf(sent(1), ended, reported(1, {}))).toBeUndefined();
  });

  test('that matched stays until its market is done, however it ended', () => {
    const won = reported(1, { status: 'Won', stakeMatched: money(5_000_000), stakeUnmatched: money(0) });
    expect(orderOf(sent(1), won)?.report?.status).toBe('Won');
    expect(orderOf(sent(1), won, { kind: 'marketDone', market: 'other' })).toBeDefined();
    expect(orderOf(sent(1), won, { kind: 'marketDone', market: 'm1' })).toBeUndefined();
  });

  test('of others that was adopted is known by the id of the exchange, and takes a number', () => {
    const state = stateOf(adopted(1));
    expect(state.orders).toEqual([{ terms: sentOrder(1), sentAt: 1_000, fate: 'known', foreignOrder: 77 }]);
    expect(state.lastClient).toBe(1);
  });
});

describe('the highest number of an order', () => {
  test.each<readonly [string, JournalRecord]>([
    ['cancelSent', { kind: 'cancelSent', client: 41 }],
    ['requested', { kind: 'requested', request: 'place', clients: [3, 41, 7] }],
    ['replied', { kind: 'replied', request: 'place', clients: [41], outcome: 'placed' }],
    ['rejected', { kind: 'rejected', client: 41, code: 'X' }],
    ['unknown', { kind: 'unknown', client: 41, code: 'X' }],
    ['reported', reported(41, {})],
    ['reappeared', { kind: 'reappeared', client: 41, order: 1 }],
  ])('is learnt from any record that names one: %s', (_, record) => {
    expect(stateOf(sent(1), record).lastClient).toBe(41);
  });

  test('never falls, not even by a checkpoint', () => {
    const low = stateOf(sent(1));
    expect(stateOf(sent(8), { kind: 'checkpoint', state: low }).lastClient).toBe(8);
  });
});

describe('a result', () => {
  const settled = (profit: number, wallet = 'main'): JournalRecord => ({
    kind: 'settled',
    market: 'm1',
    wallet,
    profit: money(profit),
    commission: money(10),
  });

  test('is the sum of what was told for market and wallet, and goes when the market is done', () => {
    const told = [settled(500), settled(-900, 'other'), settled(-200)];
    expect(stateOf(...told).results).toEqual([
      { market: 'm1', wallet: 'main', net: 300, commission: 10 },
      { market: 'm1', wallet: 'other', net: -900, commission: 10 },
    ]);
    expect(stateOf(...told, { kind: 'marketDone', market: 'm1' }).results).toEqual([]);
  });

  test('counts for the loss limits once, and by its difference after that', () => {
    const { riskMemory } = stateOf(settled(500), settled(-900, 'other'), settled(-700));
    expect(riskMemory).toMatchObject({ total: -1_100, peak: 500, losingRun: 1, lastLossAt: 1_001 });
  });
});

describe('a strategy that was halted', () => {
  const halted: JournalRecord = { kind: 'strategyHalted', strategy: 'a', code: 'STRATEGY_THROW', details: 'x' };
  const loaded = (cause: string): JournalRecord => ({ kind: 'strategyLoaded', strategy: 'a', sha256: '', cause });
  const running = (cause: string): JournalRecord => ({
    kind: 'trading',
    from: 'halted',
    to: 'running',
    cause,
    by: 'command',
  });

  test('stays halted over a restart and a load that nobody asked for', () => {
    const state = stateOf(halted, { ...started, run: 'r1' }, loaded('start'), running('limits were raised'));
    expect(state.haltedStrategies).toEqual([{ strategy: 'a', code: 'STRATEGY_THROW' }]);
  });

  test('is not lifted by the cancellation of all orders, whatever its reason', () => {
    const cancelled: JournalRecord = {
      kind: 'trading',
      from: 'running',
      to: 'running',
      cause: 'resume',
      by: 'command',
    };
    expect(stateOf(halted, cancelled).haltedStrategies).toHaveLength(1);
    const stopped: JournalRecord = { kind: 'trading', from: 'running', to: 'halted', cause: 'noon', by: 'file' };
    const again: JournalRecord = { kind: 'trading', from: 'halted', to: 'halted', cause: 'uneasy', by: 'command' };
    expect(stateOf(stopped, again)).toMatchObject({ trading: 'halted', tradingCause: 'noon' });
  });

  test.each(['resume', 'reload'])('is lifted by a person: %s', (cause) => {
    expect(stateOf(halted, loaded(cause)).haltedStrategies).toEqual([]);
    expect(stateOf(halted, running(cause)).haltedStrategies).toEqual([]);
  });
});

const started = { kind: 'started', run: 'r0', version: '1', mode: 'live', config: '', strategies: [] } as const;

describe('laws, 300 seeds × 160 records', () => {
  const lives = Array.from({ length: 300 }, (_, index) => ({
    seed: index + 1,
    records: MadeRecords.of(index + 1, 160),
  }));

  test('the fold equals the slow, obvious way', () => {
    for (const { seed, records } of lives)
      expect(rebuild('r1', records), `seed ${seed}`).toEqual(slowRebuild('r1', records));
  });

  test('a checkpoint anywhere, and any number of them, changes nothing', () => {
    for (const { seed, records } of lives) {
      const random = new Random(seed);
      const withCheckpoints: TimedRecord[] = [];
      let from = 0;
      for (const [index, record] of records.entries()) {
        withCheckpoints.push(record);
        if (!random.chance(0.05)) continue;
        const state = throughJson(rebuild('r1', records.slice(0, index + 1)));
        from = withCheckpoints.push({ at: record.at, record: { kind: 'checkpoint', state } }) - 1;
      }
      const whole = rebuild('r1', records);
      expect(rebuild('r1', withCheckpoints), `seed ${seed}, all records`).toEqual(whole);
      expect(rebuild('r1', withCheckpoints.slice(from)), `seed ${seed}, from ${from}`).toEqual(whole);
    }
  });

  test('a state is the same after JSON', () => {
    for (const { seed, records } of lives) {
      const state = rebuild('r1', records);
      expect(throughJson(state), `seed ${seed}`).toStrictEqual(state);
    }
  });

  test('a report that is told again, at once or at the end, changes nothing', () => {
    for (const { seed, records } of lives) {
      const reports = records.filter(({ record }) => record.kind === 'reported');
      const whole = rebuild('r1', records);
      const doubled = records.flatMap((each) => (each.record.kind === 'reported' ? [each, each] : [each]));
      expect(rebuild('r1', doubled), `seed ${seed}, at once`).toEqual(whole);
      const newest = reports.slice(-1);
      expect(rebuild('r1', [...records, ...newest, ...newest]), `seed ${seed}, at the end`).toEqual(
        rebuild('r1', [...records, ...newest]),
      );
    }
  });

  test('are no empty claims: the lives leave orders of every fate, results, halts and losses', () => {
    const states = lives.map(({ records }) => rebuild('r1', records));
    const fates = new Set(states.flatMap(({ orders }) => orders.map(({ fate }) => fate)));
    expect([...fates].sort()).toEqual(['absent', 'known', 'open']);
    expect(states.some(({ orders }) => orders.some(({ foreignOrder }) => foreignOrder !== undefined))).toBe(true);
    expect(states.some(({ results }) => results.length > 2)).toBe(true);
    expect(states.some(({ haltedStrategies }) => haltedStrategies.length > 1)).toBe(true);
    expect(states.some(({ riskMemory }) => riskMemory.losingRun > 1 && riskMemory.isStopped)).toBe(true);
    expect(states.some(({ riskMemory }) => riskMemory.orders.some(({ matched }) => matched > 0))).toBe(true);
  });
});

function throughJson(state: RunState): RunState {
  return JSON.parse(JSON.stringify(state)) as RunState;
}
