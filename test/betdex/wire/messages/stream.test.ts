/** Frames of the stream, in both directions. */

import { describe, expect, test } from 'vitest';
import {
  type ClientMessage,
  clientFrameFromWire,
  clientMessageToWire,
  serverFrameFromWire,
  serverMessageToWire,
} from '../../../../src/betdex/wire/messages/stream-codec.ts';
import { namedShape, STREAM_SHAPES, strictFaults, strictSample } from '../../../support/wire-strict.ts';

const messageOf = (type: string): Record<string, unknown> => ({ ...strictSample(namedShape(type), true), type });

describe('frames from the server', () => {
  test.each(STREAM_SHAPES)('%s comes back as it went and passes the strict check', (type) => {
    const written = serverMessageToWire(messageOf(type) as never);
    expect(strictFaults(namedShape(type), written)).toEqual([]);
    expect(serverFrameFromWire(JSON.stringify(written))).toEqual({
      kind: 'read',
      value: [{ kind: 'message', message: messageOf(type) }],
    });
  });

  test('a frame may hold several messages; types that are new and problems do not stop the others', () => {
    const problem = { message: 'Forbidden', connectionId: 'c', requestId: 'r' };
    const price = messageOf('MarketPriceUpdate');
    const frame = [{ type: 'OddsUpdate', x: 1 }, problem, { ...price, more: true, updateType: 'Delta' }];
    expect(serverFrameFromWire(JSON.stringify(frame))).toEqual({
      kind: 'read',
      value: [
        { kind: 'unknown', type: 'OddsUpdate' },
        { kind: 'problem', problem },
        { kind: 'message', message: { ...price, updateType: 'Delta' } },
      ],
    });
    expect(serverMessageToWire(problem)).toEqual(problem);
  });

  test('a faulty message is named with its place, and the others are read', () => {
    const { ['walletId']: _, ...less } = messageOf('WalletUpdate');
    const message = messageOf('WalletUpdate');
    expect(serverFrameFromWire(JSON.stringify([less, message, 7]))).toEqual({
      kind: 'read',
      value: [
        { kind: 'faulty', faults: [{ code: 'MISSING', path: '[0].walletId' }] },
        { kind: 'message', message },
        { kind: 'faulty', faults: [{ code: 'WRONG_TYPE', path: '[2]' }] },
      ],
    });
  });

  test.each(['', 'hello', '{'])('%j is a fault and does not throw', (frame) => {
    expect(serverFrameFromWire(frame).kind).toBe('faults');
  });

  test.each(['7', 'null', '["x"]', '[null]'])('%j holds a faulty message', (frame) => {
    expect(serverFrameFromWire(frame)).toMatchObject({ kind: 'read', value: [{ kind: 'faulty' }] });
  });

  test('a message that does not exist is our own bug', () => {
    expect(() => serverMessageToWire({ type: 'OddsUpdate' } as never)).toThrow('OddsUpdate');
  });

  test('empty snapshots occur, and a message without prices is none', () => {
    const { ['prices']: _, ...none } = messageOf('MarketPriceUpdate');
    expect(serverFrameFromWire(JSON.stringify(none))).toMatchObject({
      value: [{ kind: 'faulty', faults: [{ code: 'MISSING', path: 'prices' }] }],
    });
    expect(serverFrameFromWire(JSON.stringify({ ...none, prices: [] }))).toMatchObject({
      value: [{ message: { prices: [] } }],
    });
  });
});

describe('frames from a client', () => {
  const messages: readonly ClientMessage[] = [
    { action: 'authenticate', accessToken: 'token' },
    { action: 'subscribe', subscriptionType: 'OrderUpdate', subscriptionIds: ['01abcde12345:01abcde12345-User-1'] },
    { action: 'unsubscribe', subscriptionType: 'EventUpdate', subscriptionIds: ['*'] },
  ];

  test.each(messages)('$action comes back as it went', (message) => {
    const written = clientMessageToWire(message);
    expect(written).toEqual(message);
    expect(clientFrameFromWire(JSON.stringify(written))).toEqual([{ kind: 'read', value: message }]);
  });

  test('an array holds messages, each read or faulty by itself', () => {
    const [first, second] = messages;
    expect(clientFrameFromWire(JSON.stringify([first, { action: 'shout' }, second]))).toEqual([
      { kind: 'read', value: first },
      { kind: 'faults', faults: [{ code: 'UNKNOWN_WORD', path: '[1].action' }] },
      { kind: 'read', value: second },
    ]);
    expect(clientFrameFromWire(JSON.stringify(Array.from({ length: 500 }, () => first)))).toHaveLength(500);
    const tooMany = JSON.stringify(Array.from({ length: 501 }, () => first));
    expect(clientFrameFromWire(tooMany)).toEqual([{ kind: 'faults', faults: [{ code: 'OUT_OF_RANGE', path: '' }] }]);
  });

  test.each([
    ['{"action":"shout"}', 'UNKNOWN_WORD', 'action'],
    ['{}', 'UNKNOWN_WORD', 'action'],
    ['nonsense', 'NOT_JSON', ''],
    ['[]', 'OUT_OF_RANGE', ''],
    ['[[]]', 'WRONG_TYPE', '[0]'],
    ['[{"action":"authenticate"}]', 'MISSING', '[0].accessToken'],
    ['5', 'WRONG_TYPE', ''],
    ['null', 'WRONG_TYPE', ''],
    ['{"action":"authenticate"}', 'MISSING', 'accessToken'],
    [
      '{"action":"subscribe","subscriptionType":"TradeUpdate","subscriptionIds":[]}',
      'UNKNOWN_WORD',
      'subscriptionType',
    ],
    ['{"action":"subscribe","subscriptionType":"OrderUpdate"}', 'MISSING', 'subscriptionIds'],
  ])('%s is refused', (frame, code, path) => {
    expect(clientFrameFromWire(frame)).toEqual([{ kind: 'faults', faults: [{ code, path }] }]);
  });
});
