/** Heartbeats and commission rates of an app. */

import { describe, expect, test } from 'vitest';
import { TradingFloor } from '../../support/sandbox/trading-floor.ts';

describe('a heartbeat', () => {
  test('is shown, refreshed and deleted as it was', () => {
    const floor = new TradingFloor();
    const { caller } = floor.a;
    const at = '2026-03-24T12:00:00.000Z';
    expect(floor.askInVain(caller, 'getHeartbeat').status).toBe(404);
    expect(floor.askInVain(caller, 'deleteHeartbeat').status).toBe(404);
    const first = { appId: 'appA', active: true, timeoutMs: 60_000, lastSeenAt: at };
    expect(floor.ask(caller, 'armHeartbeat', { body: { timeoutMs: 60_000 } }).heartbeats).toEqual([first]);
    floor.builder.pass(1_000);
    expect(floor.ask(caller, 'getHeartbeat').heartbeats).toEqual([first]);
    const second = { ...first, timeoutMs: 30_000, lastSeenAt: '2026-03-24T12:00:01.000Z' };
    expect(floor.ask(caller, 'armHeartbeat', { body: { timeoutMs: 30_000 } }).heartbeats).toEqual([second]);
    expect(floor.ask(caller, 'deleteHeartbeat').heartbeats).toEqual([second]);
    expect(floor.askInVain(caller, 'getHeartbeat').status).toBe(404);
  });

  test('that lapses cancels the app’s unmatched orders, and stays lapsed until it is deleted', () => {
    const floor = new TradingFloor();
    const { caller } = floor.a;
    const [mine, theirs] = [floor.place(floor.a), floor.place(floor.b)];
    floor.ask(caller, 'armHeartbeat', { body: { timeoutMs: 10_000 } });
    floor.builder.pass(9_999);
    expect(floor.ask(caller, 'getHeartbeat').heartbeats[0]?.active).toBe(true);
    floor.builder.pass(1);
    const order = floor.ask(caller, 'getOrder', { path: { id: mine } }).orders[0];
    expect(order).toMatchObject({ status: 'Cancelled', cancellationReason: 'HeartbeatLapsed' });
    expect(floor.ask(floor.b.caller, 'getOrder', { path: { id: theirs } }).orders[0]?.status).toBe('Unmatched');
    const lapsed = { appId: 'appA', active: false, timeoutMs: 10_000, lastSeenAt: '2026-03-24T12:00:00.000Z' };
    expect(floor.ask(caller, 'armHeartbeat', { body: { timeoutMs: 60_000 } }).heartbeats).toEqual([lapsed]);
    expect(floor.askInVain(caller, 'createOrder', { body: floor.body() }).status).toBe(403);
    expect(floor.ask(caller, 'deleteHeartbeat').heartbeats).toEqual([lapsed]);
    floor.place(floor.a);
  });

  test('is its app’s alone', () => {
    const floor = new TradingFloor();
    floor.ask(floor.a.caller, 'armHeartbeat', { body: { timeoutMs: 10_000 } });
    expect(floor.askInVain(floor.b.caller, 'getHeartbeat').status).toBe(404);
    expect(floor.askInVain(floor.b.caller, 'deleteHeartbeat').status).toBe(404);
    floor.builder.pass(20_000);
    floor.place(floor.b);
  });
});

test('commission rates are percentages of the app’s own', () => {
  const floor = new TradingFloor();
  floor.builder.make({ kind: 'createCommissionRate', app: floor.a.app, ratePpm: 10_000, isDefault: true });
  floor.builder.make({ kind: 'createCommissionRate', app: floor.b.app, ratePpm: 20_000, isDefault: true });
  floor.builder.make({ kind: 'createCommissionRate', app: floor.a.app, ratePpm: 12_500, isDefault: false });
  const { commissionRates } = floor.ask(floor.a.caller, 'getCommissionRates', { path: { id: 'appA' } });
  const createdAt = '2026-03-24T12:00:00.000Z';
  expect(commissionRates).toEqual([
    { id: '1', rate: 1, createdAt },
    { id: '3', rate: 1.25, createdAt },
  ]);
  for (const id of ['appB', 'nobody'])
    expect(floor.askInVain(floor.a.caller, 'getCommissionRates', { path: { id } }).status).toBe(404);
});
