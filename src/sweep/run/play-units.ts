/** Gives units out to an engine until each has a row or is set aside. */

import { type ErrorParts, OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { nextTurn } from '../../time/next-turn.ts';
import type { JobEnd, SweepEngine, UnitResult } from '../engine/engine.ts';
import type { TrialStore } from '../store/trial-store.ts';
import type { UnitCosts } from './unit-costs.ts';
import { jobOf, type QueuedUnit, UnitQueue } from './unit-queue.ts';

export interface PlayParts {
  readonly engine: SweepEngine;
  readonly store: TrialStore;
  readonly costs: UnitCosts;
  readonly signal: AbortSignal;
  /** A unit has its row, or failed for good. */
  readonly onUnit: (unit: QueuedUnit, error: ErrorParts | undefined) => void;
}

/** A unit whose player died so often is set aside. */
const DEATHS_MAX = 3;
/** Jobs given out for each that can be at play, so that none waits for the coordinator. */
const AHEAD = 2;
/** Jobs that may die one after the other without having played a unit: then it is the engine that does not work. */
const FRUITLESS_MAX = 10;

/** Resolves when nothing is left, or soon after the signal was aborted. @throws what an engine or the store throws */
export async function playUnits(parts: PlayParts, units: readonly QueuedUnit[]): Promise<void> {
  await new UnitPlay(parts, units).end();
}

class UnitPlay {
  readonly #parts: PlayParts;
  readonly #queue: UnitQueue;
  readonly #batch: ResultBatch;
  readonly #deaths = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  #jobs = 0;
  #fruitless = 0;

  constructor(parts: PlayParts, units: readonly QueuedUnit[]) {
    this.#parts = parts;
    this.#queue = new UnitQueue(units, parts.costs);
    this.#batch = new ResultBatch(parts.store);
  }

  async end(): Promise<void> {
    const { engine, signal } = this.#parts;
    for (;;) {
      while (this.#queue.size > 0 && !signal.aborted && this.#running.size < AHEAD * Math.max(1, engine.slots)) {
        this.#begin(this.#queue.take(engine.slots));
      }
      if (this.#running.size === 0) return;
      await Promise.race(this.#running);
    }
  }

  #begin(units: readonly QueuedUnit[]): void {
    const playing = this.#play(units).finally(() => this.#running.delete(playing));
    this.#running.add(playing);
  }

  async #play(units: readonly QueuedUnit[]): Promise<void> {
    const { engine, costs, onUnit } = this.#parts;
    const left = new Map(units.map((unit) => [unit.key, unit]));
    this.#jobs += 1;
    const end = await engine.play(jobOf(this.#jobs, units), async (result) => {
      await this.#batch.keep(result);
      const unit = left.get(result.key);
      if (unit === undefined) return;
      left.delete(result.key);
      this.#fruitless = 0;
      if (result.kind === 'played') costs.add(unit.group, result.elapsedMs);
      onUnit(unit, result.kind === 'failed' ? result.error : undefined);
    });
    if (end.kind === 'died') this.#died(end, left);
    if (end.kind !== 'aborted') this.#queue.again([...left.values()]);
  }

  /** A unit that hangs would hang again; one whose player died otherwise gets another chance. */
  #died({ key, isStuck, error }: JobEnd & { readonly kind: 'died' }, left: Map<string, QueuedUnit>): void {
    this.#fruitless += 1;
    if (this.#fruitless > FRUITLESS_MAX) throw new OddsmithError(error);
    const unit = left.get(key ?? '');
    if (unit === undefined) return;
    const deaths = (this.#deaths.get(unit.key) ?? 0) + 1;
    this.#deaths.set(unit.key, deaths);
    const isAside = isStuck || deaths >= DEATHS_MAX;
    this.#parts.store.keepFailure({ key: unit.key, error, deaths, isAside });
    if (!isAside) return;
    left.delete(unit.key);
    this.#parts.onUnit(unit, error);
  }
}

/** Commits the results that arrive in one turn of the event loop together: a transaction costs as much as many rows. */
class ResultBatch {
  readonly #store: TrialStore;
  #waiting: UnitResult[] = [];
  #commit: Promise<void> | undefined;

  constructor(store: TrialStore) {
    this.#store = store;
  }

  /** Resolves when the result is committed. */
  keep(result: UnitResult): Promise<void> {
    this.#waiting.push(result);
    this.#commit ??= nextTurn().then(() => {
      const results = this.#waiting;
      [this.#waiting, this.#commit] = [[], undefined];
      this.#store.keep(results);
    });
    return this.#commit;
  }
}
