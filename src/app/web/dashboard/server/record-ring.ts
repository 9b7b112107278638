/** The newest lines of a record, and the newest alerts among them: so many and no more. */

import type { RecordLine } from '../../../../pages/panels.ts';

const LINES_MAX = 500;
const ALERTS_MAX = 100;
/** The longest text of one line; a stack that a strategy threw may be long. */
const TEXT_MAX = 1_000;

export class RecordRing {
  readonly #lines: RecordLine[] = [];
  #alerts: readonly RecordLine[] = [];
  #seq = 0;

  /** The newest first. The same list until another alert comes. */
  get alerts(): readonly RecordLine[] {
    return this.#alerts;
  }

  add(line: Omit<RecordLine, 'seq'>): void {
    const { at, level, about, alert, text } = line;
    const kept = { seq: this.#seq, at, level, about, alert, text: shortened(text) };
    this.#lines[this.#seq % LINES_MAX] = kept;
    this.#seq += 1;
    if (alert !== undefined) this.#alerts = [kept, ...this.#alerts.slice(0, ALERTS_MAX - 1)];
  }

  /** What came after the line of this number, the oldest first; -1 for all that is kept. */
  after(seq: number): readonly RecordLine[] {
    const first = Math.max(seq + 1, this.#seq - LINES_MAX, 0);
    const lines: RecordLine[] = [];
    for (let next = first; next < this.#seq; next += 1) {
      const line = this.#lines[next % LINES_MAX];
      if (line !== undefined) lines.push(line);
    }
    return lines;
  }
}

function shortened(text: string): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)} …`;
}
