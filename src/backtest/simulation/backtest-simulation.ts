/** One backtest run wired together: simulated clock, built-in exchange over the tapes, and the same pipeline as live. */

import type { MarketState } from '../../core/market-state.ts';
import { Random } from '../../core/number/random.ts';
import type { Money } from '../../core/number/units.ts';
import { Engine, type EngineConfig } from '../../engine/engine.ts';
import { type DecisionMark, isAskedToEnd, newMark } from '../../engine/guest/decision-mark.ts';
import type { StrategyInMarket, StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { bothLogs, type RunLog } from '../../engine/log/run-log.ts';
import type { Transcript } from '../../engine/log/transcript.ts';
import { pipeline } from '../../engine/pipeline.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { Bound } from '../../report/figures/bounds.ts';
import { SimulatedGateway } from '../../simulator/gateway/simulated-gateway.ts';
import { ReplayExchange } from '../../simulator/replay/replay-exchange.ts';
import type { RecordedMarket } from '../../simulator/replay/replay-market.ts';
import { nextTurn } from '../../time/next-turn.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { BacktestOptions, WatchGuests } from '../options/backtest-options.ts';
import { RunCollector } from './backtest-collector.ts';
import type { UpdateSource } from './backtest-source.ts';
import { exchangeConfig } from './exchange-config.ts';

/** Intents of one decision beyond this many are refused: a strategy that wants more is in a loop. */
const INTENTS_MAX = 100;
/** After this many updates the loop lets Ctrl-C and the progress line in. */
const SLICE = 4096;
/** How long the first slice is where slices are to take a given time: strategies may be slow. */
const FIRST_SLICE = 64;

export interface SimulationParts {
  readonly options: BacktestOptions;
  readonly source: UpdateSource;
  readonly instances: readonly StrategyInstance[];
  /** The first is the flow's own: its fills are those that strategies see. */
  readonly bounds: readonly Bound[];
  readonly transcript: Transcript;
  /** A second run log beside the collector. */
  readonly secondLog?: RunLog;
  /** Decides when strategies are called, as the supervisor of a running bot does; if absent, they always are. */
  readonly engineSupervisor?: EngineConfig['engineSupervisor'];
  /** Instants at which the supervisor acts, before anything else that happens then. */
  readonly ticksAt?: readonly number[];
  readonly intentsMax?: number;
  /** The run that was recorded went on after its tapes end, so that its markets stay as they are there. */
  readonly goesOnUnrecorded?: boolean;
  /** For the test that compares both ways: messages, requests and replies pass through the pipeline's stream, as in a live run. */
  readonly isStreamed?: boolean;
  /** Called after each update. */
  readonly afterUpdate?: (replay: ReplayExchange) => void;
  /** Marks calls of strategies. A run that is asked to end through it stops in the middle of a slice, and ends if `onSlice` says so. */
  readonly mark?: DecisionMark | undefined;
  /**
   * About how long a slice is to take, ms, so that the rest of the process gets its turn in time beside slow strategies. If absent, all
   * slices have equally many updates, so that what a strategy's promises do between them is the same in each run.
   */
  readonly sliceMs?: number | undefined;
  /** Reports what strategies throw outside of every call; without it the process's own rules hold for that. */
  readonly watchGuests?: WatchGuests | undefined;
  /** Receives a function that ends the run at once, even in the middle of a strategy's call, and returns its end so far. */
  readonly onBegun?: (endNow: () => SimulationEnd) => void;
  /** Called after each slice with the updates played in it and the simulated time. Returns true to end the run. */
  readonly onSlice: (played: number, at: number) => boolean;
}

export interface SimulationEnd {
  readonly collector: RunCollector;
  readonly updates: number;
  /** Simulated time of the last update. */
  readonly endedAt: number;
  readonly decisions: number;
  readonly intended: number;
  readonly cancellations: number;
  readonly cancellationsRepeated: number;
  /** By index of the strategy: how often it was called because it had asked for that instant (`wakeAt`). */
  readonly timerCalls: readonly number[];
  /** By index of the strategy: rejections for which it was not called any more. */
  readonly rejectionsUntold: readonly number[];
  readonly balances: readonly Money[];
}

export async function simulate(parts: SimulationParts): Promise<SimulationEnd> {
  const { options, source, instances, bounds, transcript } = parts;
  const strategies = instances.map(({ plugin }) => plugin.name);
  const suspendsAtEnd = parts.goesOnUnrecorded !== true;
  const collector = new RunCollector({ transcript, bounds, strategies });
  const clock = new SimulatedClock(source.startAt);
  const balances = Object.values(options.wallets).map(({ balance }) => balance);
  const listenerOf = (bound: Bound) => collector.listener(bound);
  const replay = new ReplayExchange({
    at: source.startAt,
    ...exchangeConfig({ ...options, wallets: balances, suspendsAtEnd }, bounds, listenerOf),
  });
  collector.watchPrices(clock, (index) => replay.market(index));
  const gateway = new SimulatedGateway({
    clock,
    replay,
    wallets: balances.length,
    latency: options.latency,
    random: Random.fromSeed(options.seed),
    window: options.markets.window,
    onOrderEnd: (track) => collector.orderEnded(track),
    onMarketEnd: (market) => collector.marketEnded(market, replay.exchanges),
    ...(options.feed.mode === 'poll' ? { pollEveryMs: options.feed.everyMs } : {}),
  });
  const log = parts.secondLog === undefined ? collector : bothLogs(collector, parts.secondLog);
  const { engineSupervisor, ticksAt = [], intentsMax = INTENTS_MAX, mark = newMark() } = parts;
  const watched = engineSupervisor === undefined ? {} : { engineSupervisor };
  const onListed = ({ index }: MarketState, watchers: readonly StrategyInMarket[]): void =>
    collector.listed(
      index,
      watchers.map(({ instance }) => instance.index),
    );
  const engine = new Engine({ instances, limits: options.limits, log, intentsMax, mark, onListed, ...watched });
  for (const at of ticksAt) clock.at(at, () => engine.enqueue({ kind: 'tick' }));
  const isStreamed = parts.isStreamed === true;
  const running = pipeline({ clock, gateway, engine, inProcess: isStreamed ? undefined : gateway }).subscribe();
  gateway.start(isStreamed ? undefined : engine);
  const { afterUpdate } = parts;
  const size = parts.sliceMs === undefined ? SLICE : FIRST_SLICE;
  const after = afterUpdate && (() => afterUpdate(replay));
  const slices = new Slices({ source, gateway, mark, size, calls: () => engine.decisions, afterUpdate: after });
  const end = (): SimulationEnd => {
    running.unsubscribe();
    for (const market of replay.openMarkets()) {
      replay.valueAtEnd(market);
      collector.marketEnded(market, replay.exchanges);
    }
    collector.close();
    const left = balances.map((_, wallet) => replay.primary.walletMoney(wallet).balance);
    const { played: updates, at: endedAt } = slices;
    const timerCalls = instances.map((instance) => instance.timerCalls);
    const rejectionsUntold = instances.map((instance) => instance.rejectionsUntold);
    const counts = { decisions: engine.decisions, ...engine.counts, timerCalls, rejectionsUntold };
    return { collector, updates, endedAt, ...counts, balances: left };
  };
  parts.onBegun?.(end);
  await playWatched({ engine, instances, watchGuests: parts.watchGuests }, () => play(slices, parts));
  return end();
}

interface Watched {
  readonly engine: Engine;
  readonly instances: readonly StrategyInstance[];
  readonly watchGuests: WatchGuests | undefined;
}

/** An error that a strategy throws between the slices halts that strategy; any other error ends the run. */
async function playWatched({ engine, instances, watchGuests }: Watched, play: () => Promise<void>): Promise<void> {
  if (watchGuests === undefined) return await play();
  const others: { readonly error: unknown }[] = [];
  const stop = watchGuests({
    instances,
    onStrategy: (instance, error) => engine.strategyFailed(instance, error),
    onOther: (error) => others.push({ error }),
  });
  try {
    await play();
    // A rejection of the last slice is reported in the next turn of the event loop.
    await nextTurn();
    const [other] = others;
    if (other !== undefined) throw other.error;
  } finally {
    stop();
  }
}

async function play(slices: Slices, { onSlice, sliceMs }: SimulationParts): Promise<void> {
  const clock = steadyClock();
  for (let startedAt = clock.now(); slices.play(); startedAt = clock.now()) {
    if (onSlice(slices.inSlice, slices.at)) return;
    if (sliceMs !== undefined) slices.resize(sliceMs, clock.now() - startedAt);
    // Signals and timers of the process get their turn.
    await nextTurn();
  }
  onSlice(slices.inSlice, slices.at);
}

interface SliceParts {
  readonly source: UpdateSource;
  readonly gateway: SimulatedGateway;
  readonly mark: DecisionMark;
  /** Updates in the first slice. */
  readonly size: number;
  /** How often strategies have been called. */
  readonly calls: () => number;
  readonly afterUpdate: (() => void) | undefined;
}

/**
 * The loop of a replay, which waits for nothing within a slice. A slice ends after so many updates that were reported to the bot; what a
 * strategy's promises do between slices then does not depend on how many others were read. Where no strategy was called since the last
 * slice it may end anywhere.
 */
class Slices {
  /** Updates in the slice at play, or else in the last one. */
  inSlice = 0;
  #before = 0;
  /** Simulated time of the last update. */
  at = 0;
  #size: number;
  /** How many updates are in the slice when it is to be looked at whether it ends. */
  #until: number;
  /** Updates that were reported, in the slices since the last one that ended because of them. */
  #reportedBefore = 0;
  #callsBefore = 0;
  #hiddenBefore = 0;
  readonly #source: UpdateSource;
  readonly #gateway: SimulatedGateway;
  readonly #mark: DecisionMark;
  readonly #calls: () => number;
  readonly #afterUpdate: (() => void) | undefined;
  /** By index, while a market goes on. */
  readonly #recorded: (RecordedMarket | undefined)[] = [];

  constructor(parts: SliceParts) {
    this.#source = parts.source;
    this.#gateway = parts.gateway;
    this.#mark = parts.mark;
    this.#size = parts.size;
    this.#until = parts.size;
    this.#calls = parts.calls;
    this.#afterUpdate = parts.afterUpdate;
  }

  /** All updates so far, including those of a slice at play. */
  get played(): number {
    return this.#before + this.inSlice;
  }

  /** Makes the next slice as long as takes `sliceMs`, by how long the last one took. */
  resize(sliceMs: number, tookMs: number): void {
    const fitting = Math.round((this.#size * sliceMs) / Math.max(1, tookMs));
    this.#size = Math.max(1, Math.min(fitting, 2 * this.#size, SLICE));
  }

  /** One slice, or as much of it as is played before it is asked to end; false where the source is at its end. */
  play(): boolean {
    this.#begin();
    for (;;) {
      const stopped = this.#playPrices();
      if (this.inSlice >= this.#until && this.#ends()) return true;
      if (stopped === undefined && isAskedToEnd(this.#mark)) return true;
      const update = stopped ?? this.#source.next();
      if (update === undefined) return false;
      this.#playAny(update);
    }
  }

  #begin(): void {
    this.#before += this.inSlice;
    this.inSlice = 0;
    this.#until = Math.max(1, this.#size - this.#reportedBefore);
    this.#callsBefore = this.#calls();
    this.#hiddenBefore = this.#gateway.hidden;
  }

  /** Whether the slice ends; if it does not, when it is to be looked at next. */
  #ends(): boolean {
    const reported = this.#reportedBefore + this.inSlice - (this.#gateway.hidden - this.#hiddenBefore);
    const isFull = reported >= this.#size;
    if (!isFull && this.#calls() !== this.#callsBefore) {
      this.#until = this.inSlice + this.#size - reported;
      return false;
    }
    this.#reportedBefore = isFull ? 0 : reported;
    return true;
  }

  /**
   * Plays updates of prices alone as long as they come; returns an update that it read and could not play. Rare cases are left to the
   * caller: a branch for one in here would first be taken late, and V8 would then throw away what it had compiled without it.
   */
  #playPrices(): PendingUpdate | undefined {
    const until = this.#until;
    while (this.inSlice < until && !isAskedToEnd(this.#mark)) {
      const update = this.#source.nextPrices?.();
      if (update === undefined) return undefined;
      const { index } = this.#source;
      const market = this.#recorded[index];
      if (market === undefined || !this.#gateway.playPrices(index, market, update)) return update;
      this.#wasPlayed(update);
    }
    return undefined;
  }

  #playAny(update: PendingUpdate): void {
    const { index } = this.#source;
    const known = this.#recorded[index];
    const market = known ?? this.#source.recorded(index);
    if (known === undefined) this.#recorded[index] = market;
    const leftOut = this.#source.leftOut ?? 0;
    if (leftOut > 0) {
      this.#gateway.leaveOut(index, leftOut);
      this.inSlice += leftOut;
    }
    this.#gateway.play(index, market, update);
    this.#wasPlayed(update);
    if (market.updates === update.sequence + 1) this.#recorded[index] = undefined;
  }

  #wasPlayed(update: PendingUpdate): void {
    this.at = update.publishedAt;
    this.inSlice += 1;
    if (this.#afterUpdate !== undefined) this.#afterUpdate();
  }
}
