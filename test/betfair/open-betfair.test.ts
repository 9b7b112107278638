/** Betfair as the command opens it, over HTTPS before our own sandbox: access, markets and an order. */

import { readFileSync } from 'node:fs';
import { firstValueFrom, merge, type Observable } from 'rxjs';
import { filter, skipUntil, take, toArray } from 'rxjs/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BetfairAccess } from '../../src/betfair/access.ts';
import { openBetfair } from '../../src/betfair/open-betfair.ts';
import { money } from '../../src/core/number/units.ts';
import type { FeedMessage, MarketMessage } from '../../src/exchange/gateway.ts';
import type { Exchange, ExchangeTools } from '../../src/exchange-live/adapter/exchange.ts';
import { TIMEOUTS } from '../../src/exchange-live/settings.ts';
import { type BetfairSandbox, openBetfairSandbox } from '../../src/sandbox-betfair/betfair-sandbox.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { at } from '../support/conformance/stage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let sandbox: BetfairSandbox;
const opened: Exchange[] = [];

beforeAll(async () => {
  sandbox = await openBetfairSandbox({
    clock: wallClock,
    authorityDirectory: temporaryDirectory('betfair-authority'),
    onBug: (error) => {
      throw error;
    },
  });
});

afterAll(async () => {
  await Promise.all(opened.map((exchange) => exchange.close()));
  await sandbox.close();
});

function open(change: Partial<BetfairAccess> = {}, feeds: ExchangeTools['feeds'] = {}): Exchange {
  const authority = readFileSync(sandbox.authorityFile, 'utf8');
  const own = { appKey: 'an-app-key', username: 'mary', password: 'secret-word' };
  const access = {
    ...own,
    url: sandbox.url,
    streamUrl: `tls://${streamHost(sandbox)}`,
    authority,
    proxy: undefined,
    ...change,
  };
  const exchange = openBetfair(access, { clock: wallClock, feeds, requestsPerSecond: 200 });
  opened.push(exchange);
  return exchange;
}

function streamHost({ streamAddress }: BetfairSandbox): string {
  return streamAddress.replace(/^\w+:\/\//, '');
}

const poll = { kind: 'poll', everyMs: 50 } as const;
const watch = { marketTypeIds: ['MATCH_ODDS'] };

function firstMarket(feed$: Observable<FeedMessage>, is: (message: MarketMessage) => boolean) {
  const markets$ = feed$.pipe(filter((message): message is MarketMessage => message.kind === 'market'));
  return firstValueFrom(markets$.pipe(filter(is)));
}

test('an account is let in, by name and password alone', async () => {
  expect(await firstValueFrom(open().checkAccess())).toEqual({ kind: 'granted', skewMs: 0 });
  const refused = await firstValueFrom(open({ password: 'another' }).checkAccess());
  expect(refused).toMatchObject({ isRefused: true, details: 'INVALID_USERNAME_OR_PASSWORD', where: sandbox.url });
  expect(refused).toHaveProperty('next', expect.stringContaining('exchange.betfair.password'));
  const nowhere = await firstValueFrom(open({ url: 'https://127.0.0.1:9' }).checkAccess());
  expect(nowhere).toMatchObject({ kind: 'failed', isRefused: false });
});

test('a server that is not trusted is not spoken to', async () => {
  const report = await firstValueFrom(open({ authority: undefined }).checkAccess());
  expect(report).toMatchObject({ kind: 'failed', isRefused: false });
  expect(report).toHaveProperty('details', expect.stringMatching(/certificate/i));
});

test('an account has one wallet, and is the owner of its heartbeat', async () => {
  const exchange = open();
  expect(exchange.identity).toMatchObject({ owner: { kind: 'account', name: 'mary' } });
  expect(await firstValueFrom(exchange.checkWallet('main'))).toEqual({ kind: 'shown' });
  expect(await firstValueFrom(exchange.checkWallet('other'))).toMatchObject({ kind: 'absent' });
});

test('markets are followed without trading', async () => {
  const feed = open().marketFeed({
    currency: 'GBP',
    watch,
    feeds: { markets: poll, prices: poll },
    timeouts: TIMEOUTS,
  });
  const listed = await firstMarket(feed.updates$, ({ cause }) => cause === 'listed');
  expect(listed.market).toMatchObject({ facts: { marketTypeId: 'MATCH_ODDS', name: 'Match Odds' }, canReduce: true });
  expect(listed.market.minimumStake).toEqual({ stake: 1e6, payout: 10e6, step: 10_000 });
});

test('an order is placed, shown and cancelled', async () => {
  const gateway = open().liveGateway(
    {
      ...{
        wallets: ['main'],
        currency: 'GBP',
        watch,
        referencePrefix: 'a-run',
        strategies: ['one'],
        timeouts: TIMEOUTS,
      },
      feeds: { markets: poll, prices: poll, orders: poll, wallets: poll },
    },
    undefined,
  );
  const reading = gateway.feed$.subscribe();
  const { market } = await firstMarket(
    gateway.feed$,
    (each) => each.market.status === 'Open' && each.market.inPlayStatus !== 'InPlay',
  );
  const terms = { client: 1, strategy: 0, wallet: 0, market: market.index, outcome: 0, side: 'For' } as const;
  const order = { ...terms, tick: at(900), stake: money(2e6), keepWhenInPlay: false } as const;
  const reply = await firstValueFrom(gateway.place([{ ...order, matchBehavior: 'RetainUnmatched' }]));
  const [item] = reply.kind === 'placed' ? reply.items : [];
  if (item?.kind !== 'accepted') throw new Error(JSON.stringify(reply));
  const snapshot = await firstValueFrom(gateway.accountSnapshot());
  expect(snapshot).toMatchObject({
    kind: 'books',
    books: { orders: [{ reference: 'a-run-one-1', status: 'Unmatched' }] },
  });
  const cancelled = await firstValueFrom(gateway.cancel([item.report.order]));
  expect(cancelled).toMatchObject({ reports: [{ client: 1, status: 'Cancelled', reason: 'UserRequest' }] });
  reading.unsubscribe();
});

test('markets are streamed where a feed is to be, and what comes is there for a recorder', async () => {
  const stream = { kind: 'stream', rereadMs: 3_600_000 } as const;
  const feeds = { markets: stream, prices: stream };
  const exchange = open({}, feeds);
  const lines: string[] = [];
  exchange.native$?.subscribe((news) => lines.push(...(news.kind === 'message' ? news.lines : [])));
  expect(exchange.stream?.url).toBe(`tls://${streamHost(sandbox)}`);
  exchange.stream?.start();
  const feed = exchange.marketFeed({ currency: 'GBP', watch, feeds, timeouts: TIMEOUTS });
  const reads$ = feed.updates$.pipe(filter((message) => message.kind === 'read' && message.feed === 'prices'));
  const told$ = exchange.events$.pipe(filter(({ kind }) => kind === 'resync'));
  // A proof of the stream makes prices fresh.
  const both$ = merge(told$, reads$.pipe(skipUntil(told$))).pipe(take(2), toArray());
  expect(await firstValueFrom(both$)).toMatchObject([{ kind: 'resync', reason: 'connected' }, { kind: 'read' }]);
  expect(lines[0]).toContain('"ct":"SUB_IMAGE"');
  expect(open().stream).toBeUndefined();
});

test('a stream without a feed says whether the session is taken, as the doctor asks', async () => {
  const stream = { kind: 'stream', rereadMs: 10_000 } as const;
  const exchange = open({}, { prices: stream });
  const news = firstValueFrom(exchange.events$.pipe(filter(({ kind }) => kind === 'up' || kind === 'down')));
  exchange.stream?.look();
  expect(await news).toMatchObject({ kind: 'up' });
  expect(exchange.figures?.()).toMatchObject({ transactions: { placed: 0, failed: 0, freeAnHour: 5_000 } });
});
