/** Runs a backtest from its options: loads strategies and tapes, simulates each piece, and makes one result of them. */

import { OddsmithError } from '../core/checks/oddsmith-error.ts';
import { canonical } from '../core/collections/canonical.ts';
import type { LoadedStrategy } from '../loader/strategy-loader.ts';
import { stuckParts } from '../loader/stuck-error.ts';
import { type Found, findStuck, type Inquiry } from '../loader/stuck-strategy.ts';
import { Tape } from '../recording/tape/tape.ts';
import type { BacktestResult, StrategyHalted } from '../result/result.ts';
import { steadyClock } from '../time/steady-clock.ts';
import type { BacktestHooks, BacktestOptions, RunAnswer } from './options/backtest-options.ts';
import { worldsOf } from './options/worlds.ts';
import { cutsOf, updatesOf } from './pieces/cut.ts';
import { playInThreads, type ThreadedRun } from './pieces/piece-threads.ts';
import { type PieceAtPlay, playAgain } from './pieces/play-again.ts';
import type { PieceParts } from './pieces/play-piece.ts';
import { RunStrategies, signalsOf } from './pieces/run-strategies.ts';
import type { StrategyChange } from './prove/proof-replays.ts';
import { proveNoLookahead } from './prove/prove-run.ts';
import type { ResultParts } from './result/backtest-result.ts';
import { inWorlds } from './result/halts.ts';
import type { Piece } from './result/kept-piece.ts';
import { chooseMarkets, type SourceChoice } from './simulation/backtest-source.ts';
import { resultWithStatistics } from './statistics/run-statistics.ts';

/** @throws OddsmithError for strategies, signals or a choice of markets that cannot be run; TapeFailure for a tape. */
export async function runBacktest(options: BacktestOptions, hooks: BacktestHooks): Promise<BacktestResult> {
  const clock = steadyClock();
  const startedAt = clock.now();
  const known = new RunStrategies(options);
  const strategies = await known.load();
  // Strategies are loaded several times, also for the proof. What they write to their console is passed on only from the run itself.
  const instances = (change: StrategyChange, only?: number) =>
    only === undefined ? known.instances(change) : known.instanceAt(only, strategies, { change });
  const signals = signalsOf(await instances({}), strategies);
  const tapes: Tape[] = [];
  try {
    for (const path of options.tapes) tapes.push(Tape.open(path));
    const source = chooseMarkets(tapes, options.markets);
    const { markets } = source;
    if (markets.length === 0) throw nothingToReplay(source);
    const heading = identity(options, strategies, tapes);
    const { signal, mark, watchGuests, sliceMs } = hooks;
    const facts = { options, strategies, tapes, source, signals };
    const soFar = new RunSoFar(facts, () => clock.now() - startedAt);
    hooks.onBegun?.({
      strategies: strategies.map(({ plugin, file }) => ({ name: plugin.name, file })),
      asked: (inquiry) => soFar.asked(inquiry),
    });
    // The proof comes first: a strategy that keeps data for its next run is found out because the first replay finds none.
    const names = strategies.map(({ plugin }) => plugin.name);
    const plan = { options, markets, strategies, pieces: cutsOf(markets, options, names) };
    const proving = { ...plan, instances, signal, mark, watchGuests, sliceMs };
    const proof = options.prove === false ? undefined : await proveNoLookahead(proving);
    const parts = { options, hooks, source, heading, known, strategies, soFar };
    const { pieces, stuck } = await ((hooks.jobs ?? 1) > 1 ? playApart(parts, tapes) : playPieces(parts));
    const elapsedMs = clock.now() - startedAt;
    const proven = proof === undefined ? {} : { proof };
    const result = resultWithStatistics({ ...facts, pieces, ...proven, elapsedMs });
    return stuck === undefined ? result : endedByStuck(result, stuck);
  } finally {
    for (const tape of tapes) tape.close();
  }
}

interface PiecesParts extends Pick<PieceParts, 'options' | 'heading' | 'known' | 'strategies'> {
  readonly hooks: BacktestHooks;
  readonly source: SourceChoice;
  readonly soFar: RunSoFar;
}

/** One after the other. */
async function playPieces(parts: PiecesParts): Promise<ThreadedRun> {
  const { options, hooks, source, strategies, soFar } = parts;
  const cuts = cutsOf(source.markets, options, namesOf(strategies));
  const total = updatesOf(cuts);
  let done = 0;
  const { mark, watchGuests, sliceMs, onWords, signal } = hooks;
  const playing: Omit<PieceParts, 'onBegun'> = {
    ...parts,
    bounds: worldsOf(options),
    mark,
    watchGuests,
    sliceMs,
    onWords,
    isEnded: () => signal.aborted,
    onPlayed: (played, at) => {
      done += played;
      hooks.onProgress({ done, total, at });
    },
  };
  for (const each of cuts) {
    const piece = await playAgain(playing, each, (atPlay) => {
      soFar.current = atPlay;
    });
    soFar.pieces.push(piece);
    soFar.current = undefined;
    if (signal.aborted) break;
  }
  return { pieces: soFar.pieces, stuck: undefined };
}

/** Several at a time, each in a thread. */
async function playApart(parts: PiecesParts, tapes: readonly Tape[]): Promise<ThreadedRun> {
  const { options, heading, hooks, known, source, strategies } = parts;
  const setup = {
    options,
    heading,
    bundles: await known.bundles(),
    tapes: tapes.map(({ path, sha256 }) => ({ path, sha256 })),
  };
  return await playInThreads({
    setup,
    hooks,
    jobs: hooks.jobs ?? 1,
    cuts: cutsOf(source.markets, options, namesOf(strategies)),
    strategies: strategies.map(({ plugin, file }) => ({ name: plugin.name, file })),
  });
}

function namesOf(strategies: readonly LoadedStrategy[]): readonly string[] {
  return strategies.map(({ plugin }) => plugin.name);
}

/** Everything that determines the result and does not differ between machines. */
function identity(options: BacktestOptions, strategies: readonly LoadedStrategy[], tapes: readonly Tape[]): string {
  const { strategies: choices, tapes: _paths, out: _out, prove: _prove, strategyTimeoutMs: _limit, ...all } = options;
  // What happens in a world does not depend on which others there are: the heading of its transcript names it.
  const { fills: _fills, wallets, ...rest } = all;
  // A currency names amounts and decides nothing: who leaves it out has the transcript of who writes the default.
  const named = Object.entries(wallets).map(([name, { currency = 'USDC', ...wallet }]) => [
    name,
    { currency, ...wallet },
  ]);
  return canonical({
    wallets: Object.fromEntries(named),
    format: 3,
    tapes: tapes.map(({ sha256 }) => sha256),
    strategies: strategies.map(({ plugin, params, sha256 }, index) => ({
      name: plugin.name,
      params,
      sha256,
      wallet: choices[index]?.wallet,
    })),
    ...rest,
  });
}

function nothingToReplay({ leftOut, strange }: SourceChoice): OddsmithError<'NO_MARKETS'> {
  const first = leftOut[0];
  const names = strange.map(({ key, name }) => `'${name}' of markets.${key}`);
  return new OddsmithError({
    code: 'NO_MARKETS',
    what: 'No market of the tapes is left to replay.',
    ...(first === undefined ? {} : { why: `${first.id} ${first.name}: ${first.reason}.` }),
    ...(names.length === 0 ? {} : { why: `No market of the tapes matches ${names.join(', ')}.` }),
    next: 'See `oddsmith tape info TAPE` for what is in it, and check the filters of the configuration.',
  });
}

/** What becomes of a backtest that is interrupted, or in which a strategy hangs: its result so far, or the piece at play once more. */
class RunSoFar {
  readonly pieces: Piece[] = [];
  /** The piece at play; undefined between pieces. */
  current: PieceAtPlay | undefined;
  readonly #facts: Omit<ResultParts, 'pieces' | 'elapsedMs'>;
  readonly #elapsedMs: () => number;

  constructor(facts: Omit<ResultParts, 'pieces' | 'elapsedMs'>, elapsedMs: () => number) {
    this.#facts = facts;
    this.#elapsedMs = elapsedMs;
  }

  /** See `BegunRun`. An inquiry because of a stuck thread ends nothing where no strategy is the cause. */
  asked(inquiry: Inquiry): RunAnswer | undefined {
    if (inquiry.reason === 'unheard') return { kind: 'ended', result: { ...this.#end(), interrupted: true } };
    const found = findStuck(inquiry, this.#facts.strategies);
    if (found === undefined) return undefined;
    return this.#again(inquiry, found) ?? { kind: 'ended', result: this.#endedBy(inquiry, found) };
  }

  /** Undefined where the strategy hangs in no call of a piece: in the proof, or in promises between calls. */
  #again({ instance, world, call }: Inquiry, found: Found): RunAnswer | undefined {
    const again = this.current?.again;
    if (instance === undefined || again === undefined) return undefined;
    const { where, why, next } = this.#parts(found, '');
    // Until the piece is begun again nothing of it can be ended.
    this.current = undefined;
    return { kind: 'again', goOn: () => again({ number: call, world, instance, where, why, next }) };
  }

  #end(current = this.current?.endNow()): BacktestResult {
    const pieces = current === undefined ? this.pieces : [...this.pieces, current];
    return resultWithStatistics({ ...this.#facts, pieces, elapsedMs: this.#elapsedMs() });
  }

  #endedBy({ instance, market, world }: Inquiry, found: Found): BacktestResult {
    const { strategies, options, source } = this.#facts;
    const current = this.current?.endNow();
    const [, end] = current?.ends[0] ?? [];
    const id =
      instance === undefined ? undefined : source.markets.find(({ index }) => index === market)?.market.facts.id;
    const all = worldsOf(options);
    const worlds = all.slice(world).slice(0, 1);
    const asked = id === undefined ? '' : ` It was asked about market ${id}${inWorlds(worlds, all)}.`;
    const { what, where, why, next } = this.#parts(found, `The run ended there.${asked}`);
    return endedByStuck(this.#end(current), {
      strategy: strategies[found.instance]?.plugin.name ?? '',
      market: id ?? '',
      worlds,
      at: end?.endedAt ?? 0,
      code: 'STRATEGY_STUCK',
      what,
      where,
      why,
      next,
    });
  }

  #parts({ instance, place, stack }: Found, consequence: string): ReturnType<typeof stuckParts> {
    const { strategies, options } = this.#facts;
    const name = strategies[instance]?.plugin.name ?? '';
    return stuckParts({ name, place, stack, limitMs: options.strategyTimeoutMs, consequence });
  }
}

/** The result of a run that a strategy ended by not coming back. */
function endedByStuck(result: BacktestResult, halt: StrategyHalted): BacktestResult {
  const { halts, warnings } = result;
  return { ...result, interrupted: true, halts: [...halts, halt], warnings: [...warnings, halt.what] };
}
