/** Finds what a stream should have reported of a market’s prices and did not: a sign that it is stalled, or that a message was lost. */

/** Levels that a reading had to correct, and the time in which the stream should have reported them, ms on our clock. */
export interface Untold {
  readonly from: number;
  readonly to: number;
  readonly levels: number;
}

interface Correction {
  readonly cells: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** A message that was sent before an answer may come after it: so long after the question, ms, it is late beyond doubt. */
const UNDER_WAY_MS = 1_000;

/** A level is known by a number, its cell. */
export class UntoldLevels {
  /** When the stream last spoke of a level, be it in time or too late to be applied. */
  readonly #heardAt = new Map<number, number>();
  #wholeAt = Number.NEGATIVE_INFINITY;
  #corrections: readonly Correction[] = [];

  /** Whether the stream speaks of the market: else readings correct nothing that it said. */
  get isStreamed(): boolean {
    return this.#heardAt.size > 0 || this.#wholeAt !== Number.NEGATIVE_INFINITY;
  }

  heard(cell: number, receivedAt: number): void {
    this.#heardAt.set(cell, receivedAt);
  }

  heardWhole(receivedAt: number): void {
    this.#wholeAt = receivedAt;
  }

  clear(): void {
    this.#heardAt.clear();
    this.#wholeAt = Number.NEGATIVE_INFINITY;
    this.#corrections = [];
  }

  /**
   * Takes note of what a reading corrected that was asked for at `to`, where the one before was asked for at `from`. Returns
   * earlier corrections of which the stream has said nothing since.
   */
  corrected(correction: Correction): Untold | undefined {
    const isDue = ({ to }: Correction): boolean => correction.to - to >= UNDER_WAY_MS;
    const untold = this.#corrections.filter(isDue).map(({ cells, ...span }) => {
      return { ...span, levels: cells.filter((cell) => this.#spokenAt(cell) < span.to).length };
    });
    const waiting = this.#corrections.filter((each) => !isDue(each));
    this.#corrections = correction.cells.length > 0 ? [...waiting, correction] : waiting;
    const found = untold.filter(({ levels }) => levels > 0);
    const [first] = found;
    return (
      first && {
        from: first.from,
        to: Math.max(...found.map(({ to }) => to)),
        levels: found.reduce((sum, { levels }) => sum + levels, 0),
      }
    );
  }

  #spokenAt(cell: number): number {
    return Math.max(this.#wholeAt, this.#heardAt.get(cell) ?? Number.NEGATIVE_INFINITY);
  }
}
