/** Checks the process: how late its event loop is, whether its clock and the date agree, and whether systemd and a dead-man service are to get a sign of life. */

import { type Subscription, timer } from 'rxjs';
import type { Clock } from '../../../time/clock.ts';

export interface VitalHooks {
  /** The run's own clock, which cannot be set. */
  readonly clock: Clock;
  /** Called when the event loop was held up, with by how much beyond a second, ms. */
  readonly onLate: (lateMs: number) => void;
  /** Between two signs of life; undefined where none is due. */
  readonly aliveEveryMs: number | undefined;
  /** Grows with every poll that the pipeline processed, failed ones included. */
  readonly polled: () => number;
  readonly onAlive: () => void;
  /** Called every second with `polled()`, for a sign of life with a pace of its own. */
  readonly onLook: (polled: number) => void;
  /** Called several times a second with how late a timer fired, ms. */
  readonly onLag: (lagMs: number) => void;
}

const LOOK_EVERY_MS = 1_000;
const LATE_MS = 1_000;
const LAG_EVERY_MS = 200;

/** Runs until unsubscribed. While the pipeline processes no poll there is no sign of life, however busy the process is. */
export function watchVitalSigns(hooks: VitalHooks): Subscription {
  const { clock } = hooks;
  let steady = clock.now();
  let aliveAt = steady;
  let polled = hooks.polled();
  /** Only right after something was processed: what was processed before the last look says nothing about now. */
  const lookAlive = (now: number, newest: number): void => {
    const isAtWork = newest !== polled;
    polled = newest;
    if (!isAtWork || hooks.aliveEveryMs === undefined || now - aliveAt < hooks.aliveEveryMs) return;
    aliveAt = now;
    hooks.onAlive();
  };
  const watching = timer(LOOK_EVERY_MS, LOOK_EVERY_MS, clock).subscribe(() => {
    const passed = clock.now() - steady;
    steady += passed;
    if (passed > LOOK_EVERY_MS + LATE_MS) hooks.onLate(Math.round(passed - LOOK_EVERY_MS));
    const newest = hooks.polled();
    lookAlive(steady, newest);
    hooks.onLook(newest);
  });
  watching.add(measureLag(hooks));
  return watching;
}

/** RxJS counts the next pause from when the last one ended, so one that was late does not make the next one late, too. */
function measureLag({ clock, onLag }: VitalHooks): Subscription {
  let before = clock.now();
  return timer(LAG_EVERY_MS, LAG_EVERY_MS, clock).subscribe(() => {
    const now = clock.now();
    onLag(now - before - LAG_EVERY_MS);
    before = now;
  });
}

interface ClockWatchParts {
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

/**
 * Compares the run's own clock with the system's date: after a sleep, or when the date was set, they differ. Call `look` before anything
 * from outside is acted on: what was under way while the machine slept is old.
 */
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
