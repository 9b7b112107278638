/** Compares the run's own clock with the system's date: after a sleep, or when the date was set, they differ. */

import type { Clock } from '../../../time/clock.ts';

export interface ClockWatchParts {
  /** The run's own clock, which cannot be set and stands still while the machine sleeps, ms UTC. */
  readonly clock: Pick<Clock, 'now'>;
  /** The system's date, ms UTC. */
  readonly wallMs: () => number;
  readonly skewMaxMs: number;
  /** Called when the date moved against the clock since the last check, ms: the machine slept, or its date was set on; negative: set back. */
  readonly onJump: (jumpMs: number) => void;
  /** Called with the cause when clock and date differ too much: one of them is wrong, and the process cannot know which. */
  readonly onOff: (cause: string) => void;
  readonly onRight: () => void;
}

/** Ordinary corrections of the date are smaller steps. */
const JUMP_MS = 1_000;

/** Call `look` before anything from outside is acted on: what was under way while the machine slept is old. */
export class ClockWatch {
  readonly #parts: ClockWatchParts;
  /** How far the date was ahead of the run's clock at the last check, ms. */
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
    // Set first, because the callbacks act, and acting checks again.
    this.#aheadMs = aheadMs;
    if (Math.abs(jumpedMs) > JUMP_MS) onJump(jumpedMs);
    const isOff = Math.abs(aheadMs) > skewMaxMs;
    if (isOff === this.#isOff) return;
    this.#isOff = isOff;
    if (!isOff) return onRight();
    onOff(`the run’s clock is ${Math.abs(aheadMs)} ms ${aheadMs > 0 ? 'behind' : 'ahead of'} the system’s`);
  }
}
