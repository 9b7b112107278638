/** Requests of a connection and their statuses: each code, what closes and what does not, limits, and hostile lines. */

import { beforeEach, describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { budget } from '../../support/budget.ts';
import type { FaceClient } from '../../support/sandbox-betfair/face-stage.ts';
import { hostileLine } from '../../support/sandbox-betfair/hostile-lines.ts';
import { type StreamClient, StreamStage } from '../../support/sandbox-betfair/stream-stage.ts';

let stage: StreamStage;
let mary: FaceClient;
beforeEach(() => {
  stage = new StreamStage();
  mary = stage.login();
});

function closedWith(client: StreamClient, errorCode: string): void {
  expect(client.last).toMatchObject({
    ...{ op: 'status', statusCode: 'FAILURE', errorCode, connectionClosed: true },
    connectionId: expect.any(String),
  });
  expect(client.reader.faults).toEqual([]);
  expect(client.isOver).toBe(true);
}

const authentication = { op: 'authentication', id: 1, appKey: 'app' };
const everything = { op: 'marketSubscription', id: 2, marketFilter: {} };

describe('a connection', () => {
  test('is told its id first, and a heartbeat is answered', () => {
    const client = stage.open(mary);
    expect(client.reader.messages[0]).toMatchObject({ op: 'connection', connectionId: expect.any(String) });
    client.send({ op: 'heartbeat', id: 7 });
    expect(client.last).toEqual({ op: 'status', id: 7, statusCode: 'SUCCESS', connectionClosed: false });
  });

  test('may give no ids: then the answers have none', () => {
    const client = stage.connect();
    client.send({ op: 'authentication', appKey: 'app', session: mary.token });
    client.send({ op: 'orderSubscription', id: null });
    client.send({ op: 'heartbeat' });
    expect(client.reader.messages).toHaveLength(5);
    for (const message of client.reader.messages) expect(message).not.toHaveProperty('id');
    expect(client.isOver).toBe(false);
  });

  test('may give null for what it leaves out', () => {
    const client = stage.open(mary);
    const absent = { initialClk: null, clk: null, conflateMs: null, heartbeatMs: null, segmentationEnabled: null };
    client.send({ op: 'marketSubscription', id: 2, marketFilter: null, marketDataFilter: null, ...absent });
    expect(client.last).toMatchObject({ ct: 'SUB_IMAGE', id: 2, heartbeatMs: 5_000 });
  });

  test('has one subscription of each kind: a new one replaces the old, with its own id', () => {
    const client = stage.open(mary);
    client.send({ ...everything, id: 2 });
    client.send({ op: 'orderSubscription', id: 3 });
    client.send({ ...everything, id: 4 });
    client.reader.messages.splice(0);
    stage.builder.pass(5_000);
    expect(client.reader.messages).toMatchObject([
      { op: 'ocm', id: 3, ct: 'HEARTBEAT' },
      { op: 'mcm', id: 4, ct: 'HEARTBEAT' },
    ]);
  });

  test('that subscribed to too many markets stays, and so does its subscription', () => {
    stage = new StreamStage({ marketsMax: 3 });
    mary = stage.login();
    const client = stage.open(mary);
    client.send({ op: 'marketSubscription', id: 2, marketFilter: { marketIds: ['1.1'] } });
    client.send({ ...everything, id: 3 });
    expect(client.last).toMatchObject({ id: 3, errorCode: 'SUBSCRIPTION_LIMIT_EXCEEDED', connectionClosed: false });
    expect(client.isOver).toBe(false);
    stage.builder.pass(5_000);
    expect(client.last).toMatchObject({ op: 'mcm', id: 2, ct: 'HEARTBEAT' });
  });

  test('sends nothing more when it is over', () => {
    const client = stage.open(mary);
    client.send(everything);
    client.raw('{');
    closedWith(client, 'INVALID_INPUT');
    client.send({ op: 'heartbeat', id: 9 });
    stage.builder.pass(60_000);
    closedWith(client, 'INVALID_INPUT');
    expect(stage.stream.connections.size).toBe(0);
  });
});

describe('a failure that closes', () => {
  test.each([
    ['NO_APP_KEY', { ...authentication, appKey: null, session: 'x' }],
    ['NO_SESSION', authentication],
    ['INVALID_SESSION_INFORMATION', { ...authentication, session: 'x' }],
    ['NOT_AUTHORIZED', everything],
    ['NOT_AUTHORIZED', { op: 'heartbeat', id: 1 }],
    ['INVALID_REQUEST', { op: 'unsubscribe', id: 1 }],
    ['INVALID_REQUEST', { id: 1 }],
    ['INVALID_INPUT', { op: 'authentication', id: 1, appKey: [] }],
    ['INVALID_INPUT', [1]],
  ])('%s', (code, request) => {
    const client = stage.connect();
    client.send(request);
    closedWith(client, code);
    if ('id' in request) expect(client.last.id).toBe(request.id);
  });

  test('INVALID_SESSION_INFORMATION after a logout', () => {
    stage.ask({ path: '/api/logout', authentication: mary.token });
    const client = stage.connect();
    client.send({ ...authentication, session: mary.token });
    closedWith(client, 'INVALID_SESSION_INFORMATION');
  });

  test('INVALID_REQUEST for a second authentication', () => {
    const client = stage.open(mary);
    client.send({ ...authentication, session: mary.token });
    closedWith(client, 'INVALID_REQUEST');
  });

  test('TIMEOUT where nothing was sent for fifteen seconds, and no more once it subscribed', () => {
    const [silent, authenticated, subscribed] = [stage.connect(), stage.open(mary), stage.open(mary)];
    subscribed.send(everything);
    stage.builder.pass(14_999);
    authenticated.send({ op: 'heartbeat', id: 2 });
    expect(silent.isOver).toBe(false);
    stage.builder.pass(1);
    closedWith(silent, 'TIMEOUT');
    stage.builder.pass(14_999);
    closedWith(authenticated, 'TIMEOUT');
    stage.builder.pass(600_000);
    expect(subscribed.isOver).toBe(false);
  });

  test('TOO_MANY_REQUESTS within a second', () => {
    const client = stage.open(mary);
    for (let id = 2; id <= 20; id += 1) client.send({ op: 'heartbeat', id });
    expect(client.isOver).toBe(false);
    client.send({ op: 'heartbeat', id: 21 });
    closedWith(client, 'TOO_MANY_REQUESTS');
  });

  test('TOO_MANY_REQUESTS where connections are opened too fast', () => {
    for (let made = 0; made < 10; made += 1) stage.open(mary).leave();
    const client = stage.connect();
    client.send({ ...authentication, session: mary.token });
    closedWith(client, 'TOO_MANY_REQUESTS');
    stage.builder.pass(1_000);
    stage.open(mary);
  });

  test('MAX_CONNECTION_LIMIT_EXCEEDED beyond what the answers said is left, for each account apart', () => {
    const left = Array.from({ length: 10 }, () => stage.open(mary).last.connectionsAvailable);
    expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    stage.builder.pass(1_000);
    const client = stage.connect();
    client.send({ ...authentication, session: mary.token });
    closedWith(client, 'MAX_CONNECTION_LIMIT_EXCEEDED');
    stage.open(stage.login('bob'));
  });
});

test('hostile lines crash nothing: each is answered or ends its connection with a status', () => {
  const random = Random.fromSeed(7);
  const seen = new Set<string>();
  for (let line = 0; line < budget({ brief: 500, each: 2_000, deep: 100_000 }); line += 1) {
    const client = random.below(4) === 0 ? stage.connect() : stage.open(mary);
    for (let more = random.below(4); more >= 0 && !client.isOver; more -= 1) {
      client.raw(hostileLine(random));
      const last = client.reader.messages.findLast(({ op }) => op !== 'mcm' && op !== 'ocm');
      expect(last.op).toBe('status');
      seen.add(last.errorCode ?? last.statusCode);
      expect(client.isOver).toBe(last.connectionClosed);
    }
    expect(client.reader.faults).toEqual([]);
    client.leave();
    stage.builder.pass(101);
  }
  expect(seen).toContain('INVALID_INPUT');
  expect(seen).toContain('INVALID_CLOCK');
  expect(seen).toContain('SUCCESS');
});
