/** Runs a backtest from its options: loads strategies and tapes, simulates each piece, and makes one result of them. */

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { newInstance, type StrategyInstance } from '../../engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../engine/log/transcript.ts';
import { Tape } from '../../recording/tape/tape.ts';
import { type BacktestResult, type Bound, INTERVAL } from '../../report/result.ts';
import { SignalSeries } from '../../strategy/signals.ts';
import { CliError } from '../cli/cli-error.ts';
import type { BacktestHooks, BacktestOptions, StrategyChoice } from '../run/backtest-options.ts';
import { SignalFile } from '../strategies/signal-file.ts';
import { strategyError } from '../strategies/strategy-error.ts';
import { type LoadedStrategy, loadStrategy } from '../strategies/strategy-loader.ts';
import { proveNoLookahead, type StrategyChange } from './prove/prove-run.ts';
import { backtestResult, type Piece } from './result/backtest-result.ts';
import type { PieceEnd } from './result/result-runs.ts';
import type { ReadSignal } from './result/signal-notices.ts';
import { RunSoFar } from './run-so-far.ts';
import { type SimulationEnd, simulate } from './simulation/backtest-simulation.ts';
import { chooseMarkets, MergedUpdates, type SourceChoice, type SourceMarket } from './simulation/backtest-source.ts';

/** @throws CliError for strategies, signals or a choice of markets that cannot be run; TapeFailure for a tape. */
export async function runBacktest(options: BacktestOptions, hooks: BacktestHooks): Promise<BacktestResult> {
  const startedMs = performance.now();
  const strategies = await loadAll(options, {});
  // What they say of themselves is heard once, in the run itself: they are loaded several times, and may be proven.
  const instances = (change: StrategyChange) => instancesOf(options, change);
  const signals = signalsOf(await instances({}), strategies);
  const tapes: Tape[] = [];
  try {
    for (const path of options.tapes) tapes.push(Tape.open(path));
    const source = chooseMarkets(tapes, options.markets);
    const { markets } = source;
    if (markets.length === 0) throw nothingToReplay(source);
    const heading = identity(options, strategies, tapes);
    const heard: Instances = async (only) =>
      only === undefined ? instancesOf(options, {}, hooks) : instanceAt(options, only, { strategies, hooks });
    const facts = { options, strategies, tapes, source, signals };
    const soFar = new RunSoFar(facts, () => performance.now() - startedMs);
    hooks.onBegun?.({
      strategies: strategies.map(({ plugin, file }) => ({ name: plugin.name, file })),
      soFar: (inquiry) => soFar.end(inquiry),
    });
    // First: what a strategy keeps where the next run finds it is found by its not being there yet.
    const { signal, mark } = hooks;
    const proof = options.prove ? await proveNoLookahead({ options, markets, instances, signal, mark }) : undefined;
    const names = strategies.map(({ plugin }) => plugin.name);
    const pieces = await runPieces({ options, hooks, source, heading, instances: heard, soFar, names });
    const elapsedMs = performance.now() - startedMs;
    const proven = proof === undefined ? {} : { proof };
    return backtestResult({ ...facts, pieces, ...proven, elapsedMs });
  } finally {
    for (const tape of tapes) tape.close();
  }
}

/**
 * Every run loads its strategies anew, so that nothing a module remembers reaches from one into the next. `only` names the
 * strategy that has the run to itself.
 */
type Instances = (only?: number) => Promise<readonly StrategyInstance[]>;

async function instancesOf(
  options: BacktestOptions,
  change: StrategyChange,
  hooks?: BacktestHooks,
): Promise<readonly StrategyInstance[]> {
  const { until = Number.POSITIVE_INFINITY } = change;
  const loaded = await loadAll(options, change, hooks);
  return loaded.map((strategy, index) => instanceOf(options, strategy, index, readSignals(strategy, until)));
}

/** The others keep their places, by which steps and orders name them, and watch nothing. */
async function instanceAt(
  options: BacktestOptions,
  only: number,
  { strategies, hooks }: { readonly strategies: readonly LoadedStrategy[]; readonly hooks: BacktestHooks },
): Promise<readonly StrategyInstance[]> {
  const instances: StrategyInstance[] = [];
  for (const [index, known] of strategies.entries()) {
    const choice = options.strategies[index];
    if (index !== only || choice === undefined) instances.push(emptyInstance(known.plugin.name, index));
    else {
      const strategy = await load(choice, {}, hooks);
      instances.push(instanceOf(options, strategy, index, readSignals(strategy, Number.POSITIVE_INFINITY)));
    }
  }
  return instances;
}

function emptyInstance(name: string, index: number): StrategyInstance {
  const plugin = { name, watches: () => false, decide: () => [] };
  return newInstance({ index, plugin, params: {}, wallet: 0, signals: new Map() });
}

async function loadAll(
  options: BacktestOptions,
  change: StrategyChange,
  hooks?: BacktestHooks,
): Promise<readonly LoadedStrategy[]> {
  const loaded: LoadedStrategy[] = [];
  for (const choice of options.strategies) loaded.push(await load(choice, change, hooks));
  return loaded;
}

interface PiecesParts {
  readonly options: BacktestOptions;
  readonly hooks: BacktestHooks;
  readonly source: SourceChoice;
  readonly heading: string;
  readonly instances: Instances;
  readonly soFar: RunSoFar;
  /** Of the strategies. */
  readonly names: readonly string[];
}

/** One after the other, each with wallets and strategies of its own; under `react` each bound is a run of its own. */
async function runPieces(parts: PiecesParts): Promise<readonly Piece[]> {
  const { options, hooks, source } = parts;
  const flows = flowsOf(options);
  const cuts = cut(source.markets, options, parts.names);
  const total = flows.length * cuts.reduce((sum, { markets }) => sum + updatesOf(markets), 0);
  let done = 0;
  const onSlice = (played: number, at: number): boolean => {
    done += played;
    hooks.onProgress({ done, total, at });
    return hooks.signal.aborted;
  };
  const { soFar } = parts;
  for (const each of cuts) {
    soFar.pieces.push(await runPiece(parts, { ...each, flows, onSlice }));
    if (hooks.signal.aborted) break;
  }
  return soFar.pieces;
}

function updatesOf(markets: readonly SourceMarket[]): number {
  return markets.reduce((sum, { market }) => sum + market.updates, 0);
}

/** What a piece plays, and the strategy that has it to itself, if one has. */
interface Cut {
  readonly markets: readonly SourceMarket[];
  readonly only?: number;
  readonly name?: string | undefined;
}

interface PiecePlan extends Cut {
  readonly flows: readonly (readonly Bound[])[];
  readonly onSlice: (played: number, at: number) => boolean;
}

async function runPiece({ options, hooks, heading, instances, soFar }: PiecesParts, plan: PiecePlan): Promise<Piece> {
  const ids = plan.markets.map(({ market }) => market.facts.id);
  const ends: PieceEnd[] = [];
  const { name } = plan;
  for (const bounds of plan.flows) {
    const transcript = new Transcript(`${heading}\n${JSON.stringify([bounds, ids])}\n`);
    const started = await instances(plan.only);
    const source = new MergedUpdates(plan.markets);
    const { onSlice } = plan;
    const onBegun = (endNow: () => SimulationEnd): void => {
      soFar.current = () => {
        const end = endNow();
        return pieceOf([...ends, [bounds, end, transcript.close()]], { name, interrupted: true });
      };
    };
    const { mark } = hooks;
    const parts = { options, source, instances: started, bounds, transcript, onSlice, mark, onBegun };
    const end = await simulate(parts);
    ends.push([bounds, end, transcript.close()]);
  }
  soFar.current = undefined;
  return pieceOf(ends, { name, interrupted: hooks.signal.aborted });
}

function pieceOf(ends: readonly PieceEnd[], of: Pick<Piece, 'name' | 'interrupted'>): Piece {
  return { ends, transcriptSha256: joined(ends.map(([, , hash]) => hash)), ...of };
}

/** The central flow, whose orders the other answers follow. */
const FLOWS: Readonly<Record<'central' | 'bounds' | 'all', readonly Bound[]>> = {
  central: ['central'],
  bounds: ['central', 'pessimistic', 'optimistic'],
  all: ['central', 'pessimistic', 'optimistic', 'lowest', 'highest'],
};

/** The flows of orders, each with its answers: the first is the one whose fills the strategies see. */
function flowsOf({ fills, fillRules: { refill } }: BacktestOptions): readonly (readonly Bound[])[] {
  const refilled: readonly Bound[] = refill === 'never' ? [] : ['refilled'];
  if (fills === 'react') return [...INTERVAL, ...refilled].map((bound) => [bound]);
  return [[...FLOWS[fills], ...refilled]];
}

function cut(
  markets: readonly SourceMarket[],
  { isolate, strategies }: BacktestOptions,
  names: readonly string[],
): readonly Cut[] {
  if (isolate === 'none') return [{ markets }];
  if (isolate === 'strategy') return strategies.map((_, only) => ({ markets, only, name: names[only] }));
  const groups = new Map<string, SourceMarket[]>();
  for (const market of markets) {
    const { id, eventId } = market.market.facts;
    const key = isolate === 'market' ? id : eventId;
    groups.set(key, [...(groups.get(key) ?? []), market]);
  }
  return [...groups].map(([name, group]) => ({ markets: group, name }));
}

function joined(hashes: readonly string[]): string {
  return hashes.length === 1 ? (hashes[0] ?? '') : createHash('sha256').update(hashes.join('\n')).digest('hex');
}

async function load(
  choice: StrategyChoice,
  { clockShiftMs = 0, isWithheld = false }: StrategyChange,
  hooks: BacktestHooks | undefined,
): Promise<LoadedStrategy> {
  const say = (line: string): void => hooks?.onWords?.(`${basename(choice.file)}: ${line}`);
  const loaded = await loadStrategy(choice.file, choice.params, {
    say,
    clockShiftMs,
    files: { paths: choice.files ?? [], isWithheld },
  });
  if (loaded.kind === 'fault') throw strategyError(loaded.fault);
  return loaded;
}

/** A backtest reads its signals whole; the series itself answers only with what was available by then. */
function readSignals(strategy: LoadedStrategy, until: number): ReadonlyMap<string, SignalSeries> {
  return new Map(
    strategy.signals.map(({ name, file }) => {
      const series = new SignalSeries();
      const read = new SignalFile(file).read({ final: true });
      const fault = read.faults[0];
      if (fault !== undefined) throw strategyError(fault);
      for (const row of read.rows) if (row.availableAt <= until) series.add(row);
      return [name, series];
    }),
  );
}

function signalsOf(
  instances: readonly StrategyInstance[],
  strategies: readonly LoadedStrategy[],
): readonly ReadSignal[] {
  return instances.flatMap(({ plugin, signals, index }) =>
    [...signals].map(([name, series]) => {
      const file = strategies[index]?.signals.find((signal) => signal.name === name)?.file ?? '';
      return { strategy: plugin.name, name, file, series };
    }),
  );
}

function instanceOf(
  options: BacktestOptions,
  strategy: LoadedStrategy,
  index: number,
  signals: ReadonlyMap<string, SignalSeries>,
): StrategyInstance {
  const wallet = Object.keys(options.wallets).indexOf(options.strategies[index]?.wallet ?? '');
  return newInstance({
    index,
    plugin: strategy.plugin,
    params: strategy.params,
    wallet: Math.max(0, wallet),
    signals,
    guest: strategy.guest,
  });
}

/** All that the result rests on and that is the same on every machine. */
function identity(options: BacktestOptions, strategies: readonly LoadedStrategy[], tapes: readonly Tape[]): string {
  const { strategies: choices, tapes: _paths, out: _out, prove: _prove, strategyTimeoutMs: _limit, ...rest } = options;
  return canonical({
    format: 2,
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

/** JSON with the keys of every object in order: the same facts are the same text, wherever they were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function nothingToReplay({ leftOut, strange }: SourceChoice): CliError {
  const first = leftOut[0];
  const names = strange.map(({ key, name }) => `'${name}' of markets.${key}`);
  return new CliError({
    code: 'NO_MARKETS',
    what: 'No market of the tapes is left to replay.',
    ...(first === undefined ? {} : { why: `${first.id} ${first.name}: ${first.reason}.` }),
    ...(names.length === 0 ? {} : { why: `No market of the tapes matches ${names.join(', ')}.` }),
    next: 'See `oddsmith tape info TAPE` for what is in it, and check the filters of the configuration.',
  });
}
