/** Plays the units of a sweep in this process, one after the other: what threads add is tested elsewhere. */

import type { JobEnd, SweepEngine, SweepJob, UnitResult } from '../../../src/sweep/engine/engine.ts';
import { UnitPlayer } from '../../../src/sweep/unit/unit-player.ts';

export class OwnEngine implements SweepEngine {
  readonly slots = 1;
  readonly #player: UnitPlayer;

  constructor(tapes: readonly string[]) {
    this.#player = new UnitPlayer(tapes);
  }

  async play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd> {
    for (const unit of job.units) await onResult(await this.#player.play(job, unit, { onPlayed: () => undefined }));
    return { kind: 'done' };
  }

  async close(): Promise<void> {
    this.#player.close();
  }
}
