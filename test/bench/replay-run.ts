/** One replay as the benches make it: strategies over markets of a tape, tape reading and transcript included. */

import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { simulateWorlds } from '../../src/backtest/simulation/backtest-simulation.ts';
import {
  chooseMarkets,
  MergedUpdates,
  type SourceMarket,
  type UpdateSource,
} from '../../src/backtest/simulation/backtest-source.ts';
import type { SimulationEnd } from '../../src/backtest/simulation/simulated-world.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { Bound } from '../../src/result/figures/bounds.ts';
import type { Limits } from '../../src/risk/limits/limits.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import type { ParamsSpec, ParamValues } from '../../src/strategy/params.ts';
import { readParams } from '../../src/strategy/read-params.ts';
import { claim, type Measured, Stopwatch } from './figure.ts';

export const REQUEST_MS = 120;

/** Orders travel 120 ms and find no delay and no limit on the exchange's side. */
export const OPTIONS: BacktestOptions = {
  strategies: [],
  tapes: [],
  markets: { types: [], ids: [], events: [] },
  wallets: { main: { currency: 'USDC', balance: 'unlimited' } },
  feed: { mode: 'stream' },
  latency: { request: { kind: 'fixed', ms: REQUEST_MS }, response: { kind: 'fixed', ms: 0 } },
  inPlayDelay: { ms: 0 },
  commission: 'recorded',
  fills: 'bounds',
  prove: false,
  strategyTimeoutMs: 30_000,
  fillRules: {
    cancellations: 'pro-rata',
    hiddenVolume: 'through-queue',
    crossMatching: 'rounded',
    refill: 'never',
    levelsOutOfSight: { maxAgeMs: 1_000 },
  },
  exchange: { inPlaySuspension: 'as-recorded', minimumStake: 'none' },
  limits: {},
  isolate: 'none',
  seed: 1,
  out: '',
};

export interface ReplayPlan {
  readonly markets: readonly SourceMarket[];
  /** Each becomes one strategy instance. */
  readonly plugins: readonly StrategyPlugin[];
  /** A world for each; the central one alone where absent. */
  readonly bounds?: readonly Bound[];
  /** None where absent. */
  readonly limits?: Limits;
  /** How its updates are read, where that is measured as well. */
  readonly sourceOf?: (markets: readonly SourceMarket[]) => UpdateSource;
}

export interface ReplayPass {
  readonly end: SimulationEnd;
  readonly transcript: string;
}

/** A plan that is carried out again and again; every pass must have the transcript of the first. */
export class Replay implements Measured {
  operations = 0;
  readonly #plan: ReplayPlan;
  #transcript = '';

  constructor(plan: ReplayPlan) {
    this.#plan = plan;
  }

  get transcript(): string {
    return this.#transcript;
  }

  /** The first passes, which no figure counts: the engine still compiles in the fourth. */
  async warmUp(passes: number): Promise<SimulationEnd> {
    const { end, transcript } = await replayOnce(this.#plan);
    this.operations = this.#plan.markets.reduce((sum, { market }) => sum + market.updates, 0);
    claim(end.updates === this.operations, `${this.operations} updates are on the tape, ${end.updates} were replayed`);
    this.#transcript = transcript;
    for (let pass = 1; pass < passes; pass += 1) await this.run();
    return end;
  }

  async run(): Promise<number> {
    const watch = new Stopwatch();
    const { end, transcript } = await replayOnce(this.#plan);
    const seconds = watch.seconds();
    claim(end.updates === this.operations && transcript === this.#transcript, 'two passes over a tape differ');
    return seconds;
  }
}

export async function replayOnce({
  markets,
  plugins,
  bounds = ['central'],
  limits = {},
  sourceOf,
}: ReplayPlan): Promise<ReplayPass> {
  const worlds = bounds.map((bound) => ({
    bound,
    transcript: new Transcript('bench'),
    instances: plugins.map((plugin, index) =>
      newInstance({ index, plugin, params: defaultsOf(plugin), wallet: 0, signals: new Map() }),
    ),
  }));
  const [end] = await simulateWorlds({
    options: { ...OPTIONS, limits },
    source: sourceOf?.(markets) ?? new MergedUpdates(markets),
    worlds,
    onSlice: () => false,
  });
  claim(end !== undefined, 'a replay has a world');
  return { end, transcript: worlds.map(({ transcript }) => transcript.close()).join() };
}

function defaultsOf({ params }: StrategyPlugin): ParamValues<ParamsSpec> {
  const read = readParams(params);
  claim(read.kind === 'values', 'the params of a strategy of a bench have defaults');
  return read.values;
}

/** Runs with the markets of a tape that can be replayed, and closes it. */
export async function withMarkets<Result>(
  path: string,
  run: (markets: readonly SourceMarket[]) => Promise<Result>,
): Promise<Result> {
  const tape = Tape.open(path);
  try {
    const { markets } = chooseMarkets([tape], OPTIONS.markets);
    claim(markets.length > 0, 'the tape has no market to replay');
    return await run(markets);
  } finally {
    tape.close();
  }
}

/** Fails where strategies that look away were not asked about each update, or placed orders. */
export function idleCounts({ updates, decisions, intended }: SimulationEnd, instances = 1): Record<string, number> {
  claim(decisions === updates * instances, `${updates} updates gave ${decisions} decisions of ${instances} strategies`);
  claim(intended === 0, 'a strategy that does nothing placed orders');
  return { updates, decisions, orders: 0 };
}

/** Fails where the strategies never traded: then their figure would be the idle one. */
export function activeCounts({ updates, decisions, collector }: SimulationEnd): Record<string, number> {
  const { sent, matchedFully, matchedPartly, cancelled } = collector.tally;
  claim(collector.halts.length === 0, 'a strategy was halted');
  claim(sent > 0, 'the active strategy placed no order: the tape has nothing in play for it');
  claim(decisions >= updates, `${updates} updates gave only ${decisions} decisions`);
  return { updates, decisions, orders: sent, matched: matchedFully + matchedPartly, cancelled };
}
