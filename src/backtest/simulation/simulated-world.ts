/** One world of a backtest: its clock, exchange, gateway and engine, and what is kept of all that happens in it. */

import type { Subscription } from 'rxjs';
import type { MarketState } from '../../core/market-state.ts';
import { Random } from '../../core/number/random.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import { Engine, type EngineConfig } from '../../engine/engine.ts';
import type { DecisionMark } from '../../engine/guest/decision-mark.ts';
import type { StrategyInMarket, StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { bothLogs, type RunLog } from '../../engine/log/run-log.ts';
import type { Transcript } from '../../engine/log/transcript.ts';
import { pipeline } from '../../engine/pipeline.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import { SimulatedGateway } from '../../simulator/gateway/simulated-gateway.ts';
import { ReplayExchange } from '../../simulator/replay/replay-exchange.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import { RunCollector } from './backtest-collector.ts';
import { type ExchangeRules, worldConfig } from './exchange-config.ts';

/** Intents of one decision beyond this many are refused: a strategy that wants more is in a loop. */
const INTENTS_MAX = 100;

export interface WorldChoice {
  /** Whose fills strategies see. */
  readonly bound: Bound;
  readonly instances: readonly StrategyInstance[];
  readonly transcript: Transcript;
  /** A second run log beside the collector. */
  readonly secondLog?: RunLog;
  /** Decides when strategies are called, as the supervisor of a running bot does; if absent, they always are. */
  readonly engineSupervisor?: EngineConfig['engineSupervisor'];
  /** Instants at which the supervisor acts, before anything else that happens then. */
  readonly ticksAt?: readonly number[];
  readonly intentsMax?: number;
}

interface WorldParts {
  readonly choice: WorldChoice;
  readonly options: BacktestOptions;
  readonly rules: ExchangeRules;
  readonly startAt: Instant;
  /** Its index among the worlds of the run. What a report shows of one world is kept of the first alone. */
  readonly index: number;
  readonly mark: DecisionMark;
  /** Receives an error in a step, which ends the world: nothing is decided or sent in it any more. */
  readonly onError: (error: unknown) => void;
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
  /** For each strategy, by its index, how often it was called because it had asked for that instant (`wakeAt`). */
  readonly timerCalls: readonly number[];
  /** For each strategy, by its index, the rejections for which it was not called any more. */
  readonly rejectionsUntold: readonly number[];
  readonly balances: readonly Money[];
}

export class SimulatedWorld {
  readonly replay: ReplayExchange;
  readonly gateway: SimulatedGateway;
  readonly engine: Engine;
  readonly instances: readonly StrategyInstance[];
  readonly #collector: RunCollector;
  readonly #running: Subscription;
  readonly #wallets: number;

  constructor({ choice, options, rules, startAt, index, mark, onError }: WorldParts) {
    const { bound, instances, transcript, secondLog, engineSupervisor, ticksAt = [] } = choice;
    this.instances = instances;
    for (const instance of instances) instance.world = index;
    const strategies = instances.map(({ plugin }) => plugin.name);
    const collector = new RunCollector({ transcript, bound, strategies, isShown: index === 0 });
    const clock = new SimulatedClock(startAt);
    const replay = new ReplayExchange({ at: startAt, ...worldConfig(rules, bound), listener: collector });
    collector.watchPrices(clock, (market) => replay.market(market));
    this.#collector = collector;
    this.#wallets = rules.wallets.length;
    this.replay = replay;
    this.gateway = new SimulatedGateway({
      clock,
      replay,
      wallets: this.#wallets,
      latency: options.latency,
      random: Random.fromSeed(options.seed),
      window: options.markets.window,
      onOrderEnd: (track) => collector.orderEnded(track),
      onMarketEnd: (market) => collector.marketEnded(market, replay.exchange),
      ...(options.feed.mode === 'poll' ? { pollEveryMs: options.feed.everyMs } : {}),
    });
    const log = secondLog === undefined ? collector : bothLogs(collector, secondLog);
    const watched = engineSupervisor === undefined ? {} : { engineSupervisor };
    const onListed = ({ index: market }: MarketState, watchers: readonly StrategyInMarket[]): void =>
      collector.listed(
        market,
        watchers.map(({ instance }) => instance.index),
      );
    const { limits } = options;
    const { intentsMax = INTENTS_MAX } = choice;
    this.engine = new Engine({ instances, limits, log, intentsMax, mark, onListed, ...watched });
    for (const at of ticksAt) clock.at(at, () => this.engine.enqueue({ kind: 'tick' }));
    const { engine, gateway } = this;
    this.#running = pipeline({ clock, gateway, engine }).subscribe({ error: onError });
    gateway.start();
  }

  /** Ends it where it stands. */
  end({ played: updates, at: endedAt }: { readonly played: number; readonly at: number }): SimulationEnd {
    this.#running.unsubscribe();
    const { replay, engine, instances } = this;
    const collector = this.#collector;
    for (const market of replay.openMarkets()) {
      if (market.isMatching) market.value();
      collector.marketEnded(market, replay.exchange);
    }
    collector.close();
    const balances = Array.from({ length: this.#wallets }, (_, wallet) => replay.exchange.walletMoney(wallet).balance);
    const timerCalls = instances.map((instance) => instance.timerCalls);
    const rejectionsUntold = instances.map((instance) => instance.rejectionsUntold);
    const counts = { decisions: engine.decisions, ...engine.counts, timerCalls, rejectionsUntold };
    return { collector, updates, endedAt, ...counts, balances };
  }
}
