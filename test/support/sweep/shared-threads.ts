/** One thread that plays sweeps of many stages one after the other: to start one costs more than most of them. */

import { workerThreads } from '../../../src/app/sweep/open-sweep.ts';
import type { SweepEngine } from '../../../src/sweep/engine/engine.ts';
import type { ThreadEngine } from '../../../src/sweep/engine/thread-engine.ts';

export class SharedThreads {
  #threads: ThreadEngine | undefined;

  /** For one play over these tapes; the thread goes on when it is closed. */
  over(tapes: readonly string[]): SweepEngine {
    this.#threads ??= workerThreads(1);
    const threads = this.#threads;
    return {
      slots: threads.slots,
      play: (job, onResult) => threads.play(job, onResult, tapes),
      close: async () => undefined,
    };
  }

  async close(): Promise<void> {
    await this.#threads?.close();
  }
}
