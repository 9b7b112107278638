/** Calls a service that raises an alarm when it is not called any more, while the pipeline processes what it reads. */

import type { Random } from '../../../core/number/random.ts';
import { Backoff } from '../../../exchange-live/connection/backoff.ts';
import type { Clock } from '../../../time/clock.ts';
import type { DeadManOptions } from '../../run/alert-options.ts';
import type { PostOutcome } from './post-outcome.ts';
import type { Poster } from './poster.ts';
import { pingRequest } from './way-request.ts';
import { wordsOf } from './way-sender.ts';

export interface DeadManParts {
  readonly options: DeadManOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly poster: Poster;
  readonly onTrouble: (words: string) => void;
}

export interface PingCounts {
  readonly sent: number;
  readonly failed: number;
}

/** A call that failed is made anew after this, and after longer pauses if that fails, too. */
const AGAIN_FIRST_MS = 2_000;

export class DeadMan {
  readonly #parts: DeadManParts;
  readonly #backoff: Backoff;
  readonly #counts = { sent: 0, failed: 0 };
  #dueAt: number;
  /** The number at the last look. */
  #polled: number | undefined;
  #giveUp: (() => void) | undefined;

  constructor(parts: DeadManParts) {
    const { options, clock, random } = parts;
    this.#parts = parts;
    this.#backoff = new Backoff({ firstMs: AGAIN_FIRST_MS, maxMs: options.everyMs, random });
    this.#dueAt = clock.now();
  }

  get counts(): PingCounts {
    return this.#counts;
  }

  /**
   * Looks whether polls go on; call it every second. `polled` grows with every poll that the pipeline processed, failed
   * ones included. The call goes out only right after it has grown, also in place of one that failed: what was
   * processed a minute ago says nothing about now.
   */
  look(polled: number): void {
    const { options, clock, poster } = this.#parts;
    const before = this.#polled;
    this.#polled = polled;
    if (before === undefined || before === polled || this.#giveUp !== undefined || clock.now() < this.#dueAt) return;
    this.#dueAt = clock.now() + options.everyMs;
    this.#giveUp = poster.post(pingRequest(options), (outcome) => this.#onOutcome(outcome));
  }

  close(): void {
    this.#giveUp?.();
  }

  #onOutcome(outcome: PostOutcome): void {
    const { clock, onTrouble } = this.#parts;
    this.#giveUp = undefined;
    if (outcome.isSent) {
      this.#counts.sent += 1;
      return this.#backoff.reset();
    }
    this.#counts.failed += 1;
    this.#dueAt = Math.min(this.#dueAt, clock.now() + this.#backoff.next());
    onTrouble(`not received: ${wordsOf(outcome)}`);
  }
}
