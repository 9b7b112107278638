/** One backtest run wired together: worlds over the tapes, each with the same pipeline as live, in one pass through the updates. */

import { defined } from '../../core/checks/assert.ts';
import { type DecisionMark, newMark } from '../../engine/guest/decision-mark.ts';
import { Playback } from '../../simulator/gateway/playback.ts';
import { RecordedMarkets } from '../../simulator/replay/recorded-markets.ts';
import type { ReplayExchange } from '../../simulator/replay/replay-exchange.ts';
import { nextTurn } from '../../time/next-turn.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { BacktestOptions, WatchGuests } from '../options/backtest-options.ts';
import type { UpdateSource } from './backtest-source.ts';
import { recordedRules } from './exchange-config.ts';
import { SimulatedWorld, type SimulationEnd, type WorldChoice } from './simulated-world.ts';
import { SLICE, Slices } from './update-slices.ts';

/** How long the first slice is where slices are to take a given time: strategies may be slow. */
const FIRST_SLICE = 64;

export interface SimulationParts {
  readonly options: BacktestOptions;
  readonly source: UpdateSource;
  /** The run that was recorded went on after its tapes end, so that its markets stay as they are there. */
  readonly goesOnUnrecorded?: boolean;
  /** Called after each update with the exchange of the first world. */
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
  /** Receives a function that ends the run at once, even in the middle of a strategy's call, and returns its ends so far. */
  readonly onBegun?: (endNow: () => readonly SimulationEnd[]) => void;
  /** Called after each slice with the updates played in it and the simulated time. Returns true to end the run. */
  readonly onSlice: (played: number, at: number) => boolean;
}

/** One world alone. */
export async function simulate(parts: SimulationParts & WorldChoice): Promise<SimulationEnd> {
  const [end] = await simulateWorlds({ ...parts, worlds: [parts] });
  return defined(end, 'a simulation has a world');
}

/**
 * Worlds share the updates and the recorded markets, which change at updates alone, and nothing else: what happens in one of them is what
 * would happen in it without the others.
 */
export async function simulateWorlds(
  parts: SimulationParts & { readonly worlds: readonly WorldChoice[] },
): Promise<readonly SimulationEnd[]> {
  const { options, source, mark = newMark(), afterUpdate } = parts;
  const wallets = Object.values(options.wallets).map(({ balance }) => balance);
  const rules = { ...options, wallets, suspendsAtEnd: parts.goesOnUnrecorded !== true };
  const { startAt } = source;
  const failures: { readonly error: unknown }[] = [];
  const onError = (error: unknown): void => void failures.push({ error });
  const throwFailure = (): void => {
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
  };
  const worlds = parts.worlds.map(
    (choice, index) => new SimulatedWorld({ choice, options, rules, startAt, index, mark, onError }),
  );
  const replays = worlds.map(({ replay }) => replay);
  const first = defined(replays[0], 'a simulation has a world');
  const playback = new Playback(
    new RecordedMarkets(recordedRules(rules), replays),
    worlds.map(({ gateway }) => gateway),
  );
  const size = parts.sliceMs === undefined ? SLICE : FIRST_SLICE;
  const after = (): void => {
    throwFailure();
    afterUpdate?.(first);
  };
  const calls = (): number => worlds.reduce((sum, { engine }) => sum + engine.decisions, 0);
  const slices = new Slices({ source, playback, mark, size, calls, afterUpdate: after });
  const end = (): readonly SimulationEnd[] => worlds.map((world) => world.end(slices));
  parts.onBegun?.(end);
  await playWatched({ worlds, watchGuests: parts.watchGuests }, () => play(slices, parts));
  throwFailure();
  return end();
}

interface Watched {
  readonly worlds: readonly SimulatedWorld[];
  readonly watchGuests: WatchGuests | undefined;
}

/** An error that a strategy throws between the slices halts that strategy in its world; any other error ends the run. */
async function playWatched({ worlds, watchGuests }: Watched, play: () => Promise<void>): Promise<void> {
  if (watchGuests === undefined) return await play();
  const others: { readonly error: unknown }[] = [];
  const stop = watchGuests({
    instances: worlds.flatMap(({ instances }) => instances),
    onStrategy: (instance, error) => worlds[instance.world]?.engine.strategyFailed(instance, error),
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
