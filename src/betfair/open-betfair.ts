/** Betfair as an `Exchange`: its client, its stream, and the gateways over them. */

import { map, merge, of, Subject } from 'rxjs';
import { Random } from '../core/number/random.ts';
import type { NativeNews } from '../exchange/native-news.ts';
import type { EdgeEvent } from '../exchange-live/adapter/edge-event.ts';
import type { Exchange, ExchangeFigures, ExchangeTools } from '../exchange-live/adapter/exchange.ts';
import { type BetfairAccess, betfairIdentity, checkAccess, checkHeartbeat, checkWallet } from './access.ts';
import { BetfairClient } from './client/betfair-client.ts';
import { STREAM_URL } from './client/hosts.ts';
import { FREE_AN_HOUR } from './client/transactions.ts';
import { betfairGateway } from './gateway/betfair-gateway.ts';
import { marketFeed } from './gateway/market-feed.ts';
import { BetfairStream } from './stream/betfair-stream.ts';
import { STREAM_LIMITS } from './stream/connection/stream-settings.ts';
import { tlsCarrier } from './stream/connection/tls-carrier.ts';
import { WEIGHT_MAX } from './wire/weights.ts';

export function openBetfair(access: BetfairAccess, { clock, feeds, requestsPerSecond }: ExchangeTools): Exchange {
  const { url, streamUrl = STREAM_URL, authority, proxy, ...credentials } = access;
  const events$ = new Subject<EdgeEvent>();
  // For jitter alone, which no replay needs.
  const random = Random.fromSeed(Math.floor(clock.now()) % 2 ** 32);
  const client = new BetfairClient({
    ...{ credentials, url, authority, proxy, clock, random },
    budget: { perSecond: requestsPerSecond, burst: 2 * requestsPerSecond },
    onEvent: (event) => events$.next(event),
  });
  const skewMs = () => client.skewMs;
  const { appKey } = credentials;
  const isStreamed = Object.values(feeds).some(({ kind }) => kind === 'stream');
  const stream = isStreamed
    ? new BetfairStream({
        ...{ clock, random, skewMs },
        openCarrier: tlsCarrier(streamAddress(streamUrl, access), STREAM_LIMITS),
        session: (isRefused) => client.token(isRefused).pipe(map((token) => ({ appKey, token }))),
      })
    : undefined;
  stream?.news$.subscribe((news) => events$.next(news));
  let streamLatencyMs: number | undefined;
  stream?.proven$.subscribe(({ latencyMs }) => {
    streamLatencyMs = latencyMs;
  });
  const described$ = new Subject<NativeNews>();
  // What was matched changes with each reading, and the stream tells it: the rest is the same for a market's whole life.
  const onDescribed = (document: object) => {
    const line = JSON.stringify({ ...document, totalMatched: undefined });
    described$.next({ kind: 'described', line });
  };
  const parts = { clock, calls: client, skewMs, stream };
  return {
    identity: betfairIdentity(access),
    events$: events$.asObservable(),
    stream: stream && {
      url: streamUrl,
      start: () => stream.start(),
      look() {
        // It connects for a subscription alone, and orders are the least to ask for.
        stream.orders({});
        stream.start();
      },
    },
    ...(stream && { native$: merge(stream.native$, described$) }),
    figures: () => figuresOf(client, streamLatencyMs),
    checkAccess: () => checkAccess(client, access),
    checkWallet: (id) => checkWallet(client, id),
    checkHeartbeat: () => checkHeartbeat(client),
    // Whether somebody else refreshes the account's heartbeat cannot be seen.
    heartbeatOwner: () => of({ kind: 'free' }),
    liveGateway: (settings, resume) => betfairGateway({ ...parts, settings, resume }),
    marketFeed: (settings) => marketFeed({ ...parts, settings, onDescribed }),
    async close() {
      stream?.close();
      await client.close();
    },
  };
}

function figuresOf({ transactions, heaviest }: BetfairClient, streamLatencyMs: number | undefined): ExchangeFigures {
  const { placed, failed, thisHour } = transactions;
  return {
    transactions: { placed, failed, thisHour, freeAnHour: FREE_AN_HOUR },
    ...{ weight: { heaviest, limit: WEIGHT_MAX }, streamLatencyMs },
  };
}

function streamAddress(streamUrl: string, { authority, proxy }: BetfairAccess) {
  const { hostname: host, port } = new URL(streamUrl);
  return {
    ...{ host, port: Number(port) },
    ...(authority !== undefined && { authority }),
    ...(proxy !== undefined && { proxy }),
  };
}
