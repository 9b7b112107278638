/** Runs `oddsmith record`: the exchange, the recorder, and the timer that commits what was received. */

import { join } from 'node:path';
import { Subscription } from 'rxjs';
import type { EdgeEvent } from '../../../exchange-live/adapter/edge-event.ts';
import type { Exchange } from '../../../exchange-live/adapter/exchange.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import { TIMEOUTS } from '../../../exchange-live/settings.ts';
import type { FinishedTape, MarketGap } from '../../../recording/live/recorder.ts';
import type { Clock } from '../../../time/clock.ts';
import { accessError } from '../../cli/access-error.ts';
import { CliError } from '../../cli/cli-error.ts';
import { openExchange } from '../../run/exchange-choice.ts';
import type { RecordOptions } from '../../run/run-options.ts';
import { untilAborted, waitedOut } from '../link/wait-out.ts';
import { edgeLine } from '../log/edge-line.ts';
import { SessionWatch } from '../observe/session-watch.ts';
import { NativeRecording } from './native-recording.ts';
import { RunRecorder, sealLeftovers } from './run-recorder.ts';

export interface RecordHooks {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after each commit with the recording's state. */
  onCommit(state: { readonly path: string; readonly markets: number; readonly updates: number }): void;
  onGaps(gaps: readonly MarketGap[]): void;
  onNotice(notice: GatewayNotice): void;
  /** Called before each pause while the exchange cannot be reached at the start. */
  onAway(cause: string, pauseMs: number): void;
  /** Called each time that no session could be opened while it records, with the reason. */
  onNoSession(text: string): void;
  /** Called with each tape that a killed recorder had left unfinished, and that was finished now. */
  onSealed(path: string): void;
}

/** The folder, beside the tapes, of what the exchange's stream told in its own lines. */
export const NATIVE = 'native';

/** A key that is refused for so long counts as refused for good, ms: the default of a run. */
const REFUSED_MS = 600_000;

/** Records until the signal. @throws CliError EXCHANGE_…, SESSION_LOST, TapeFailure */
export async function record(options: RecordOptions, hooks: RecordHooks): Promise<readonly FinishedTape[]> {
  const exchange = openExchange(options, hooks.clock);
  try {
    const { clock, signal, onAway } = hooks;
    if (!(await waitedOut(() => isLetIn(exchange, signal), { clock, signal, onAway }))) return [];
    for (const path of sealLeftovers(options.out)) hooks.onSealed(path);
    return await recordUntil({ options, hooks, exchange });
  } finally {
    await exchange.close();
  }
}

interface Work {
  readonly options: RecordOptions;
  readonly hooks: RecordHooks;
  readonly exchange: Exchange;
}

async function recordUntil({ options, hooks, exchange }: Work): Promise<readonly FinishedTape[]> {
  const { clock, signal, onCommit, onGaps } = hooks;
  const { currency, watch, feeds, out: directory, commissionPpm } = options;
  const feed = exchange.marketFeed({ currency, watch, feeds, timeouts: TIMEOUTS });
  const all = new Subscription();
  let native: NativeRecording | undefined;
  let lost: string | undefined;
  const recorder = await new Promise<RunRecorder>((resolve, reject) => {
    const working = new RunRecorder({
      directory,
      address: exchange.identity.url,
      prices: feeds.prices,
      commissionPpm,
      times: 'published',
      clock,
      onCommit,
      onGaps,
      onFault: reject,
    });
    if (signal.aborted) return resolve(working);
    signal.addEventListener('abort', () => resolve(working), { once: true });
    if (exchange.native$ !== undefined) {
      const parts = { directory: join(directory, NATIVE), news$: exchange.native$, clock, onFault: reject };
      const keeping = new NativeRecording(parts);
      native = keeping;
      all.add(() => keeping.stop());
    }
    const session = new SessionWatch({
      now: () => clock.now(),
      refusedMs: REFUSED_MS,
      // What is recorded has the exchange's times.
      skewMaxMs: Number.POSITIVE_INFINITY,
      onSkew: () => undefined,
      onLost(details) {
        lost = details;
        resolve(working);
      },
    });
    all.add(exchange.events$.subscribe((event) => session.onEvent(event)));
    all.add(exchange.events$.subscribe((event) => tellFailure(event, hooks)));
    if (feeds.prices.kind === 'stream') all.add(exchange.events$.subscribe((event) => working.onEdgeEvent(event)));
    all.add(feed.notices$.subscribe((notice) => onNotice(working, notice, hooks)));
    working.follow(feed.updates$);
    exchange.stream?.start();
  }).finally(() => all.unsubscribe());
  native?.finish();
  const tapes = recorder.finish();
  if (lost === undefined) return tapes;
  const { url, owner } = exchange.identity;
  throw new CliError({
    ...{
      code: 'SESSION_LOST',
      what: `The exchange does not let this ${owner.kind} in any more.`,
      where: url,
      why: lost,
    },
    next: `Mend that, then start again. What was recorded is whole: ${tapes.map(({ path }) => path).join(', ')}`,
  });
}

function tellFailure(event: EdgeEvent, { onNoSession }: RecordHooks): void {
  if (event.kind === 'sessionFailed') onNoSession(edgeLine(event).text);
}

function onNotice(recorder: RunRecorder, notice: GatewayNotice, hooks: RecordHooks): void {
  recorder.onNotice(notice);
  hooks.onNotice(notice);
}

/** False if the signal came first. @throws CliError EXCHANGE_… */
async function isLetIn(exchange: Exchange, signal: AbortSignal): Promise<boolean> {
  const access = await untilAborted(exchange.checkAccess(), signal);
  if (access === undefined || access.kind === 'granted') return access !== undefined;
  throw accessError(access, exchange.identity);
}
