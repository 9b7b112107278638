/** Which markets a recording or a run on Betfair follows: by what they are selected, how new ones come in, and what is said beyond the limits. */

import { map } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import { BetfairClient } from '../../../src/betfair/client/betfair-client.ts';
import { marketFeed } from '../../../src/betfair/gateway/market-feed.ts';
import { BetfairStream } from '../../../src/betfair/stream/betfair-stream.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { StreamNews } from '../../../src/exchange-live/adapter/edge-event.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import { type FeedChoice, TIMEOUTS, type WideWatch } from '../../../src/exchange-live/settings.ts';
import { FaceTransport } from '../../support/betfair/face-transport.ts';
import { HurtLine } from '../../support/betfair/stream-rig.ts';
import { SandboxWorld } from '../../support/conformance/sandbox-world.ts';
import { StreamStage } from '../../support/sandbox-betfair/stream-stage.ts';

const STREAMED: FeedChoice = { kind: 'stream', rereadMs: 10_000 };
const APP_KEY = 'an-app-key';
const HOUR_MS = 3_600_000;

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** The markets that a feed with this selection reports, on the sandbox's own world. */
class Following {
  readonly face = new StreamStage({ authenticationsPerSecond: 1_000 });
  readonly clock = this.face.builder.clock;
  readonly line = new HurtLine(this.clock, () => this.face.stream);
  readonly ids = new Set<string>();
  readonly notices: GatewayNotice[] = [];
  readonly news: StreamNews[] = [];
  readonly gaps: unknown[] = [];

  constructor(watch: WideWatch) {
    const { clock } = this;
    const random = Random.fromSeed(1);
    const client = new BetfairClient(
      { credentials: { appKey: APP_KEY, username: 'mary', password: 'secret' }, clock, random },
      new FaceTransport({ face: this.face.face, clock }),
    );
    const skewMs = () => client.skewMs;
    const stream = new BetfairStream({
      ...{ openCarrier: this.line.open, clock, random, skewMs },
      session: (isRefused) => client.token(isRefused).pipe(map((token) => ({ appKey: APP_KEY, token }))),
    });
    const feeds = { markets: STREAMED, prices: STREAMED };
    const feed = marketFeed({
      clock,
      calls: client,
      skewMs,
      stream,
      settings: { currency: 'GBP', watch, feeds, timeouts: TIMEOUTS },
    });
    feed.notices$.subscribe((notice) => this.notices.push(notice));
    stream.news$.subscribe((news) => this.news.push(news));
    stream.native$.subscribe((news) => {
      if (news.kind === 'gap') this.gaps.push(news);
    });
    const reading = feed.updates$.subscribe((message) => {
      if (message.kind === 'market') this.ids.add(message.market.facts.id);
    });
    stream.start();
    open.push({
      close: () => {
        reading.unsubscribe();
        stream.close();
      },
    });
  }

  pass(ms: number): void {
    this.clock.runUntil(this.clock.now() + ms);
  }

  /** What the exchange itself finds by a filter. */
  found(filter: object): readonly string[] {
    return this.face
      .login()
      .call('listMarketCatalogue', { filter, maxResults: 1_000 })
      .map(({ marketId }) => marketId)
      .sort();
  }
}

const RACES = { from: '2026-03-24T00:00:00Z' };

test.each([
  ['sport', { eventTypeIds: ['7'] }, { eventTypeIds: ['7'] }, 6],
  ['sports', { eventTypeIds: ['7', '2'] }, { eventTypeIds: ['7', '2'] }, 10],
  ['country', { countries: ['GB'] }, { marketCountries: ['GB'] }, 43],
  ['another country', { countries: ['IE'] }, { marketCountries: ['IE'] }, 0],
  ['venue', { venues: ['Heathdown'] }, { venues: ['Heathdown'] }, 6],
  ['type', { marketTypeIds: ['WIN'] }, { marketTypeCodes: ['WIN'] }, 3],
  [
    'all of them',
    { eventTypeIds: ['7'], countries: ['GB'], venues: ['Heathdown'], marketTypeIds: ['WIN'] },
    { venues: ['Heathdown'], marketTypeCodes: ['WIN'] },
    3,
  ],
])('markets are selected by %s', (_, watch, filter, count) => {
  const following = new Following(watch);
  following.pass(5_000);
  expect([...following.ids].sort()).toEqual(following.found(filter));
  expect(following.ids.size).toBe(count);
});

test('markets come in as their start comes near, and the others notice nothing', () => {
  const following = new Following({ startsWithinMs: HOUR_MS });
  following.pass(5_000);
  const within = (to: string) => following.found({ marketStartTime: { ...RACES, to } });
  expect([...following.ids].sort()).toEqual(within('2026-03-24T13:00:00Z'));
  expect(following.ids.size).toBe(4);
  following.pass(HOUR_MS + 90_000);
  expect([...following.ids].sort()).toEqual(within('2026-03-24T14:00:00Z'));
  expect(following.ids.size).toBe(6);
  expect(following.news).toMatchObject([{ kind: 'up' }, { kind: 'resync', reason: 'connected' }]);
  expect(following.gaps).toEqual([]);
  expect(following.notices).toEqual([]);
});

test('of more than 200 markets the first to start are followed, which is said, and the next ones as these end', async () => {
  const following = new Following({ marketTypeIds: ['CONFORMANCE'] });
  const world = new SandboxWorld(following.face.builder, {
    ...{ number: 1, balance: 1_000, commission: 5, currency: 'GBP' },
  });
  const made = Array.from({ length: 205 }, () => world.market({}));
  following.pass(5_000);
  expect(following.ids.size).toBe(200);
  expect(following.notices).toMatchObject([{ kind: 'unreadable', details: expect.stringContaining('more than 200') }]);
  await made[0]?.settle(0);
  await made[1]?.settle(0);
  following.pass(90_000);
  expect(following.ids.size).toBe(202);
  // Two markets have ended, so that the stream tells the 200 others.
  const [request] = (following.line.sent.at(-1) ?? []).slice(-1).map((line) => JSON.parse(line));
  expect(request.marketFilter.marketIds).toHaveLength(200);
});
