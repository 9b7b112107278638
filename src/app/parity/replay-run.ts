/** Replays a run's tapes through the backtest's pipeline, and keeps what a journal would have kept of it. */

import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import { watchGuests } from '../../backtest/pieces/guest-watch.ts';
import { simulate } from '../../backtest/simulation/backtest-simulation.ts';
import { MergedUpdates, type SourceMarket, type UpdateSource } from '../../backtest/simulation/backtest-source.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { TimedRecord } from '../../core/run/journal.ts';
import type { StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { JournalLog } from '../../engine/log/journal-log.ts';
import { Transcript } from '../../engine/log/transcript.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { RecordedMarket } from '../../simulator/replay/played-market.ts';
import type { RunFile } from '../run/run-file.ts';
import type { Span } from './evidence.ts';
import type { RunActs } from './run-acts.ts';
import { TradingTimes } from './run-times.ts';

/** A call may take as long as in a backtest: a replay holds up no real orders. */
const STRATEGY_TIMEOUT_MS = 30_000;

interface ReplayParts {
  readonly run: RunFile;
  readonly markets: readonly SourceMarket[];
  readonly instances: readonly StrategyInstance[];
  /** Names by the strategy's index, as the journal has them. */
  readonly strategies: readonly string[];
  readonly trading: readonly Span[];
  /** What operators and guards did, which is done again at the same instants. */
  readonly acts: RunActs;
  /** Balances by the wallet's name. */
  readonly balances: ReadonlyMap<string, number>;
  readonly signal: AbortSignal;
  readonly onProgress: (played: number, at: number) => void;
}

export interface ReplayedRun {
  readonly records: readonly TimedRecord[];
  readonly updates: number;
  /** Times of each market's updates, by its id, rising. */
  readonly updatedAts: ReadonlyMap<string, readonly number[]>;
}

export async function replayRun(parts: ReplayParts): Promise<ReplayedRun> {
  const { run, instances, strategies, trading, acts, signal } = parts;
  const { limits } = run;
  const records: TimedRecord[] = [];
  const wallets = run.wallets.map(({ name }) => name);
  const log = new JournalLog({
    journal: { append: (at, record) => records.push({ at, record }), commit: () => undefined },
    names: { strategies, wallets },
    onRecord: () => undefined,
  });
  const source = new HeardSource(new MergedUpdates(parts.markets), parts.markets);
  const { updates } = await simulate({
    options: replayOptions(parts),
    source,
    instances,
    bound: run.fills,
    transcript: new Transcript('parity'),
    secondLog: log,
    engineSupervisor: (ledger) =>
      new TradingTimes({ spans: trading, ledger, acts, limits, log, wallets, isPaper: run.mode === 'paper' }),
    intentsMax: run.intentsMax,
    goesOnUnrecorded: true,
    ticksAt: [...trading.map(({ from }) => from), ...acts.map(({ at }) => at)].filter((at) => Number.isFinite(at)),
    watchGuests,
    onSlice: (played, at) => {
      parts.onProgress(played, at);
      return signal.aborted;
    },
  });
  return { records, updates, updatedAts: source.updatedAts };
}

/** The simulated exchange as the run had it. */
export function replayOptions({ run, balances }: Pick<ReplayParts, 'run' | 'balances'>): BacktestOptions {
  const { latency, inPlayDelay, commission, fillRules, limits, seed } = run;
  const wallets = Object.fromEntries(
    run.wallets.map(({ name, currency, balance }) => {
      const reported = run.mode === 'live' ? balances.get(name) : undefined;
      return [name, { currency, balance: (reported as Money | undefined) ?? balance }];
    }),
  );
  return {
    latency,
    inPlayDelay,
    commission,
    fillRules,
    limits,
    seed,
    wallets,
    fills: 'central',
    strategies: [],
    tapes: [],
    markets: { types: [], ids: [], events: [] },
    feed: { mode: 'stream' },
    // A suspension leaves resting orders where they are, as it did in the run (profile section 6). The run's tapes have the smallest orders.
    exchange: { inPlaySuspension: 'keep', minimumStake: 'recorded' },
    isolate: 'none',
    prove: false,
    strategyTimeoutMs: STRATEGY_TIMEOUT_MS,
    out: '',
  };
}

/** Passes updates on and notes their times. */
class HeardSource implements UpdateSource {
  readonly startAt: Instant;
  readonly updatedAts = new Map<string, number[]>();
  readonly #source: UpdateSource;
  readonly #times: ReadonlyMap<number, number[]>;

  constructor(source: UpdateSource, markets: readonly SourceMarket[]) {
    this.#source = source;
    this.startAt = source.startAt;
    for (const { market } of markets) this.updatedAts.set(market.facts.id, []);
    this.#times = new Map(markets.map(({ index, market }) => [index, this.updatedAts.get(market.facts.id) ?? []]));
  }

  get index(): number {
    return this.#source.index;
  }

  next(): PendingUpdate | undefined {
    const update = this.#source.next();
    if (update !== undefined) this.#times.get(this.index)?.push(update.publishedAt);
    return update;
  }

  recorded(index: number): RecordedMarket {
    return this.#source.recorded(index);
  }
}
