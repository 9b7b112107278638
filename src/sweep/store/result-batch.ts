/** Commits the results that arrive in one turn of the event loop together: a transaction costs as much as many rows. */

import { nextTurn } from '../../time/next-turn.ts';
import type { UnitResult } from '../engine/engine.ts';
import type { TrialStore } from './trial-store.ts';

export class ResultBatch {
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
