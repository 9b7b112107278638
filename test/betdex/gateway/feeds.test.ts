/** The live gateway's feeds against a scripted exchange: what is reported, when, and in which order. */

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { StreamEvent, StreamUpdate } from '../../../src/betdex/stream/stream-event.ts';
import { AssertionFailure } from '../../../src/core/checks/assert.ts';
import { instant } from '../../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../../src/core/side.ts';
import {
  BESIDE_MARKETS,
  DOWN,
  orderDocument,
  ordersAnswer,
  paged,
  priceRow,
  pricesAnswer,
} from '../../support/conformance/scripted-exchange.ts';
import { request, START, scriptedGateway } from '../../support/conformance/scripted-gateway.ts';
import { at } from '../../support/conformance/stage.ts';

const HOUR = 3_600_000;
const SLOW = { kind: 'stream', rereadMs: HOUR } as const;
const STREAMED = { feeds: { markets: SLOW, prices: SLOW, orders: SLOW, wallets: SLOW } };
const POLLED = { kind: 'poll', everyMs: 1_000 } as const;
const EACH_SECOND = { feeds: { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED } };
const PLACE = { eventId: '501', eventGroupId: '31', categoryId: 'S', subCategoryId: 'F', marketId: '8801' };

/** A gateway whose feeds are streamed; the test sends the stream's events. */
function streamed() {
  const events$ = new Subject<StreamEvent>();
  const wanted = new Set<string>();
  const subscribe = (type: string, ids: readonly string[]) => {
    for (const id of ids) wanted.add(`${type} ${id}`);
  };
  const unsubscribe = (type: string, ids: readonly string[]) => {
    for (const id of ids) wanted.delete(`${type} ${id}`);
  };
  const run = scriptedGateway(STREAMED, { events$, subscribe, unsubscribe });
  const say = (message: object) =>
    events$.next({
      kind: 'message',
      receivedAt: instant(run.clock.now()),
      message: { ...PLACE, ...message } as StreamUpdate,
    });
  return { ...run, events$, wanted, say };
}

function priceUpdate(
  updateType: string,
  ...levels: readonly (readonly [side: string, price: number, stake: number])[]
) {
  const validAt = '2026-03-24T14:45:01.000Z';
  const prices = levels.map(([side, price, liquidity]) => ({
    side,
    outcomeId: '1',
    price,
    liquidity,
    change: 0,
    validAt,
  }));
  return { type: 'MarketPriceUpdate', updateType, prices };
}

describe('a market', () => {
  it('is listed when its prices are known, and not before', () => {
    const run = scriptedGateway(EACH_SECOND);
    expect(run.received('market').map(({ ms, said }) => [ms, said.cause])).toEqual([[40, 'listed']]);
    const failing = scriptedGateway(EACH_SECOND, undefined, 0, (exchange) => exchange.on('listPrices', () => DOWN));
    failing.exchange.market = { ...failing.exchange.market, suspended: true };
    failing.until(5_500);
    expect(failing.received('market')).toEqual([]);
    failing.exchange.on('listPrices', () => pricesAnswer());
    failing.until(6_500);
    expect(failing.received('market').map(({ said }) => said.cause)).toEqual(['listed']);
    expect(failing.received('market')[0]?.said.market.suspended).toBe(true);
  });

  it('is reported at each poll, so that prices that stand still are not taken for old ones', () => {
    const run = scriptedGateway(EACH_SECOND);
    run.until(3_500);
    const reported = run.received('market');
    expect(reported.map(({ said }) => said.cause)).toEqual(['listed', 'prices', 'prices', 'prices']);
    expect(reported[0]?.said.market.updatedAt).toBe(START + 3_020);
  });

  it('with words newer than we are is read as one that lets us do least', () => {
    const run = scriptedGateway(EACH_SECOND);
    run.exchange.market = { ...run.exchange.market, status: 'Paused', inPlayStatus: 'Interval' };
    run.until(2_000);
    expect(run.received('market').at(-1)?.said.market).toMatchObject({ status: 'Locked', inPlayStatus: 'InPlay' });
    expect(run.notices).toContainEqual(expect.objectContaining({ kind: 'unreadable', what: 'market 8801' }));
  });

  it('that is not shown any more is taken for unpublished', () => {
    const run = scriptedGateway(EACH_SECOND);
    run.exchange.on('listMarkets', () => paged({ markets: [] }));
    run.until(2_000);
    expect(run.received('market').at(-1)?.said.market.published).toBe(false);
  });

  it('says when its status was last known: when the reading was asked for that brought its document', () => {
    const run = scriptedGateway(EACH_SECOND);
    run.until(3_500);
    const market = run.received('market')[0]?.said.market;
    const before = market?.statusFreshAt ?? 0;
    expect(before).toBeGreaterThanOrEqual(START + 2_000);
    expect(before).toBeLessThan(START + 3_500);
    run.exchange.on('listMarkets', () => DOWN);
    run.until(8_000);
    expect(market?.statusFreshAt).toBe(before);
    run.exchange.on('listMarkets', () => paged({ markets: [] }));
    run.until(12_000);
    expect(market?.statusFreshAt).toBe(before);
    run.exchange.on('listMarkets', () => paged({ markets: [run.exchange.market], ...BESIDE_MARKETS }));
    run.until(16_000);
    expect(market?.statusFreshAt).toBeGreaterThanOrEqual(START + 14_000);
  });

  it('takes over a start that was moved, and keeps its outcomes', () => {
    const run = scriptedGateway(EACH_SECOND);
    run.exchange.market = { ...run.exchange.market, name: 'Full time result (moved)' };
    run.until(2_000);
    const { facts } = run.received('market')[0]?.said.market ?? {};
    expect(facts?.name).toBe('Full time result (moved)');
    expect(facts?.outcomes.map(({ id }) => id)).toEqual(['1', '2']);
  });
});

describe('the markets watched', () => {
  it('are asked for in as many calls as their ids need, and none is asked for twice', () => {
    const marketIds = Array.from({ length: 1_000 }, (_, index) => String(1_000_000 + index));
    const run = scriptedGateway({ watch: { marketIds, marketTypeIds: ['RESULT'] } });
    const queries = run.exchange.asked
      .filter(({ operation }) => operation === 'listMarkets')
      .map(({ input }) => input.query);
    expect(queries.length).toBeGreaterThan(1);
    expect(queries.flatMap((query) => query?.['ids'] ?? [])).toEqual(marketIds);
    for (const query of queries) expect(query?.['marketTypeIds']).toEqual(['RESULT']);
  });

  it('are all of the currency where nothing narrows them', () => {
    const [asked] = scriptedGateway().exchange.asked.filter(({ operation }) => operation === 'listMarkets');
    expect(asked?.input.query?.['currencyIds']).toEqual(['USDC']);
    expect([asked?.input.query?.['ids'], asked?.input.query?.['eventIds']]).toEqual([undefined, undefined]);
  });
});

describe('a streamed book', () => {
  it('asks for the market’s updates and its prices, and for our orders and wallets', () => {
    const { wanted } = streamed();
    expect([...wanted].sort()).toEqual([
      'MarketPriceUpdate 8801',
      'MarketStatusUpdate 8801',
      'MarketUpdate 8801',
      'OrderUpdate app-1:w-1',
      'WalletUpdate w-1',
    ]);
  });

  it('is a snapshot and the changes after it', () => {
    const run = streamed();
    const market = run.received('market')[0]?.said.market;
    run.say(priceUpdate('Snapshot', ['Against', 2, 10], ['For', 2.1, 4]));
    run.say(priceUpdate('Incremental', ['Against', 2.02, 3], ['For', 2.1, 0]));
    expect([market?.bestTick(0, AGAINST), market?.amountAt(0, AGAINST, at(2))]).toEqual([at(2.02), 10e6]);
    expect(market?.bestTick(0, FOR)).toBe(-1);
    run.say(priceUpdate('Snapshot', ['Against', 1.5, 1]));
    expect(market?.bestTick(0, AGAINST)).toBe(at(1.5));
  });

  it('is not overwritten by an answer that was asked for before the stream spoke', () => {
    const run = streamed();
    const market = run.received('market')[0]?.said.market;
    run.exchange.on('listPrices', () => pricesAnswer(priceRow('Against', 1.5, 99)));
    run.events$.next({ kind: 'resync', connection: 0, reason: 'lost' });
    run.until(155);
    run.say(priceUpdate('Snapshot', ['Against', 2, 10]));
    run.until(400);
    expect(run.exchange.times('listPrices', START)).toEqual([20, 150]);
    expect(market?.bestTick(0, AGAINST)).toBe(at(2));
  });

  it('is overwritten by an answer that was asked for after', () => {
    const run = streamed();
    const market = run.received('market')[0]?.said.market;
    run.say(priceUpdate('Snapshot', ['Against', 2, 10]));
    run.until(110);
    run.exchange.on('listPrices', () => pricesAnswer(priceRow('Against', 1.5, 99)));
    run.events$.next({ kind: 'resync', connection: 0, reason: 'lost' });
    run.until(400);
    expect(market?.bestTick(0, AGAINST)).toBe(at(1.5));
    expect(market?.traded(0)).toBe(7e6);
    expect([market?.tradedAt(0, at(1.5)), market?.tradedAt(0, at(2))]).toEqual([7e6, 0]);
  });
});

describe('a stream', () => {
  it.each([
    ['that was lost', { kind: 'resync', connection: 0, reason: 'reconnected' }],
    ['that is down', { kind: 'down', connection: 0, code: 'CUT', details: '', retryMs: 500 }],
    ['whose subscription is confirmed', { kind: 'confirmed', type: 'OrderUpdate', id: 'app-1:w-1' }],
  ] as const)('%s has everything read again, once', (_, event) => {
    const run = streamed();
    for (const operation of ['listMarkets', 'listPrices', 'listOrders', 'listWallets'] as const)
      expect(run.exchange.times(operation, START)).toHaveLength(1);
    run.events$.next(event);
    run.events$.next(event);
    run.until(1_000);
    for (const operation of ['listMarkets', 'listPrices', 'listOrders', 'listWallets'] as const)
      expect(run.exchange.times(operation, START)).toHaveLength(2);
  });

  it('does not leave a reading that failed until its next turn in an hour', () => {
    const run = streamed();
    run.exchange.on('listOrders', () => DOWN);
    run.events$.next({ kind: 'resync', connection: 0, reason: 'reconnected' });
    run.until(5_000);
    run.exchange.on('listOrders', () => ordersAnswer([orderDocument({})]));
    run.until(10_000);
    expect(run.received('order')).toHaveLength(1);
  });

  it('that has no room for an id says so', () => {
    const run = streamed();
    run.events$.next({ kind: 'refused', type: 'MarketPriceUpdate', ids: ['8801'] });
    expect(run.notices).toContainEqual({ kind: 'notStreamed', what: 'MarketPriceUpdate', ids: ['8801'] });
  });
});

describe('an order', () => {
  const received = (change: Readonly<Record<string, unknown>>, trades: readonly object[] = []) => {
    const run = scriptedGateway({}, undefined, 0, (exchange) =>
      exchange.on('listOrders', () => ordersAnswer([orderDocument(change)], trades)),
    );
    return { report: run.received('order')[0]?.said.order, notices: run.notices };
  };

  it('with a list of trades cut short counts the rest at its limit', () => {
    const trade = { order: { _ref: 'orders.id', _ids: ['730001'] }, id: '1', price: 2.5, stake: 4, createdAt: '' };
    const { report } = received({ status: 'Matched', stakeUnmatched: 0 }, [trade]);
    // 4 matched at 2.5 and 6 at the limit of 2.0.
    expect(report).toMatchObject({ stakeMatched: 10e6, winningsMatched: 12e6 });
  });

  it.each([
    ['HalfWon', 'Won'],
    ['HalfLost', 'Lost'],
    ['Push', 'Voided'],
  ])('that ended %s is reported as %s', (status, known) => {
    const { report, notices } = received({ status, stakeUnmatched: 0 });
    expect(report?.status).toBe(known);
    expect(notices).toEqual([]);
  });

  it.each([
    [{ stakeUnmatched: 10 }, 'Unmatched'],
    [{ stakeUnmatched: 4 }, 'PartiallyMatched'],
    [{ stakeUnmatched: 0 }, 'Matched'],
    [{ stakeUnmatched: 0, stakeVoided: 10 }, 'Cancelled'],
  ])('with a status newer than we are is read off its stakes %o', (stakes, known) => {
    const { report, notices } = received({ status: 'Parked', ...stakes });
    expect(report?.status).toBe(known);
    // One notice for each reading: an order that ended without a cancel request is read again.
    expect(new Set(notices.map(({ kind }) => kind))).toEqual(new Set(['unreadable']));
    expect(notices[0]).toMatchObject({ what: 'order 730001' });
  });

  it('that makes no sense is noted and left out', () => {
    const { report, notices } = received({ price: 2.005 });
    expect(report).toBeUndefined();
    expect(notices).toMatchObject([{ kind: 'unreadable', what: 'order 730001' }]);
  });

  it('cancelled by a lapse says that the heartbeat is not active', () => {
    const run = scriptedGateway({}, undefined, 0, (exchange) =>
      exchange.on('listOrders', () =>
        ordersAnswer([
          orderDocument({
            status: 'Cancelled',
            stakeUnmatched: 0,
            stakeVoided: 10,
            cancellationReason: 'HeartbeatLapsed',
          }),
        ]),
      ),
    );
    expect(run.received('heartbeat')).toMatchObject([{ said: { active: false } }]);
  });

  it('is cancelled again no faster than once a second where the exchange refuses to', () => {
    const run = scriptedGateway();
    run.exchange.on('createOrders', () => ordersAnswer([orderDocument({})]));
    const words = { status: 403, title: 'Forbidden', details: [] };
    const refusal = { kind: 'refused', ...words, isOwn: true, mayHaveActed: false } as const;
    run.exchange.on('cancelOrders', () => refusal);
    run.exchange.on('listOrders', () => ordersAnswer([orderDocument({})]));
    run.place(request(1));
    run.until(200);
    const replies: unknown[] = [];
    run.gateway.cancel([730_001]).subscribe((reply) => replies.push(reply));
    run.until(5_000);
    expect(replies).toMatchObject([{ kind: 'unknown', code: 'HTTP_403' }]);
    expect(run.received('order').map(({ ms }) => ms)).toEqual([1_240]);
  });
});

describe('a wallet', () => {
  it('without an account in the currency has nothing of it', () => {
    const wallet = { id: 'w-1', appId: 'app-1', type: 'User', balances: [] };
    const run = scriptedGateway({}, undefined, 0, (exchange) =>
      exchange.on('listWallets', () => paged({ wallets: [wallet] })),
    );
    expect(run.received('wallet')).toMatchObject([{ said: { wallet: 0, balance: 0, balanceAvailable: 0 } }]);
  });
});

describe('the settings', () => {
  it.each([
    ['a prefix that cannot stand in an address', { referencePrefix: 'a/b' }],
    ['no wallet', { wallets: [] }],
    ['one wallet twice', { wallets: ['w-1', 'w-1'] }],
    ['a list that watches nothing', { watch: { eventIds: [] } }],
    ['a stream that is not there', STREAMED],
  ])('are refused with %s', (_, change) => {
    expect(() => scriptedGateway(change)).toThrow(AssertionFailure);
  });
});
