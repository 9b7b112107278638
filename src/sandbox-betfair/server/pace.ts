/** Says when recorded markets must wait: while a client has not read what was sent to it, for a limited time. */

import type { Subscription as Timer } from 'rxjs';
import type { Clock } from '../../time/clock.ts';

/** Whoever may be behind: a client of the stream, or the exchange itself. */
export interface Paced {
  readonly isBehindTape: boolean;
}

export interface PaceParts {
  /** Real time: whether somebody is behind is no matter of the exchange's time. */
  readonly wall: Clock;
  /** Nobody is waited for any longer than this, in ms, until it has caught up by itself. */
  readonly patienceMs: number;
  /** Called when the tape must wait from now on, and when it may go on. */
  readonly onChange: (isHeld: boolean) => void;
}

export class Pace {
  readonly #parts: PaceParts;
  /** Who is waited for, and until when. */
  readonly #waits = new Map<Paced, Timer>();
  readonly #givenUp = new Set<Paced>();
  #telling: Timer | undefined;
  #isHeld = false;

  get wall(): Clock {
    return this.#parts.wall;
  }

  constructor(parts: PaceParts) {
    this.#parts = parts;
  }

  /** Something was sent to it, or it has taken something. */
  look(paced: Paced): void {
    if (!paced.isBehindTape) return this.forget(paced);
    if (this.#waits.has(paced) || this.#givenUp.has(paced)) return;
    const { wall, patienceMs } = this.#parts;
    this.#waits.set(
      paced,
      wall.schedule(() => {
        this.#waits.delete(paced);
        this.#givenUp.add(paced);
        this.#tell();
      }, patienceMs),
    );
    this.#tell();
  }

  /** It is not behind any more, or gone. */
  forget(paced: Paced): void {
    this.#givenUp.delete(paced);
    this.#waits.get(paced)?.unsubscribe();
    if (this.#waits.delete(paced)) this.#tell();
  }

  close(): void {
    this.#telling?.unsubscribe();
    for (const timer of this.#waits.values()) timer.unsubscribe();
  }

  /** Later, in a turn of its own: what is sent now has mostly been taken by then, and nobody was behind. */
  #tell(): void {
    this.#telling ??= this.#parts.wall.schedule(() => {
      this.#telling = undefined;
      const isHeld = this.#waits.size > 0;
      if (isHeld === this.#isHeld) return;
      this.#isHeld = isHeld;
      this.#parts.onChange(isHeld);
    });
  }
}
