/** Plays the jobs of a worker in threads, over the tapes of this machine that hold their markets. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { JobEnd, SweepJob, UnitResult } from '../../sweep/engine/engine.ts';
import type { ThreadEngine } from '../../sweep/engine/thread-engine.ts';
import type { TapeSources } from '../../sweep/pieces/tape-sources.ts';
import type { LocalPlayer } from '../../sweep/queue/local-player.ts';
import { MACHINE_CODES } from '../../sweep/unit/unit-check.ts';

export class WorkerPlayer implements LocalPlayer {
  readonly #engine: ThreadEngine;
  readonly #sources: TapeSources;

  constructor(engine: ThreadEngine, sources: TapeSources) {
    this.#engine = engine;
    this.#sources = sources;
  }

  async play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd> {
    const held = await this.#sources.hold([...new Set(job.groups.flatMap(({ markets }) => markets))]);
    let lacking: OddsmithError | undefined;
    const pass = async (result: UnitResult): Promise<void> => {
      // What this machine lacks says nothing of the unit.
      if (result.kind === 'failed' && MACHINE_CODES.has(result.error.code)) lacking ??= new OddsmithError(result.error);
      else await onResult(result);
    };
    try {
      const end = await this.#engine.play(job, pass, held.paths);
      if (lacking !== undefined) throw lacking;
      return end;
    } finally {
      held.release();
    }
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
