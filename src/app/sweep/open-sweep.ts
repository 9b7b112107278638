/** Opens what a sweep needs: its directory for this process alone, its store, its tapes, and the engine that plays it. */

import { join } from 'node:path';
import { Tape } from '../../recording/tape/tape.ts';
import type { SweepEngine } from '../../sweep/engine/engine.ts';
import { ThreadEngine } from '../../sweep/engine/thread-engine.ts';
import { lockSweep } from '../../sweep/store/sweep-lock.ts';
import { TrialStore } from '../../sweep/store/trial-store.ts';
import { makeWritable } from '../cli/out-directory.ts';

const SOURCE = new URL('./sweep-worker.ts', import.meta.url);
const WORKER = import.meta.url.endsWith('.ts') ? SOURCE : new URL(SOURCE.href.replace(/\.ts$/, '.js'));

const STORE = 'trials.sqlite';
const LOCK = 'trials.lock';

/** The store of a sweep to read, also while another process is at work on it. @throws OddsmithError SWEEP_… */
export function openStore(directory: string): TrialStore {
  return TrialStore.open(join(directory, STORE), { isReadOnly: true });
}

export interface WritableSweep extends Disposable {
  readonly store: TrialStore;
}

/** Makes the directory where it is missing. @throws OddsmithError SWEEP_BUSY where another process is at work on it, and SWEEP_… */
export function lockedStore(directory: string): WritableSweep {
  makeWritable(directory, 'Name another directory under sweep.out.');
  const lock = lockSweep(join(directory, LOCK));
  try {
    const store = TrialStore.open(join(directory, STORE), { isReadOnly: false });
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

export function threadEngine(tapes: readonly string[], jobs: number): SweepEngine {
  return new ThreadEngine({ tapes, jobs, worker: WORKER });
}
