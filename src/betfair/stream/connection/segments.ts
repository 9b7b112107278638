/** Puts the segments of a change together: nothing of a change counts before its last segment is there. */

import type { ChangeEnvelope } from './change-envelope.ts';

/** A message of changes, and the line that it came in. */
export interface ChangeLine {
  readonly envelope: ChangeEnvelope;
  readonly line: string;
}

export class Segments {
  readonly #bytesMax: number;
  #held: ChangeLine[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether a change has begun that has not ended. */
  get isOpen(): boolean {
    return this.#held.length > 0;
  }

  clear(): void {
    this.#held = [];
    this.#bytes = 0;
  }

  /** The lines of a change that is whole now; undefined while more are due. */
  add(next: ChangeLine): readonly ChangeLine[] | 'out of order' | 'too large' | undefined {
    const { segmentType } = next.envelope;
    const begins = segmentType === undefined || segmentType === 'SEG_START';
    if (begins === this.isOpen) return 'out of order';
    // A text has at least a byte for each of its units.
    this.#bytes += next.line.length;
    if (this.#bytes > this.#bytesMax) return 'too large';
    this.#held.push(next);
    if (segmentType === 'SEG_START' || segmentType === 'SEG') return undefined;
    const whole = this.#held;
    this.clear();
    return whole;
  }
}
