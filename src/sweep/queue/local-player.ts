/** What a worker plays jobs with. */

import type { JobEnd, SweepJob, UnitResult } from '../engine/engine.ts';

export interface LocalPlayer {
  /**
   * Plays as `SweepEngine.play` does, over the tapes of this machine that hold the job's markets. @throws OddsmithError where this machine
   * cannot play it
   */
  play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd>;
  /** Ends all that is at play: their jobs end as `aborted`. */
  close(): Promise<void>;
}
