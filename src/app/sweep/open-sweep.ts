/** Opens what a sweep needs: its directory for this process alone, its store, its tapes, and the engine that plays it. */

import { totalmem } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import Database from 'better-sqlite3';
import { threadModule } from '../../core/checks/thread-module.ts';
import { Tape } from '../../recording/tape/tape.ts';
import type { SweepEngine } from '../../sweep/engine/engine.ts';
import { ThreadEngine } from '../../sweep/engine/thread-engine.ts';
import type { Dimension } from '../../sweep/space/dimension.ts';
import type { Objective } from '../../sweep/space/read/objective.ts';
import { readDimension } from '../../sweep/space/read/read-dimension.ts';
import { foldChoiceOf, readFolds } from '../../sweep/space/read/read-folds.ts';
import type { SweepConfig } from '../../sweep/space/read/sweep-schema.ts';
import { type SweepStatistics, sweepStatistics } from '../../sweep/statistics/sweep-statistics.ts';
import { STORE, triedTrials } from '../../sweep/statistics/tried-trials.ts';
import { storeError } from '../../sweep/store/store-error.ts';
import { TrialStore } from '../../sweep/store/trial-store.ts';
import { CliError } from '../cli/cli-error.ts';
import { makeWritable } from '../cli/out-directory.ts';
import { openQueueEngine, type QueueSweep } from './queue-sweep.ts';

const WORKER = threadModule(import.meta.url, './sweep-worker.ts');

const LOCK = 'trials.lock';

export function storeFile(directory: string): string {
  return join(directory, STORE);
}

export interface OpenStore extends Disposable {
  readonly store: TrialStore;
}

/** The store of a sweep to read, also while another process is at work on it. @throws OddsmithError SWEEP_… */
export function openStore(directory: string): OpenStore {
  const store = TrialStore.open(storeFile(directory), { isReadOnly: true });
  return { store, [Symbol.dispose]: () => store.close() };
}

export interface LatestSweep {
  readonly id: number;
  readonly objective: Objective;
  /** The configuration as it was read from the file. */
  readonly config: unknown;
}

/** The configuration that was played last in a directory. @throws CliError SWEEP_NOT_FOUND where none was */
export function latestOf(directory: string, store: TrialStore): LatestSweep {
  const latest = store.latest();
  if (latest !== undefined) {
    const { config, objective } = latest.description as Omit<LatestSweep, 'id'>;
    // A sweep of an earlier version asked for nothing.
    return { id: latest.id, config, objective: { ...objective, constraints: objective.constraints ?? {} } };
  }
  throw new CliError({
    code: 'SWEEP_NOT_FOUND',
    what: 'No sweep was begun in this directory.',
    where: directory,
    next: 'Start it: oddsmith sweep CONFIG.',
  });
}

/** The statistics of a configuration that was played; `objective` may be another one than its own. */
export function statisticsOf(
  directory: string,
  store: TrialStore,
  { id, config, objective }: LatestSweep,
): SweepStatistics {
  const { sweep, isolate } = config as SweepConfig;
  const isVaried = Object.hasOwn(sweep.space, 'isolate');
  const where = (): string => directory;
  const dimensions = dimensionsOf(config, directory);
  return sweepStatistics({
    store,
    configuration: id,
    objective,
    dimensions,
    isApart: !isVaried && (isolate === 'event' || isolate === 'market'),
    folds: sweep.folds && foldChoiceOf(sweep.folds),
    hasFoldSearches: readFolds({ value: config as SweepConfig, where }, dimensions) !== undefined,
    tried: triedTrials(directory, store, { config }),
  });
}

/** Params first, and by letters: the store does not keep the order of the file. */
function dimensionsOf(config: unknown, directory: string): readonly Dimension[] {
  const { space } = (config as SweepConfig).sweep;
  const dimensions = Object.entries(space).map(([written, entry]) => readDimension(written, entry, () => directory));
  const rank = ({ path }: Dimension): number => Number(path[0] !== 'strategies');
  return dimensions.toSorted((a, b) => rank(a) - rank(b) || (a.written < b.written ? -1 : 1));
}

/** The keys of a space as the user wrote them, by the keys of assignments. */
export type WrittenKeys = ReadonlyMap<string, string>;

export function writtenKeys(directory: string, { config }: Pick<LatestSweep, 'config'>): WrittenKeys {
  return new Map(dimensionsOf(config, directory).map(({ key, written }) => [key, written]));
}

/** Makes the directory where it is missing. @throws OddsmithError SWEEP_BUSY where another process is at work on it, and SWEEP_… */
export function lockedStore(directory: string): OpenStore {
  makeWritable(directory, 'Name another directory under sweep.out.');
  const lock = lockSweep(join(directory, LOCK));
  try {
    const store = TrialStore.open(storeFile(directory), { isReadOnly: false });
    return {
      store,
      [Symbol.dispose]: () => {
        store.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export interface OpenTapes extends Disposable {
  readonly tapes: readonly Tape[];
}

/** @throws TapeFailure */
export function openTapes(paths: readonly string[]): OpenTapes {
  const tapes: Tape[] = [];
  const close = (): void => {
    for (const tape of tapes) tape.close();
  };
  try {
    for (const path of paths) tapes.push(Tape.open(path));
  } catch (error) {
    close();
    throw error;
  }
  return { tapes, [Symbol.dispose]: close };
}

/** Threads of a worker, whose jobs each have tapes of their own. */
export function workerThreads(jobs: number): ThreadEngine {
  return new ThreadEngine({ tapes: [], jobs, heapMb: heapMbOf(jobs), worker: WORKER });
}

/** `heapMb`: what a thread may keep. */
export function threadEngine(tapes: readonly string[], jobs: number, heapMb = heapMbOf(jobs)): SweepEngine {
  return new ThreadEngine({ tapes, jobs, heapMb, worker: WORKER });
}

/** The share of the machine's memory that all threads together may take, and the least that one needs. */
const SHARE_OF_MEMORY = 0.75;
const HEAP_MB_MIN = 256;

/** The heap that this thread may take, where all of them together have room for it. */
function heapMbOf(jobs: number): number {
  const own = getHeapStatistics().heap_size_limit;
  // Where nothing limits this process, 0 or more than there is.
  const limited = process.constrainedMemory();
  const memory = limited > 0 ? Math.min(limited, totalmem()) : totalmem();
  return Math.max(HEAP_MB_MIN, Math.floor(Math.min(own, (SHARE_OF_MEMORY * memory) / jobs) / 2 ** 20));
}

export interface EngineChoices extends Omit<QueueSweep, 'redis'> {
  /** The Redis server from which workers on other machines take the jobs; undefined: threads play them here. */
  readonly redis: string | undefined;
  readonly jobs: number;
  readonly tapes: readonly string[];
}

/** What plays the jobs of a sweep. @throws OddsmithError QUEUE_NOT_INSTALLED, REDIS_…, SWEEP_BUSY */
export async function openEngine({ redis, jobs, tapes, ...queue }: EngineChoices): Promise<SweepEngine> {
  return redis === undefined ? threadEngine(tapes, jobs) : await openQueueEngine({ ...queue, redis });
}

/**
 * Keeps a second coordinator off the directory of a sweep: an exclusive transaction on a small SQLite file of its own, which is never
 * committed. The lock belongs to the operating system, so it ends with the process; the store itself can be read meanwhile.
 * @throws OddsmithError SWEEP_BUSY or SWEEP_NOT_WRITABLE
 */
function lockSweep(path: string): { release(): void } {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    // In any other mode the transaction would leave a rollback journal beside the lock.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    throw storeError(path, error);
  }
}
