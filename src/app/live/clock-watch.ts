/** Whether the run's own clock and the system's date agree: after a sleep, or where the date is set wrongly, they do not. */

import type { Clock } from '../../time/clock.ts';

export interface ClockWatchParts {
  /** The run's own: time that nobody can set, and that stands still while the machine sleeps. */
  readonly clock: Pick<Clock, 'now'>;
  /** What the system takes for the date, ms UTC. */
  readonly wallMs: () => number;
  readonly skewMaxMs: number;
  /** One of the two is wrong from now on: which, the process cannot know. */
  readonly onOff: (words: string) => void;
  readonly onRight: () => void;
}

export class ClockWatch {
  readonly #parts: ClockWatchParts;
  #isOff = false;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
  }

  look(): void {
    const { clock, wallMs, skewMaxMs, onOff, onRight } = this.#parts;
    const aheadMs = Math.round(wallMs() - clock.now());
    const isOff = Math.abs(aheadMs) > skewMaxMs;
    if (isOff === this.#isOff) return;
    this.#isOff = isOff;
    if (!isOff) return onRight();
    onOff(`the run’s clock is ${Math.abs(aheadMs)} ms ${aheadMs > 0 ? 'behind' : 'ahead of'} the system’s`);
  }
}
