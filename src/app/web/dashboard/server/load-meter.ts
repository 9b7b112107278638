/** What share of a core something takes that is done in rounds. */

/** Rounds over which it is averaged. */
const ROUNDS = 40;

export class LoadMeter {
  readonly #everyMs: number;
  readonly #rounds: number[] = [];
  #next = 0;
  #sum = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  add(ms: number): void {
    this.#sum += ms - (this.#rounds[this.#next] ?? 0);
    this.#rounds[this.#next] = ms;
    this.#next = (this.#next + 1) % ROUNDS;
  }

  /** Undefined before there were so many: the first ones are slow, since nothing is compiled yet. */
  get share(): number | undefined {
    return this.#rounds.length < ROUNDS ? undefined : Math.max(0, this.#sum) / (ROUNDS * this.#everyMs);
  }
}
