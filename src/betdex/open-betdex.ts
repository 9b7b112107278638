/** BetDEX as an `Exchange`: its client, its stream, and the gateways over them. */

import { map, type Observable, Subject } from 'rxjs';
import { Random } from '../core/number/random.ts';
import type { EdgeEvent } from '../exchange-live/adapter/edge-event.ts';
import type { Exchange, ExchangeTools } from '../exchange-live/adapter/exchange.ts';
import { accessReport, type BetdexAccess, betdexIdentity, requestEvent, walletReport } from './access.ts';
import { RestClient } from './client/rest-client.ts';
import { timedCalls } from './client/timed-calls.ts';
import { heartbeatFor } from './gateway/base/heartbeat-owner.ts';
import { marketFeed } from './gateway/market-feed.ts';
import { restGateway } from './gateway/rest-gateway.ts';
import { StreamClient } from './stream/stream-client.ts';
import type { StreamEvent } from './stream/stream-event.ts';
import { STREAM_LIMITS, type StreamLimits } from './stream/stream-settings.ts';

export function openBetdex(access: BetdexAccess, { clock, feeds, requestsPerSecond }: ExchangeTools): Exchange {
  const { url: baseUrl, streamUrl, appId, apiKey } = access;
  const proxy = access.proxy === undefined ? {} : { proxy: access.proxy };
  // For jitter alone, which no replay needs.
  const random = Random.fromSeed(Math.floor(clock.now()) % 2 ** 32);
  const events$ = new Subject<EdgeEvent>();
  const client = new RestClient({
    baseUrl,
    ...proxy,
    credentials: { appId, apiKey },
    clock,
    random,
    onEvent: (event) => events$.next(requestEvent(event)),
    budget: { perSecond: requestsPerSecond, burst: 2 * requestsPerSecond },
  });
  const limits = pingsFor(feeds);
  const token = () => tokenOf(client);
  const stream =
    limits === undefined || streamUrl === undefined
      ? undefined
      : { url: streamUrl, client: new StreamClient({ url: streamUrl, ...proxy, clock, random, token, limits }) };
  stream?.client.events$.subscribe((event) => {
    if (isNews(event)) events$.next(event);
  });
  const parts = {
    clock,
    client: timedCalls(client.lenient, clock, (call) => events$.next(call)),
    skewMs: () => client.skewMs,
    ...(stream && { stream: stream.client }),
  };
  return {
    identity: betdexIdentity(access),
    events$: events$.asObservable(),
    stream: stream && { url: stream.url, start: () => stream.client.start(), look: () => stream.client.start() },
    checkAccess: () => client.accessToken().pipe(map((outcome) => accessReport(outcome, access))),
    checkWallet: (id) => client.lenient.call('getWallet', { path: { id } }).pipe(map(walletReport)),
    heartbeatOwner: (run) => heartbeatFor({ ...run, calls: client.lenient, clock, appId }),
    liveGateway: (settings, resume) =>
      restGateway({ ...parts, settings: { ...settings, appId }, ...(resume && { resume }) }),
    marketFeed: (settings) => marketFeed({ ...parts, settings }),
    async close() {
      stream?.client.close();
      await client.close();
    },
  };
}

/**
 * A connection that died without a word is noticed before its feeds are read next, and so before what they brought is too old;
 * undefined where no feed is streamed.
 */
function pingsFor(feeds: ExchangeTools['feeds']): Pick<StreamLimits, 'pingAfterMs' | 'pongTimeoutMs'> | undefined {
  const rereads = Object.values(feeds).flatMap((feed) => (feed.kind === 'stream' ? [feed.rereadMs] : []));
  if (rereads.length === 0) return undefined;
  const halfMs = Math.ceil(Math.min(...rereads) / 2);
  const { pingAfterMs, pongTimeoutMs } = STREAM_LIMITS;
  return { pingAfterMs: Math.min(pingAfterMs, halfMs), pongTimeoutMs: Math.min(pongTimeoutMs, halfMs) };
}

function tokenOf(client: RestClient): Observable<string> {
  return client.accessToken().pipe(
    map((outcome) => {
      if (outcome.kind === 'granted') return outcome.token.reveal();
      // The stream treats it as a token that could not be had, and tries again.
      throw new Error(outcome.details);
    }),
  );
}

/** Not the traffic itself, which the gateways take from the stream's client. */
function isNews(event: StreamEvent): event is Extract<StreamEvent, EdgeEvent> {
  return event.kind === 'up' || event.kind === 'down' || event.kind === 'trouble' || event.kind === 'resync';
}
