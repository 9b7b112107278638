/**
 * A map from numbers that count up, whose older entries are deleted first: an array with a moving start, which is
 * faster and smaller than a Map.
 */

const NONE = -1;
/** The array is compacted only when this many places at its start are empty. */
const GONE_MIN = 1024;
/** A number up to this far ahead of the last one is still put into the array; the places between stay empty. */
const GAP_MAX = 1024;

/** Numbers out of sequence, such as those of orders left by an earlier process, are kept in a Map beside the array. */
export class SequenceMap<Thing> {
  #first = NONE;
  #gone = 0;
  #things: (Thing | undefined)[] = [];
  readonly #others = new Map<number, Thing>();

  add(number: number, thing: Thing): void {
    if (this.#first === NONE) this.#first = number;
    const things = this.#things;
    const at = number - this.#first;
    if (at < things.length || at > things.length + GAP_MAX) {
      this.#others.set(number, thing);
      return;
    }
    while (things.length < at) things.push(undefined);
    things.push(thing);
  }

  get(number: number): Thing | undefined {
    const at = number - this.#first;
    const thing = at >= 0 && at < this.#things.length ? this.#things[at] : undefined;
    return thing === undefined && this.#others.size > 0 ? this.#others.get(number) : thing;
  }

  delete(number: number): void {
    if (this.#others.size > 0) this.#others.delete(number);
    const things = this.#things;
    const at = number - this.#first;
    if (at >= 0 && at < things.length) things[at] = undefined;
    if (at >= this.#gone && things[this.#gone] === undefined) this.#letGo(this.#gone);
  }

  /** Compacts the array so that it starts at the first entry left, once enough places are empty. */
  #letGo(from: number): void {
    const things = this.#things;
    let gone = from;
    while (gone < things.length && things[gone] === undefined) gone += 1;
    this.#gone = gone;
    if (gone < GONE_MIN || gone * 2 < things.length) return;
    this.#things = things.slice(gone);
    this.#first += gone;
    this.#gone = 0;
  }
}
