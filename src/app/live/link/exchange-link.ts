/** The clients through which a run speaks with the exchange: REST, and the stream where a feed is streamed. */

import { map, type Observable } from 'rxjs';
import type { ClientEvent } from '../../../betdex/client/client-event.ts';
import { RestClient } from '../../../betdex/client/rest-client.ts';
import { StreamClient } from '../../../betdex/stream/stream-client.ts';
import { Random } from '../../../core/number/random.ts';
import type { Clock } from '../../../time/clock.ts';
import type { RunOptions } from '../../run/run-options.ts';

export interface ExchangeLink {
  readonly client: RestClient;
  readonly stream: StreamClient | undefined;
  close(): Promise<void>;
}

interface LinkOptions extends Pick<RunOptions, 'exchange' | 'requestsPerSecond'> {
  readonly feeds: Readonly<Record<string, { readonly kind: string }>>;
}

/** Nothing is sent yet. */
export function openExchangeLink(
  { exchange, feeds, requestsPerSecond }: LinkOptions,
  { clock, onEvent }: { readonly clock: Clock; readonly onEvent?: (event: ClientEvent) => void },
): ExchangeLink {
  const { url: baseUrl, streamUrl, appId, apiKey } = exchange;
  // For jitter alone, which no replay needs.
  const random = Random.fromSeed(Math.floor(clock.now()) % 2 ** 32);
  const client = new RestClient({
    baseUrl,
    credentials: { appId, apiKey },
    clock,
    random,
    ...(onEvent && { onEvent }),
    budget: { perSecond: requestsPerSecond, burst: 2 * requestsPerSecond },
  });
  const isStreamed = Object.values(feeds).some(({ kind }) => kind === 'stream');
  const stream =
    isStreamed && streamUrl !== undefined
      ? new StreamClient({ url: streamUrl, clock, random, token: () => tokenOf(client) })
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

function tokenOf(client: RestClient): Observable<string> {
  return client.accessToken().pipe(
    map((outcome) => {
      if (outcome.kind === 'granted') return outcome.token.reveal();
      // The stream treats it as a token that could not be had, and tries again.
      throw new Error(outcome.details);
    }),
  );
}
