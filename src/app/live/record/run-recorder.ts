/** Records markets as their data arrive: commits twice a second, starts a tape each day, and notes gaps. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Observable, Subscription, timer } from 'rxjs';
import { type Instant, instant } from '../../../core/number/units.ts';
import type { MarketCause } from '../../../exchange/gateway.ts';
import type { EdgeEvent } from '../../../exchange-live/adapter/edge-event.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import { type PricesChoice, readEveryMs } from '../../../exchange-live/settings.ts';
import type { LiveBook } from '../../../recording/live/live-book.ts';
import { type FinishedTape, type LiveMarketInput, type MarketGap, Recorder } from '../../../recording/live/recorder.ts';
import { sealRecording, UNFINISHED } from '../../../recording/live/recording-writer.ts';
import type { MarketFeedMessage } from '../../../simulator/paper-exchange.ts';
import type { Clock } from '../../../time/clock.ts';

export interface RunRecorderParts {
  /** Directory of the tapes, which must exist. */
  readonly directory: string;
  /** Address of the exchange, without credentials. */
  readonly address: string;
  /** How prices arrive: polled books hold what was traded, streamed ones do not. */
  readonly prices: PricesChoice;
  /** Parts per million; 0 if it is not configured, because the API has it for no market. */
  readonly commissionPpm: number;
  /** `received` for the tapes of a run, `published` for those of `oddsmith record`. */
  readonly times: 'received' | 'published';
  readonly clock: Clock;
  /** Called after each commit. */
  readonly onCommit?: (state: { readonly path: string; readonly markets: number; readonly updates: number }) => void;
  /** Markets that were closed since the last commit. */
  readonly onGaps?: (gaps: readonly MarketGap[]) => void;
  /** Called with the failure of a commit, after which nothing is recorded any more: a TapeFailure, or a bug of ours. */
  readonly onFault: (error: unknown) => void;
}

/** Half of the time that may be lost at a crash, so that a busy moment of the process does not make it more. */
const COMMIT_EVERY_MS = 500;
/** A poll that is so late counts as missed. */
const LATE_MS = 1_000;
const STALLED = 'the stream did not tell what a reading corrected';

export class RunRecorder {
  readonly #parts: RunRecorderParts;
  readonly #recorder: Recorder;
  readonly #work = new Subscription();
  #newestAt = Number.NEGATIVE_INFINITY;

  /** Call `sealLeftovers` before. @throws TapeFailure */
  constructor(parts: RunRecorderParts) {
    const { directory, address, prices, commissionPpm, times, clock } = parts;
    this.#parts = parts;
    this.#recorder = new Recorder(
      {
        directory,
        address,
        commissionPpm,
        times,
        knowsTrades: prices.kind !== 'stream',
        silenceMaxMs: 2 * readEveryMs(prices) + LATE_MS,
      },
      this.#now(),
    );
    const next = () => this.#guard(() => this.#commit());
    this.#work.add(timer(COMMIT_EVERY_MS, COMMIT_EVERY_MS, clock).subscribe(next));
  }

  /** Records a market's new state. Calls must come in the order of time. @throws TapeFailure */
  onMarket(market: LiveBook, cause: MarketCause, at: Instant): LiveMarketInput | undefined {
    this.#newestAt = at;
    return this.#recorder.record(market, cause, at);
  }

  /** Records what a source emits from now on; faults go to `onFault`. */
  follow(updates$: Observable<MarketFeedMessage>): void {
    const next = (message: MarketFeedMessage): void => {
      if (message.kind === 'market') this.#guard(() => this.onMarket(message.market, message.cause, this.#now()));
    };
    this.#work.add(updates$.subscribe({ next, error: this.#parts.onFault }));
  }

  /** Notes a gap for prices that could not be read, or that the stream did not tell. */
  onNotice(notice: GatewayNotice): void {
    if (notice.kind === 'streamGap') {
      const span = { from: instant(Math.floor(notice.from)), to: instant(Math.ceil(notice.to)) };
      this.#recorder.missed(notice.market, { ...span, why: STALLED });
    }
    if (notice.kind === 'readFailed' && notice.what === 'prices')
      this.#recorder.broke(`prices could not be read (${notice.code})`, 'moment', this.#now());
  }

  /** Notes a gap of streamed prices. The stream repeats nothing: from its end to the first reading after its return, data may be missing. */
  onEdgeEvent(event: EdgeEvent): void {
    if (event.kind === 'down') this.#recorder.broke(`the stream was down (${event.code})`, 'outage', this.#now());
    if (event.kind !== 'resync') return;
    if (event.reason === 'lost') this.#recorder.broke('a message of the stream was lost', 'moment', this.#now());
    if (event.reason === 'reconnected' || event.reason === 'connected') this.#recorder.mended();
  }

  /** Finishes the last tape, and returns the paths of all tapes of this recorder. @throws TapeFailure */
  finish(): readonly FinishedTape[] {
    this.#work.unsubscribe();
    return this.#recorder.finish(this.#now());
  }

  #commit(): void {
    const { onGaps, onCommit } = this.#parts;
    const gaps = this.#recorder.commit(this.#now());
    if (gaps.length > 0) onGaps?.(gaps);
    onCommit?.({ path: this.#recorder.path, ...this.#recorder.counts });
  }

  /** The time now, but never before the newest time on the tape, since the system's clock may have been set back. */
  #now(): Instant {
    return instant(Math.max(Math.floor(this.#parts.clock.now()), this.#newestAt));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#work.unsubscribe();
      this.#parts.onFault(error);
    }
  }
}

/** Finishes the tapes that killed recorders left in the directory, and returns their paths. @throws TapeFailure */
export function sealLeftovers(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const unfinished = readdirSync(directory).filter((name) => name.endsWith(`.tape${UNFINISHED}`));
  return unfinished.sort().flatMap((name) => {
    return sealRecording(join(directory, name.slice(0, -UNFINISHED.length)))?.path ?? [];
  });
}
