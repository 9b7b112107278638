/**
 * Runs a driver of traffic (a crowd or a tape) as steps that are taken when they are due, a limited number at a time.
 */

import { Subscription } from 'rxjs';
import type { Clock } from '../../time/clock.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';

/** The part of the SandboxContext that changes of the world need. */
export type WorldContext = Pick<SandboxContext, 'world' | 'now' | 'apply'>;

/** The part of the SandboxContext that a driver needs. */
export type TrafficContext = WorldContext & Pick<SandboxContext, 'clock'>;

export interface Traffic {
  /** Takes no further step; placed orders stay. */
  stop(): void;
}

/** Traffic whose own time can stand still while the clock goes on. */
export interface PacedTraffic extends Traffic {
  hold(): void;
  go(): void;
  /** How far it is behind where it would be if it had never waited, in ms of the clock. */
  lagMs(): number;
}

/** All drivers of a sandbox. */
export interface AllTraffic {
  readonly paced: readonly PacedTraffic[];
  readonly others: readonly Traffic[];
}

/** The longest wait, in ms. Node's timers fire at once beyond 24.8 days. */
const LOOK_AGAIN_MS = 3_600_000;

export interface Steps {
  /** When the next step is due, ms UTC; Infinity where there is none left. */
  nextAt(): number;
  takeStep(): void;
  /** All later steps are due so much later. */
  delay?(ms: number): void;
  onStop(): void;
}

export interface TickerParts {
  readonly clock: Clock;
  readonly steps: Steps;
  readonly turnMax: number;
  /** Called with an error of a step, which no caller could catch. No step follows. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Takes the steps of a driver. One that has fallen behind catches up in turns of `turnMax` steps, so that requests are
 * answered in between.
 */
export class Ticker implements PacedTraffic {
  readonly #parts: TickerParts;
  #timer = new Subscription();
  #isStopped = false;
  #heldAt: number | undefined;
  #heldMs = 0;

  constructor(parts: TickerParts) {
    this.#parts = parts;
    this.#wait();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#timer.unsubscribe();
    this.#parts.steps.onStop();
  }

  hold(): void {
    if (this.#isStopped || this.#heldAt !== undefined) return;
    this.#heldAt = this.#parts.clock.now();
    this.#timer.unsubscribe();
  }

  go(): void {
    if (this.#isStopped || this.#heldAt === undefined) return;
    const heldMs = this.#parts.clock.now() - this.#heldAt;
    this.#heldAt = undefined;
    this.#heldMs += heldMs;
    this.#parts.steps.delay?.(heldMs);
    this.#wait();
  }

  lagMs(): number {
    const now = this.#parts.clock.now();
    const stoodAt = this.#heldAt ?? now;
    return this.#heldMs + (now - stoodAt) + Math.max(0, stoodAt - this.#parts.steps.nextAt());
  }

  #wait(): void {
    const at = this.#parts.steps.nextAt();
    if (this.#isStopped || this.#heldAt !== undefined || at === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.max(0, Math.min(LOOK_AGAIN_MS, at - this.#parts.clock.now()));
    this.#timer = this.#parts.clock.schedule(() => this.#turn(), waitMs);
  }

  #turn(): void {
    try {
      for (let taken = 0; taken < this.#parts.turnMax && this.#isDue(); taken += 1) this.#parts.steps.takeStep();
      this.#wait();
    } catch (error) {
      this.#isStopped = true;
      this.#parts.onBug(error);
    }
  }

  #isDue(): boolean {
    return !this.#isStopped && this.#parts.steps.nextAt() <= this.#parts.clock.now();
  }
}
