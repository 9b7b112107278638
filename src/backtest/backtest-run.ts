/** Runs a backtest from its options: loads strategies and tapes, simulates each piece, and makes one result of them. */

import { createHash } from 'node:crypto';
import { OddsmithError } from '../core/checks/oddsmith-error.ts';
import { eventGroupOf } from '../core/event-group.ts';
import type { StrategyInstance } from '../engine/ledger/strategy-in-market.ts';
import { Transcript } from '../engine/log/transcript.ts';
import type { LoadedStrategy } from '../loader/strategy-loader.ts';
import { Tape } from '../recording/tape/tape.ts';
import { type BacktestResult, type Bound, INTERVAL } from '../report/result.ts';
import { steadyClock } from '../time/steady-clock.ts';
import type { BacktestHooks, BacktestOptions } from './options/backtest-options.ts';
import { proveNoLookahead, type StrategyChange } from './prove/prove-run.ts';
import { backtestResult, type Piece } from './result/backtest-result.ts';
import type { PieceEnd } from './result/result-runs.ts';
import { RunSoFar } from './run-so-far.ts';
import { RunStrategies, signalsOf } from './run-strategies.ts';
import { type SimulationEnd, simulate } from './simulation/backtest-simulation.ts';
import { chooseMarkets, MergedUpdates, type SourceChoice, type SourceMarket } from './simulation/backtest-source.ts';

/** @throws OddsmithError for strategies, signals or a choice of markets that cannot be run; TapeFailure for a tape. */
export async function runBacktest(options: BacktestOptions, hooks: BacktestHooks): Promise<BacktestResult> {
  const clock = steadyClock();
  const startedAt = clock.now();
  const known = new RunStrategies(options);
  const strategies = await known.load();
  // Strategies are loaded several times, also for the proof. What they write to their console is passed on only from the run itself.
  const instances = (change: StrategyChange) => known.instances(change);
  const signals = signalsOf(await instances({}), strategies);
  const tapes: Tape[] = [];
  try {
    for (const path of options.tapes) tapes.push(Tape.open(path));
    const source = chooseMarkets(tapes, options.markets);
    const { markets } = source;
    if (markets.length === 0) throw nothingToReplay(source);
    const heading = identity(options, strategies, tapes);
    const { signal, mark, watchGuests, sliceMs, onWords } = hooks;
    const forPiece: Instances = async (only) =>
      only === undefined ? known.instances({}, onWords) : known.instanceAt(only, strategies, onWords);
    const facts = { options, strategies, tapes, source, signals };
    const soFar = new RunSoFar(facts, () => clock.now() - startedAt);
    hooks.onBegun?.({
      strategies: strategies.map(({ plugin, file }) => ({ name: plugin.name, file })),
      soFar: (inquiry) => soFar.end(inquiry),
    });
    // The proof comes first: a strategy that keeps data for its next run is found out because the first replay finds none.
    const proving = { options, markets, instances, signal, mark, watchGuests, sliceMs };
    const proof = options.prove ? await proveNoLookahead(proving) : undefined;
    const names = strategies.map(({ plugin }) => plugin.name);
    const pieces = await runPieces({ options, hooks, source, heading, instances: forPiece, soFar, names });
    const elapsedMs = clock.now() - startedAt;
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
    const { mark, watchGuests, sliceMs } = hooks;
    const watched = { mark, watchGuests, sliceMs, onSlice, onBegun };
    const parts = { options, source, instances: started, bounds, transcript, ...watched };
    const end = await simulate(parts);
    ends.push([bounds, end, transcript.close()]);
  }
  soFar.current = undefined;
  return pieceOf(ends, { name, interrupted: hooks.signal.aborted });
}

function pieceOf(ends: readonly PieceEnd[], of: Pick<Piece, 'name' | 'interrupted'>): Piece {
  return { ends, transcriptSha256: joined(ends.map(([, , hash]) => hash)), ...of };
}

/** The central flow, whose orders the other bounds follow. */
const FLOWS: Readonly<Record<'central' | 'bounds' | 'all', readonly Bound[]>> = {
  central: ['central'],
  bounds: ['central', 'pessimistic', 'optimistic'],
  all: ['central', 'pessimistic', 'optimistic', 'lowest', 'highest'],
};

/** The flows of orders, each as the list of its bounds: the strategies see the fills of the first one. */
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
    const { facts } = market.market;
    const key = isolate === 'market' ? facts.id : eventGroupOf(facts);
    groups.set(key, [...(groups.get(key) ?? []), market]);
  }
  return [...groups].map(([name, group]) => ({ markets: group, name }));
}

function joined(hashes: readonly string[]): string {
  return hashes.length === 1 ? (hashes[0] ?? '') : createHash('sha256').update(hashes.join('\n')).digest('hex');
}

/** Everything that determines the result and does not differ between machines. */
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

/** JSON with the keys of every object in order: equal facts give equal text, in whatever order they were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
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
