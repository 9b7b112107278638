/** The gateway of a run: the exchange itself, or its market data with a simulated exchange for orders. */

import type { Observable } from 'rxjs';
import { type ExchangeRules, recordedRules, worldConfig } from '../../../backtest/simulation/exchange-config.ts';
import type { Money } from '../../../core/number/units.ts';
import type { RunState } from '../../../core/run/run-state.ts';
import type { LiveGateway } from '../../../exchange/live-gateway.ts';
import type { Exchange } from '../../../exchange-live/adapter/exchange.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import type { Bound } from '../../../result/figures/bounds.ts';
import type { FillListener } from '../../../simulator/fill-model/fill-listener.ts';
import type { LatencyModel } from '../../../simulator/gateway/latency.ts';
import { type MarketFeedMessage, PaperExchange } from '../../../simulator/paper-exchange.ts';
import type { Clock } from '../../../time/clock.ts';
import { makeDirectory } from '../../cli/out-directory.ts';
import { FILL_RULES } from '../../run/run-file-of.ts';
import type { RunOptions, RunWallet } from '../../run/run-options.ts';
import type { DaemonLog } from '../log/daemon-log.ts';
import { RunRecorder, sealLeftovers } from '../record/run-recorder.ts';

export interface RunGateway {
  readonly gateway: LiveGateway;
  /** The clock on which all timers of the bot must be. */
  readonly clock: Clock;
  /** Brings the time of a paper run to the moment of what comes from outside, for the bot. */
  readonly fromOutside: ((work: () => void) => void) | undefined;
  readonly notices$: Observable<GatewayNotice>;
  /** Called once the feed is not subscribed to any more. */
  close(): void;
}

export interface RunGatewayParts {
  readonly options: RunOptions;
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly log: DaemonLog;
  readonly run: string;
  readonly restored: RunState | undefined;
  readonly strategies: readonly string[];
  /** Directory of the run's own tapes. */
  readonly tapes: string;
}

/** Share of the request budget that polling may take: the rest is for orders, cancels and heartbeats. */
const POLLS_SHARE = 0.75;

export function openRunGateway(parts: RunGatewayParts): RunGateway {
  return parts.options.mode === 'live' ? openLive(parts) : openPaperRun(parts);
}

function openLive(parts: RunGatewayParts): RunGateway {
  const { options, exchange, clock, run, strategies, restored } = parts;
  const { wallets, currency, watch, feeds, margins, requestsPerSecond } = options;
  const settings = {
    wallets: wallets.map(({ id }) => id),
    currency,
    watch,
    feeds,
    timeouts: margins,
    strategies,
    referencePrefix: run,
    countsOthers: options.settings.reconcile.foreignOrders !== 'leave',
    pollsPerSecond: requestsPerSecond * POLLS_SHARE,
  };
  const gateway = exchange.liveGateway(settings, restored && byExchangeIds(restored, wallets));
  const recorder = options.record ? openRecorder(parts, gateway.notices$) : undefined;
  recorder?.follow(gateway.marketUpdates$);
  const { notices$ } = gateway;
  return { gateway, clock, fromOutside: undefined, notices$, close: () => finish(parts, recorder) };
}

/** The exchange of a paper run replays what is on the run's tapes, so a fault of the tapes ends the run. */
function openPaperRun(parts: RunGatewayParts): RunGateway {
  const { options, exchange, clock } = parts;
  const { currency, watch, feeds, margins, paper, requestsPerSecond, wallets } = options;
  const pollsPerSecond = requestsPerSecond * POLLS_SHARE;
  const feed = exchange.marketFeed({ currency, watch, feeds, timeouts: margins, pollsPerSecond });
  const recorder = openRecorder(parts, feed.notices$);
  const { latency, fills, inPlayDelay, commission, seed } = paper;
  const opened = openPaper({
    clock,
    updates$: feed.updates$,
    recorder,
    latency,
    fills,
    inPlayDelay,
    commission,
    seed,
    fillRules: FILL_RULES,
    wallets: wallets.map(({ balance }) => balance),
  });
  const close = (): void => {
    opened.stop();
    finish(parts, recorder);
  };
  const { gateway, clock: paperClock, fromOutside } = opened;
  return { gateway, clock: paperClock, fromOutside, notices$: feed.notices$, close };
}

function openRecorder(parts: RunGatewayParts, notices$: Observable<GatewayNotice>): RunRecorder {
  const { options, clock, log, tapes, exchange } = parts;
  makeDirectory(tapes, 'Name another directory under dir.');
  for (const path of sealLeftovers(tapes)) log.info('recording', `sealed ${path}: its recorder was killed`);
  const { feeds, paper, mode } = options;
  const recorder = new RunRecorder({
    directory: tapes,
    address: exchange.identity.url,
    prices: feeds.prices,
    times: 'received',
    clock,
    onFault: (error) => recordingFailed(parts, error),
    commissionPpm: mode === 'live' || paper.commission === 'recorded' ? 0 : paper.commission.ratePpm,
    onGaps: (gaps) => log.alert('RECORDING_GAP', `${gaps.length} gaps: ${gaps[0]?.why ?? ''}`),
  });
  notices$.subscribe((notice) => recorder.onNotice(notice));
  if (feeds.prices.kind === 'stream') exchange.events$.subscribe((event) => recorder.onEdgeEvent(event));
  return recorder;
}

function recordingFailed({ log }: RunGatewayParts, error: unknown): void {
  log.alert('RECORDING_FAILED', error instanceof Error ? error.message : String(error));
}

function finish({ log }: RunGatewayParts, recorder: RunRecorder | undefined): void {
  for (const { path, markets, updates } of recorder?.finish() ?? [])
    log.info('recording', `${path}: ${markets} markets, ${updates} updates`);
}

/** The journal names wallets as the configuration does, the gateway as the exchange. */
function byExchangeIds(state: RunState, wallets: readonly RunWallet[]): RunState {
  const idOf = (name: string): string => wallets.find((wallet) => wallet.name === name)?.id ?? name;
  return {
    ...state,
    orders: state.orders.map((order) => ({ ...order, terms: { ...order.terms, wallet: idOf(order.terms.wallet) } })),
    results: state.results.map((result) => ({ ...result, wallet: idOf(result.wallet) })),
  };
}

export interface PaperSettings extends ExchangeRules {
  /** Balance of each wallet at the start, in the order of the configuration. */
  readonly wallets: readonly (Money | 'unlimited')[];
  /** Delay from receiving data to the arrival of an order made on it; random, by the seed. */
  readonly latency: LatencyModel;
  /** The fill model of the built-in exchange: what it assumes where market data leave fills open. */
  readonly fills: Bound;
  readonly seed: number;
}

interface PaperWiring extends PaperSettings {
  /** Real time. */
  readonly clock: Clock;
  readonly updates$: Observable<MarketFeedMessage>;
  /** Its option `times` must be `received`. */
  readonly recorder: RunRecorder;
  /** Called with markets that the bot wants to follow although the configured watch does not find them. */
  readonly follow?: (markets: readonly string[]) => void;
  /** Receives each fill as it happens. */
  readonly listener?: FillListener;
}

interface Paper {
  readonly gateway: LiveGateway;
  readonly clock: Clock;
  /** The bot's `fromOutside`, without which a replay does what an operator did at other instants. */
  fromOutside(work: () => void): void;
  /** Stops all timers. */
  stop(): void;
}

/**
 * Wires a paper run: live market data in, orders to the built-in exchange, all received data onto the run's own tapes.
 *
 *     const recorder = new RunRecorder({ directory, address, prices, commissionPpm, times: 'received', clock, onFault });
 *     const paper = openPaper({ clock, updates$, recorder, ...settings });
 *     // Give `paper.gateway`, `paper.clock` and `paper.fromOutside` to the bot; it reads while `gateway.feed$` is subscribed to.
 *     // At the end: unsubscribe from the feed, then paper.stop(), then recorder.finish().
 *
 * `updates$` is what `marketFeed` or the rest gateway reports of markets, with `read` for each complete reading; it is subscribed
 * to once, while the feed is. A fault of ours, or of the tape (TapeFailure), is an error of `feed$`. All timers of the bot
 * belong on `paper.clock`: it stands at logical instants, and a replay of the tapes by the same seed meets the same ones.
 */
export function openPaper(wiring: PaperWiring): Paper {
  const { clock, updates$, recorder, latency, fills, seed, follow, listener = { filled: () => undefined } } = wiring;
  const paper = new PaperExchange({
    wall: clock,
    updates$,
    latency,
    seed,
    record: (market, cause, at) => recorder.onMarket(market, cause, at),
    exchange: { ...recordedRules(wiring), ...worldConfig(wiring, fills), listener },
    ...(follow === undefined ? {} : { follow }),
  });
  const fromOutside = (work: () => void): void => paper.fromOutside(work);
  return { gateway: paper.gateway, clock: paper.clock, fromOutside, stop: () => paper.stop() };
}
