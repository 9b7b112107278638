/** The clients through which a run speaks with the exchange: REST, and the stream where a feed is streamed. */

import { map, type Observable, Subscription } from 'rxjs';
import type { ClientEvent } from '../../../betdex/client/client-event.ts';
import { RestClient } from '../../../betdex/client/rest-client.ts';
import { StreamClient } from '../../../betdex/stream/stream-client.ts';
import { STREAM_LIMITS, type StreamLimits } from '../../../betdex/stream/stream-settings.ts';
import { Random } from '../../../core/number/random.ts';
import type { PricesChoice } from '../../../exchange-live/settings.ts';
import type { Clock } from '../../../time/clock.ts';
import type { RunOptions } from '../../run/run-options.ts';
import type { DaemonLog } from '../log/daemon-log.ts';
import { streamLine } from '../log/edge-line.ts';

export interface ExchangeLink {
  readonly client: RestClient;
  readonly stream: StreamClient | undefined;
  close(): Promise<void>;
}

interface LinkOptions extends Pick<RunOptions, 'exchange' | 'requestsPerSecond'> {
  readonly feeds: Readonly<Record<string, PricesChoice>>;
}

/** Nothing is sent yet. */
export function openExchangeLink(
  { exchange, feeds, requestsPerSecond }: LinkOptions,
  { clock, onEvent }: { readonly clock: Clock; readonly onEvent?: (event: ClientEvent) => void },
): ExchangeLink {
  const { url: baseUrl, streamUrl, appId, apiKey } = exchange;
  const proxy = exchange.proxy === undefined ? {} : { proxy: exchange.proxy };
  // For jitter alone, which no replay needs.
  const random = Random.fromSeed(Math.floor(clock.now()) % 2 ** 32);
  const client = new RestClient({
    baseUrl,
    ...proxy,
    credentials: { appId, apiKey },
    clock,
    random,
    ...(onEvent && { onEvent }),
    budget: { perSecond: requestsPerSecond, burst: 2 * requestsPerSecond },
  });
  const limits = pingsFor(feeds);
  const stream =
    limits !== undefined && streamUrl !== undefined
      ? new StreamClient({ url: streamUrl, ...proxy, clock, random, token: () => tokenOf(client), limits })
      : undefined;
  return {
    client,
    stream,
    async close() {
      stream?.close();
      await client.close();
    },
  };
}

/**
 * A connection that died without a word is noticed before its feeds are read next, and so before what they brought is too old;
 * undefined where no feed is streamed.
 */
function pingsFor(feeds: LinkOptions['feeds']): Pick<StreamLimits, 'pingAfterMs' | 'pongTimeoutMs'> | undefined {
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

/** Starts the stream of a run, where a feed is streamed, and logs what happens to it. */
export function followStream({ stream }: ExchangeLink, log: DaemonLog): Subscription {
  if (stream === undefined) return Subscription.EMPTY;
  const following = stream.events$.subscribe((event) => {
    const line = streamLine(event);
    if (line !== undefined) log.write(line);
  });
  stream.start();
  return following;
}
