/** One backtest run wired together: simulated clock, built-in exchange over the tapes, and the same pipeline as live. */

import { Random } from '../core/random.ts';
import type { Money } from '../core/units.ts';
import { Engine, type EngineConfig } from '../engine/engine.ts';
import { pipeline } from '../engine/pipeline.ts';
import { bothLogs, type RunLog } from '../engine/run-log.ts';
import type { StrategySeat } from '../engine/runtime.ts';
import type { Transcript } from '../engine/transcript.ts';
import type { Bound } from '../report/result.ts';
import { ReplayExchange } from '../simulator/replay-exchange.ts';
import type { RecordedMarket } from '../simulator/replay-market.ts';
import { SimulatedGateway } from '../simulator/simulated-gateway.ts';
import { SimulatedClock } from '../time/simulated-clock.ts';
import { RunCollector } from './backtest-collector.ts';
import type { BacktestOptions } from './backtest-options.ts';
import type { UpdateSource } from './backtest-source.ts';
import { exchangeConfig } from './exchange-config.ts';

/** Intents of one decision beyond this many are refused: a strategy that wants more is in a loop. */
export const INTENTS_MAX = 100;
/** After this many updates the loop lets Ctrl-C and the progress line in. */
const SLICE = 4096;

export interface SimulationParts {
  readonly options: BacktestOptions;
  readonly source: UpdateSource;
  readonly seats: readonly StrategySeat[];
  /** The bound the bot lives in first. */
  readonly bounds: readonly Bound[];
  readonly transcript: Transcript;
  /** Hears the same steps as the collector. */
  readonly witness?: RunLog;
  /** Says when strategies are asked, as the supervisor of a running bot does; always where it is absent. */
  readonly overseer?: EngineConfig['overseer'];
  /** Instants at which the overseer is to look, before all else that happens then. */
  readonly ticksAt?: readonly number[];
  readonly intentsMax?: number;
  /** Whether messages, requests and answers go through the pipeline's stream, as in a live run, or past it; for the test that it is the same. */
  readonly isStreamed?: boolean;
  /** Looks at the exchanges after each update; for tests. */
  readonly afterUpdate?: (replay: ReplayExchange) => void;
  /** After each slice, with the updates played in it and the simulated time. True ends the run. */
  readonly onSlice: (played: number, at: number) => boolean;
}

export interface SimulationEnd {
  readonly collector: RunCollector;
  readonly updates: number;
  readonly decisions: number;
  readonly intended: number;
  readonly balances: readonly Money[];
}

export async function simulate(parts: SimulationParts): Promise<SimulationEnd> {
  const { options, source, seats, bounds, transcript } = parts;
  const strategies = seats.map(({ plugin }) => plugin.name);
  const collector = new RunCollector({ transcript, bounds, strategies });
  const clock = new SimulatedClock(source.startAt);
  const balances = Object.values(options.wallets).map(({ balance }) => balance);
  const listenerOf = (bound: Bound) => collector.listener(bound);
  const replay = new ReplayExchange({
    at: source.startAt,
    ...exchangeConfig({ ...options, wallets: balances }, bounds, listenerOf),
  });
  const wallets = balances.length;
  const gateway = new SimulatedGateway({
    clock,
    replay,
    wallets,
    latency: options.latency,
    random: Random.fromSeed(options.seed),
    onOrderEnd: (track) => collector.orderEnded(track),
    onMarketEnd: (market) => collector.marketEnded(market, replay.exchanges),
    ...(options.feed.mode === 'poll' ? { pollEveryMs: options.feed.everyMs } : {}),
  });
  const log = parts.witness === undefined ? collector : bothLogs(collector, parts.witness);
  const { overseer, ticksAt = [], intentsMax = INTENTS_MAX } = parts;
  const watched = overseer === undefined ? {} : { overseer };
  const engine = new Engine({ seats, limits: options.limits, log, intentsMax, ...watched });
  for (const at of ticksAt) clock.at(at, () => engine.tell({ kind: 'tick' }));
  const isStreamed = parts.isStreamed === true;
  const running = pipeline({ clock, gateway, engine, prompt: isStreamed ? undefined : gateway }).subscribe();
  gateway.start(isStreamed ? undefined : engine);
  const { afterUpdate } = parts;
  const updates = await play(parts, gateway, afterUpdate && (() => afterUpdate(replay)));
  running.unsubscribe();
  for (const market of replay.openMarkets()) {
    replay.valueAtEnd(market);
    collector.marketEnded(market, replay.exchanges);
  }
  const left = balances.map((_, wallet) => replay.primary.walletMoney(wallet).balance);
  return { collector, updates, decisions: engine.decisions, intended: engine.intended, balances: left };
}

async function play(
  { source, onSlice }: SimulationParts,
  gateway: SimulatedGateway,
  afterUpdate: (() => void) | undefined,
): Promise<number> {
  const recorded: (RecordedMarket | undefined)[] = [];
  let played = 0;
  let inSlice = 0;
  let at = 0;
  for (let update = source.next(); update !== undefined; update = source.next()) {
    const { index } = source;
    const known = recorded[index];
    const market = known ?? source.recorded(index);
    if (known === undefined) recorded[index] = market;
    at = update.publishedAt;
    gateway.play(index, market, update);
    if (afterUpdate !== undefined) afterUpdate();
    if (market.updates === update.sequence + 1) recorded[index] = undefined;
    played += 1;
    inSlice += 1;
    if (inSlice < SLICE) continue;
    if (onSlice(inSlice, at)) return played;
    inSlice = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  onSlice(inSlice, at);
  return played;
}
