/** Follows how much of what was sent to a client it may not have read yet. */

import type { Subscription as Timer } from 'rxjs';
import type { Clock } from '../../time/clock.ts';
import { type PortPair, unreadBytes } from './unread-bytes.ts';

export interface ReadMeterParts {
  readonly wall: Clock;
  readonly ports: PortPair;
  /** The system is asked when half as many may be unread. */
  readonly bytesMax: number;
  /** Called when the system has answered. */
  readonly onAnswer: () => void;
}

/** Time between questions while a client is behind, in ms. */
const ASK_AGAIN_MS = 25;

export class ReadMeter {
  readonly #parts: ReadMeterParts;
  /** Bytes of which nobody has said that they were read. */
  #bytes = 0;
  #isAsking = false;
  #isClosed = false;
  #again: Timer | undefined;

  constructor(parts: ReadMeterParts) {
    this.#parts = parts;
  }

  get isBehind(): boolean {
    return this.#bytes > this.#parts.bytesMax;
  }

  sent(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#parts.bytesMax / 2 && !this.#isAsking) this.#ask();
  }

  close(): void {
    this.#isClosed = true;
    this.#again?.unsubscribe();
  }

  #ask(): void {
    const { wall, ports, onAnswer } = this.#parts;
    this.#isAsking = true;
    const before = this.#bytes;
    unreadBytes(ports).then((unread = 0) => {
      if (this.#isClosed) return;
      // What was sent since the question may be among the unread: it is counted twice rather than not at all.
      this.#bytes = this.#bytes - before + unread;
      onAnswer();
      this.#again = wall.schedule(() => {
        this.#isAsking = false;
        this.sent(0);
      }, ASK_AGAIN_MS);
    });
  }
}
