/** A recording at work: the exchange's clients, the recorder, and the clock that commits what was heard. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, fromEvent, map, type Observable, of, Subscription, takeUntil, timer } from 'rxjs';
import { Random } from '../core/random.ts';
import { instant } from '../core/units.ts';
import { type FinishedTape, type MarketGap, Recorder } from '../recording/live/recorder.ts';
import { sealRecording, UNFINISHED } from '../recording/live/recording-writer.ts';
import { marketFeed } from '../rest/gateway/market-feed.ts';
import type { GatewayNotice } from '../rest/gateway/notice.ts';
import { type FeedChoice, MARGINS } from '../rest/gateway/settings.ts';
import { RestClient } from '../rest/rest-client.ts';
import { StreamClient } from '../rest/stream/stream-client.ts';
import type { StreamEvent } from '../rest/stream/stream-event.ts';
import type { Clock } from '../time/clock.ts';
import { CliError } from './cli-error.ts';
import type { RecordOptions } from './config/resolve-record.ts';

export interface RecordHooks {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Something of it changed: told after each commit. */
  onCommit(state: { readonly path: string; readonly markets: number; readonly updates: number }): void;
  onGaps(gaps: readonly MarketGap[]): void;
  onNotice(notice: GatewayNotice): void;
  /** A tape of a recorder that was killed was finished. */
  onSealed(path: string): void;
}

/** Half of what may be lost, so that a busy turn of the process does not make it more. */
const COMMIT_EVERY_MS = 500;
/** A poll that is late by so much was missed. */
const LATE_MS = 1_000;

/** Until the signal. @throws CliError EXCHANGE_…, TapeFailure */
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
    sealLeftovers(options.out, hooks);
    const recorder = new Recorder(recorderSettings(options), instant(Math.floor(clock.now())));
    await recordUntil(recorder, { options, hooks, client, stream });
    return recorder.finish(instant(Math.floor(clock.now())));
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

function recordUntil(recorder: Recorder, { options, hooks, client, stream }: Work): Promise<void> {
  const { clock, signal } = hooks;
  const { currency, watch, feeds } = options;
  const now = () => instant(Math.floor(clock.now()));
  const feed = marketFeed({
    ...{ clock, client, settings: { currency, watch, feeds, margins: MARGINS } },
    ...(stream === undefined ? {} : { stream }),
  });
  const commit = () => {
    const gaps = recorder.commit(now());
    if (gaps.length > 0) hooks.onGaps(gaps);
    hooks.onCommit({ path: recorder.path, ...recorder.counts });
  };
  const all = new Subscription();
  return new Promise<void>((resolve, reject) => {
    const guarded = <T>(work: (value: T) => void) => ({
      next: (value: T) => {
        try {
          work(value);
        } catch (error) {
          all.unsubscribe();
          reject(error);
        }
      },
      error: reject,
    });
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (stream !== undefined && feeds.prices.kind === 'stream')
      all.add(stream.news$.subscribe(guarded((event) => heardStream(recorder, event))));
    all.add(feed.notices$.subscribe(guarded((notice) => heardNotice(recorder, notice, hooks))));
    all.add(feed.news$.subscribe(guarded(({ market, cause }) => recorder.hear(market, cause, now()))));
    all.add(timer(COMMIT_EVERY_MS, COMMIT_EVERY_MS, clock).subscribe(guarded(commit)));
    stream?.start();
  }).finally(() => all.unsubscribe());
}

function heardNotice(recorder: Recorder, notice: GatewayNotice, hooks: RecordHooks): void {
  if (notice.kind === 'readFailed' && notice.what === 'prices')
    recorder.broke(`prices could not be read (${notice.code})`, 'moment');
  hooks.onNotice(notice);
}

/** The stream replays nothing: from its end to the reading after its return, anything may have been missed. */
function heardStream(recorder: Recorder, event: StreamEvent): void {
  if (event.kind === 'down') recorder.broke(`the stream was down (${event.code})`, 'outage');
  if (event.kind !== 'resync') return;
  if (event.reason === 'lost') recorder.broke('a frame of the stream was lost', 'moment');
  if (event.reason === 'reconnected' || event.reason === 'connected') recorder.mended();
}

function recorderSettings({ out, url, feeds, commissionPpm }: RecordOptions) {
  return {
    ...{ directory: out, address: url, commissionPpm },
    knowsTrades: feeds.prices.kind === 'poll',
    silenceMaxMs: silenceMaxMs(feeds.prices),
  };
}

function silenceMaxMs(feed: FeedChoice): number {
  return 2 * (feed.kind === 'poll' ? feed.everyMs : feed.rereadMs) + LATE_MS;
}

function isStreamed({ feeds }: RecordOptions): boolean {
  return feeds.markets.kind === 'stream' || feeds.prices.kind === 'stream';
}

function tokenOf(client: RestClient): Observable<string> {
  return client.accessToken().pipe(
    map((outcome) => {
      if (outcome.kind === 'granted') return outcome.token.reveal();
      // The stream takes it for a token that could not be had, and tries again.
      throw new Error(outcome.details);
    }),
  );
}

/** Wrong keys and addresses are said at once; what fails later is waited out, and is a gap. */
async function checkAccess(client: RestClient, { url }: RecordOptions, signal: AbortSignal): Promise<void> {
  const aborted$ = signal.aborted ? of(undefined) : fromEvent(signal, 'abort');
  const outcome = await firstValueFrom(client.accessToken().pipe(takeUntil(aborted$)), { defaultValue: undefined });
  if (outcome === undefined || outcome.kind === 'granted') return;
  const isRefused = outcome.code === 'NO_SESSION';
  throw new CliError({
    code: isRefused ? 'EXCHANGE_NOT_AUTHORISED' : 'EXCHANGE_UNREACHABLE',
    what: isRefused ? 'The exchange does not let this app in.' : 'The exchange cannot be reached.',
    where: url,
    why: outcome.details,
    next: isRefused ? 'Check exchange.appId and exchange.apiKey.' : 'Check exchange.url and that the exchange is up.',
  });
}

/** What killed recorders left in the directory becomes plain tapes. */
function sealLeftovers(directory: string, hooks: RecordHooks): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory).sort()) {
    if (!name.endsWith(`.tape${UNFINISHED}`)) continue;
    const sealed = sealRecording(join(directory, name.slice(0, -UNFINISHED.length)));
    if (sealed !== undefined) hooks.onSealed(sealed.path);
  }
}
