/** Compares a run with the replay of its own recording, from the run's directory. */

import type { SourceMarket } from '../../backtest/simulation/backtest-source.ts';
import type { LostSpan } from '../../journal/read-journal.ts';
import type { ParityResult } from '../../result/parity.ts';
import { type DelayModel, type LatencyModel, requestDelay } from '../../simulator/gateway/latency.ts';
import type { RunFile } from '../run/run-file.ts';
import { type StartedStrategy, startStrategies } from '../run/strategy-instances.ts';
import { compareRuns, type OfStories } from './compare-runs.ts';
import type { EvidenceParts, Span } from './evidence.ts';
import { type OpenedRun, withRun } from './opened-run.ts';
import { type ReplayedRun, replayRun } from './replay-run.ts';
import { actsOf } from './run-acts.ts';
import { type RunTimes, runTimes } from './run-times.ts';
import { type StepSequence, stepSequenceOf } from './steps/step-sequence.ts';

export interface ParityHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly total: number; readonly at: number }) => void;
}

/** @throws CliError, TapeFailure, JournalFailure */
export async function runParity(directory: string, hooks: ParityHooks): Promise<ParityResult> {
  return await withRun(directory, (opened) => compared({ ...opened, hooks }));
}

async function compared({
  run,
  records,
  lost,
  markets,
  hooks,
}: OpenedRun & { readonly hooks: ParityHooks }): Promise<ParityResult> {
  const times = runTimes(records);
  const wallets = run.wallets.map(({ name }) => name);
  const total = markets.reduce((sum, { market }) => sum + market.updates, 0);
  const acts = actsOf(records);
  const replayed = async () => {
    const started = await startStrategies(run.strategies, wallets);
    let done = 0;
    const replay = await replayRun({
      run,
      markets,
      acts,
      instances: started.map(({ instance }) => instance),
      strategies: started.map(({ name }) => name),
      trading: times.trading,
      balances: times.balances,
      signal: hooks.signal,
      onProgress: (played, at) => {
        done += played;
        hooks.onProgress({ done, total, at });
      },
    });
    return { started, replay };
  };
  const { started, replay } = await replayed();
  const evidence = evidenceOf({ run, markets, times, started, replay });
  const span = knownSpan(spanOf(markets, times), lost);
  const notExplained = notExplainedIn(span, lost);
  const parts = { run: records, replay: replay.records, updates: replay.updates, span, notExplained };
  const result = compareRuns({ ...parts, evidence });
  if (!hasDoubt(result) || hooks.signal.aborted) return result;
  const again = await replayed();
  const nonDeterministic = nonDeterministicStreams(
    stepSequenceOf(replay.records, span),
    stepSequenceOf(again.replay.records, span),
  );
  return compareRuns({ ...parts, evidence: { ...evidence, nonDeterministic } });
}

/** Without what the run has no record of any more. */
function knownSpan({ from, to }: Span, lost: readonly LostSpan[]): Span {
  const ends = lost.flatMap((each) => (each.of === 'records' ? [each.to] : []));
  return { from: Math.max(from, ...ends), to };
}

function notExplainedIn({ from, to }: Span, lost: readonly LostSpan[]): ParityResult['notExplained'] {
  const parts = lost.map((each) => ({ from: Math.max(from, each.from), to: Math.min(to, each.to), why: each.why }));
  return parts.filter((part, index) => lost[index]?.of === 'explanations' && part.from < part.to);
}

/** Whether a second replay is needed: a strategy is blamed only if two replays of the same tapes differ. */
function hasDoubt({ causes: { nonDeterminism, unexplained, ownStake } }: ParityResult): boolean {
  return nonDeterminism.causes + unexplained.causes + ownStake.causes > 0;
}

/** Strategies and markets that decide differently in two replays of the same tapes. */
export function nonDeterministicStreams(one: StepSequence, other: StepSequence): ReadonlySet<string> {
  const names = [...new Set([...one.lanes.keys(), ...other.lanes.keys()])];
  return new Set(names.filter((name) => decisionsOf(one, name) !== decisionsOf(other, name)));
}

function decisionsOf({ lanes }: StepSequence, name: string): string {
  const steps = lanes.get(name)?.steps ?? [];
  return steps.flatMap(({ kind, at, key }) => (kind === 'decision' ? `${at} ${key}` : [])).join('\n');
}

/** The span that the replay has completely: at its last instant, what came after the last update is missing. */
export function spanOf(
  markets: readonly { readonly market: Pick<SourceMarket['market'], 'firstAt' | 'lastAt'> }[],
  { trading }: Pick<RunTimes, 'trading'>,
): Span {
  const from = Math.min(...markets.map(({ market }) => market.firstAt));
  const lastAt = Math.max(...markets.map(({ market }) => market.lastAt));
  return { from, to: Math.min(lastAt, trading.at(-1)?.to ?? Number.POSITIVE_INFINITY) - 1 };
}

export function evidenceOf(parts: {
  readonly run: RunFile;
  readonly markets: readonly SourceMarket[];
  readonly times: RunTimes;
  readonly started: readonly Pick<StartedStrategy, 'name' | 'loaded'>[];
  readonly replay: ReplayedRun;
}): Omit<EvidenceParts, OfStories> {
  const { run, markets, times, started, replay } = parts;
  const gaps = new Map(
    markets.map(({ market, later = [] }) => [
      market.facts.id,
      [market, ...later.map((part) => part.market)].flatMap((part) => part.gaps ?? []),
    ]),
  );
  const { downs, stops, rateMoves, olderLimits, codes } = times;
  const isChanged = ({ name, loaded }: (typeof started)[number]) =>
    [...(codes.get(name) ?? [])].some((sha256) => sha256 !== loaded.sha256);
  return {
    mode: run.mode,
    downs,
    stops: stops.flatMap(({ wallet, ...stop }) => {
      if (wallet === undefined) return [stop];
      const ofIt = started.filter((_, index) => run.strategies[index]?.wallet === wallet);
      return ofIt.map(({ name }) => ({ ...stop, strategy: name }));
    }),
    rateMoves,
    olderLimits,
    hasUpdate: (market, { from, to }) => hasBetween(replay.updatedAts.get(market) ?? [], from, to),
    firstUpdate: (market) => replay.updatedAts.get(market)?.[0],
    gaps: (market) => gaps.get(market) ?? [],
    changed: new Set(started.filter(isChanged).map(({ name }) => name)),
    delayMaxMs: longestRequest(run.latency) + longest(run.latency.response),
  };
}

function longestRequest(latency: LatencyModel): number {
  return Math.max(...(['place', 'cancel', 'other'] as const).map((kind) => longest(requestDelay(latency, kind))));
}

function longest(delay: DelayModel): number {
  return delay.kind === 'fixed' ? delay.ms : delay.p99;
}

/** Whether one of the rising times lies in the span, ends included. */
export function hasBetween(times: readonly number[], from: number, to: number): boolean {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (times[low] ?? Number.POSITIVE_INFINITY) <= to;
}
