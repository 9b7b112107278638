/** Runs `oddsmith record`: the exchange's clients, the recorder, and the timer that commits what was received. */

import { Subscription } from 'rxjs';
import { RestClient } from '../../../betdex/client/rest-client.ts';
import { marketFeed } from '../../../betdex/gateway/market-feed.ts';
import { StreamClient } from '../../../betdex/stream/stream-client.ts';
import { Random } from '../../../core/number/random.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import { TIMEOUTS } from '../../../exchange-live/settings.ts';
import type { FinishedTape, MarketGap } from '../../../recording/live/recorder.ts';
import type { Clock } from '../../../time/clock.ts';
import { accessError } from '../../cli/access-error.ts';
import type { RecordOptions } from '../../config/resolve/resolve-record.ts';
import { tokenOf, untilAborted } from '../process/client-answers.ts';
import { RunRecorder, sealLeftovers } from './run-recorder.ts';

export interface RecordHooks {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after each commit with the recording's state. */
  onCommit(state: { readonly path: string; readonly markets: number; readonly updates: number }): void;
  onGaps(gaps: readonly MarketGap[]): void;
  onNotice(notice: GatewayNotice): void;
  /** Called with each tape that a killed recorder had left unfinished, and that was finished now. */
  onSealed(path: string): void;
}

/** Records until the signal. @throws CliError EXCHANGE_…, TapeFailure */
export async function record(options: RecordOptions, hooks: RecordHooks): Promise<readonly FinishedTape[]> {
  const { clock } = hooks;
  const random = Random.fromSeed(Math.floor(clock.now()) % 2 ** 32);
  const client = new RestClient({
    ...{ baseUrl: options.url, credentials: { appId: options.appId, apiKey: options.apiKey }, clock, random },
    budget: { perSecond: options.requestsPerSecond, burst: 2 * options.requestsPerSecond },
  });
  const stream = isStreamed(options)
    ? new StreamClient({ url: options.streamUrl ?? '', clock, random, token: () => tokenOf(client) })
    : undefined;
  try {
    await checkAccess(client, options, hooks.signal);
    if (hooks.signal.aborted) return [];
    for (const path of sealLeftovers(options.out)) hooks.onSealed(path);
    return await recordUntil({ options, hooks, client, stream });
  } finally {
    stream?.close();
    await client.close();
  }
}

interface Work {
  readonly options: RecordOptions;
  readonly hooks: RecordHooks;
  readonly client: RestClient;
  readonly stream: StreamClient | undefined;
}

async function recordUntil({ options, hooks, client, stream }: Work): Promise<readonly FinishedTape[]> {
  const { clock, signal, onCommit, onGaps } = hooks;
  const { currency, watch, feeds, out: directory, url: address, commissionPpm } = options;
  const feed = marketFeed({
    ...{ clock, client, settings: { currency, watch, feeds, timeouts: TIMEOUTS } },
    ...(stream === undefined ? {} : { stream }),
  });
  const all = new Subscription();
  const recorder = await new Promise<RunRecorder>((resolve, reject) => {
    const working = new RunRecorder({
      ...{ directory, address, prices: feeds.prices, commissionPpm, times: 'published', clock },
      ...{ onCommit, onGaps, onFault: reject },
    });
    if (signal.aborted) return resolve(working);
    signal.addEventListener('abort', () => resolve(working), { once: true });
    if (stream !== undefined && feeds.prices.kind === 'stream')
      all.add(stream.events$.subscribe((event) => working.onStreamEvent(event)));
    all.add(feed.notices$.subscribe((notice) => onNotice(working, notice, hooks)));
    working.follow(feed.updates$);
    stream?.start();
  }).finally(() => all.unsubscribe());
  return recorder.finish();
}

function onNotice(recorder: RunRecorder, notice: GatewayNotice, hooks: RecordHooks): void {
  recorder.onNotice(notice);
  hooks.onNotice(notice);
}

function isStreamed({ feeds }: RecordOptions): boolean {
  return feeds.markets.kind === 'stream' || feeds.prices.kind === 'stream';
}

/** Wrong keys and addresses end the command at once; later failures are waited out, and leave a gap. */
async function checkAccess(client: RestClient, { url }: RecordOptions, signal: AbortSignal): Promise<void> {
  const outcome = await untilAborted(client.accessToken(), signal);
  if (outcome === undefined || outcome.kind === 'granted') return;
  throw accessError(outcome, url);
}
