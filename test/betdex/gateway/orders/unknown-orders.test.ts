/** Orders whose place call was lost: found by reference, or proven absent by the complete rule and not before. */

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../../../src/betdex/stream/stream-event.ts';
import { instant } from '../../../../src/core/number/units.ts';
import {
  type AskedInput,
  answered,
  CUT,
  DOWN,
  orderDocument,
  ordersAnswer,
  TIMED_OUT,
} from '../../../support/conformance/scripted-exchange.ts';
import { request, START, scriptedGateway } from '../../../support/conformance/scripted-gateway.ts';

const byReference = (input: AskedInput) => input.query?.['references'] !== undefined;

/** Places an order at 100 ms, whose reply is lost. Look-ups get the given answers in order, and then the last one for ever. */
function lost(options: { fault?: typeof CUT; inPlayDelay?: number; lookUps: readonly ReturnType<typeof answered>[] }) {
  const run = scriptedGateway({}, undefined, options.inPlayDelay ?? 0);
  let next = 0;
  run.exchange.on('listOrders', (input) => {
    if (!byReference(input)) return ordersAnswer([]);
    const answer = options.lookUps[Math.min(next, options.lookUps.length - 1)];
    next += 1;
    return answer ?? DOWN;
  });
  run.exchange.on('createOrders', () => options.fault ?? TIMED_OUT);
  run.place(request(1));
  return run;
}

const NOTHING = ordersAnswer([]);
const FOUND = ordersAnswer([orderDocument({})]);

describe('an order whose reply was lost', () => {
  it('is unknown, and reported as soon as a look-up finds it', () => {
    const run = lost({ lookUps: [FOUND] });
    run.until(60_000);
    expect(run.replies).toMatchObject([{ ms: 120, said: { kind: 'unknown', code: 'TIMEOUT' } }]);
    expect(run.received('order')).toMatchObject([
      { ms: 140, said: { order: { client: 1, order: 730_001, status: 'Unmatched' } } },
    ]);
    expect(run.received('absent')).toEqual([]);
    expect(run.exchange.times('listOrders', START, byReference)).toEqual([120]);
  });

  it('is not absent where a reading found it though no look-up did', () => {
    const events$ = new Subject<StreamEvent>();
    const slow = scriptedSettings({ kind: 'stream', rereadMs: 3_600_000 });
    const run = scriptedGateway(slow, { events$, subscribe: () => {}, unsubscribe: () => {} });
    run.exchange.on('createOrders', () => TIMED_OUT);
    run.place(request(1));
    run.exchange.on('listOrders', (input) => (byReference(input) ? NOTHING : FOUND));
    run.until(1_000);
    events$.next({ kind: 'resync', connection: 0, reason: 'lost' });
    run.until(60_000);
    expect(run.received('order')).toHaveLength(1);
    expect(run.received('absent')).toEqual([]);
  });

  it('asks for it by reference and app, once, and never sends it again', () => {
    const run = lost({ lookUps: [FOUND] });
    run.until(60_000);
    const looked = run.exchange.asked.find(({ input }) => byReference(input));
    expect(looked?.input.query).toMatchObject({ references: ['run7-scalp_it-1'], appIds: ['app-1'] });
    expect(run.exchange.times('createOrders', START)).toEqual([100]);
  });

  it('is found at the second look-up, 5 s after the first', () => {
    const run = lost({ lookUps: [NOTHING, FOUND] });
    run.until(60_000);
    expect(run.received('order').map(({ ms }) => ms)).toEqual([5_140]);
    expect(run.received('absent')).toEqual([]);
  });

  it('is absent only after deadline, in-play delay and margin, and two look-ups 5 s apart', () => {
    // The request timed out at 120 ms; with 8 s of in-play delay and 5 s of margin, look-ups count from 13,120 ms on.
    const run = lost({ lookUps: [NOTHING], inPlayDelay: 8 });
    run.until(60_000);
    expect(run.exchange.times('listOrders', START, byReference).slice(0, 5)).toEqual([
      120, 5_120, 10_120, 15_120, 20_120,
    ]);
    expect(run.received('absent')).toMatchObject([{ ms: 20_140, said: { client: 1 } }]);
  });

  it('waits the whole timeout after a cut connection, since the exchange may still be at work', () => {
    const run = lost({ lookUps: [NOTHING], fault: CUT });
    run.until(60_000);
    // The connection was cut at 120 ms; with a timeout of 10 s, no delay and a margin of 5 s, look-ups count from 15,120 ms on,
    // so those at 15,120 and 20,120 ms.
    expect(run.received('absent').map(({ ms }) => ms)).toEqual([20_140]);
  });

  it('allows as long for an answer as the in-play delay takes, on top of the usual time', () => {
    const run = lost({ lookUps: [FOUND], inPlayDelay: 8 });
    expect(run.exchange.asked.find(({ operation }) => operation === 'createOrders')?.input.timeoutMs).toBe(18_000);
  });

  it('counts no look-up that failed', () => {
    // Without the failures the look-ups at 5,120 and 10,120 ms would prove the absence.
    const run = lost({ lookUps: [NOTHING, DOWN, DOWN, NOTHING, DOWN, NOTHING] });
    run.until(60_000);
    expect(run.received('absent').map(({ ms }) => ms)).toEqual([25_140]);
    expect(run.notices.filter(({ kind }) => kind === 'readFailed')).toHaveLength(3);
  });

  it('is not absent where its document is there and cannot be read', () => {
    const run = lost({ lookUps: [ordersAnswer([orderDocument({ price: 2.005 })])] });
    run.until(60_000);
    expect(run.received('absent')).toEqual([]);
    expect(run.notices).toContainEqual(expect.objectContaining({ kind: 'unreadable', what: 'order 730001' }));
  });

  it('is reported all the same where it turns up after it was declared absent', () => {
    const run = lost({ lookUps: [NOTHING, NOTHING, NOTHING, FOUND] });
    run.until(10_200);
    expect(run.received('absent').map(({ ms }) => ms)).toEqual([10_140]);
    run.until(200_000);
    expect(run.received('order').map(({ ms }) => ms)).toEqual([70_140]);
  });

  it('is not looked for any more once found, and nothing wakes the clock', () => {
    const run = lost({ lookUps: [FOUND] });
    run.until(500_000);
    expect(run.exchange.times('listOrders', START, byReference)).toHaveLength(1);
  });

  it('is held for live, and is not absent, where a look-up says that it ended and no cancellation is answered', () => {
    const ended = orderDocument({ status: 'Cancelled', stakeUnmatched: 0, stakeVoided: 10 });
    const run = lost({ lookUps: [ordersAnswer([ended])] });
    run.exchange.on('cancelOrders', () => DOWN);
    run.until(30_000);
    expect(run.received('absent')).toEqual([]);
    expect(run.received('order')).toEqual([]);
    run.exchange.on('cancelOrders', () => answered({ _meta: { _primary_document: 'ids', _count: 0 }, ids: [] }));
    run.exchange.on('listOrders', (input) => ordersAnswer(input.query?.['statuses'] === undefined ? [ended] : []));
    run.until(60_000);
    expect(run.exchange.asked.find(({ operation }) => operation === 'cancelOrders')?.input).toMatchObject({
      body: { orderIds: ['730001'] },
    });
    expect(run.received('order')).toMatchObject([{ said: { order: { client: 1, status: 'Cancelled' } } }]);
    expect(run.received('absent')).toEqual([]);
  });

  it('is reported by the stream without waiting for a look-up', () => {
    const events$ = new Subject<StreamEvent>();
    const slow = { kind: 'stream', rereadMs: 3_600_000 } as const;
    const run = scriptedGateway(scriptedSettings(slow), { events$, subscribe: () => {}, unsubscribe: () => {} });
    run.exchange.on('createOrders', () => 'never');
    run.place(request(1));
    run.until(1_000);
    events$.next({ kind: 'message', receivedAt: instant(START + 1_000), message: ORDER_UPDATE });
    expect(run.received('order')).toMatchObject([{ ms: 1_000, said: { order: { client: 1, stakeMatched: 4e6 } } }]);
  });
});

describe('a batch of which parts are unknown', () => {
  const interrupted = { errorCode: 'INTERRUPTED' };
  const refused = { errorCode: 'MARKET_OUTCOME_NOT_FOUND' };

  function batch(...items: readonly object[]) {
    const run = scriptedGateway();
    run.exchange.on('createOrders', () => ordersAnswer(items));
    run.exchange.on('listOrders', (input) => (byReference(input) ? NOTHING : ordersAnswer([])));
    run.place(...items.map((_, index) => request(index + 1)));
    run.until(60_000);
    return run;
  }

  it('pairs items with requests by position, and seeks the interrupted one alone', () => {
    const run = batch(orderDocument({}), interrupted, refused);
    expect(run.replies[0]?.said).toMatchObject({
      kind: 'placed',
      items: [
        { kind: 'accepted', report: { client: 1 } },
        { kind: 'unknown', client: 2 },
        { kind: 'refused', client: 3 },
      ],
    });
    expect(run.received('absent')).toMatchObject([{ said: { client: 2 } }]);
    const references = run.exchange.asked
      .filter(({ input }) => byReference(input))
      .map(({ input }) => input.query?.['references'] ?? []);
    expect(new Set(references.flat())).toEqual(new Set(['run7-scalp_it-2']));
  });

  it('takes an order that exists already under its reference for this very order', () => {
    const run = batch({ errorCode: 'ORDER_ALREADY_EXISTS' });
    expect(run.replies[0]?.said).toMatchObject({ items: [{ kind: 'unknown', code: 'ORDER_ALREADY_EXISTS' }] });
  });

  it('seeks an order whose failure has a code that is not the specification’s', () => {
    const run = batch({ errorCode: 'UPSTREAM_GONE' });
    expect(run.replies[0]?.said).toMatchObject({ items: [{ kind: 'unknown', code: 'UPSTREAM_GONE' }] });
  });

  it('believes an order wherever it sits, and no failure that names no request beside one in another place', () => {
    const shifted = batch(refused, orderDocument({ reference: 'run7-scalp_it-1' }));
    expect(shifted.replies[0]?.said).toMatchObject({ items: [{ kind: 'accepted' }, { kind: 'unknown' }] });
  });

  it('takes an order that says nothing but its id for the one at its position, with the terms of the request', () => {
    const bare = batch({ id: '730001', status: 'Unmatched' }, refused);
    expect(bare.replies[0]?.said).toMatchObject({
      items: [{ kind: 'accepted', report: { client: 1, order: 730_001, stakeUnmatched: 10e6 } }, { kind: 'refused' }],
    });
    const another = batch(orderDocument({ reference: null, side: 'Against' }), refused);
    expect(another.replies[0]?.said).toMatchObject({ items: [{ kind: 'unknown' }, { kind: 'unknown' }] });
  });

  it.each([
    ['its reference', { reference: 'run7-scalp_it-2' }],
    ['an object with its reference', { order: { reference: 'run7-scalp_it-2', marketId: '8801' } }],
    ['terms that only it has', { marketId: '8801', outcomeId: '2' }],
    ['all that an order has', { ...orderDocument({ reference: 'run7-scalp_it-2' }), id: null }],
  ])('gives a failure to the request that it identifies by %s, wherever it stands', (_, further) => {
    const run = scriptedGateway();
    run.exchange.on('createOrders', () =>
      ordersAnswer([{ ...refused, ...further }, orderDocument({ reference: 'run7-scalp_it-1' })]),
    );
    run.place(request(1), request(2, { outcome: 1 }));
    run.until(1_000);
    expect(run.replies[0]?.said).toMatchObject({
      items: [
        { kind: 'accepted', report: { client: 1 } },
        { kind: 'refused', client: 2, code: refused.errorCode },
      ],
    });
  });

  it('believes only the orders of an answer that has another number of items, and nothing of another batch', () => {
    const run = batch(orderDocument({ reference: 'run7-scalp_it-9' }));
    expect(run.replies[0]?.said).toMatchObject({ items: [{ kind: 'unknown', client: 1, code: 'BAD_ANSWER' }] });
    const short = scriptedGateway();
    short.exchange.on('createOrders', () => ordersAnswer([orderDocument({})]));
    short.place(request(1), request(2));
    short.until(1_000);
    expect(short.replies[0]?.said).toMatchObject({ items: [{ kind: 'accepted' }, { kind: 'unknown' }] });
  });
});

describe('a batch that was not placed', () => {
  it.each([
    ['never left', DOWN, 'NOT_SENT', undefined],
    [
      'was refused as a whole',
      { kind: 'refused', status: 403, title: 'Forbidden', details: ['lapsed'], isOwn: true, mayHaveActed: false },
      'HTTP_403',
      true,
    ],
  ] as const)('where it %s leaves nothing to look for', (_, outcome, code, isBlocked) => {
    const run = scriptedGateway();
    run.exchange.on('createOrders', () => outcome as ReturnType<typeof answered>);
    run.place(request(1));
    run.until(60_000);
    const { details: _details, ...said } = { details: '', ...run.replies[0]?.said };
    expect(said).toEqual({ kind: 'notPlaced', code, ...(isBlocked && { isBlocked }) });
    expect(run.exchange.times('listOrders', START, byReference)).toEqual([]);
  });

  it('is reported a second later, because the strategy may ask for the same at once, unless we withheld it', () => {
    const toldAt = (code: 'NOT_SENT' | 'WITHHELD'): number => {
      const run = scriptedGateway();
      run.exchange.on('createOrders', () => ({ kind: 'failed', code, details: '', mayHaveActed: false }));
      run.place(request(1));
      run.until(60_000);
      expect(run.replies.map(({ said }) => said)).toMatchObject([{ kind: 'notPlaced', code }]);
      return run.replies[0]?.ms ?? Number.NaN;
    };
    expect(toldAt('NOT_SENT') - toldAt('WITHHELD')).toBe(1_000);
  });

  it('is unknown where a proxy lost the answer behind the exchange', () => {
    const run = scriptedGateway();
    const outcome = {
      kind: 'refused',
      status: 504,
      title: 'Gateway timeout',
      details: [],
      isOwn: false,
      mayHaveActed: true,
    } as const;
    run.exchange.on('createOrders', () => outcome);
    run.place(request(1));
    run.until(1_000);
    expect(run.replies[0]?.said).toMatchObject({ kind: 'unknown', code: 'HTTP_504' });
    expect(run.exchange.times('listOrders', START, byReference)).toEqual([120]);
  });
});

function scriptedSettings(choice: { readonly kind: 'stream'; readonly rereadMs: number }) {
  return { feeds: { markets: choice, prices: choice, orders: choice, wallets: choice } };
}

const ORDER_UPDATE = {
  type: 'OrderUpdate',
  ...{ orderId: '730001', eventId: '501', eventGroupId: '31', categoryId: 'S', subCategoryId: 'F', marketId: '8801' },
  ...{ walletId: 'w-1', status: 'PartiallyMatched', side: 'For', outcomeIndexId: '1', price: 2, totalExposure: 10 },
  ...{ stake: 10, stakeUnmatched: 6, stakeVoided: 0, reference: 'run7-scalp_it-1' },
  createdAt: '2026-03-24T14:45:01.000Z',
  modifiedAt: '2026-03-24T14:45:01.000Z',
  trades: [{ tradeId: '1', side: 'For', price: 2.5, stake: 4, createdAt: '2026-03-24T14:45:01.000Z' }],
} as const;
