/**
 * Runs a driver of traffic (a crowd or a tape) as steps that are taken when they are due, a limited number at a time.
 */

import { Subscription } from 'rxjs';
import type { Clock } from '../../time/clock.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';

/** The part of the SandboxContext that a driver needs. */
export type TrafficContext = Pick<SandboxContext, 'world' | 'clock' | 'now' | 'apply'>;

export interface Traffic {
  /** Takes no further step; placed orders stay. */
  stop(): void;
}

/** The longest wait, in ms. Node's timers fire at once beyond 24.8 days. */
const LOOK_AGAIN_MS = 3_600_000;

export interface Steps {
  /** When the next step is due, ms UTC; Infinity where there is none left. */
  nextAt(): number;
  takeStep(): void;
  onStop(): void;
}

/**
 * Takes the steps of a driver. One that has fallen behind catches up in turns of `turnMax` steps, so that requests are
 * answered in between.
 */
export class Ticker implements Traffic {
  readonly #clock: Clock;
  readonly #steps: Steps;
  readonly #turnMax: number;
  readonly #onBug: (error: unknown) => void;
  #timer = new Subscription();
  #isStopped = false;

  constructor(parts: {
    readonly clock: Clock;
    readonly steps: Steps;
    readonly turnMax: number;
    /** Called with an error of a step, which no caller could catch. No step follows. */
    readonly onBug: (error: unknown) => void;
  }) {
    this.#clock = parts.clock;
    this.#steps = parts.steps;
    this.#turnMax = parts.turnMax;
    this.#onBug = parts.onBug;
    this.#wait();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#timer.unsubscribe();
    this.#steps.onStop();
  }

  #wait(): void {
    const at = this.#steps.nextAt();
    if (this.#isStopped || at === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.max(0, Math.min(LOOK_AGAIN_MS, at - this.#clock.now()));
    this.#timer = this.#clock.schedule(() => this.#turn(), waitMs);
  }

  #turn(): void {
    try {
      for (let taken = 0; taken < this.#turnMax && this.#isDue(); taken += 1) this.#steps.takeStep();
      this.#wait();
    } catch (error) {
      this.#isStopped = true;
      this.#onBug(error);
    }
  }

  #isDue(): boolean {
    return !this.#isStopped && this.#steps.nextAt() <= this.#clock.now();
  }
}
