/** The outcome of a call for each kind of reply: which replies are tried again, and after which the call may have acted. */

import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../../src/betdex/client/call.ts';
import { effectOf, priorityOf } from '../../../src/betdex/client/operation-facts.ts';
import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import { retryAfterMs } from '../../../src/exchange-live/connection/retry.ts';
import { START, stage } from '../../support/betdex/client-stage.ts';
import { problem, replied, type Scripted } from '../../support/betdex/scripted-transport.ts';

const READ: Operation = 'listCategories';
const CANCEL: Operation = 'cancelOrders';
const ORDER: Operation = 'createOrders';

const META = { _primary_document: 'orders', _count: 0 };
const html = (status: number) => replied(status, '<html>bad gateway</html>');

/** `ends`: code or status of the last outcome. `attempts`: of a read, a cancel and an order. `acted`: whether a cancel and an order may have. */
type Case = readonly [
  name: string,
  reply: Scripted['reply'],
  ends: string | number,
  attempts: readonly [number, number, number],
  acted: readonly [boolean, boolean],
];

/** Tried again as often as may be; never; until the call's time is up. */
const RETRIED = [4, 4, 1] as const;
const ONCE = [1, 1, 1] as const;
const IN_TIME = [2, 3, 1] as const;
const BOTH = [true, true] as const;
const NEITHER = [false, false] as const;

const CASES: readonly Case[] = [
  ['connection refused', { kind: 'unsent', details: 'ECONNREFUSED' }, 'NOT_SENT', RETRIED, NEITHER],
  ['connection lost', { kind: 'lost', details: 'ECONNRESET' }, 'CONNECTION_LOST', RETRIED, BOTH],
  ['no HTTP', { kind: 'garbled', details: 'HPE_INVALID' }, 'BAD_ANSWER', ONCE, BOTH],
  ['silence', 'silence', 'TIMEOUT', IN_TIME, BOTH],
  ['no connection in time', 'stuck', 'TIMEOUT', IN_TIME, NEITHER],
  ['no JSON', replied(200, '{"_meta":'), 'BAD_ANSWER', ONCE, BOTH],
  ['an empty body', replied(204, ''), 'BAD_ANSWER', ONCE, BOTH],
  ['another shape', replied(200, { _meta: 3 }), 'BAD_ANSWER', ONCE, BOTH],
  ['a redirect', replied(302, ''), 'BAD_ANSWER', ONCE, BOTH],
  ['400', problem(400), 400, ONCE, NEITHER],
  ['a 400 that names orders', replied(400, { title: 'x', orders: [{ id: '1' }] }), 400, ONCE, BOTH],
  ['403', problem(403), 403, ONCE, NEITHER],
  ['a status never given here', problem(404), 404, ONCE, BOTH],
  ...[400, 403, 404, 413, 418].map((status): Case => [`a gateway's ${status}`, html(status), status, ONCE, BOTH]),
  ['408', html(408), 408, RETRIED, BOTH],
  ['429', problem(429), 429, RETRIED, NEITHER],
  ["a gateway's 429", html(429), 429, RETRIED, BOTH],
  ['500', problem(500), 500, ONCE, BOTH],
  ['501', problem(501), 501, ONCE, BOTH],
  ['502', html(502), 502, RETRIED, BOTH],
  ["the exchange's 503", problem(503), 503, RETRIED, NEITHER],
  [
    "the exchange's 503 in the shape of a batch",
    replied(503, { _meta: META, orders: [] }),
    503,
    RETRIED,
    // This is a batch's own shape, but not a cancellation's.
    [true, false],
  ],
  ['a 503 that names orders', replied(503, { _meta: META, title: 'x', orders: [{ id: '1' }] }), 503, RETRIED, BOTH],
  ["a gateway's 503", html(503), 503, RETRIED, BOTH],
  ['504', html(504), 504, RETRIED, BOTH],
];

test.each(CASES)('%s', (_name, reply, ends, attempts, acted) => {
  [READ, CANCEL, ORDER].forEach((operation, index) => {
    const context = stage({ script: () => ({ reply }), options: { budget: { perSecond: 1_000 } } });
    const outcomes = context.call(operation, inputOf(operation));
    context.run(60_000);
    expect(outcomes.length, operation).toBe(1);
    const [outcome] = outcomes;
    expect(outcome, operation).toMatchObject({
      ...(typeof ends === 'string' ? { kind: 'failed', code: ends } : { kind: 'refused', status: ends }),
      mayHaveActed: [false, ...acted][index],
    });
    expect(context.sent().length, operation).toBe(attempts[index]);
  });
});

function inputOf(operation: Operation): CallInput<'listCategories'> {
  const { method } = ENDPOINTS[operation];
  const body = { body: method === 'POST' ? {} : undefined };
  return body.body === undefined ? {} : (body as CallInput<'listCategories'>);
}

describe('another attempt', () => {
  test('mends a passing fault, and the answer counts', () => {
    const context = stage({
      script: (_, count) => ({
        reply: count < 3 ? { kind: 'lost', details: 'reset' } : replied(200, { ids: ['7'], _meta: META }),
      }),
    });
    const outcomes = context.call('cancelOrders', { body: { orderIds: ['7'] } });
    context.run(10_000);
    expect(outcomes).toMatchObject([{ kind: 'answered', answer: { ids: ['7'] } }]);
    expect(new Set(context.sent().map(({ body }) => body))).toEqual(new Set(['{"orderIds":["7"]}']));
    expect(context.events.map(({ kind }) => kind)).toEqual(['sessionOpened', 'retried', 'retried']);
  });

  test('waits longer each time, never twice the same', () => {
    const context = stage({ script: () => ({ reply: { kind: 'lost', details: 'reset' }, afterMs: 0 }) });
    context.call('listCategories', {});
    context.run(60_000);
    const delays = context.events.flatMap((event) => (event.kind === 'retried' ? [event.delayMs] : []));
    expect(delays.length).toBe(3);
    delays.forEach((delay, index) => {
      expect(delay).toBeGreaterThanOrEqual(100 * 2 ** index);
      expect(delay).toBeLessThanOrEqual(200 * 2 ** index);
    });
    const times = context.sent().map(({ at }) => at);
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual(delays);
  });

  test('that would begin after the deadline is not made', () => {
    const context = stage({ script: () => ({ reply: problem(503, { retryAfter: '4' }) }) });
    const outcomes = context.call('listCategories', { timeoutMs: 9_000 });
    context.run(60_000);
    expect(context.sent().length).toBe(3);
    expect(outcomes).toMatchObject([{ kind: 'refused', status: 503 }]);
  });

  test('has what is left of the deadline and no more', () => {
    const context = stage({ script: () => ({ reply: 'silence' }) });
    const outcomes = context.call('listCategories', { timeoutMs: 7_000 });
    context.run(7_009);
    expect(outcomes).toEqual([]);
    context.run(1);
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'TIMEOUT' }]);
    expect(context.sent().every(({ isCancelled }) => isCancelled)).toBe(true);
  });

  test('of a read may take as long as half of the time that its caller gives', () => {
    const context = stage({ script: () => ({ reply: replied(200, EMPTY), afterMs: 25_000 }) });
    const outcomes = context.call('listCategories', { timeoutMs: 60_000 });
    context.run(26_000);
    expect(outcomes).toMatchObject([{ kind: 'answered' }]);
    expect(context.sent().length).toBe(1);
  });

  test('does not make unsaid what an earlier one may have done', () => {
    const context = stage({
      script: (_, count) => ({ reply: count === 1 ? { kind: 'lost', details: 'reset' } : problem(404) }),
    });
    const outcomes = context.call('deleteHeartbeat', {});
    context.run(10_000);
    expect(outcomes).toMatchObject([{ kind: 'refused', status: 404, mayHaveActed: true }]);
  });

  test('an order has its whole time for one attempt', () => {
    const context = stage({ script: () => ({ reply: 'silence' }) });
    const outcomes = context.call('createOrder', { body: {}, timeoutMs: 12_000 });
    context.run(12_000 + 9);
    expect(outcomes).toEqual([]);
    context.run(1);
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'TIMEOUT', mayHaveActed: true }]);
  });
});

describe('429', () => {
  const once429 = (retryAfter?: string) => (_: unknown, count: number) => ({
    reply: count === 1 ? problem(429, retryAfter === undefined ? {} : { retryAfter }) : replied(200, { ...EMPTY }),
  });

  test.each([
    ['seconds', '3', 3_000],
    ['a date', new Date(START + 5_000).toUTCString(), 5_000],
  ])('Retry-After in %s is obeyed, by every call', (_, retryAfter, waitMs) => {
    const context = stage({ script: once429(retryAfter) });
    const outcomes = [context.call('listCategories', {})];
    context.run(100);
    outcomes.push(context.call('listCategories', {}), context.call('cancelOrders', { body: { orderIds: ['1'] } }));
    context.run(waitMs - 200);
    expect(context.sent().length).toBe(1);
    context.run(2_000);
    expect(context.sent().length).toBe(4);
    expect(context.sent()[1]?.path).toBe('/orders/cancel-v2');
    expect(
      Math.min(
        ...context
          .sent()
          .slice(1)
          .map(({ at }) => at),
      ),
    ).toBeGreaterThanOrEqual(START + waitMs);
    expect(outcomes[0]).toMatchObject([{ kind: 'answered' }]);
  });

  test('without Retry-After there is a pause all the same', () => {
    const context = stage({ script: once429() });
    context.call('listCategories', {});
    context.run(30);
    context.call('listCategories', {});
    expect(context.sent().length).toBe(1);
    context.run(1_000);
    expect(context.sent().length).toBe(3);
  });

  test('an absurd Retry-After does not stop the client for ever', () => {
    const context = stage({ script: once429('99999999') });
    const outcomes = context.call('listCategories', {});
    context.run(70_000);
    expect(outcomes).toMatchObject([{ kind: 'refused', status: 429 }]);
    const later = context.call('listCategories', {});
    context.run(100);
    expect(later).toMatchObject([{ kind: 'answered' }]);
  });

  test.each([
    ['5', 5_000],
    ['0', 0],
    ['1.5', 1_500],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
    [new Date(START - 60_000).toUTCString(), 0],
    [undefined, undefined],
  ])('Retry-After %j means %s ms', (header, expected) => {
    expect(retryAfterMs(header, START)).toBe(expected);
  });
});

const EMPTY = { _meta: { _primary_document: 'categories', _count: 0 }, categories: [], ids: [] };

describe('waiting', () => {
  test('in the budget, a call takes the token that came meanwhile', () => {
    const context = stage({ accessMs: 2_000, refreshMs: 10_000, options: { budget: { perSecond: 0.5, burst: 2 } } });
    context.call('listCategories', {});
    context.run(500);
    const outcomes = [context.call('listCategories', {}), context.call('listCategories', {})];
    context.run(5_600);
    // The refresh takes the first token of the bucket, because it has the priority of a cancel.
    expect(context.transport.lines.slice(0, 4)).toEqual([
      'POST /sessions',
      'GET /categories',
      'POST /sessions/refresh',
      'GET /categories',
    ]);
    expect(context.sent()[1]?.token).toBe('access-2');
    expect(outcomes[0]).toMatchObject([{ kind: 'answered' }]);
  });

  test('too long for a place in the budget ends the call unsent', () => {
    const context = stage({
      script: () => ({ reply: replied(200, EMPTY) }),
      options: { budget: { perSecond: 0.1, burst: 2 } },
    });
    context.call('listCategories', {});
    context.run(100);
    const outcomes = context.call('createOrder', { body: {} });
    context.run(5_000);
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'TIMEOUT', mayHaveActed: false }]);
    expect(context.sent().length).toBe(1);
  });

  test('of too many ends in OVERLOADED, later than the subscription', () => {
    const context = stage({ options: { budget: { perSecond: 0.1, burst: 2, waitingMax: 1 } } });
    context.call('listCategories', {});
    context.run(100);
    context.call('listCategories', {});
    const outcomes = context.call('listCategories', {});
    expect(outcomes).toEqual([]);
    context.run(0);
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'OVERLOADED', mayHaveActed: false }]);
    expect(context.events.at(-1)).toEqual({ kind: 'overloaded', priority: 'poll' });
  });
});

describe('closing', () => {
  test('ends what waits and what is under way, and says which may have acted', async () => {
    const context = stage({ script: () => ({ reply: 'silence' }), options: { budget: { perSecond: 0.1, burst: 4 } } });
    const order = context.call('createOrder', { body: {} });
    const read = context.call('listCategories', {});
    context.run(100);
    context.call('listCategories', {});
    const waiting = context.call('createOrder', { body: {} });
    const before = context.sent().length;
    await context.client.close();
    expect(order).toMatchObject([{ kind: 'failed', code: 'CLOSED', mayHaveActed: true }]);
    expect(read).toMatchObject([{ kind: 'failed', code: 'CLOSED', mayHaveActed: false }]);
    expect(waiting).toMatchObject([{ kind: 'failed', code: 'CLOSED', mayHaveActed: false }]);
    const after = context.call('listCategories', {});
    expect(after).toEqual([]);
    context.run(86_400_000);
    expect(after).toMatchObject([{ kind: 'failed', code: 'CLOSED' }]);
    expect(context.sent().length).toBe(before);
    expect(context.transport.isClosed).toBe(true);
  });
});

describe('subscribing', () => {
  test('is the call: none before, one for each, none after unsubscribing', () => {
    const context = stage();
    const call$ = context.client.call('listCategories', {});
    const received: string[] = [];
    const first = call$.subscribe(() => received.push('first'));
    call$.subscribe({ next: () => received.push('second'), complete: () => received.push('end') });
    first.unsubscribe();
    context.run(1_000);
    expect(received).toEqual(['second', 'end']);
    expect(context.sent().length).toBe(1);
  });

  test('and unsubscribing under way gives the request up and its place back', () => {
    const context = stage({
      script: (_, count) => ({ reply: count === 1 ? 'silence' : replied(200, EMPTY) }),
      options: { connections: 1 },
    });
    const under = context.client.call('listCategories', {}).subscribe();
    context.run(100);
    under.unsubscribe();
    expect(context.sent()[0]?.isCancelled).toBe(true);
    const outcomes = context.call('listCategories', {});
    context.run(100);
    expect(outcomes).toMatchObject([{ kind: 'answered' }]);
  });
});

describe('facts of operations', () => {
  test('what makes something is sent once, what reads may be read again', () => {
    const once = (Object.keys(ENDPOINTS) as Operation[]).filter((operation) => effectOf(operation) === 'once').sort();
    expect(once).toEqual([
      'askFaucet',
      'createAppApiKey',
      'createDeposit',
      'createOrder',
      'createOrders',
      'createWallet',
      'createWalletApiKey',
      'deactivateAppApiKey',
      'requestOrder',
      'requestOrders',
    ]);
    const repeatable = (Object.keys(ENDPOINTS) as Operation[]).filter(
      (operation) => effectOf(operation) === 'repeatable',
    );
    expect(repeatable.sort()).toEqual([
      'armHeartbeat',
      'cancelOrder',
      'cancelOrders',
      'cancelOrdersInFull',
      'createSession',
      'deleteHeartbeat',
      'getDepositAddress',
      'refreshSession',
    ]);
  });

  test('cancels and heartbeats have their own priorities', () => {
    expect(
      ['cancelOrder', 'cancelOrders', 'armHeartbeat', 'requestOrders', 'listPrices'].map((each) =>
        priorityOf(each as Operation),
      ),
    ).toEqual(['cancel', 'cancel', 'heartbeat', 'order', 'poll']);
  });
});
