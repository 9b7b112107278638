/** Whether the run's own clock and the system's date agree: after a sleep, or where the date is set, they do not. */

import type { Clock } from '../../../time/clock.ts';

export interface ClockWatchParts {
  /** The run's own: time that nobody can set, and that stands still while the machine sleeps. */
  readonly clock: Pick<Clock, 'now'>;
  /** What the system takes for the date, ms UTC. */
  readonly wallMs: () => number;
  readonly skewMaxMs: number;
  /** The machine slept for so long, or its date was set on by as much, since the last look; negative: set back. */
  readonly onJump: (jumpMs: number) => void;
  /** One of the two is wrong from now on: which, the process cannot know. */
  readonly onOff: (words: string) => void;
  readonly onRight: () => void;
}

/** Dates are corrected by less, a step at a time. */
const JUMP_MS = 1_000;

/** To be asked before anything that comes from outside is acted on: what was under way while the machine slept is old. */
export class ClockWatch {
  readonly #parts: ClockWatchParts;
  /** The date's lead over the run's clock at the last look, ms. */
  #aheadMs: number;
  #isOff = false;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
    this.#aheadMs = parts.wallMs() - parts.clock.now();
  }

  look(): void {
    const { clock, wallMs, skewMaxMs, onJump, onOff, onRight } = this.#parts;
    const aheadMs = Math.round(wallMs() - clock.now());
    const jumpedMs = Math.round(aheadMs - this.#aheadMs);
    // Set first: whoever hears of a jump acts, and looks before that.
    this.#aheadMs = aheadMs;
    if (Math.abs(jumpedMs) > JUMP_MS) onJump(jumpedMs);
    const isOff = Math.abs(aheadMs) > skewMaxMs;
    if (isOff === this.#isOff) return;
    this.#isOff = isOff;
    if (!isOff) return onRight();
    onOff(`the run’s clock is ${Math.abs(aheadMs)} ms ${aheadMs > 0 ? 'behind' : 'ahead of'} the system’s`);
  }
}
